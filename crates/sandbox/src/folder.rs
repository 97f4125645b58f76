//! Folders on their way into a jail and out of it.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read},
    os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, chown, lchown},
    path::Path,
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What a folder holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Bytes of its files.
    pub bytes: u64,
    /// Files, folders and links.
    pub files: u64,
}

/// Folders in folders, at most.
const DEEPEST: usize = 64;

/// How much a folder may hold that is taken into a jail or out of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bounds {
    /// Bytes that can be read from its files: holes count, and a file of several names counts for each of them.
    pub bytes: u64,
    /// Files, folders and links.
    pub files: u64,
}

impl Bounds {
    /// For what somebody hands in: it is read, copied and kept.
    pub const SUBMISSION: Bounds = Bounds { bytes: 1 << 30, files: 50_000 };
}

/// For a folder that is copied into a jail, which may be copied into memory.
pub(crate) const COPIED: Bounds = Bounds { bytes: 2 << 30, files: 100_000 };

/// For a folder that is mounted in a jail, which costs no memory: everything in it is given to the program.
pub(crate) const MOUNTED: Bounds = Bounds { bytes: u64::MAX, files: 100_000 };

/// Why a folder was not taken.
#[derive(Debug, Error)]
pub enum FolderError {
    /// It holds more than it may: what was seen.
    #[error("{0}")]
    Excess(String),
    /// The host could not do its part.
    #[error(transparent)]
    Host(#[from] io::Error),
}

/// What is still allowed of [`Bounds`].
struct Allowance {
    bounds: Bounds,
    used: Size,
}

impl Allowance {
    fn new(bounds: Bounds) -> Allowance {
        Allowance { bounds, used: Size::default() }
    }

    fn take(&mut self, bytes: u64) -> Result<(), FolderError> {
        let Bounds { bytes: most, files: most_files } = self.bounds;
        self.used.bytes = self.used.bytes.saturating_add(bytes);
        if self.used.bytes > most {
            return Err(FolderError::Excess(format!(
                "its files hold more than {most} bytes, which is what is allowed"
            )));
        }
        if self.used.files > most_files {
            let what = format!("it has more than {most_files} files and folders, which is what is allowed");
            return Err(FolderError::Excess(what));
        }
        Ok(())
    }

    fn take_entry(&mut self, metadata: &Metadata) -> Result<(), FolderError> {
        self.used.files += 1;
        self.take(if metadata.is_file() { metadata.len() } else { 0 })
    }
}

fn too_deep() -> FolderError {
    FolderError::Excess(format!("its folders are nested more than {DEEPEST} deep"))
}

/// What can be read from a folder or a file, which is no more than it may hold.
pub fn weigh(folder: &Path, bounds: Bounds) -> Result<Size, FolderError> {
    let mut allowance = Allowance::new(bounds);
    let metadata = fs::metadata(folder)?;
    if !metadata.is_dir() {
        allowance.take_entry(&metadata)?;
        return Ok(allowance.used);
    }
    walk(folder, DEEPEST, &mut |_, metadata| allowance.take_entry(metadata))?;
    Ok(allowance.used)
}

/// Whether everything in a folder, which may be mounted, belongs to this user.
pub(crate) fn is_ours(folder: &Path) -> Result<bool, FolderError> {
    let user = rustix::process::geteuid().as_raw();
    let mut allowance = Allowance::new(MOUNTED);
    let mut ours = fs::metadata(folder)?.uid() == user;
    walk(folder, DEEPEST, &mut |_, metadata| {
        ours &= metadata.uid() == user;
        allowance.take_entry(metadata)
    })?;
    Ok(ours)
}

/// What a folder takes up on its disk. Links count as files and are not followed.
pub(crate) fn measure(folder: &Path) -> Result<Size, FolderError> {
    let mut size = Size::default();
    walk(folder, DEEPEST, &mut |_, metadata| {
        size.files += 1;
        size.bytes += metadata.blocks() * 512;
        Ok(())
    })?;
    Ok(size)
}

/// Shows `visit` everything below a folder, each folder before what is in it. `depth` more levels are allowed.
fn walk(
    folder: &Path,
    depth: usize,
    visit: &mut dyn FnMut(&Path, &Metadata) -> Result<(), FolderError>,
) -> Result<(), FolderError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        // What was removed meanwhile needs no room.
        let Ok(metadata) = entry.metadata() else { continue };
        let path = entry.path();
        visit(&path, &metadata)?;
        if metadata.is_dir() {
            walk(&path, depth.checked_sub(1).ok_or_else(too_deep)?, visit)?;
        }
    }
    Ok(())
}

