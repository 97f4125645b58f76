//! Copying folders into a jail and out of it.

use std::{
    fs::{self, File, Metadata},
    io,
    os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, chown},
    path::Path,
};

/// What a folder holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Size {
    pub(crate) bytes: u64,
    pub(crate) files: u64,
}

/// Folders in folders, at most.
const DEEPEST: usize = 64;

/// Measures a folder. Links count as files and are not followed.
pub(crate) fn measure(folder: &Path) -> io::Result<Size> {
    let mut size = Size::default();
    add(folder, &mut size, DEEPEST)?;
    Ok(size)
}

fn add(folder: &Path, size: &mut Size, depth: usize) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        // What was removed meanwhile needs no room.
        let Ok(metadata) = entry.metadata() else { continue };
        size.files += 1;
        size.bytes += metadata.blocks() * 512;
        if metadata.is_dir() {
            let rest = depth.checked_sub(1).ok_or_else(too_deep)?;
            add(&entry.path(), size, rest)?;
        }
    }
    Ok(())
}

/// Copies the files and folders of `from` into the folder `to`, and gives them to `owner`. Links are copied as links, provided
/// that they stay within; everything else that is no file is left out. No file is more than executable.
pub(crate) fn copy(from: &Path, to: &Path, owner: Option<u32>) -> io::Result<()> {
    copy_level(from, to, owner, 0)?;
    own(to, owner)
}

fn copy_level(from: &Path, to: &Path, owner: Option<u32>, depth: usize) -> io::Result<()> {
    if depth > DEEPEST {
        return Err(too_deep());
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let metadata = fs::symlink_metadata(&source)?;
        if metadata.is_dir() {
            fs::create_dir(&target)?;
            copy_level(&source, &target, owner, depth + 1)?;
        } else if metadata.is_file() {
            copy_file(&source, &target, &metadata)?;
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

fn too_deep() -> io::Error {
    io::Error::other(format!("folders are nested more than {DEEPEST} deep"))
}

fn copy_file(source: &Path, target: &Path, metadata: &Metadata) -> io::Result<()> {
    // Never a link: it may have been put there since we looked.
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let mut reader = File::options().read(true).custom_flags(flags.bits() as i32).open(source)?;
    let mode = if metadata.permissions().mode() & 0o111 == 0 { 0o644 } else { 0o755 };
    let mut writer = File::options().write(true).create_new(true).mode(mode).open(target)?;
    io::copy(&mut reader, &mut writer)?;
    writer.set_permissions(fs::Permissions::from_mode(mode))
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
