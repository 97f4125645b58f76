//! Archives that are unpacked.

use std::{
    fs,
    io::{Cursor, Write},
    os::unix::fs::PermissionsExt,
};

use agon_entrants::{ArchiveError, is_archive};
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::{
    Place, names_below,
    tars::{FOLDER, checked, entry, file, gzip, header, pax, tar},
    zips::{STORED, ZipEntry, zip},
};

/// A zip as the crate writes it, and so most programs.
fn common_zip() -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    writer.add_directory("src", options).unwrap();
    writer.start_file("src/bot.py", options.unix_permissions(0o644)).unwrap();
    writer.write_all(b"print('hello')\n").unwrap();
    writer.start_file("run.sh", options.unix_permissions(0o755)).unwrap();
    writer.write_all(b"#!/bin/sh\n").unwrap();
    writer.finish().unwrap().into_inner()
}

/// The same as a tar.
fn common_tar() -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    let mut append = |name: &str, mode: u32, contents: &[u8]| {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(if name.ends_with('/') { tar::EntryType::Directory } else { tar::EntryType::Regular });
        header.set_mode(mode);
        header.set_size(contents.len() as u64);
        builder.append_data(&mut header, name, contents).unwrap();
    };
    append("src/", 0o755, b"");
    append("src/bot.py", 0o644, b"print('hello')\n");
    append("run.sh", 0o750, b"#!/bin/sh\n");
    builder.into_inner().unwrap()
}

#[test]
fn common_archives_are_unpacked() {
    for archive in [common_zip(), common_tar(), gzip(&common_tar())] {
        let place = Place::with(&archive);
        place.unpack().unwrap();
        assert_eq!(names_below(&place.target()), ["run.sh", "src/", "src/bot.py"]);
        assert_eq!(fs::read_to_string(place.target().join("src/bot.py")).unwrap(), "print('hello')\n");
        let mode = |name: &str| fs::metadata(place.target().join(name)).unwrap().permissions().mode() & 0o7777;
        assert_eq!(["run.sh", "src", "src/bot.py", ""].map(mode), [0o755, 0o755, 0o644, 0o755]);
    }
}

#[test]
fn an_archive_that_comes_in_several_members_is_one() {
    let whole = common_tar();
    let (begin, end) = whole.split_at(700);
    let place = Place::with(&[gzip(begin), gzip(end)].concat());
    place.unpack().unwrap();
    assert_eq!(names_below(&place.target()), ["run.sh", "src/", "src/bot.py"]);
}

/// Such as `zip -` writes into a pipe: the sum and the sizes come after the contents.
#[test]
fn a_zip_may_be_written_in_one_go() {
    let mut entry = ZipEntry::new("bot.py", b"print()");
    entry.contents.extend(b"PK\x07\x08");
    for number in [entry.local.crc, entry.local.packed, entry.local.unpacked] {
        entry.contents.extend(number.to_le_bytes());
    }
    (entry.local.crc, entry.local.packed, entry.local.unpacked) = (0, 0, 0);
    let place = Place::with(&zip(&[entry.with(|header| header.flags = 8), ZipEntry::new("b", b"")]));
    place.unpack().unwrap();
    assert_eq!(fs::read(place.target().join("bot.py")).unwrap(), b"print()");
}

#[test]
fn rights_beyond_execution_are_dropped() {
    let zipped = zip(&[ZipEntry::new("a", b"1").mode(0o106_711), ZipEntry::new("b", b"2").mode(0o100_000)]);
    let mut odd = header(b'0', b"b", 0, 0);
    odd[100..108].copy_from_slice(b"what?\0\0\0");
    let tarred = tar(&[header(b'0', b"a", 0o6711, 0), checked(odd)]);
    for archive in [zipped, tarred] {
        let place = Place::with(&archive);
        place.unpack().unwrap();
        let mode = |name: &str| fs::metadata(place.target().join(name)).unwrap().permissions().mode() & 0o7777;
        assert_eq!(["a", "b"].map(mode), [0o755, 0o644]);
    }
}

