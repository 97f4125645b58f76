//! What kind of archive a file is, by its first bytes.

use std::io::{self, Read};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Zip,
    Tar,
    /// A tar in it, one hopes.
    Gzip,
    /// Known by name only.
    Foreign(&'static str),
}

/// A tar begins with a block of this size.
const BLOCK: usize = 512;

const BEGINNINGS: [(&[u8], Kind); 9] = [
    (b"PK\x03\x04", Kind::Zip),
    // Without any entry.
    (b"PK\x05\x06", Kind::Zip),
    // One part of several.
    (b"PK\x07\x08", Kind::Zip),
    (b"\x1f\x8b", Kind::Gzip),
    (b"Rar!\x1a\x07", Kind::Foreign("rar")),
    (b"7z\xbc\xaf\x27\x1c", Kind::Foreign("7z")),
    (b"\xfd7zXZ\0", Kind::Foreign("xz")),
    (b"\x28\xb5\x2f\xfd", Kind::Foreign("zstd")),
    // A digit that stands for the size of its blocks lies between this and what follows; see below.
    (b"BZh", Kind::Foreign("bzip2")),
];

impl Kind {
    /// Reads the beginning of a file; `None` if it is no archive.
    pub(super) fn of(file: &mut impl Read) -> io::Result<Option<Kind>> {
        let mut first = Vec::with_capacity(BLOCK);
        file.take(BLOCK as u64).read_to_end(&mut first)?;
        let known = BEGINNINGS.into_iter().find(|(beginning, _)| first.starts_with(beginning)).map(|(_, kind)| kind);
        Ok(match known {
            // Three letters are too few to tell a bzip2 file from a text: its first block begins with the digits of pi.
            Some(Kind::Foreign("bzip2")) if first.get(4..10) != Some(b"1AY&SY") => None,
            None if is_tar(&first) => Some(Kind::Tar),
            known => known,
        })
    }
}

/// Old tars have no mark of their own, but every header has a checksum. A tar of nothing is all zeros.
fn is_tar(first: &[u8]) -> bool {
    const CHECKSUM: std::ops::Range<usize> = 148..156;
    if first.len() < BLOCK {
        return false;
    }
    if first.iter().all(|&byte| byte == 0) {
        return true;
    }
    let byte_at = |(index, &byte): (usize, &u8)| u32::from(if CHECKSUM.contains(&index) { b' ' } else { byte });
    let sum: u32 = first.iter().enumerate().map(byte_at).sum();
    let written = std::str::from_utf8(&first[CHECKSUM]).unwrap_or_default();
    u32::from_str_radix(written.trim_matches(['\0', ' ']), 8) == Ok(sum)
}
