//! Where tournaments are kept.

use std::path::{Path, PathBuf};

use agon_rules::quote;
use agon_runs::lock::{self, Holder, Lock};

use crate::stored::{StoredTournament, TournamentError};

/// The file with the tournaments, and how somebody came to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Database {
    path: Option<PathBuf>,
    named: bool,
}

impl Database {
    /// The file that somebody named.
    pub fn at(path: PathBuf) -> Database {
        Database { path: Some(path), named: true }
    }

    /// The one that is used when nobody names another.
    pub fn usual() -> Database {
        Database { path: agon_store::usual_path(), named: false }
    }

    /// The file.
    ///
    /// # Errors
    /// If there is no usual place for one.
    pub fn path(&self) -> Result<&Path, TournamentError> {
        self.path.as_deref().ok_or_else(|| {
            TournamentError::Refused("there is no home folder to keep tournaments in; name a file with --db".to_owned())
        })
    }

    /// Opens a tournament to go on with it.
    ///
    /// # Errors
    /// If there is none of this name, or its database is damaged.
    pub fn open(&self, name: &str) -> Result<StoredTournament, TournamentError> {
        StoredTournament::open(self.holding(name)?, name)
    }

    /// Opens a tournament to look at it only.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn look(&self, name: &str) -> Result<StoredTournament, TournamentError> {
        StoredTournament::look(self.holding(name)?, name)
    }

    /// The names of all tournaments, the newest first.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn names(&self) -> Result<Vec<String>, TournamentError> {
        let path = self.path()?;
        if !self.named && !path.exists() {
            // Nothing was ever kept in the usual place, which is nobody's mistake.
            return Ok(Vec::new());
        }
        Ok(StoredTournament::names(&StoredTournament::reader(path)?)?)
    }

    /// Takes the right to play a tournament, or says who has it.
    ///
    /// # Errors
    /// If that cannot be found out.
    pub fn lock(&self, name: &str) -> Result<Result<Lock, Holder>, TournamentError> {
        lock::take(self.path()?, name).map_err(|error| TournamentError::Store(error.to_string()))
    }

    /// The file in which a tournament is looked for; whoever looks for something creates nothing.
    fn holding(&self, name: &str) -> Result<&Path, TournamentError> {
        let path = self.path()?;
        if !matches!(path.try_exists(), Ok(false)) {
            return Ok(path);
        }
        let hint = match self.named {
            true => "check --db",
            false => "set a tournament up with `agon tournament new`, or name its database with --db",
        };
        let (name, path) = (quote(name), path.display());
        Err(TournamentError::Refused(format!("no tournament is called {name}: {path} does not exist; {hint}")))
    }
}
