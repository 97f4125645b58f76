//! Only one process plays a run at a time, and only one arena keeps its matches in a database.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Seek, Write},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use thiserror::Error;

/// Held while a run is played, or an arena is open; the system releases it with the process, however that ends.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// The file of a lock cannot be used.
#[derive(Debug, Error)]
#[error("cannot lock {}: {reason}", .file.display())]
pub struct LockError {
    file: PathBuf,
    reason: io::Error,
}

/// Who else plays a run, or has an arena open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Holder {
    process: String,
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.process.as_str() {
            "" => f.write_str("another process"),
            process => write!(f, "process {process}"),
        }
    }
}

/// Takes the lock of a run in a database, or says who has it.
///
/// # Errors
/// If the file beside the database cannot be used.
pub fn take(db: &Path, run: &str) -> Result<Result<Lock, Holder>, LockError> {
    take_file(path(db, run))
}

/// Takes the lock of the arena that keeps its matches in a database, or says who has it.
///
/// # Errors
/// If the file beside the database cannot be used.
pub fn take_arena(db: &Path) -> Result<Result<Lock, Holder>, LockError> {
    // Whatever leads to the database, it is the same one.
    let db = db.canonicalize().unwrap_or_else(|_| db.to_owned());
    let mut file = db.into_os_string();
    // No run has a lock that is called like this.
    file.push(".arena.lock");
    take_file(PathBuf::from(file))
}

fn take_file(path: PathBuf) -> Result<Result<Lock, Holder>, LockError> {
    let trouble = |reason: io::Error| LockError { file: path.clone(), reason };
    loop {
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path);
        let mut file = file.map_err(trouble)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut process = String::new();
                let _ = file.read_to_string(&mut process);
                return Ok(Err(Holder { process: process.trim().to_owned() }));
            }
            Err(TryLockError::Error(error)) => return Err(trouble(error)),
        }
        // Whoever had it before may have removed the file after we opened it: then the lock is on a file that nobody else finds.
        if fs::metadata(&path).is_ok_and(|found| file.metadata().is_ok_and(|ours| ours.ino() == found.ino())) {
            // Who holds it is only for messages.
            let _ =
                file.set_len(0).and_then(|()| file.rewind()).and_then(|()| writeln!(file, "{}", std::process::id()));
            return Ok(Ok(Lock { path, _file: file }));
        }
    }
}

fn path(db: &Path, run: &str) -> PathBuf {
    let plain: String = run.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
    let mut file = db.as_os_str().to_owned();
    file.push(format!("-{plain}.lock"));
    PathBuf::from(file)
}