/// Copies the files and folders of `from` into the folder `to`, and gives them to `owner`. Links are copied as links, provided
/// that they stay within; everything else that is no file is left out. No file is more than executable.
pub(crate) fn copy(from: &Path, to: &Path, owner: Option<u32>, bounds: Bounds) -> Result<(), FolderError> {
    copy_level(from, to, owner, 0, &mut Allowance::new(bounds))?;
    Ok(own(to, owner)?)
}

fn copy_level(
    from: &Path,
    to: &Path,
    owner: Option<u32>,
    depth: usize,
    allowance: &mut Allowance,
) -> Result<(), FolderError> {
    if depth > DEEPEST {
        return Err(too_deep());
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let metadata = fs::symlink_metadata(&source)?;
        allowance.used.files += 1;
        allowance.take(0)?;
        if metadata.is_dir() {
            fs::create_dir(&target)?;
            copy_level(&source, &target, owner, depth + 1, allowance)?;
        } else if metadata.is_file() {
            copy_file(&source, &target, &metadata, allowance)?;
        } else if metadata.is_symlink() {
            let aim = fs::read_link(&source)?;
            if !stays_within(&aim, depth) {
                continue;
            }
            std::os::unix::fs::symlink(aim, &target)?;
            continue;
        } else {
            continue;
        }
        own(&target, owner)?;
    }
    Ok(())
}

fn copy_file(source: &Path, target: &Path, metadata: &Metadata, allowance: &mut Allowance) -> Result<(), FolderError> {
    // A file that says that it is too long is not begun with.
    let rest = allowance.bounds.bytes.saturating_sub(allowance.used.bytes);
    if metadata.len() > rest {
        return allowance.take(metadata.len());
    }
    // Never a link: it may have been put there since we looked.
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let reader = File::options().read(true).custom_flags(flags.bits() as i32).open(source)?;
    let mode = file_mode(metadata);
    let mut writer = File::options().write(true).create_new(true).mode(mode).open(target)?;
    // It may grow while it is read.
    allowance.take(io::copy(&mut reader.take(rest.saturating_add(1)), &mut writer)?)?;
    Ok(writer.set_permissions(fs::Permissions::from_mode(mode))?)
}

fn file_mode(metadata: &Metadata) -> u32 {
    if metadata.permissions().mode() & 0o111 == 0 { 0o644 } else { 0o755 }
}

/// Makes a folder that is mounted look as a copy would: what is no file, folder or link is gone, and everything is `owner`'s with the
/// modes of a copy. Nothing is read for that, and what lies below the mount stays as it is.
pub(crate) fn adopt(folder: &Path, owner: Option<u32>, bounds: Bounds) -> Result<(), FolderError> {
    let mut allowance = Allowance::new(bounds);
    walk(folder, DEEPEST, &mut |path, metadata| {
        allowance.take_entry(metadata)?;
        if !(metadata.is_file() || metadata.is_dir() || metadata.is_symlink()) {
            return Ok(fs::remove_file(path)?);
        }
        if let Some(owner) = owner
            && (metadata.uid(), metadata.gid()) != (owner, owner)
        {
            lchown(path, Some(owner), Some(owner))?;
        }
        let (mode, least) = if metadata.is_dir() { (0o755, 0o700) } else { (file_mode(metadata), 0o600) };
        let has = metadata.permissions().mode() & 0o7777;
        // Without a superuser's rights another mode costs a copy of the file, so only what the owner needs is changed, and what is
        // somebody else's stays as it is.
        let wanted = match owner {
            Some(_) => has != mode,
            None => has & least != least && metadata.uid() == rustix::process::geteuid().as_raw(),
        };
        if wanted && !metadata.is_symlink() {
            fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
        }
        Ok(())
    })?;
    Ok(own(folder, owner)?)
}

