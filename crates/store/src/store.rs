//! The open file: how it is opened, and how work on it is wrapped.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use crate::error::{Failure, StoreError};
use crate::migration;

/// How long a call waits for another process to finish its transaction. Ours take well under a millisecond.
const PATIENCE: Duration = Duration::from_secs(5);

/// One connection to the database. Every thread and process opens its own; they do not disturb each other.
///
/// The file is in WAL mode with `synchronous=NORMAL`: a saved match has reached the operating system before the call
/// returns, so no death of the program, `kill -9` included, can lose it. A power cut may take the last moments with it
/// (their matches are simply played again) but never harms the rest. `FULL` would only add those moments, and would
/// wait for the disk at every match, which quick matches by the thousand cannot afford; whoever can afford it asks for it
/// with [`Store::outlive_power_cuts`].
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    path: PathBuf,
}

/// What [`Store::change_counter`] answers; only good for comparing with other marks of the same [`Store`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeMark {
    version: i64,
    rows: i64,
}

impl Store {
    /// Opens the database for reading and writing. Creates the file and its folder if they are missing and upgrades a
    /// file of an older agon.
    ///
    /// # Errors
    /// Everything that can be wrong with a file, each with its own variant of [`StoreError`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::open_with(path.as_ref(), PATIENCE)
    }

    /// Opens a database that exists for reading and writing, and upgrades a file of an older agon. Creates nothing.
    ///
    /// # Errors
    /// As [`Store::open`]; also [`StoreError::Missing`].
    pub fn open_existing(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        must_exist(path)?;
        let mut store = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, PATIENCE)?;
        store.prepare(PATIENCE).map_err(|failure| failure.at(path))?;
        Ok(store)
    }

    /// Opens an existing database for reading alone: it is never created or upgraded, its content is never changed, and
    /// nothing is left beside it.
    ///
    /// # Errors
    /// As [`Store::open`]; also [`StoreError::Missing`], and [`StoreError::Older`] for a file that must be upgraded
    /// first.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        must_exist(path)?;
        // A connection that may not write leaves the two files behind that SQLite keeps beside the database. Where we have
        // no permission to write, SQLite falls back to reading by itself.
        let store = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, PATIENCE)?;
        store.connection.pragma_update(None, "query_only", true).map_err(|e| StoreError::from_sqlite(path, &e))?;
        let found = migration::format(&store.connection, path).map_err(|failure| match failure.at(path) {
            // Even a reader needs the files beside the database, and SQLite may not create them here.
            StoreError::ReadOnly { path } => StoreError::NotOpened { path },
            error => error,
        })?;
        if found < migration::KNOWN {
            return Err(StoreError::Older { path: path.into(), found, known: migration::KNOWN });
        }
        migration::check_tables(&store.connection, path).map_err(|failure| failure.at(path))?;
        Ok(store)
    }

    /// A database that lives as long as this value.
    ///
    /// # Errors
    /// Only if SQLite itself fails.
    pub fn in_memory() -> Result<Self, StoreError> {
        let path = PathBuf::from("the database in memory");
        let prepared = Connection::open_in_memory().map_err(Failure::from).and_then(|mut connection| {
            migration::upgrade(&mut connection, &path)?;
            connection.pragma_update(None, "foreign_keys", true)?;
            Ok(connection)
        });
        match prepared {
            Ok(connection) => Ok(Self { connection, path }),
            Err(failure) => Err(failure.at(&path)),
        }
    }

    /// From now on a call that wrote returns only when the disk has what it wrote: then not even a power cut takes it away. Each
    /// transaction waits for the disk, a few milliseconds on most.
    ///
    /// # Errors
    /// Only if SQLite itself fails.
    pub fn outlive_power_cuts(&self) -> Result<(), StoreError> {
        self.read(|connection| Ok(connection.pragma_update(None, "synchronous", "FULL")?))
    }

    /// Something that differs from an earlier mark of this store as soon as anything was stored since, here or by
    /// another process. Costs microseconds, so it may be polled. Take the mark *before* reading: news that arrive
    /// meanwhile then show up at the next poll.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn change_counter(&self) -> Result<ChangeMark, StoreError> {
        self.read(|connection| {
            // SQLite counts the changes of others only; nothing is ever deleted, so our own show in the row numbers.
            let version = connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
            let rows = connection
                .prepare_cached(
                    "SELECT coalesce((SELECT max(seq) FROM matches), 0) + coalesce((SELECT max(seq) FROM runs), 0)
                          + coalesce((SELECT max(seq) FROM bots), 0) + coalesce((SELECT max(seq) FROM log), 0)",
                )?
                .query_row([], |row| row.get(0))?;
            Ok(ChangeMark { version, rows })
        })
    }

    /// Reads the whole file and checks that it hangs together: that no row is missing from a table or an index. Each row checks itself
    /// whenever it is read; this finds those that damage has hidden. Takes a second for some hundred megabytes.
    ///
    /// # Errors
    /// [`StoreError::Damaged`].
    pub fn check(&self) -> Result<(), StoreError> {
        self.read(|connection| {
            let found: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
            if found == "ok" {
                return Ok(());
            }
            Err(StoreError::Damaged { path: self.path.clone(), reason: found }.into())
        })
    }

    pub(crate) fn open_with(path: &Path, patience: Duration) -> Result<Self, StoreError> {
        look_from_outside(path)?;
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)
                .map_err(|error| StoreError::NoFolder { folder: folder.into(), reason: error.to_string() })?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut store = Self::connect(path, flags, patience)?;
        store.prepare(patience).map_err(|failure| failure.at(path))?;
        Ok(store)
    }

    fn connect(path: &Path, flags: OpenFlags, patience: Duration) -> Result<Self, StoreError> {
        // Relative names get a "./" so that SQLite sees a plain file in ":memory:" or "file:x" too.
        let plain = if path.is_relative() { Path::new(".").join(path) } else { path.into() };
        let connected = Connection::open_with_flags(plain, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
            .and_then(|connection| connection.busy_timeout(patience).map(|()| connection));
        match connected {
            Ok(connection) => Ok(Self { connection, path: path.into() }),
            Err(error) => Err(StoreError::from_sqlite(path, &error)),
        }
    }

    fn prepare(&mut self, patience: Duration) -> Result<(), Failure> {
        // SQLite falls back to reading without a word when it may not write.
        if self.connection.is_readonly("main")? {
            return Err(StoreError::ReadOnly { path: self.path.clone() }.into());
        }
        // Looks before it touches: a file of a newer agon or of another program stays as it is.
        migration::format(&self.connection, &self.path)?;
        let mode = switch_to_wal(&mut self.connection, patience)?;
        if mode != "wal" {
            return Err(StoreError::NotShareable { path: self.path.clone(), mode }.into());
        }
        self.connection.pragma_update(None, "synchronous", "NORMAL")?;
        migration::upgrade(&mut self.connection, &self.path)?;
        migration::check_tables(&self.connection, &self.path)?;
        self.connection.pragma_update(None, "foreign_keys", true)?;
        Ok(())
    }

    /// Runs `work` on the database; for reading.
    pub(crate) fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Failure>) -> Result<T, StoreError> {
        work(&self.connection).map_err(|failure| failure.at(&self.path))
    }

    /// Runs `work` in one transaction that holds the write lock from its beginning, so that what `work` reads stays
    /// true until it is done. An error undoes everything.
    pub(crate) fn write<T>(&mut self, work: impl FnOnce(&Transaction) -> Result<T, Failure>) -> Result<T, StoreError> {
        let done = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(Failure::from);
        done.and_then(|transaction| {
            let value = work(&transaction)?;
            transaction.commit()?;
            Ok(value)
        })
        .map_err(|failure| failure.at(&self.path))
    }
}

fn must_exist(path: &Path) -> Result<(), StoreError> {
    look_from_outside(path)?;
    match path.try_exists() {
        Ok(false) => Err(StoreError::Missing { path: path.into() }),
        _ => Ok(()),
    }
}

/// Nothing here ever opens the file beside SQLite, not even to see what is wrong with it: closing any descriptor of the
/// file would drop the locks of every other connection in this process.
fn look_from_outside(path: &Path) -> Result<(), StoreError> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(StoreError::IsFolder { path: path.into() }),
        // SQLite takes a file of one byte for an empty one and would write over it.
        Ok(found) if found.len() == 1 => Err(StoreError::NotADatabase { path: path.into() }),
        _ => Ok(()),
    }
}

/// Answers with the journal mode in force. While two processes create one file, SQLite refuses this switch at once
/// instead of waiting, so we queue for the whole file, which does wait, and ask again.
fn switch_to_wal(connection: &mut Connection, patience: Duration) -> Result<String, rusqlite::Error> {
    let deadline = Instant::now() + patience;
    loop {
        match connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0)) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && Instant::now() < deadline => {
                connection.transaction_with_behavior(TransactionBehavior::Exclusive)?.commit()?;
            }
            answer => return answer,
        }
    }
}
