//! The format of the file, as the ordered steps that lead to it.

use std::path::Path;
use std::sync::OnceLock;

use rusqlite::{Connection, TransactionBehavior};

use crate::digest;
use crate::error::{Failure, StoreError};

/// Step `n` (counted from 1) turns format `n - 1` into format `n`; format 0 is an empty file.
pub(crate) const STEPS: &[&str] = &[
    include_str!("migrations/0001_runs_and_matches.sql"),
    include_str!("migrations/0002_bots.sql"),
    include_str!("migrations/0003_live.sql"),
    include_str!("migrations/0004_log.sql"),
    include_str!("migrations/0005_losses_of_both.sql"),
    include_str!("migrations/0006_entered_and_digests.sql"),
];

/// The format in which rows have digests.
const DIGESTS: u32 = 6;

/// The format that this program reads and writes.
pub(crate) const KNOWN: u32 = STEPS.len() as u32;

/// `AGON` in ASCII, set by step 1.
const APPLICATION_ID: i64 = 0x4147_4F4E;

/// The format of the database, or why it is none of ours.
pub(crate) fn format(connection: &Connection, path: &Path) -> Result<u32, Failure> {
    // One statement, so that all three come from one moment even while another process creates the tables.
    let (application, found, tables): (i64, i64, i64) = connection.query_row(
        "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
         FROM pragma_application_id, pragma_user_version",
        [],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    let path = path.to_path_buf();
    if application != APPLICATION_ID {
        return if (application, found, tables) == (0, 0, 0) {
            Ok(0)
        } else {
            Err(StoreError::Foreign { path }.into())
        };
    }
    match u32::try_from(found) {
        Ok(found) if found > KNOWN => Err(StoreError::Newer { path, found, known: KNOWN }.into()),
        Ok(found) => Ok(found),
        Err(_) => Err(StoreError::Damaged { path, reason: format!("it claims format {found}") }.into()),
    }
}

/// Refuses a database of the format we know whose tables are not described as we describe them: a disk has changed it.
pub(crate) fn check_tables(connection: &Connection, path: &Path) -> Result<(), Failure> {
    static KNOWN_TABLES: OnceLock<Vec<u8>> = OnceLock::new();
    let known = match KNOWN_TABLES.get() {
        Some(known) => known,
        None => {
            let mut empty = Connection::open_in_memory()?;
            upgrade(&mut empty, path)?;
            let known = tables(&empty)?;
            KNOWN_TABLES.get_or_init(|| known)
        }
    };
    if tables(connection)? == *known {
        return Ok(());
    }
    let reason = "its tables are not described as agon describes them".to_owned();
    Err(StoreError::Damaged { path: path.to_path_buf(), reason }.into())
}

/// How the tables are described; bytes, since a changed one may be no text any more.
fn tables(connection: &Connection) -> Result<Vec<u8>, Failure> {
    let mut statement =
        connection.prepare("SELECT CAST(sql AS BLOB) FROM sqlite_schema WHERE type = 'table' ORDER BY 1")?;
    let tables = statement.query_map([], |row| row.get::<_, Vec<u8>>(0))?.collect::<Result<Vec<_>, _>>()?;
    Ok(tables.join(&b';'))
}

/// Brings the database to the format we know, each step in a transaction of its own.
pub(crate) fn upgrade(connection: &mut Connection, path: &Path) -> Result<(), Failure> {
    while format(connection, path)? < KNOWN {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Asked again, now that nobody else can write: another process may have taken this step meanwhile.
        let found = format(&transaction, path)?;
        if let Some(step) = STEPS.get(found as usize) {
            transaction.execute_batch(step)?;
            if found + 1 == DIGESTS {
                digest::fill(&transaction)?;
            }
            transaction.pragma_update(None, "user_version", found + 1)?;
        }
        transaction.commit()?;
    }
    Ok(())
}
