//! Rows that can tell that they are as they were written.
//!
//! SQLite notices damage to the structure of its file, not a changed byte in somebody's text. So each row has a digest of its other
//! columns, which is checked whenever the row is read.

use rusqlite::{
    Connection, Row, ToSql,
    types::{ToSqlOutput, Type, ValueRef},
};
use sha2::{Digest, Sha256};

/// Tables whose rows have it.
const TABLES: [&str; 5] = ["runs", "bots", "live", "log", "matches"];

/// The digest of a text.
pub(crate) fn of_text(text: &str) -> String {
    in_letters(Sha256::new_with_prefix(text))
}

/// Writes a row with its digest. `conflict` says what to do where it is there already.
pub(crate) fn insert(
    connection: &Connection,
    table: &str,
    columns: &[(&str, &dyn ToSql)],
    conflict: &str,
) -> Result<usize, rusqlite::Error> {
    let digest = of_row(columns)?;
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let places: Vec<String> = names.iter().map(|name| format!(":{name}")).collect();
    let (names, places) = (names.join(", "), places.join(", "));
    let sql = format!("INSERT INTO {table} ({names}, digest) VALUES ({places}, :digest) {conflict}");
    let mut statement = connection.prepare_cached(&sql)?;
    for (place, (_, value)) in columns.iter().enumerate() {
        statement.raw_bind_parameter(place + 1, *value)?;
    }
    statement.raw_bind_parameter(columns.len() + 1, digest)?;
    statement.raw_execute()
}

/// The digest of a row that is about to be written: each column by its name.
fn of_row(columns: &[(&str, &dyn ToSql)]) -> Result<String, rusqlite::Error> {
    let values = columns.iter().map(|(name, value)| Ok((*name, value.to_sql()?)));
    let values = values.collect::<Result<Vec<_>, rusqlite::Error>>()?;
    let columns = values.iter().map(|(name, value)| Ok((*name, borrowed(value)?)));
    Ok(of_columns(columns.collect::<Result<_, rusqlite::Error>>()?))
}

fn borrowed<'a>(value: &'a ToSqlOutput<'a>) -> Result<ValueRef<'a>, rusqlite::Error> {
    match value {
        ToSqlOutput::Owned(owned) => Ok(ValueRef::from(owned)),
        ToSqlOutput::Borrowed(borrowed) => Ok(*borrowed),
        _ => Err(rusqlite::Error::InvalidQuery),
    }
}

/// Refuses a row that is not what was written. `name` is the column by which people know it.
pub(crate) fn check(row: &Row, table: &str, name: &str) -> Result<(), rusqlite::Error> {
    let statement = row.as_ref();
    let columns = statement.column_names().enumerate();
    let columns = columns.map(|(index, name)| Ok((name, row.get_ref(index)?)));
    let columns = columns.collect::<Result<Vec<_>, rusqlite::Error>>()?;
    let whole = match columns.iter().find(|(name, _)| *name == "record") {
        Some((_, ValueRef::Text(record))) if table == "matches" => {
            in_letters(Sha256::new_with_prefix(record)) == row.get::<_, String>("record_digest")?
        }
        _ => true,
    };
    let digest: Option<String> = row.get("digest")?;
    if whole && digest.as_ref() == Some(&of_columns(columns)) {
        return Ok(());
    }
    let (index, row_name) = (statement.column_index(name)?, row.get_ref(name)?);
    let row_name = String::from_utf8_lossy(row_name.as_bytes().unwrap_or_default()).into_owned();
    let sentence = format!("a row of {table} was changed since it was written: {}", crate::error::quoted(&row_name));
    Err(rusqlite::Error::FromSqlConversionFailure(index, Type::Text, sentence.into()))
}

/// Gives every row of an older format its digest.
pub(crate) fn fill(connection: &Connection) -> Result<(), rusqlite::Error> {
    let records = "SELECT seq, record FROM matches";
    let mut update = connection.prepare("UPDATE matches SET record_digest = ?1 WHERE seq = ?2")?;
    let mut select = connection.prepare(records)?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        update.execute((of_text(row.get_ref(1)?.as_str()?), row.get::<_, i64>(0)?))?;
    }
    for table in TABLES {
        let mut update = connection.prepare(&format!("UPDATE {table} SET digest = ?1 WHERE seq = ?2"))?;
        let mut select = connection.prepare(&format!("SELECT * FROM {table}"))?;
        let names: Vec<String> = select.column_names().map(str::to_owned).collect();
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            let columns = names.iter().enumerate().map(|(index, name)| Ok((name.as_str(), row.get_ref(index)?)));
            let digest = of_columns(columns.collect::<Result<_, rusqlite::Error>>()?);
            update.execute((digest, row.get::<_, i64>("seq")?))?;
        }
    }
    Ok(())
}

/// In the order of their names, so that it does not matter how they are listed.
fn of_columns(mut columns: Vec<(&str, ValueRef)>) -> String {
    // The digest of a record stands for it where there is one, so that lists need not read records.
    let stands_for_record = columns.iter().any(|(name, _)| *name == "record_digest");
    let stands_aside = |name: &str| matches!(name, "seq" | "digest") || stands_for_record && name == "record";
    columns.retain(|(name, _)| !stands_aside(name));
    columns.sort_unstable_by_key(|(name, _)| *name);
    let mut hasher = Sha256::new();
    for (name, value) in columns {
        let mut add = |kind: u8, bytes: &[u8]| {
            hasher.update([kind]);
            hasher.update((bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        add(0, name.as_bytes());
        match value {
            ValueRef::Null => add(1, &[]),
            ValueRef::Integer(number) => add(2, &number.to_le_bytes()),
            // SQLite does not keep the sign of zero.
            ValueRef::Real(number) => add(3, &(number + 0.0).to_le_bytes()),
            ValueRef::Text(bytes) => add(4, bytes),
            ValueRef::Blob(bytes) => add(5, bytes),
        }
    }
    in_letters(hasher)
}

fn in_letters(hasher: Sha256) -> String {
    hasher.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
