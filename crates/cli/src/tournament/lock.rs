//! Only one process plays a tournament at a time.

use std::{
    fs::{File, OpenOptions},
    path::{Path, PathBuf},
};

use rustix::fs::{FlockOperation, flock};

use crate::error::CliError;

/// Held while a tournament is played; the system releases it with the process, however that ends.
pub(super) struct Lock {
    _file: File,
}

/// Takes the lock; `None` if somebody else has it.
pub(super) fn take(db: &Path, name: &str) -> Result<Option<Lock>, CliError> {
    let path = path(db, name);
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(|e| CliError::Host(format!("cannot lock {}: {e}", path.display())))?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(Lock { _file: file })),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(CliError::Host(format!("cannot lock {}: {error}", path.display()))),
    }
}

fn path(db: &Path, name: &str) -> PathBuf {
    let plain: String = name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
    let mut file = db.as_os_str().to_owned();
    file.push(format!("-{plain}.lock"));
    PathBuf::from(file)
}
