//! Folders of the host that programs without namespaces write to, and how to be rid of them.

use std::{
    fs, io,
    os::unix::fs::{DirBuilderExt, chown, symlink},
    path::{Path, PathBuf},
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

use rustix::process::Pid;

use crate::{slot::Slot, view};

/// A folder of the host that a program without namespaces may write to.
#[derive(Debug)]
pub(crate) struct Scratch {
    pub(crate) folder: PathBuf,
}

impl Scratch {
    /// Makes one, with a folder for the program's files and one for whatever it likes.
    pub(crate) fn new(slot: Option<&Slot>) -> io::Result<Scratch> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        static SWEEP: OnceLock<()> = OnceLock::new();
        let all = std::env::temp_dir();
        SWEEP.get_or_init(|| sweep(&all));
        let name = format!("agon-scratch-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let scratch = Scratch { folder: all.join(name) };
        let mut builder = fs::DirBuilder::new();
        builder.mode(0o700);
        for folder in [scratch.folder.clone(), scratch.folder.join("bot"), scratch.folder.join("tmp")] {
            builder.create(&folder)?;
            if let Some(slot) = slot {
                chown(&folder, Some(slot.user()), Some(slot.user()))?;
            }
        }
        let names = scratch.folder.join("names");
        fs::DirBuilder::new().mode(0o755).create(&names)?;
        if let Some((name, aim)) = view::alias(&view::search_path()) {
            symlink(aim, names.join(name))?;
        }
        Ok(scratch)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.folder);
    }
}

/// Removes a folder that somebody may have nested thousands deep and closed to everybody. Folders in folders are moved up, one
/// level after the other, so that no path is ever long.
fn remove(folder: &Path) {
    if fs::remove_dir_all(folder).is_ok() {
        return;
    }
    let mut moved = 0;
    while let Some(entries) = open_entries(folder).filter(|entries| !entries.is_empty()) {
        let before = moved;
        for entry in entries {
            for inner in open_entries(&entry).unwrap_or_default() {
                moved += 1;
                if open_entries(&inner).is_none() {
                    let _ = fs::remove_file(&inner);
                } else {
                    let _ = fs::rename(&inner, folder.join(format!("agon-moved-{moved}")));
                }
            }
            let gone = fs::remove_dir(&entry).or_else(|_| fs::remove_file(&entry));
            moved += u64::from(gone.is_ok());
        }
        if moved == before {
            break;
        }
    }
    let _ = fs::remove_dir(folder);
}

/// What is in a folder, which is opened to us first; `None` if it is none.
fn open_entries(folder: &Path) -> Option<Vec<PathBuf>> {
    use std::os::unix::fs::PermissionsExt;
    fs::symlink_metadata(folder).ok().filter(fs::Metadata::is_dir)?;
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    Some(fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect())
}

/// Removes scratch folders whose makers are dead.
fn sweep(all: &Path) {
    for entry in fs::read_dir(all).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let maker = name.to_str().and_then(|name| name.strip_prefix("agon-scratch-")?.split_once('-'));
        let maker = maker.and_then(|(maker, _)| Pid::from_raw(maker.parse().ok()?));
        if maker.is_some_and(|maker| rustix::process::test_kill_process(maker) == Err(rustix::io::Errno::SRCH)) {
            remove(&entry.path());
        }
    }
}
