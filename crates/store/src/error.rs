//! Everything that can go wrong, each with what to do about it.

use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why the store could not do what was asked. `Display` gives a lower-case fragment that says what happened and what to
/// do; nothing was changed in the file unless the variant says so.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are explained by the sentence of their variant")]
pub enum StoreError {
    /// The folder of the database is not there and cannot be made.
    NoFolder { folder: PathBuf, reason: String },
    /// The path names a folder.
    IsFolder { path: PathBuf },
    /// There is nothing to read at this path.
    Missing { path: PathBuf },
    /// The system does not let us open the file, or the two files that SQLite keeps beside it.
    NotOpened { path: PathBuf },
    /// The file may be read but not written.
    ReadOnly { path: PathBuf },
    /// The file is something else.
    NotADatabase { path: PathBuf },
    /// The file is an SQLite database of another program.
    Foreign { path: PathBuf },
    /// The file was written by a newer agon.
    Newer { path: PathBuf, found: u32, known: u32 },
    /// The file was written by an older agon and, opened only for reading, cannot be upgraded.
    Older { path: PathBuf, found: u32, known: u32 },
    /// Another program held the file for longer than we wait.
    Locked { path: PathBuf },
    /// The disk is full.
    Full { path: PathBuf },
    /// The system failed to read or write.
    Io { path: PathBuf, reason: String },
    /// The content of the file makes no sense.
    Damaged { path: PathBuf, reason: String },
    /// The file system cannot do what sharing the file needs.
    NotShareable { path: PathBuf, mode: String },
    /// Any other refusal of SQLite.
    Sqlite { path: PathBuf, reason: String },
    /// A run of this id exists and was configured otherwise; `differences` are ready to print.
    RunDiffers { run: String, differences: Vec<String> },
    /// A match belongs to a run that is not stored.
    UnknownRun { run: String },
    /// A match of this id is stored with other content; `fields` names what differs.
    MatchDiffers { id: String, fields: Vec<&'static str> },
    /// This half of the battle is stored under another match id.
    HalfTaken { run: String, battle: u32, half: u8, by: String },
    /// A match says something that no match can say.
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

    /// The sentence of a file that cannot be opened or is not ours; `None` for other faults.
    fn of_the_file(&self) -> Option<String> {
        Some(match self {
            Self::NoFolder { folder, reason } => format!(
                "cannot create the folder {}: {reason}; create it yourself or name another file",
                folder.display()
            ),
            Self::IsFolder { path } => format!("{} is a folder: name a file in it", path.display()),
            Self::Missing { path } => format!("{} does not exist: check the name", path.display()),
            Self::NotOpened { path } => format!(
                "cannot open {0}: you need permission to write to the file and to its folder (SQLite keeps {0}-wal and \
                 {0}-shm beside it); change the permissions or name another file",
                path.display()
            ),
            Self::ReadOnly { path } => {
                format!(
                    "{} may only be read: make the file and its folder writable or name another file",
                    path.display()
                )
            }
            Self::NotADatabase { path } => {
                format!("{} is not an SQLite database: name another file; this one was left as it is", path.display())
            }
            Self::Foreign { path } => {
                format!(
                    "{} is a database of another program: name another file; this one was left as it is",
                    path.display()
                )
            }
            Self::Newer { path, found, known } => format!(
                "{} was written by a newer agon (format {found}, this one knows formats up to {known}): update agon",
                path.display()
            ),
            Self::Older { path, found, known } => format!(
                "{} has format {found} and is opened only for reading, which needs format {known}: open it once for \
                 writing, which upgrades it",
                path.display()
            ),
            _ => return None,
        })
    }

    /// The sentence of a file that is ours but does not do its work; `None` for other faults.
    fn of_its_use(&self) -> Option<String> {
        Some(match self {
            Self::Locked { path } => format!(
                "{} is locked by another program: close what holds it (a database browser, a backup) and try again",
                path.display()
            ),
            Self::Full { path } => format!(
                "no space is left for {}: free some and try again; everything saved before is safe",
                path.display()
            ),
            Self::Io { path, reason } => format!(
                "cannot read or write {} ({reason}): check the disk, its free space and your quota, then try again",
                path.display()
            ),
            Self::Damaged { path, reason } => format!(
                "{} is damaged ({reason}): keep a copy and restore a backup, or rescue it with sqlite3's .recover",
                path.display()
            ),
            Self::NotShareable { path, mode } => format!(
                "{} cannot be shared between programs where it lies (journal mode {mode} instead of wal): put it on a \
                 local disk",
                path.display()
            ),
            Self::Sqlite { path, reason } => format!("cannot use {}: {reason}", path.display()),
            _ => return None,
        })
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RunDiffers { run, differences } => write!(
                f,
                "run {} exists with another configuration: {}; use the old configuration or another run id",
                quoted(run),
                listed(differences)
            ),
            Self::UnknownRun { run } => {
                write!(f, "run {} is not stored: create it before saving its matches", quoted(run))
            }
            Self::MatchDiffers { id, fields } => write!(
                f,
                "match {} is already stored with other content ({}): nothing was overwritten; use another id",
                quoted(id),
                fields.join(", ")
            ),
            Self::HalfTaken { run, battle, half, by } => write!(
                f,
                "half {half} of battle {battle} of run {} is already stored as match {}: nothing was overwritten",
                quoted(run),
                quoted(by)
            ),
            Self::Unfit { id, reason } => write!(f, "match {} cannot be stored: {reason}", quoted(id)),
            _ => f.write_str(&self.of_the_file().or_else(|| self.of_its_use()).unwrap_or_default()),
        }
    }
}

impl std::error::Error for StoreError {}

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
