//! Zip archives.

use std::{
    cell::Cell,
    collections::HashSet,
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    rc::Rc,
};

use ::zip::{
    CompressionMethod, ZipArchive, ZipReadOptions,
    read::{ArchiveOffset, Config, ZipFileEntry},
    result::ZipError,
};

use super::{ArchiveError, ArchiveLimits, names::EntryName, tree::Tree};

/// An entry that may be unpacked.
struct Planned {
    index: usize,
    name: EntryName,
    executable: bool,
    /// Where its header begins and its contents end.
    start: u64,
    end: u64,
}

/// Unpacks a zip: everything is checked first that can be without reading the contents.
pub(super) fn unpack(file: &File, tree: &mut Tree<'_>) -> Result<(), ArchiveError> {
    let allowance = Rc::new(Cell::new(directory_allowance(tree.limits)));
    let reader = Metered::new(file, allowance.clone()).map_err(|e| of_archive(e.into()))?;
    // Bytes in front of a zip are a way to hide another one.
    let config = Config { archive_offset: ArchiveOffset::Known(0) };
    let mut archive = ZipArchive::with_config(config, reader).map_err(of_archive)?;
    allowance.set(u64::MAX);
    check_directory(file, &archive, tree.limits)?;
    let plan = plan(&mut archive, tree.limits)?;
    check_overlaps(&plan, archive.central_directory_start())?;
    for planned in &plan {
        let name = &planned.name;
        if name.of_folder {
            tree.folder(name)?;
        } else {
            let mut entry = open(&mut archive, planned.index).map_err(|e| of_entry(name.path.as_bytes(), e))?;
            tree.file(name, planned.executable, entry.size(), &mut entry)?;
        }
    }
    Ok(())
}

fn open<R: Read + Seek>(archive: &mut ZipArchive<R>, index: usize) -> Result<::zip::read::ZipFile<'_, R>, ZipError> {
    archive.by_index_with_options(index, ZipReadOptions::new().enforce_header_consistency(true))
}

/// The bytes that the list of entries may have, with the search for it: the crate reads it whole, and into many times its size.
fn directory_allowance(limits: &ArchiveLimits) -> u64 {
    (limits.files as u64).saturating_mul(512).saturating_add(256 << 10)
}

/// Reads the list of entries again: the crate believes the number of entries that the archive gives, and keeps one of each name.
fn check_directory<R: Read + Seek>(
    mut file: &File,
    archive: &ZipArchive<R>,
    limits: &ArchiveLimits,
) -> Result<(), ArchiveError> {
    const HEADER: usize = 46;
    let unreadable = |e| of_archive(ZipError::Io(e));
    file.seek(SeekFrom::Start(archive.central_directory_start())).map_err(unreadable)?;
    let mut reader = BufReader::new(file);
    let mut names = HashSet::new();
    loop {
        let mut header = Vec::with_capacity(HEADER);
        reader.by_ref().take(HEADER as u64).read_to_end(&mut header).map_err(unreadable)?;
        if header.len() < HEADER || !header.starts_with(b"PK\x01\x02") {
            break;
        }
        let length_at = |index: usize| u16::from_le_bytes([header[index], header[index + 1]]);
        let mut name = vec![0; length_at(28).into()];
        reader.read_exact(&mut name).map_err(unreadable)?;
        reader.seek_relative(i64::from(length_at(30)) + i64::from(length_at(32))).map_err(unreadable)?;
        if names.len() == limits.files {
            let most = limits.files;
            return Err(ArchiveError::entry(&name, format!("more than {most} entries; pack only what the bot needs")));
        }
        if let Some(name) = names.replace(name) {
            return Err(ArchiveError::entry(&name, "two entries have this name"));
        }
    }
    match names.len() {
        count if count == archive.len() => Ok(()),
        count => {
            let said = archive.len();
            Err(ArchiveError::refused(format!("{said} entries by its own count, but {count} are listed")))
        }
    }
}

