//! Tar archives.

use std::io::{self, Read};

use ::tar::{Archive, Entry, EntryType};

use super::{ArchiveError, ArchiveLimits, names::EntryName, tree::Tree};

/// The most that a header in front of an entry may hold besides its name: macOS keeps attributes of files there.
const MOST_IN_PAX: u64 = 1 << 20;

/// Headers, padding and long names of one entry.
const MOST_AROUND_ENTRY: u64 = 8 << 10;

/// Unpacks a tar. Its headers are read one by one, raw, since the crate's own handling of long names reads them whole, however long.
pub(super) fn unpack(reader: impl Read, tree: &mut Tree<'_>) -> Result<(), ArchiveError> {
    let mut archive = Archive::new(Stream::new(reader, tree.limits));
    let mut ahead = Ahead::default();
    let mut begun = false;
    for entry in archive.entries().map_err(damaged)?.raw(true) {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(e) if begun => return Err(damaged(e)),
            Err(e) => return Err(ArchiveError::unreadable("not a tar archive", e)),
        };
        begun = true;
        match entry.header().entry_type() {
            // Skipped: what holds for all entries is of no interest (`git archive` puts its commit there), and links are refused.
            EntryType::XGlobalHeader | EntryType::GNULongLink => {}
            EntryType::GNULongName => ahead.read_long_name(&mut entry, tree.limits)?,
            EntryType::XHeader => ahead.read_pax(&mut entry)?,
            kind => unpack_entry(kind, &mut entry, std::mem::take(&mut ahead), tree)?,
        }
    }
    if ahead != Ahead::default() {
        return Err(ArchiveError::refused(
            "the last header describes an entry that is missing; was the archive cut off?",
        ));
    }
    archive.into_inner().check_end()
}

fn unpack_entry<R: Read>(
    kind: EntryType,
    entry: &mut Entry<'_, R>,
    ahead: Ahead,
    tree: &mut Tree<'_>,
) -> Result<(), ArchiveError> {
    let raw = ahead.name.unwrap_or_else(|| entry.header().path_bytes().into_owned());
    let refuse = |reason: &str| Err(ArchiveError::entry(&raw, reason));
    match kind {
        EntryType::Regular | EntryType::Continuous | EntryType::Directory => {}
        EntryType::Symlink => return refuse("a symbolic link; only files and folders are allowed"),
        EntryType::Link => return refuse("a hard link; only files and folders are allowed"),
        EntryType::Char | EntryType::Block => return refuse("a device; only files and folders are allowed"),
        EntryType::Fifo => return refuse("a FIFO; only files and folders are allowed"),
        EntryType::GNUSparse => return refuse(SPARSE),
        _ => return refuse("an entry of an unknown kind; only files and folders are allowed"),
    }
    if ahead.sparse {
        return refuse(SPARSE);
    }
    let size = entry.size();
    if ahead.size.is_some_and(|ahead| ahead != size) {
        return refuse("two of its headers disagree about its size");
    }
    let name = EntryName::read(&raw, tree.limits)?;
    // Old tars mark a folder by its name alone.
    if kind != EntryType::Directory && !name.of_folder {
        // A mode that cannot be read is that of a plain file.
        let executable = entry.header().mode().unwrap_or(0) & 0o111 != 0;
        return tree.file(&name, executable, size, entry);
    }
    if size > 0 {
        return refuse("a folder with bytes of its own");
    }
    tree.folder(&name)
}

const SPARSE: &str = "a sparse file; pack it without tar's option --sparse";

/// What headers say about the entry that follows them.
#[derive(Default, PartialEq, Eq)]
struct Ahead {
    name: Option<Vec<u8>>,
    size: Option<u64>,
    sparse: bool,
    /// There was such a header, even if nothing in it matters here.
    pax: bool,
}

