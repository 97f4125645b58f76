//! The log of a run: what an organiser did, and what happened.

use rusqlite::Transaction;

use crate::digest;
use crate::error::{Failure, StoreError};
use crate::store::Store;

/// An entry of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    /// When it was written.
    pub at_ms: i64,
    /// What it says, as JSON that only the run understands.
    pub entry: String,
}

/// How much of a run somebody has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// Entries of its log.
    pub entries: usize,
    /// Its matches.
    pub matches: usize,
}

fn append(transaction: &Transaction, run: &str, logged: &Logged) -> Result<(), Failure> {
    let mut known = transaction.prepare_cached("SELECT 1 FROM runs WHERE id = ?1")?;
    if !known.exists([run])? {
        return Err(StoreError::UnknownRun { run: run.to_owned() }.into());
    }
    digest::insert(transaction, "log", &[("run", &run), ("at_ms", &logged.at_ms), ("entry", &logged.entry)], "")?;
    Ok(())
}

impl Store {
    /// Adds an entry to the log of a run; none is ever changed or removed.
    ///
    /// # Errors
    /// [`StoreError::UnknownRun`], or if the file cannot be written.
    pub fn append_log(&mut self, run: &str, logged: &Logged) -> Result<(), StoreError> {
        self.write(|transaction| append(transaction, run, logged))
    }

    /// Adds to the log of a run what was concluded from its log and its matches, unless either has grown since: then nothing is
    /// added, the answer is `false`, and the caller looks again. Nothing can be stored between the look and the entry.
    ///
    /// # Errors
    /// As [`Store::append_log`].
    pub fn append_log_if_unchanged(&mut self, run: &str, logged: &Logged, seen: Seen) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let count = |sql: &str| transaction.prepare_cached(sql)?.query_row([run], |row| row.get::<_, i64>(0));
            let entries = count("SELECT count(*) FROM log WHERE run = ?1")?;
            let matches = count("SELECT count(*) FROM matches WHERE run = ?1")?;
            if (entries, matches) != (seen.entries as i64, seen.matches as i64) {
                return Ok(false);
            }
            append(transaction, run, logged)?;
            Ok(true)
        })
    }

    /// The log of a run, from the beginning.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn log_of(&self, run: &str) -> Result<Vec<Logged>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM log WHERE run = ?1 ORDER BY seq")?;
            let entries = statement.query_map([run], |row| {
                digest::check(row, "log", "run")?;
                Ok(Logged { at_ms: row.get("at_ms")?, entry: row.get("entry")? })
            })?;
            Ok(entries.collect::<Result<_, _>>()?)
        })
    }
}
