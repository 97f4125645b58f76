//! What can be mended without guessing, in a copy of what was handed in.

use std::{
    fmt, fs,
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::Path,
};

use serde::Deserialize;

use crate::{
    config::{FileSet, Submission},
    formalities::Copy,
};

/// A kind of repair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repair {
    /// The files lay in a folder within the archive.
    Folder,
    /// Names of files had backslashes where folders are meant.
    Backslash,
    /// A file had an ending too many, such as `report.txt.txt`, or other capitals.
    Name,
    /// A text was in UTF-16.
    Utf16,
    /// A text began with a byte order mark.
    ByteOrderMark,
    /// A text had the line endings of Windows.
    LineEndings,
    /// A script could not be executed.
    RunBit,
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Repair::Folder => "folder",
            Repair::Backslash => "backslash",
            Repair::Name => "name",
            Repair::Utf16 => "utf16",
            Repair::ByteOrderMark => "byte-order-mark",
            Repair::LineEndings => "line-endings",
            Repair::RunBit => "run-bit",
        })
    }
}

/// Something that was mended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Repaired {
    pub repair: Repair,
    pub what: String,
}

/// Files that no one who packs a folder means to hand in.
fn is_litter(file: &str) -> bool {
    file.split('/').any(|part| matches!(part, "__MACOSX" | ".DS_Store" | "Thumbs.db" | "__pycache__" | ".git"))
}

/// A text that is longer was not written by hand.
const LONGEST_TEXT: u64 = 4 << 20;

/// Mends a copy.
pub(crate) fn repair(submission: &Submission, copy: &mut Copy<'_>) -> io::Result<Vec<Repaired>> {
    let mut done = Vec::new();
    if let Some(name) = &copy.backslashed {
        let what = format!("names in the archive have backslashes instead of slashes: {}", agon_rules::quote(name));
        done.push(Repaired { repair: Repair::Backslash, what });
    }
    out_of_folders(submission, copy, &mut done)?;
    names(submission, copy, &mut done)?;
    for file in copy.files.clone() {
        let wanted = submission.files.iter().flat_map(FileSet::wanted).flatten().any(|name| name == file);
        let script = file.ends_with(".sh");
        if wanted || script {
            text(&copy.root.join(&file), &file, &mut done)?;
        }
        if script && !file.contains('/') {
            run_bit(&copy.root.join(&file), &file, &mut done)?;
        }
    }
    Ok(done)
}

/// How many of the files that are wanted lie directly in a folder, whatever their capitals.
fn wanted_in(submission: &Submission, copy: &Copy<'_>, folder: &str) -> usize {
    let names = copy.files.iter().filter_map(|file| file.strip_prefix(folder)).filter(|name| !name.contains('/'));
    let names: Vec<String> = names.map(str::to_lowercase).collect();
    let there = |name: &&str| {
        let name = name.to_lowercase();
        names.iter().any(|found| FileSet::is(found, &name) || found.strip_suffix(".txt") == Some(name.as_str()))
    };
    let count = |set: &FileSet| set.wanted().filter(|names| names.iter().any(there)).count();
    submission.files.iter().map(count).max().unwrap_or(0)
}

/// Brings files to the top that lie in folders which hold nothing else.
fn out_of_folders(submission: &Submission, copy: &mut Copy<'_>, done: &mut Vec<Repaired>) -> io::Result<()> {
    if wanted_in(submission, copy, "") > 0 {
        return Ok(());
    }
    let mut folder = String::new();
    loop {
        let real = || copy.files.iter().filter(|file| !is_litter(file));
        let mut tops: Vec<&str> = real()
            .filter_map(|file| file.strip_prefix(&folder))
            .map(|rest| rest.split_inclusive('/').next().unwrap_or(rest))
            .collect();
        tops.sort_unstable();
        tops.dedup();
        let [only] = tops.as_slice() else { return Ok(()) };
        if !only.ends_with('/') {
            return Ok(());
        }
        folder.push_str(only);
        if wanted_in(submission, copy, &folder) > 0 {
            break;
        }
    }
    let inner = copy.root.join(folder.trim_end_matches('/'));
    let outer = copy.root.with_extension("mended");
    // What is left of an import that was killed.
    let _ = fs::remove_dir_all(&outer);
    fs::rename(&inner, &outer)?;
    fs::remove_dir_all(&copy.root)?;
    fs::rename(&outer, &copy.root)?;
    copy.refresh()?;
    done.push(Repaired {
        repair: Repair::Folder,
        what: format!("the files lie in the folder {folder} instead of at the top of the archive"),
    });
    Ok(())
}

