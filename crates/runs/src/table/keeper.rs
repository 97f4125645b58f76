//! Keeping a game in a file.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use agon_referee::Record;
use thiserror::Error;

/// The file that a game is kept in, once there is one.
#[derive(Clone, Debug, Default)]
pub struct Keeper {
    file: Option<PathBuf>,
}

/// A game cannot be kept.
#[derive(Debug, Error)]
pub enum SaveError {
    /// A folder has this name.
    #[error("{} is a folder; expected the name of a file", .0.display())]
    Folder(PathBuf),
    /// The file may hold another game.
    #[error("{} exists already; choose another name", .0.display())]
    Exists(PathBuf),
    /// The file cannot be written.
    #[error("cannot write {}: {reason}", .file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why.
        reason: io::Error,
    },
}

impl Keeper {
    /// Keeps the game in a file that holds this very game.
    pub fn own(file: PathBuf) -> Keeper {
        Keeper { file: Some(file) }
    }

    /// Keeps the game in a new file. A file that exists may hold another game.
    ///
    /// # Errors
    /// If there is something of this name.
    pub fn new_file(&mut self, file: PathBuf) -> Result<(), SaveError> {
        if self.file.as_ref() == Some(&file) {
            return Ok(());
        }
        if file.is_dir() {
            return Err(SaveError::Folder(file));
        }
        if file.symlink_metadata().is_ok() {
            return Err(SaveError::Exists(file));
        }
        self.file = Some(file);
        Ok(())
    }

    /// The file.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Writes the game, if there is a file for it.
    ///
    /// # Errors
    /// If it cannot be written; what was there before still is.
    pub fn save(&self, record: impl FnOnce() -> Record) -> Result<(), SaveError> {
        let Some(file) = &self.file else { return Ok(()) };
        replace(file, &record().text()).map_err(|reason| SaveError::Write { file: file.clone(), reason })
    }
}

/// Writes a file so that at every instant either the old or the new text is there, whole.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    // A link stays one: what it points to is replaced.
    let target = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let name = target.file_name().ok_or_else(|| io::Error::other("not the name of a file"))?;
    let draft = target.with_file_name(format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id()));
    let write = || {
        let mut out = File::create(&draft)?;
        out.write_all(text.as_bytes())?;
        out.sync_all()?;
        fs::rename(&draft, &target)
    };
    write().inspect_err(|_| drop(fs::remove_file(&draft)))
}
