//! Matches in progress: rewritten after every turn, and gone when the finished match is stored.

use rusqlite::{Connection, OptionalExtension, Row, ToSql};

use crate::digest;
use crate::error::{Failure, StoreError};
use crate::readable::Readable;
use crate::store::Store;

/// One match in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live {
    /// Unique, and the id that the finished match will have.
    pub id: String,
    /// Who plays it: `page` or `terminal`.
    pub kind: String,
    /// The game.
    pub game: String,
    /// The variant of the game.
    pub variant: String,
    /// The rule set.
    pub rules: String,
    /// Who has the first side.
    pub first: String,
    /// Who has the second side.
    pub second: String,
    /// How many turns were made.
    pub turns: u32,
    /// When it was last written.
    pub updated_ms: i64,
    /// What its owner needs to go on.
    pub setting: String,
    /// The match so far, written down.
    pub record: String,
}

impl Store {
    /// Stores a match in progress as it stands now.
    ///
    /// # Errors
    /// Only if the file cannot be written.
    pub fn save_live(&mut self, live: &Live) -> Result<(), StoreError> {
        self.write(|transaction| {
            let columns: [(&str, &dyn ToSql); 11] = [
                ("id", &live.id),
                ("kind", &live.kind),
                ("game", &live.game),
                ("variant", &live.variant),
                ("rules", &live.rules),
                ("first_name", &live.first),
                ("second_name", &live.second),
                ("turns", &live.turns),
                ("updated_ms", &live.updated_ms),
                ("setting", &live.setting),
                ("record", &live.record),
            ];
            let again = "ON CONFLICT (id) DO UPDATE SET (kind, game, variant, rules, first_name, second_name, turns, updated_ms, setting,
                           record, digest)
                         = (:kind, :game, :variant, :rules, :first_name, :second_name, :turns, :updated_ms, :setting, :record, :digest)";
            digest::insert(transaction, "live", &columns, again)?;
            Ok(())
        })
    }

    /// The match in progress of this id.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn live_by_id(&self, id: &str) -> Result<Option<Live>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM live WHERE id = ?1")?;
            Ok(statement.query_row([id], from_row).optional()?)
        })
    }

    /// Matches in progress that were written since, the newest first.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn live_since(&self, updated_ms: i64, limit: u32) -> Result<Vec<Live>, StoreError> {
        self.found_live(updated_ms, limit, |rows| Ok(rows.collect::<Result<_, _>>()?))
    }

    /// As [`Store::live_since`], without the rows that were damaged: one of them does not hide the others.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn readable_live_since(&self, updated_ms: i64, limit: u32) -> Result<Readable<Live>, StoreError> {
        self.found_live(updated_ms, limit, Readable::of)
    }

    fn found_live<T>(
        &self,
        updated_ms: i64,
        limit: u32,
        take: impl FnOnce(&mut dyn Iterator<Item = Result<Live, rusqlite::Error>>) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT * FROM live WHERE updated_ms >= ?1 ORDER BY seq DESC LIMIT ?2")?;
            take(&mut statement.query_map((updated_ms, limit), from_row)?)
        })
    }

    /// Matches in progress whose ids begin like this and that were written since, in the order in which they began.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn live_beginning_with(&self, start: &str, updated_ms: i64, limit: u32) -> Result<Vec<Live>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT * FROM live WHERE substr(id, 1, length(?1)) = ?1 AND updated_ms >= ?2 ORDER BY seq LIMIT ?3",
            )?;
            let found = statement.query_map((start, updated_ms, limit), from_row)?.collect::<Result<_, _>>()?;
            Ok(found)
        })
    }

    /// Forgets a match in progress: it is finished, or abandoned.
    ///
    /// # Errors
    /// Only if the file cannot be written.
    pub fn remove_live(&mut self, id: &str) -> Result<(), StoreError> {
        self.write(|transaction| Ok(remove(transaction, id)?))
    }
}

/// What [`Store::remove_live`] does, within a transaction.
pub(crate) fn remove(connection: &Connection, id: &str) -> Result<(), rusqlite::Error> {
    connection.execute("DELETE FROM live WHERE id = ?1", [id])?;
    Ok(())
}

fn from_row(row: &Row) -> Result<Live, rusqlite::Error> {
    digest::check(row, "live", "id")?;
    Ok(Live {
        id: row.get("id")?,
        kind: row.get("kind")?,
        game: row.get("game")?,
        variant: row.get("variant")?,
        rules: row.get("rules")?,
        first: row.get("first_name")?,
        second: row.get("second_name")?,
        turns: row.get("turns")?,
        updated_ms: row.get("updated_ms")?,
        setting: row.get("setting")?,
        record: row.get("record")?,
    })
}