/// Gives files the names that are wanted.
fn names(submission: &Submission, copy: &mut Copy<'_>, done: &mut Vec<Repaired>) -> io::Result<()> {
    let wanted: Vec<String> = submission.files.iter().flat_map(FileSet::wanted).flatten().map(str::to_owned).collect();
    for name in wanted.into_iter().filter(|name| !name.contains('*')) {
        // Somebody may have a folder of that name.
        if copy.root.join(&name).exists() {
            continue;
        }
        let plain = |text: &str| text.trim().to_lowercase().replace(['-', ' '], "_");
        let almost = |file: &&String| {
            let (file, name) = (plain(file), plain(&name));
            let doubled = name.rsplit_once('.').map(|(_, ending)| format!("{name}.{ending}"));
            file == name || file.strip_suffix(".txt") == Some(&name) || Some(file) == doubled
        };
        let taken = |file: &str| submission.files.iter().flat_map(FileSet::wanted).flatten().any(|name| name == file);
        let mut alike = copy.files.iter().filter(almost).filter(|file| !taken(file));
        let Some(found) = alike.next().cloned() else { continue };
        if alike.next().is_some() {
            continue;
        }
        fs::rename(copy.root.join(&found), copy.root.join(&name))?;
        copy.refresh()?;
        done.push(Repaired { repair: Repair::Name, what: format!("{} instead of {name}", agon_rules::quote(&found)) });
    }
    Ok(())
}

/// Makes a text plain: UTF-8, no mark, line feeds.
fn text(path: &Path, name: &str, done: &mut Vec<Repaired>) -> io::Result<()> {
    if fs::metadata(path)?.len() > LONGEST_TEXT {
        return Ok(());
    }
    let before = fs::read(path)?;
    let mut bytes = before.clone();
    let mut note = |repair, what: &str| done.push(Repaired { repair, what: format!("{name} {what}") });
    if let Some(text) = utf16(&bytes) {
        bytes = text.into_bytes();
        note(Repair::Utf16, "is in UTF-16 instead of UTF-8");
    } else if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
        note(Repair::ByteOrderMark, "begins with a byte order mark");
    }
    if bytes.windows(2).any(|pair| pair == b"\r\n") {
        bytes = without_carriage_returns(&bytes);
        note(Repair::LineEndings, "has the line endings of Windows");
    }
    if bytes != before {
        replace(path, &bytes)?;
    }
    Ok(())
}

fn without_carriage_returns(bytes: &[u8]) -> Vec<u8> {
    let next = bytes.iter().skip(1).map(Some).chain([None]);
    bytes
        .iter()
        .zip(next)
        .filter(|&(&byte, next)| byte != b'\r' || next != Some(&b'\n'))
        .map(|(&byte, _)| byte)
        .collect()
}

/// The text of bytes that are UTF-16 and say so with their mark.
fn utf16(bytes: &[u8]) -> Option<String> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16(&units).ok()
}

/// Nobody ever finds half a file: the mode is kept.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mode = fs::metadata(path)?.permissions();
    // A name that no submission has: one could have a folder of any other.
    let mut beside = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(path))?;
    beside.write_all(bytes)?;
    beside.as_file().set_permissions(mode)?;
    beside.persist(path)?;
    Ok(())
}

fn run_bit(path: &Path, name: &str, done: &mut Vec<Repaired>) -> io::Result<()> {
    let mode = fs::metadata(path)?.permissions().mode();
    if mode & 0o111 == 0 {
        fs::set_permissions(path, fs::Permissions::from_mode(mode | 0o755))?;
        done.push(Repaired { repair: Repair::RunBit, what: format!("{name} cannot be executed") });
    }
    Ok(())
}
