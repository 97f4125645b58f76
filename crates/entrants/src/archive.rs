//! Submissions that come as archives, unpacked without trusting a byte of them.
//!
//! Only plain files and folders are made, in a folder that did not exist before. Every name is checked before it becomes a path, and bytes
//! and entries are counted as they come, whatever the headers say. An archive with one bad entry is refused as a whole, with the reason: half
//! a submission would only puzzle its author later.

mod error;
mod kind;
mod names;
mod tar;
mod tree;
mod zip;

use std::{
    fs::{self, File},
    io::{self, BufReader, Read, Seek},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use flate2::bufread::MultiGzDecoder;
use sha2::{Digest, Sha256};

pub use error::ArchiveError;
use kind::Kind;
use tree::Tree;

/// How much an archive may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArchiveLimits {
    /// The bytes of the archive itself.
    pub packed: u64,
    /// The bytes of all its files together, unpacked.
    pub unpacked: u64,
    /// The number of its files and folders, those included that are only named by what lies in them.
    pub files: usize,
    /// How many parts a path may have: `a/b/c` has three.
    pub depth: usize,
    /// The bytes of one part of a path.
    pub name: usize,
    /// The bytes of a whole path.
    pub path: usize,
}

/// Where archives are unpacked, below the cache.
const ARCHIVES: &str = "archives";
/// The bytes of a digest.
const DIGEST: usize = 32;

impl Default for ArchiveLimits {
    fn default() -> ArchiveLimits {
        ArchiveLimits { packed: 64 << 20, unpacked: 512 << 20, files: 10_000, depth: 32, name: 255, path: 1024 }
    }
}

/// Whether the file at `path` is an archive, by its first bytes. True for those that [`unpack`] reads (zip, tar, tar.gz), and for
/// those that it only knows (rar, 7z, xz, bzip2, zstd): it refuses them and says what to do.
pub fn is_archive(path: &Path) -> io::Result<bool> {
    // A pipe would never answer.
    Ok(fs::metadata(path)?.is_file() && Kind::of(&mut File::open(path)?)?.is_some())
}

/// Unpacks an archive into the folder `into`, which must not exist yet; its parent must. After an error nothing is left there.
///
/// Files get the mode 0644, or 0755 if anybody could execute them; folders 0755. A gzip file may have several members, which are
/// read as one; whatever else follows the end of a tar is refused.
pub fn unpack(path: &Path, into: &Path, limits: &ArchiveLimits) -> Result<(), ArchiveError> {
    unpack_unnamed(path, into, limits).map_err(|error| error.about(path))
}

/// The folder of a submission that came as an archive. It is unpacked below `cache` once for each content, whatever its name and
/// whatever the limits were then. If it holds nothing but one folder (and what macOS adds), that folder is the answer.
pub fn submission_folder(path: &Path, cache: &Path, limits: &ArchiveLimits) -> Result<PathBuf, ArchiveError> {
    let hash = content_hash(path, limits).map_err(|error| error.about(path))?;
    let home = cache.join(ARCHIVES).join(hash);
    if !home.is_dir() {
        unpack_once(path, &home, limits)?;
    }
    only_folder(&home).map_err(|e| ArchiveError::host(format!("cannot read {}", home.display()), e))
}

/// The folder into which an archive was unpacked, if `folder` is the only one that it held; else `folder` itself.
pub(crate) fn unpacked_whole(folder: &Path) -> &Path {
    let is_home = |home: &&Path| {
        let hash = home.file_name().unwrap_or_default().as_encoded_bytes();
        let below_ours = home.parent().is_some_and(|cache| cache.ends_with(ARCHIVES));
        below_ours && hash.len() == 2 * DIGEST && hash.iter().all(u8::is_ascii_hexdigit)
    };
    folder.parent().filter(is_home).unwrap_or(folder)
}

