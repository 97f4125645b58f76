//! Zip archives written byte by byte, so that they can say anything.

use std::io::Write;

use flate2::{Compression, Crc, write::DeflateEncoder};

pub(crate) const STORED: u16 = 0;
pub(crate) const DEFLATED: u16 = 8;

/// One entry. What the two headers say is free: only [`ZipEntry::new`] makes it true.
#[derive(Clone)]
pub(crate) struct ZipEntry {
    pub(crate) central: Header,
    pub(crate) local: Header,
    /// The upper half holds the mode of Unix.
    pub(crate) attributes: u32,
    /// As they lie in the archive.
    pub(crate) contents: Vec<u8>,
    /// Where the list says that the entry begins, if that is to be wrong.
    pub(crate) offset: Option<u32>,
}

/// What both headers of an entry have.
#[derive(Clone)]
pub(crate) struct Header {
    pub(crate) name: Vec<u8>,
    pub(crate) flags: u16,
    pub(crate) method: u16,
    pub(crate) crc: u32,
    pub(crate) packed: u32,
    pub(crate) unpacked: u32,
}

impl ZipEntry {
    /// A plain file, deflated.
    pub(crate) fn new(name: impl Into<Vec<u8>>, contents: &[u8]) -> ZipEntry {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(contents).unwrap();
        ZipEntry::packed(name, DEFLATED, encoder.finish().unwrap(), contents)
    }

    pub(crate) fn packed(name: impl Into<Vec<u8>>, method: u16, packed: Vec<u8>, unpacked: &[u8]) -> ZipEntry {
        let header = Header {
            name: name.into(),
            flags: 0,
            method,
            crc: crc(unpacked),
            packed: packed.len() as u32,
            unpacked: unpacked.len() as u32,
        };
        let attributes = 0o100_644 << 16;
        ZipEntry { central: header.clone(), local: header, attributes, contents: packed, offset: None }
    }

    pub(crate) fn mode(mut self, mode: u32) -> ZipEntry {
        self.attributes = mode << 16;
        self
    }

    /// Changes both headers.
    pub(crate) fn with(mut self, change: impl Fn(&mut Header)) -> ZipEntry {
        change(&mut self.central);
        change(&mut self.local);
        self
    }
}

pub(crate) fn crc(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The header that stands in front of the contents.
pub(crate) fn local_header(header: &Header) -> Vec<u8> {
    let mut bytes = b"PK\x03\x04\x14\x00".to_vec();
    bytes.extend(common(header));
    bytes.extend((header.name.len() as u16).to_le_bytes());
    bytes.extend([0; 2]);
    bytes.extend(&header.name);
    bytes
}

fn common(header: &Header) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(header.flags.to_le_bytes());
    bytes.extend(header.method.to_le_bytes());
    // The first of January 1980, midnight.
    bytes.extend([0, 0, 0x21, 0]);
    for number in [header.crc, header.packed, header.unpacked] {
        bytes.extend(number.to_le_bytes());
    }
    bytes
}

/// The header in the list of entries at the end.
pub(crate) fn central_header(entry: &ZipEntry, offset: u32) -> Vec<u8> {
    let mut bytes = b"PK\x01\x02\x14\x03\x14\x00".to_vec();
    bytes.extend(common(&entry.central));
    bytes.extend((entry.central.name.len() as u16).to_le_bytes());
    bytes.extend([0; 8]);
    bytes.extend(entry.attributes.to_le_bytes());
    bytes.extend(entry.offset.unwrap_or(offset).to_le_bytes());
    bytes.extend(&entry.central.name);
    bytes
}

/// The record at the very end.
pub(crate) fn end_record(count: u16, size: usize, offset: usize) -> Vec<u8> {
    let mut bytes = b"PK\x05\x06\0\0\0\0".to_vec();
    bytes.extend(count.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend((size as u32).to_le_bytes());
    bytes.extend((offset as u32).to_le_bytes());
    bytes.extend([0; 2]);
    bytes
}

pub(crate) fn zip(entries: &[ZipEntry]) -> Vec<u8> {
    zip_counted(entries, entries.len() as u16)
}

/// A zip that says that it has `count` entries.
pub(crate) fn zip_counted(entries: &[ZipEntry], count: u16) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        directory.extend(central_header(entry, bytes.len() as u32));
        bytes.extend(local_header(&entry.local));
        bytes.extend(&entry.contents);
    }
    let end = end_record(count, directory.len(), bytes.len());
    [bytes, directory, end].concat()
}

/// Two entries of which the second lies in the contents of the first, quoted there: all headers are true, and yet the bytes of the
/// second are unpacked twice.
pub(crate) fn quoting_zip(contents: &[u8]) -> Vec<u8> {
    let inner = ZipEntry::new("inner", contents);
    let quoted = [local_header(&inner.local), inner.contents.clone()].concat();
    let header_length = (quoted.len() - inner.contents.len()) as u16;
    // A block that is not the last one and holds its bytes as they are: the header of the inner entry.
    let mut packed = vec![0];
    packed.extend(header_length.to_le_bytes());
    packed.extend((!header_length).to_le_bytes());
    packed.extend(&quoted);
    let unpacked = [&quoted[..header_length.into()], contents].concat();
    let outer = ZipEntry::packed("outer", DEFLATED, packed, &unpacked);
    let mut bytes = local_header(&outer.local);
    let inner_offset = bytes.len() as u32 + 5;
    bytes.extend(&outer.contents);
    let directory = [central_header(&outer, 0), central_header(&inner, inner_offset)].concat();
    let end = end_record(2, directory.len(), bytes.len());
    [bytes, directory, end].concat()
}
