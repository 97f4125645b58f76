//! Runs: what was started, with which configuration.

use rusqlite::{Connection, OptionalExtension, Row, ToSql};

use crate::configuration::differences;
use crate::digest;
use crate::error::{Failure, StoreError, quoted};
use crate::store::Store;

/// One run of a command that plays matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Unique; chosen by the caller.
    pub id: String,
    /// When it was first started.
    pub created_ms: i64,
    /// What kind of run it is, such as `match`.
    pub kind: String,
    /// The configuration with every default filled in, as JSON.
    pub configuration: String,
}

/// What [`Store::create_or_resume_run`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resume {
    /// The run is new and now stored.
    New,
    /// The run was there, with the same kind and configuration; the stored one stays, its creation time included.
    Resumed,
}

/// How far a run has come. Neither matches nor entries are ever taken away, so the same progress means the same content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Its matches.
    pub matches: u32,
    /// The entries of its log.
    pub entries: u32,
}

impl Store {
    /// Begins a run, or goes on with the one of the same id. Two configurations are the same if they are equal as JSON.
    ///
    /// # Errors
    /// [`StoreError::RunDiffers`] if the stored run has another kind or configuration.
    pub fn create_or_resume_run(&mut self, run: &Run) -> Result<Resume, StoreError> {
        self.write(|transaction| begin_or_go_on(transaction, run))
    }

    /// The run of this id, if there is one.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn run_by_id(&self, id: &str) -> Result<Option<Run>, StoreError> {
        self.read(|connection| Ok(find(connection, id)?))
    }

    /// How far a run has come. Costs well under a millisecond, so it may be polled.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn progress_of(&self, run: &str) -> Result<Progress, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT (SELECT count(*) FROM matches WHERE run = ?1), (SELECT count(*) FROM log WHERE run = ?1)",
            )?;
            Ok(statement.query_row([run], |row| Ok(Progress { matches: row.get(0)?, entries: row.get(1)? }))?)
        })
    }

    /// When the last match of a run ended.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn last_ended_ms(&self, run: &str) -> Result<Option<i64>, StoreError> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT max(started_ms + duration_ms) FROM matches WHERE run = ?1")?;
            Ok(statement.query_row([run], |row| row.get(0))?)
        })
    }

    /// The last runs that were begun, newest first.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn recent_runs(&self, limit: u32) -> Result<Vec<Run>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM runs ORDER BY seq DESC LIMIT ?1")?;
            let runs = statement.query_map([limit], from_row)?.collect::<Result<_, _>>()?;
            Ok(runs)
        })
    }
}

/// What [`Store::create_or_resume_run`] does, within a transaction.
pub(crate) fn begin_or_go_on(connection: &Connection, run: &Run) -> Result<Resume, Failure> {
    let Some(stored) = find(connection, &run.id)? else {
        let columns: [(&str, &dyn ToSql); 4] = [
            ("id", &run.id),
            ("created_ms", &run.created_ms),
            ("kind", &run.kind),
            ("configuration", &run.configuration),
        ];
        digest::insert(connection, "runs", &columns, "")?;
        return Ok(Resume::New);
    };
    let mut differences = differences(&stored.configuration, &run.configuration);
    if stored.kind != run.kind {
        differences.insert(0, format!("the kind of run was {}, now {}", quoted(&stored.kind), quoted(&run.kind)));
    }
    if !differences.is_empty() {
        return Err(StoreError::RunDiffers { run: run.id.clone(), differences }.into());
    }
    Ok(Resume::Resumed)
}

fn find(connection: &Connection, id: &str) -> Result<Option<Run>, rusqlite::Error> {
    connection.prepare_cached("SELECT * FROM runs WHERE id = ?1")?.query_row([id], from_row).optional()
}

fn from_row(row: &Row) -> Result<Run, rusqlite::Error> {
    digest::check(row, "runs", "id")?;
    Ok(Run {
        id: row.get("id")?,
        created_ms: row.get("created_ms")?,
        kind: row.get("kind")?,
        configuration: row.get("configuration")?,
    })
}
