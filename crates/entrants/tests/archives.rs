//! Submissions as archives: the good ones are unpacked, and every trick is refused with its reason.

#[path = "archives/tars.rs"]
mod tars;
#[path = "archives/zips.rs"]
mod zips;

#[path = "archives/cache.rs"]
mod cache;
#[path = "archives/good.rs"]
mod good;
#[path = "archives/refused.rs"]
mod refused;

use std::{
    fs,
    path::{Path, PathBuf},
};

use agon_entrants::{ArchiveError, ArchiveLimits, unpack};
use tempfile::TempDir;

/// Small, so that archives at the limits are small too.
const LIMITS: ArchiveLimits =
    ArchiveLimits { packed: 1 << 20, unpacked: 100_000, files: 20, depth: 4, name: 40, path: 120 };

/// A folder with an archive in it.
struct Place {
    folder: TempDir,
}

impl Place {
    fn with(archive: &[u8]) -> Place {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("archive"), archive).unwrap();
        Place { folder }
    }

    fn archive(&self) -> PathBuf {
        self.folder.path().join("archive")
    }

    fn target(&self) -> PathBuf {
        self.folder.path().join("into")
    }

    fn unpack(&self) -> Result<(), ArchiveError> {
        unpack(&self.archive(), &self.target(), &LIMITS)
    }

    /// Everything in the place, the archive itself apart.
    fn left(&self) -> Vec<String> {
        let mut left = names_below(self.folder.path());
        left.retain(|name| name != "archive");
        left
    }
}

/// Why an archive is refused; nothing of it may be left.
#[track_caller]
fn refusal(archive: &[u8]) -> String {
    let place = Place::with(archive);
    let result = place.unpack();
    assert_eq!(place.left(), [""; 0], "left behind after {result:?}");
    match result {
        Err(ArchiveError::Refused(reason)) => reason,
        other => panic!("not refused: {other:?}"),
    }
}

/// The paths of all files and folders below a folder, in order; a folder's ends with a slash.
fn names_below(folder: &Path) -> Vec<String> {
    fn collect(root: &Path, folder: &Path, names: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            // Not `is_dir`, which follows links.
            if fs::symlink_metadata(&path).unwrap().is_dir() {
                names.push(format!("{name}/"));
                collect(root, &path, names);
            } else {
                names.push(name);
            }
        }
    }
    let mut names = Vec::new();
    collect(folder, folder, &mut names);
    names.sort();
    names
}
