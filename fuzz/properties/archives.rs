//! Any bytes are refused as an archive and leave nothing behind, or are unpacked within the limits, and nowhere else.

use std::{fs, path::Path};

use agon_entrants::{ArchiveLimits, is_archive, unpack};
use tempfile::TempDir;

const LIMITS: ArchiveLimits =
    ArchiveLimits { packed: 1 << 16, unpacked: 20_000, files: 12, depth: 4, name: 40, path: 100 };

/// What is to hold for any input.
pub(crate) fn holds(data: &[u8]) {
    let Some((&choice, bytes)) = data.split_first() else { return };
    let place = TempDir::new().expect("a folder");
    let place = place.path();
    let archive = place.join("archive");
    fs::write(&archive, if choice % 2 == 0 { bytes.to_vec() } else { with_sums(bytes) }).expect("a file");
    // Two folders deep, so that a name that climbs out of it is seen.
    let room = place.join("outer/room");
    fs::create_dir_all(&room).expect("a folder");
    let known = is_archive(&archive).expect("a file");
    let unpacked = unpack(&archive, &room.join("into"), &LIMITS);
    assert_eq!(names_in(&place.join("outer")), ["room"]);
    assert_eq!(names_in(place), ["archive", "outer"]);
    match unpacked {
        Ok(()) => {
            assert!(known);
            assert_eq!(names_in(&room), ["into"]);
            let found = count_below(&room.join("into"), 0);
            assert!(found.files > 0 && found.files + found.folders <= LIMITS.files && found.bytes <= LIMITS.unpacked);
        }
        Err(_) => assert!(names_in(&room).is_empty()),
    }
}

/// The sums in the headers of a tar put right: chance would hardly ever find them.
fn with_sums(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for block in bytes.chunks_exact_mut(512).filter(|block| block[257..262] == *b"ustar") {
        block[148..156].fill(b' ');
        let sum: u32 = block.iter().copied().map(u32::from).sum();
        block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    }
    bytes
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

#[derive(Default)]
struct Found {
    files: usize,
    folders: usize,
    bytes: u64,
}

fn count_below(folder: &Path, depth: usize) -> Found {
    assert!(depth <= LIMITS.depth);
    let mut found = Found::default();
    for name in names_in(folder) {
        let path = folder.join(&name);
        let about = fs::symlink_metadata(&path).expect("an entry");
        if about.is_dir() {
            let below = count_below(&path, depth + 1);
            found.folders += 1 + below.folders;
            found.files += below.files;
            found.bytes += below.bytes;
        } else {
            assert!(about.is_file(), "{name:?} is neither file nor folder");
            found.files += 1;
            found.bytes += about.len();
        }
    }
    found
}
