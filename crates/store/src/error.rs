//! Everything that can go wrong, each with what to do about it.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use thiserror::Error;

/// Why the store could not do what was asked. `Display` gives a lower-case fragment that says what happened and what to
/// do; nothing was changed in the file unless the variant says so.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are explained by the sentence of their variant")]
pub enum StoreError {
    /// The folder of the database is not there and cannot be made.
    #[error("cannot create the folder {folder}: {reason}; create it yourself or name another file", folder = .folder.display())]
    NoFolder { folder: PathBuf, reason: String },
    /// The path names a folder.
    #[error("{path} is a folder: name a file in it", path = .path.display())]
    IsFolder { path: PathBuf },
    /// There is nothing to read at this path.
    #[error("{path} does not exist: check the name", path = .path.display())]
    Missing { path: PathBuf },
    /// The system does not let us open the file, or the two files that SQLite keeps beside it.
    #[error(
        "cannot open {path}: you need permission to write to the file and to its folder (SQLite keeps {path}-wal and \
         {path}-shm beside it); change the permissions or name another file",
        path = .path.display()
    )]
    NotOpened { path: PathBuf },
    /// The file may be read but not written.
    #[error("{path} may only be read: make the file and its folder writable or name another file", path = .path.display())]
    ReadOnly { path: PathBuf },
    /// The file is something else.
    #[error("{path} is not an SQLite database: name another file; this one was left as it is", path = .path.display())]
    NotADatabase { path: PathBuf },
    /// The file is an SQLite database of another program.
    #[error("{path} is a database of another program: name another file; this one was left as it is", path = .path.display())]
    Foreign { path: PathBuf },
    /// The file was written by a newer agon.
    #[error(
        "{path} was written by a newer agon (format {found}, this one knows formats up to {known}): update agon",
        path = .path.display()
    )]
    Newer { path: PathBuf, found: u32, known: u32 },
    /// The file was written by an older agon and, opened only for reading, cannot be upgraded.
    #[error(
        "{path} has format {found} and is opened only for reading, which needs format {known}: open it once for \
         writing, which upgrades it",
        path = .path.display()
    )]
    Older { path: PathBuf, found: u32, known: u32 },
    /// Another program held the file for longer than we wait.
    #[error(
        "{path} is locked by another program: close what holds it (a database browser, a backup) and try again",
        path = .path.display()
    )]
    Locked { path: PathBuf },
    /// The disk is full.
    #[error("no space is left for {path}: free some and try again; everything saved before is safe", path = .path.display())]
    Full { path: PathBuf },
    /// The system failed to read or write.
    #[error(
        "cannot read or write {path} ({reason}): check the disk, its free space and your quota, then try again",
        path = .path.display()
    )]
    Io { path: PathBuf, reason: String },
    /// The content of the file makes no sense.
    #[error(
        "{path} is damaged ({reason}): keep a copy and restore a backup, or rescue it with sqlite3's .recover",
        path = .path.display()
    )]
    Damaged { path: PathBuf, reason: String },
    /// The file system cannot do what sharing the file needs.
    #[error(
        "{path} cannot be shared between programs where it lies (journal mode {mode} instead of wal): put it on a \
         local disk",
        path = .path.display()
    )]
    NotShareable { path: PathBuf, mode: String },
    /// Any other refusal of SQLite.
    #[error("cannot use {path}: {reason}", path = .path.display())]
    Sqlite { path: PathBuf, reason: String },
    /// A run of this id exists and was configured otherwise; `differences` are ready to print.
    #[error(
        "run {run} exists with another configuration: {differences}; use the old configuration or another run id",
        run = quoted(.run),
        differences = listed(.differences)
    )]
    RunDiffers { run: String, differences: Vec<String> },
    /// A match belongs to a run that is not stored.
    #[error("run {run} is not stored: create it before saving its matches", run = quoted(.run))]
    UnknownRun { run: String },
    /// A match of this id is stored with other content; `fields` names what differs.
    #[error(
        "match {id} is already stored with other content ({fields}): nothing was overwritten; use another id",
        id = quoted(.id),
        fields = .fields.join(", ")
    )]
    MatchDiffers { id: String, fields: Vec<&'static str> },
    /// This half of the battle is stored under another match id.
    #[error(
        "half {half} of battle {battle} of run {run} is already stored as match {by}: nothing was overwritten",
        run = quoted(.run),
        by = quoted(.by)
    )]
    HalfTaken { run: String, battle: u32, half: u8, by: String },
    /// A match says something that no match can say.
    #[error("match {id} cannot be stored: {reason}", id = quoted(.id))]
    Unfit { id: String, reason: String },
}

impl StoreError {
    /// Sorts an error of SQLite into our kinds.
    pub(crate) fn from_sqlite(path: &Path, error: &rusqlite::Error) -> Self {
        let path = path.to_path_buf();
        let reason = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed) => {
                Self::Locked { path }
            }
            Some(ErrorCode::ReadOnly) => Self::ReadOnly { path },
            Some(ErrorCode::DiskFull) => Self::Full { path },
            Some(ErrorCode::NotADatabase) => Self::NotADatabase { path },
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged { path, reason },
            Some(ErrorCode::SystemIoFailure) => Self::Io { path, reason },
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => Self::NotOpened { path },
            Some(_) => Self::Sqlite { path, reason },
            None => match damage_of(error) {
                Some(reason) => Self::Damaged { path, reason },
                None => Self::Sqlite { path, reason },
            },
        }
    }
}

/// What is wrong with a row that cannot be what was written; `None` if something else went wrong.
pub(crate) fn damage_of(error: &rusqlite::Error) -> Option<String> {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error};
    match error {
        FromSqlConversionFailure(_, _, why) => Some(why.to_string()),
        IntegralValueOutOfRange(..) | InvalidColumnType(..) | Utf8Error(..) => Some(error.to_string()),
        _ => None,
    }
}

/// What stops a transaction: SQLite, or our own refusal.
pub(crate) enum Failure {
    Sqlite(rusqlite::Error),
    Refused(StoreError),
}

impl Failure {
    /// The error to hand out, for the database at `path`.
    pub(crate) fn at(self, path: &Path) -> StoreError {
        match self {
            Self::Sqlite(error) => StoreError::from_sqlite(path, &error),
            Self::Refused(error) => error,
        }
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Refused(error)
    }
}

/// Text from outside for use in a sentence: quoted, without control characters, and never a page long.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", shortened(text))
}

/// As [`quoted`], without the quotes: for values that bring their own.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    // Control characters only: quotes and backslashes are harmless, and escaping them makes JSON hard to read.
    let mut characters = text.chars();
    let mut short = String::new();
    for character in characters.by_ref().take(MOST) {
        if character.is_control() { short.extend(character.escape_debug()) } else { short.push(character) }
    }
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

fn listed(differences: &[String]) -> String {
    const MOST: usize = 8;
    let mut sentence = differences.iter().take(MOST).cloned().collect::<Vec<_>>().join("; ");
    if differences.len() > MOST {
        sentence.push_str(&format!("; and {} more", differences.len() - MOST));
    }
    sentence
}