impl Ahead {
    fn read_long_name<R: Read>(
        &mut self,
        entry: &mut Entry<'_, R>,
        limits: &ArchiveLimits,
    ) -> Result<(), ArchiveError> {
        // The name ends with a zero byte.
        let most = limits.path as u64 + 1;
        if entry.size() > most {
            let (length, most) = (entry.size() - 1, limits.path);
            return Err(ArchiveError::refused(format!("a name of {length} bytes, but at most {most} are allowed")));
        }
        let mut name = read_all(entry)?;
        name.truncate(name.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1));
        self.set_name(&name)
    }

    fn read_pax<R: Read>(&mut self, entry: &mut Entry<'_, R>) -> Result<(), ArchiveError> {
        if entry.size() > MOST_IN_PAX {
            let size = entry.size();
            return Err(ArchiveError::refused(format!(
                "a PAX header of {size} bytes, but at most {MOST_IN_PAX} are allowed"
            )));
        }
        if self.pax {
            return Err(ArchiveError::refused("two PAX headers for one entry"));
        }
        self.pax = true;
        let records = read_all(entry)?;
        let mut rest = &records[..];
        while !rest.is_empty() {
            let Some((key, value, after)) = split_record(rest) else {
                return Err(ArchiveError::refused("a PAX header that cannot be read; is the archive damaged?"));
            };
            match key {
                b"path" => self.set_name(value)?,
                b"size" => self.size = Some(number(value).unwrap_or(u64::MAX)),
                _ if key.starts_with(b"GNU.sparse.") => self.sparse = true,
                // Times, owners, attributes.
                _ => {}
            }
            rest = after;
        }
        Ok(())
    }

    /// Programs differ in which of two names they take, so that an archive could hold one thing here and another elsewhere.
    fn set_name(&mut self, name: &[u8]) -> Result<(), ArchiveError> {
        match self.name.replace(name.to_owned()) {
            Some(_) => Err(ArchiveError::entry(name, "the second long name for one entry")),
            None => Ok(()),
        }
    }
}

/// Splits `LENGTH KEY=VALUE\n` off: the length counts the whole record, itself included. A value may have line ends in it.
fn split_record(records: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let space = records.iter().position(|&byte| byte == b' ')?;
    let length = usize::try_from(number(&records[..space])?).ok()?;
    let record = records.get(space + 1..length)?.strip_suffix(b"\n")?;
    let equals = record.iter().position(|&byte| byte == b'=')?;
    Some((&record[..equals], &record[equals + 1..], &records[length..]))
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The contents of a header whose size was checked.
fn read_all<R: Read>(entry: &mut Entry<'_, R>) -> Result<Vec<u8>, ArchiveError> {
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes).map_err(damaged)?;
    if bytes.len() as u64 != entry.size() {
        return Err(ArchiveError::refused("the archive ends in the middle of a header; was it cut off?"));
    }
    Ok(bytes)
}

fn damaged(error: io::Error) -> ArchiveError {
    ArchiveError::unreadable("the archive is damaged", error)
}

/// The bytes of a tar, counted: skipping over an entry also means to unpack it.
struct Stream<R> {
    inner: R,
    left: u64,
    most: u64,
    ended: bool,
}

impl<R: Read> Stream<R> {
    fn new(inner: R, limits: &ArchiveLimits) -> Stream<R> {
        let around = MOST_AROUND_ENTRY.saturating_mul(limits.files as u64 + 1).saturating_add(2 * MOST_IN_PAX);
        let most = limits.unpacked.saturating_add(around);
        Stream { inner, left: most, most, ended: false }
    }

    /// A tar ends with a block of zeros, and nothing but more of them may follow. Reading on also lets gzip check its sum.
    fn check_end(mut self) -> Result<(), ArchiveError> {
        if self.ended {
            return Err(ArchiveError::refused("the archive has no end mark; was it cut off?"));
        }
        let mut buffer = [0; 16 << 10];
        loop {
            match self.read(&mut buffer).map_err(damaged)? {
                0 => return Ok(()),
                count if buffer[..count].iter().all(|&byte| byte == 0) => {}
                _ => {
                    return Err(ArchiveError::refused(
                        "something follows the end of the archive; expected nothing there",
                    ));
                }
            }
        }
    }
}

impl<R: Read> Read for Stream<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other(format!("it unpacks to more than {} bytes", self.most)));
        }
        let room = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let count = self.inner.read(&mut buffer[..room])?;
        self.left -= count as u64;
        self.ended |= count == 0 && room > 0;
        Ok(count)
    }
}
