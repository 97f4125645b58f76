//! Tar archives written byte by byte, so that they can say anything.

use std::io::Write;

use flate2::{Compress, Compression, FlushCompress, Status, write::GzEncoder};

pub(crate) const FILE: u8 = b'0';
pub(crate) const FOLDER: u8 = b'5';

/// A header with a checksum that is right.
pub(crate) fn header(kind: u8, name: &[u8], mode: u32, size: u64) -> Vec<u8> {
    let mut block = vec![0; 512];
    block[..name.len()].copy_from_slice(name);
    block[100..107].copy_from_slice(format!("{mode:07o}").as_bytes());
    block[124..135].copy_from_slice(format!("{size:011o}").as_bytes());
    block[156] = kind;
    block[257..265].copy_from_slice(b"ustar\x0000");
    checked(block)
}

/// Puts the checksum in.
pub(crate) fn checked(mut block: Vec<u8>) -> Vec<u8> {
    block[148..156].fill(b' ');
    let sum: u32 = block.iter().copied().map(u32::from).sum();
    block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    block
}

pub(crate) fn entry(kind: u8, name: &[u8], contents: &[u8]) -> Vec<u8> {
    let mut bytes = header(kind, name, 0o644, contents.len() as u64);
    bytes.extend(contents);
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

pub(crate) fn file(name: &str, contents: &[u8]) -> Vec<u8> {
    entry(FILE, name.as_bytes(), contents)
}

pub(crate) fn tar(entries: &[Vec<u8>]) -> Vec<u8> {
    [entries.concat(), vec![0; 1024]].concat()
}

/// A PAX header for the entry that follows.
pub(crate) fn pax(records: &[(&str, &[u8])]) -> Vec<u8> {
    let mut contents = Vec::new();
    for (key, value) in records {
        let rest = key.len() + value.len() + 3;
        // The length counts its own digits.
        let length = (rest..).find(|length| length.to_string().len() + rest == *length).unwrap();
        contents.extend(format!("{length} {key}=").as_bytes());
        contents.extend(*value);
        contents.push(b'\n');
    }
    entry(b'x', b"pax", &contents)
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A gzip file that begins with `beginning` and goes on with ever so many zeros, about a thousand times as long as it is itself. It has
/// no end: whoever gets there has read it all.
pub(crate) fn gzip_bomb(beginning: &[u8], mebibytes: usize) -> Vec<u8> {
    let mut packer = Compress::new(Compression::best(), false);
    let mut bomb = b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec();
    bomb.extend(packed(&mut packer, beginning));
    // After a full flush nothing refers to what came before, so that the same bytes can stand there again and again.
    let zeros = packed(&mut packer, &vec![0; 1 << 20]);
    bomb.extend(zeros.repeat(mebibytes));
    bomb
}

fn packed(packer: &mut Compress, bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(bytes.len() + 1024);
    let status = packer.compress_vec(bytes, &mut packed, FlushCompress::Full).unwrap();
    assert_eq!(status, Status::Ok);
    packed
}