fn unpack_unnamed(path: &Path, into: &Path, limits: &ArchiveLimits) -> Result<(), ArchiveError> {
    let unreadable = |e| ArchiveError::host("cannot read the archive", e);
    let mut file = open(path, limits)?;
    let kind = Kind::of(&mut file).map_err(unreadable)?;
    file.rewind().map_err(unreadable)?;
    match kind {
        Some(Kind::Zip) => fill(into, limits, |tree| zip::unpack(&file, tree)),
        Some(Kind::Tar) => fill(into, limits, |tree| tar::unpack(BufReader::new(file), tree)),
        Some(Kind::Gzip) => fill(into, limits, |tree| tar::unpack(MultiGzDecoder::new(BufReader::new(file)), tree)),
        Some(Kind::Foreign(name)) => Err(ArchiveError::refused(format!(
            "{name} archives cannot be read; expected zip, tar or tar.gz: pack it again as one of these"
        ))),
        None => Err(ArchiveError::refused("not an archive; expected zip, tar or tar.gz")),
    }
}

/// Makes a folder with what `unpack` puts there.
fn fill(
    into: &Path,
    limits: &ArchiveLimits,
    unpack: impl FnOnce(&mut Tree<'_>) -> Result<(), ArchiveError>,
) -> Result<(), ArchiveError> {
    let mut tree = Tree::new(into, limits)?;
    unpack(&mut tree)?;
    tree.finish()
}

/// Opens an archive that is a file of a size that is allowed.
fn open(path: &Path, limits: &ArchiveLimits) -> Result<File, ArchiveError> {
    let unreadable = |e| ArchiveError::host("cannot read the archive", e);
    let about = fs::metadata(path).map_err(unreadable)?;
    match about.len() {
        _ if !about.is_file() => Err(ArchiveError::refused("not a file; expected an archive: zip, tar or tar.gz")),
        0 => Err(ArchiveError::refused("the file is empty; expected an archive: zip, tar or tar.gz")),
        size if size > limits.packed => {
            Err(ArchiveError::refused(format!("{size} bytes, but an archive may have at most {}", limits.packed)))
        }
        _ => File::open(path).map_err(unreadable),
    }
}

fn content_hash(path: &Path, limits: &ArchiveLimits) -> Result<String, ArchiveError> {
    let mut digest = Sha256::new();
    io::copy(&mut open(path, limits)?.take(limits.packed), &mut digest)
        .map_err(|e| ArchiveError::host("cannot read the archive", e))?;
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Several programs and threads may do so at once: each unpacks into a folder of its own, and the first to finish moves it into place.
fn unpack_once(path: &Path, home: &Path, limits: &ArchiveLimits) -> Result<(), ArchiveError> {
    static UNPACKED: AtomicU64 = AtomicU64::new(0);
    let number = UNPACKED.fetch_add(1, Ordering::Relaxed);
    let workshop = home.with_extension(format!("unpacking-{}-{number}", std::process::id()));
    let cache = home.parent().unwrap_or(home);
    fs::create_dir_all(cache).map_err(|e| ArchiveError::host(format!("cannot make {}", cache.display()), e))?;
    // What is left of a program that was killed, and had the same number.
    let _ = fs::remove_dir_all(&workshop);
    unpack(path, &workshop, limits)?;
    let moved = fs::rename(&workshop, home);
    if moved.is_err() {
        let _ = fs::remove_dir_all(&workshop);
    }
    match moved {
        Err(e) if !home.is_dir() => {
            Err(ArchiveError::host(format!("cannot move what was unpacked to {}", home.display()), e))
        }
        _ => Ok(()),
    }
}

/// `home`, or the one folder that is all it holds.
fn only_folder(home: &Path) -> io::Result<PathBuf> {
    let mut only = None;
    for entry in fs::read_dir(home)? {
        let entry = entry?;
        if entry.file_name() == "__MACOSX" || entry.file_name() == ".DS_Store" {
            continue;
        }
        if only.is_some() || !entry.file_type()?.is_dir() {
            return Ok(home.to_owned());
        }
        only = Some(entry.path());
    }
    Ok(only.unwrap_or_else(|| home.to_owned()))
}
