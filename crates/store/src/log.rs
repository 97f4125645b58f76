//! The log of a run: what an organiser did, and what happened.

use rusqlite::params;

use crate::error::StoreError;
use crate::store::Store;

/// An entry of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    /// When it was written.
    pub at_ms: i64,
    /// What it says, as JSON that only the run understands.
    pub entry: String,
}

impl Store {
    /// Adds an entry to the log of a run; none is ever changed or removed.
    ///
    /// # Errors
    /// [`StoreError::UnknownRun`], or if the file cannot be written.
    pub fn append_log(&mut self, run: &str, logged: &Logged) -> Result<(), StoreError> {
        self.write(|transaction| {
            let mut known = transaction.prepare_cached("SELECT 1 FROM runs WHERE id = ?1")?;
            if !known.exists([run])? {
                return Err(StoreError::UnknownRun { run: run.to_owned() }.into());
            }
            transaction.prepare_cached("INSERT INTO log (run, at_ms, entry) VALUES (?1, ?2, ?3)")?.execute(params![
                run,
                logged.at_ms,
                logged.entry
            ])?;
            Ok(())
        })
    }

    /// The log of a run, from the beginning.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn log_of(&self, run: &str) -> Result<Vec<Logged>, StoreError> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT at_ms, entry FROM log WHERE run = ?1 ORDER BY seq")?;
            let entries = statement.query_map([run], |row| Ok(Logged { at_ms: row.get(0)?, entry: row.get(1)? }))?;
            Ok(entries.collect::<Result<_, _>>()?)
        })
    }
}
