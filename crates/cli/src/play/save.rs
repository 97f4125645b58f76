//! Keeping a game in a file.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use agon_referee::Record;

/// The file that a game is kept in, once there is one.
#[derive(Clone, Default)]
pub(super) struct Keeper {
    file: Option<PathBuf>,
}

impl Keeper {
    /// Keeps the game in a file that holds this very game.
    pub(super) fn own(file: PathBuf) -> Keeper {
        Keeper { file: Some(file) }
    }

    /// Keeps the game in a new file. A file that exists may hold another game.
    pub(super) fn new_file(&mut self, file: PathBuf) -> Result<(), String> {
        if self.file.as_ref() == Some(&file) {
            return Ok(());
        }
        let shown = file.display();
        if file.is_dir() {
            return Err(format!("{shown} is a folder; expected the name of a file"));
        }
        if file.symlink_metadata().is_ok() {
            return Err(format!("{shown} exists already; choose another name"));
        }
        self.file = Some(file);
        Ok(())
    }

    /// The file.
    pub(super) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Writes the game, if there is a file for it.
    pub(super) fn save(&self, record: impl FnOnce() -> Record) -> Result<(), String> {
        let Some(file) = &self.file else { return Ok(()) };
        replace(file, &record().text()).map_err(|e| format!("cannot write {}: {e}", file.display()))
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