#[test]
fn names_are_read_as_their_writers_meant_them() {
    let folder = ZipEntry::packed("listed\\", STORED, Vec::new(), b"").mode(0);
    let windows = zip(&[folder, ZipEntry::new("src\\deep\\bot.py", b"1").mode(0), ZipEntry::new("listed\\é", b"2")]);
    let place = Place::with(&windows);
    place.unpack().unwrap();
    assert_eq!(names_below(&place.target()), ["listed/", "listed/é", "src/", "src/deep/", "src/deep/bot.py"]);

    // As `tar -C folder .` writes them; an old tar marks a folder by its slash alone.
    let dotted = tar(&[entry(FOLDER, b"./", b""), file("./a", b"1"), entry(0, b"./old/", b""), file("./old/b", b"2")]);
    let place = Place::with(&dotted);
    place.unpack().unwrap();
    assert_eq!(names_below(&place.target()), ["a", "old/", "old/b"]);
}

#[test]
fn a_folder_may_be_listed_after_what_lies_in_it() {
    let place = Place::with(&tar(&[file("a/b", b"1"), entry(FOLDER, b"a", b"")]));
    place.unpack().unwrap();
    assert_eq!(names_below(&place.target()), ["a/", "a/b"]);
}

#[test]
fn long_names_in_tars_are_read() {
    let long = format!("{}/{}", "folder-".repeat(5), "name-".repeat(7));
    let mut prefixed = header(b'0', b"name", 0o644, 0);
    prefixed[345..351].copy_from_slice(b"prefix");
    let odd_value = b"two\nlines=\n".as_slice();
    let archive = tar(&[
        entry(b'g', b"pax_global_header", b"52 comment=0123456789012345678901234567890123456789\n"),
        entry(b'L', b"././@LongLink", format!("{long}1\0").as_bytes()),
        file("cut-off", b"1"),
        pax(&[("mtime", b"1.5"), ("SCHILY.xattr.odd", odd_value), ("path", format!("{long}2").as_bytes())]),
        file("cut-off", b"2"),
        pax(&[("size", b"1")]),
        file("sized", b"3"),
        checked(prefixed),
    ]);
    let place = Place::with(&archive);
    place.unpack().unwrap();
    let folder = format!("{}/", "folder-".repeat(5));
    let (first, second) = (format!("{long}1"), format!("{long}2"));
    assert_eq!(names_below(&place.target()), [&*folder, &first, &second, "prefix/", "prefix/name", "sized"]);
    assert_eq!(fs::read(place.target().join(second)).unwrap(), b"2");
}

#[test]
fn archives_are_known_by_their_first_bytes() {
    let mut old = header(b'0', b"bot.py", 0o644, 0);
    old[257..265].fill(0);
    let cases: [(&[u8], bool); 14] = [
        (&common_zip(), true),
        (&common_tar(), true),
        (&gzip(b""), true),
        (&checked(old), true),
        (&[0; 1024], true),
        (b"Rar!\x1a\x07\x01\0", true),
        (b"7z\xbc\xaf\x27\x1c\0\x04", true),
        (b"\xfd7zXZ\0\0\x04", true),
        (b"\x28\xb5\x2f\xfd\x04\x58", true),
        (b"BZh91AY&SY\0\0", true),
        (b"BZhis is a text", false),
        (b"#!/usr/bin/env python3\nPK\x03\x04", false),
        (b"", false),
        (&[b'a'; 1024], false),
    ];
    for (bytes, expected) in cases {
        let place = Place::with(bytes);
        assert_eq!(is_archive(&place.archive()).unwrap(), expected, "{:?}", String::from_utf8_lossy(bytes));
    }
    let place = Place::with(b"");
    assert!(!is_archive(place.folder.path()).unwrap());
    assert!(is_archive(&place.target()).is_err());
}

#[test]
fn what_is_there_already_is_not_touched() {
    let place = Place::with(&common_zip());
    fs::create_dir(place.target()).unwrap();
    fs::write(place.target().join("mine"), "1").unwrap();
    let result = place.unpack();
    assert!(matches!(result, Err(ArchiveError::Host(_))), "{result:?}");
    assert_eq!(place.left(), ["into/", "into/mine"]);

    // Not even a link that leads nowhere is followed.
    let place = Place::with(&common_zip());
    std::os::unix::fs::symlink(place.folder.path().join("elsewhere"), place.target()).unwrap();
    assert!(matches!(place.unpack(), Err(ArchiveError::Host(_))));
    assert_eq!(place.left(), ["into"]);
}