fn plan<R: Read + Seek>(archive: &mut ZipArchive<R>, limits: &ArchiveLimits) -> Result<Vec<Planned>, ArchiveError> {
    let entries = archive.metadata();
    let mut plan = Vec::new();
    for index in 0..entries.len() {
        let entry = entries.entry(index).map_err(of_archive)?;
        let raw = entry.name_raw();
        let mut name = EntryName::read(raw, limits)?;
        // The attributes of Unix lie in the upper half, whatever system is said to have made the archive.
        let mode = entry.external_attributes() >> 16;
        name.of_folder |= mode & KIND == FOLDER;
        check_entry(&entry, mode, name.of_folder)?;
        let opened = open(archive, index).map_err(|e| of_entry(raw, e))?;
        let end = opened.data_start().and_then(|start| start.checked_add(entry.compressed_size()));
        let end = end.ok_or_else(|| ArchiveError::entry(raw, "its contents lie outside the archive"))?;
        plan.push(Planned { index, name, executable: mode & 0o111 != 0, start: entry.header_start(), end });
    }
    Ok(plan)
}

const KIND: u32 = 0o170_000;
const FOLDER: u32 = 0o040_000;

fn check_entry(entry: &ZipFileEntry<'_>, mode: u32, of_folder: bool) -> Result<(), ArchiveError> {
    let refuse = |reason: &str| Err(ArchiveError::entry(entry.name_raw(), reason));
    match mode & KIND {
        0 | 0o100_000 | FOLDER => {}
        0o120_000 => return refuse("a symbolic link; only files and folders are allowed"),
        0o020_000 | 0o060_000 => return refuse("a device; only files and folders are allowed"),
        0o010_000 => return refuse("a FIFO; only files and folders are allowed"),
        0o140_000 => return refuse("a socket; only files and folders are allowed"),
        _ => return refuse("an entry of an unknown kind; only files and folders are allowed"),
    }
    if entry.encrypted() {
        return refuse("encrypted; pack it without a password");
    }
    if of_folder && (entry.size() > 0 || entry.compressed_size() > 2) {
        // Two bytes are an empty file, deflated.
        return refuse("a folder with bytes of its own");
    }
    match entry.compression() {
        CompressionMethod::Stored | CompressionMethod::Deflated => Ok(()),
        other => refuse(&format!("compressed with {other}; expected deflate, which every zip program can do")),
    }
}

/// Entries that share their bytes make a small archive unpack to any size.
fn check_overlaps(plan: &[Planned], directory: u64) -> Result<(), ArchiveError> {
    let mut by_place: Vec<&Planned> = plan.iter().collect();
    by_place.sort_by_key(|planned| (planned.start, planned.end));
    let nexts = by_place.iter().skip(1).map(|next| next.start).chain([directory]);
    match by_place.iter().zip(nexts).find(|(planned, next)| planned.end > *next || planned.end > directory) {
        Some((planned, _)) => Err(ArchiveError::entry(
            planned.name.path.as_bytes(),
            "its bytes overlap with those of another entry or of the list of entries",
        )),
        None => Ok(()),
    }
}

fn of_archive(error: ZipError) -> ArchiveError {
    match error {
        ZipError::Io(e) => ArchiveError::unreadable("cannot read the zip archive", e),
        other => ArchiveError::refused(format!("cannot read the zip archive: {}", reason(&other))),
    }
}

fn of_entry(name: &[u8], error: ZipError) -> ArchiveError {
    match error {
        ZipError::Io(e) => ArchiveError::unreadable(
            format!("cannot read entry {}", agon_rules::quote(&String::from_utf8_lossy(name))),
            e,
        ),
        other => ArchiveError::entry(name, reason(&other)),
    }
}

fn reason(error: &ZipError) -> String {
    match error {
        ZipError::InvalidArchive(reason) => reason.to_string(),
        ZipError::UnsupportedArchive(reason) => (*reason).to_owned(),
        other => other.to_string(),
    }
}

/// An archive that is read up to an allowance, and never beyond its end.
struct Metered<'a> {
    inner: BufReader<&'a File>,
    length: u64,
    allowance: Rc<Cell<u64>>,
}

impl<'a> Metered<'a> {
    fn new(file: &'a File, allowance: Rc<Cell<u64>>) -> io::Result<Metered<'a>> {
        Ok(Metered { inner: BufReader::new(file), length: file.metadata()?.len(), allowance })
    }
}

impl Read for Metered<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        let left = self.allowance.get().checked_sub(count as u64);
        self.allowance.set(left.ok_or_else(|| io::Error::other("the list of its entries is too long"))?);
        Ok(count)
    }
}

impl Seek for Metered<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            // The system has an error of its own for places that are too far off; but it is the archive's.
            SeekFrom::Start(place) if place > self.length => Err(io::Error::other("it points beyond its own end")),
            to => self.inner.seek(to),
        }
    }
}