/// Whether a link at this depth below a folder leads to something in that folder.
fn stays_within(aim: &Path, depth: usize) -> bool {
    use std::path::Component;
    let mut level = depth as isize;
    for part in aim.components() {
        match part {
            Component::Normal(_) => level += 1,
            Component::CurDir => {}
            Component::ParentDir => level -= 1,
            Component::RootDir | Component::Prefix(_) => return false,
        }
        if level < 0 {
            return false;
        }
    }
    true
}

fn own(path: &Path, owner: Option<u32>) -> io::Result<()> {
    match owner {
        Some(owner) => chown(path, Some(owner), Some(owner)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder for one test, removed at its end.
    struct Here(std::path::PathBuf);

    impl Here {
        fn new(name: &str) -> Here {
            let here = std::env::temp_dir().join(format!("agon-folder-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&here);
            fs::create_dir_all(here.join("from")).unwrap();
            fs::create_dir_all(here.join("to")).unwrap();
            Here(here)
        }

        fn copied(&self, bounds: Bounds) -> Result<(), String> {
            copy(&self.0.join("from"), &self.0.join("to"), None, bounds).map_err(|error| error.to_string())
        }
    }

    impl Drop for Here {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const SMALL: Bounds = Bounds { bytes: 1 << 20, files: 10 };

    #[test]
    fn holes_count_as_if_they_were_full() {
        let here = Here::new("holes");
        File::create(here.0.join("from/sparse")).unwrap().set_len(3 << 30).unwrap();
        let found = here.copied(SMALL);
        assert!(found.as_ref().is_err_and(|error| error.contains("more than 1048576 bytes")), "{found:?}");
        assert!(weigh(&here.0.join("from"), SMALL).is_err());
        assert_eq!(measure(&here.0.join("to")).unwrap(), Size::default(), "nothing was copied of it");
    }

    #[test]
    fn every_name_of_a_file_counts() {
        let here = Here::new("names");
        fs::write(here.0.join("from/a"), vec![1; 600 << 10]).unwrap();
        assert_eq!(here.copied(SMALL), Ok(()));
        fs::hard_link(here.0.join("from/a"), here.0.join("from/b")).unwrap();
        assert!(weigh(&here.0.join("from"), SMALL).is_err());
        fs::remove_dir_all(here.0.join("to")).unwrap();
        fs::create_dir(here.0.join("to")).unwrap();
        assert!(here.copied(SMALL).is_err());
    }

    #[test]
    fn links_and_folders_count_as_files() {
        let here = Here::new("links");
        for number in 0..11 {
            std::os::unix::fs::symlink("nowhere", here.0.join(format!("from/{number}"))).unwrap();
        }
        let found = here.copied(SMALL);
        assert!(found.as_ref().is_err_and(|error| error.contains("more than 10 files")), "{found:?}");
    }

    #[test]
    fn folders_are_not_followed_for_ever() {
        let here = Here::new("deep");
        let mut deep = here.0.join("from");
        deep.extend(std::iter::repeat_n("d", DEEPEST + 2));
        fs::create_dir_all(deep).unwrap();
        let bounds = Bounds { files: 1000, ..SMALL };
        let found = here.copied(bounds);
        assert!(found.as_ref().is_err_and(|error| error.contains("64 deep")), "{found:?}");
        assert!(weigh(&here.0.join("from"), bounds).is_err_and(|error| error.to_string().contains("64 deep")));
    }

    #[test]
    fn links_may_not_lead_out() {
        assert!(stays_within(Path::new("data.bin"), 0));
        assert!(stays_within(Path::new("../data.bin"), 1));
        assert!(stays_within(Path::new("a/../b"), 0));
        assert!(!stays_within(Path::new("../data.bin"), 0));
        assert!(!stays_within(Path::new("/etc/passwd"), 3));
        assert!(!stays_within(Path::new("a/../../b/c"), 0));
    }
}
