//! Archives that are refused.

use std::fs;

use agon_entrants::{ArchiveError, unpack};

use crate::{
    LIMITS, Place, refusal,
    tars::{FILE, FOLDER, checked, entry, file, gzip, gzip_bomb, header, pax, tar},
    zips::{Header, STORED, ZipEntry, quoting_zip, zip, zip_counted},
};

/// Asserts that each archive is refused for its own reason.
#[track_caller]
fn assert_refused(cases: &[(&str, Vec<u8>)]) {
    for (reason, archive) in cases {
        let given = refusal(archive);
        assert!(given.contains(reason), "expected {reason:?}, got {given:?}");
    }
}

#[test]
fn names_that_cannot_be_used() {
    let long_part = "n".repeat(41);
    let long_path = "folder/".repeat(20);
    let cases: [(&str, &[u8]); 13] = [
        ("entry '/etc/passwd': an absolute name", b"/etc/passwd"),
        ("an absolute name", b"\\\\host\\share"),
        ("entry '../bot.py': '..' in the name", b"../bot.py"),
        ("'..' in the name", b"a/../../b"),
        ("'..' in the name", b"a\\..\\..\\b"),
        ("a drive letter", b"C:\\bot.py"),
        ("a drive letter", b"c:bot.py"),
        ("a control character", b"a\nb"),
        ("a control character", b"a\x7fb"),
        ("not UTF-8", b"caf\xe9"),
        ("a part of the name has 41 bytes, but at most 40", long_part.as_bytes()),
        ("a name of 140 bytes, but at most 120", long_path.as_bytes()),
        ("5 folders deep, but at most 4", b"a/b/c/d/e"),
    ];
    for (reason, name) in cases {
        // In a tar the long ones do not fit into a header.
        let named = pax(&[("path", name)]);
        let tarred = tar(&[file("a", b"1"), named, file("b", b"2")]);
        assert_refused(&[(reason, zip(&[ZipEntry::new("a", b"1"), ZipEntry::new(name, b"2")])), (reason, tarred)]);
    }
    assert_refused(&[
        ("an empty name", zip(&[ZipEntry::new("", b"1")])),
        ("an empty name", tar(&[file("", b"1")])),
        ("a control character", zip(&[ZipEntry::new("a\0b", b"1")])),
        ("a control character", tar(&[pax(&[("path", b"a\0b")]), file("a", b"1")])),
        ("a name of 121 bytes", tar(&[entry(b'L', b"././@LongLink", &[b'a'; 122]), file("a", b"1")])),
    ]);
}

#[test]
fn what_is_neither_file_nor_folder() {
    let of_mode = |mode| zip(&[ZipEntry::new("odd", b"/etc/passwd").mode(mode)]);
    let of_kind = |kind| tar(&[entry(kind, b"odd", b"")]);
    assert_refused(&[
        ("entry 'odd': a symbolic link", of_mode(0o120_777)),
        ("a device", of_mode(0o020_666)),
        ("a device", of_mode(0o060_666)),
        ("a FIFO", of_mode(0o010_644)),
        ("a socket", of_mode(0o140_644)),
        ("an unknown kind", of_mode(0o170_644)),
        ("entry 'odd': a hard link", of_kind(b'1')),
        ("a symbolic link", of_kind(b'2')),
        ("a device", of_kind(b'3')),
        ("a device", of_kind(b'4')),
        ("a FIFO", of_kind(b'6')),
        ("a sparse file", of_kind(b'S')),
        ("a sparse file", tar(&[pax(&[("GNU.sparse.major", b"1"), ("GNU.sparse.minor", b"0")]), file("odd", b"")])),
        ("an unknown kind", of_kind(b'V')),
        ("a folder with bytes", tar(&[entry(FOLDER, b"odd", b"1")])),
        ("a folder with bytes", zip(&[ZipEntry::new("odd/", b"1")])),
        ("a folder with bytes", zip(&[ZipEntry::new("odd", b"1").mode(0o040_755)])),
    ]);
}

#[test]
fn a_link_does_not_lead_the_next_entry_outside() {
    let place = Place::with(&tar(&[]));
    let outside = place.folder.path().join("outside");
    let mut link = header(b'2', b"door", 0o777, 0);
    let target = outside.to_str().unwrap().as_bytes();
    link[157..157 + target.len()].copy_from_slice(target);
    fs::write(place.archive(), tar(&[checked(link), file("door", b"1"), file("door/file", b"2")])).unwrap();
    assert!(matches!(place.unpack(), Err(ArchiveError::Refused(_))));
    assert_eq!(place.left(), [""; 0]);
}

#[test]
fn entries_that_contradict_each_other() {
    let zipped = |names: [&str; 2]| zip(&names.map(|name| ZipEntry::new(name, b"")));
    assert_refused(&[
        ("entry 'a': two entries have this name", zipped(["a", "a"])),
        ("two entries have this name", zipped(["a/b", "a\\b"])),
        ("two entries have this name", tar(&[file("a", b""), file("./a", b"")])),
        ("two entries have this name", tar(&[entry(FOLDER, b"a", b""), entry(FOLDER, b"a/", b"")])),
        ("both a file and a folder", zipped(["a", "a/"])),
        ("both a file and a folder", tar(&[entry(FOLDER, b"a", b""), file("a", b"")])),
        ("both a file and a folder", zipped(["a/b", "a"])),
        ("entry 'a/b': 'a' is a file, not a folder", zipped(["a", "a/b"])),
        ("'a' is a file, not a folder", tar(&[file("a", b""), entry(FOLDER, b"a/b", b"")])),
        ("the second long name", tar(&[pax(&[("path", b"a"), ("path", b"b")]), file("c", b"")])),
        ("the second long name", tar(&[entry(b'L', b"", b"a\0"), pax(&[("path", b"b")]), file("c", b"")])),
        ("two PAX headers", tar(&[pax(&[("uid", b"1")]), pax(&[("uid", b"1")]), file("c", b"")])),
        ("disagree about its size", tar(&[pax(&[("size", b"9000000000")]), file("c", b"")])),
    ]);
}

#[test]
fn headers_of_a_zip_that_disagree() {
    let local = |change: &dyn Fn(&mut Header)| {
        let mut entry = ZipEntry::new("bot.py", b"print()");
        change(&mut entry.local);
        zip(&[entry])
    };
    let central = |change: &dyn Fn(&mut Header)| {
        let mut entry = ZipEntry::new("bot.py", b"print()");
        change(&mut entry.central);
        zip(&[entry])
    };
    assert_refused(&[
        ("entry 'bot.py': header inconsistency", local(&|header| header.name = b"../bot".to_vec())),
        ("header inconsistency", local(&|header| header.method = STORED)),
        ("header inconsistency", local(&|header| header.crc ^= 1)),
        ("header inconsistency", local(&|header| header.packed += 1)),
        ("header inconsistency", central(&|header| header.unpacked += 1)),
        ("header inconsistency", local(&|header| header.flags = 1)),
    ]);
}

#[test]
fn encryption_and_rare_compression() {
    let entry = || ZipEntry::new("bot.py", b"print()");
    assert_refused(&[
        ("entry 'bot.py': encrypted; pack it without a password", zip(&[entry().with(|header| header.flags = 1)])),
        ("compressed with", zip(&[entry().with(|header| header.method = 14)])),
        ("compressed with", zip(&[entry().with(|header| header.method = 99)])),
    ]);
}

#[test]
fn too_many_entries() {
    let names: Vec<String> = (0..21).map(|number| number.to_string()).collect();
    let zipped: Vec<ZipEntry> = names.iter().map(|name| ZipEntry::new(&name[..], b"")).collect();
    let tarred: Vec<Vec<u8>> = names.iter().map(|name| file(name, b"")).collect();
    let nested: Vec<Vec<u8>> = (0..6).map(|number| file(&format!("{number}/a/b/c"), b"")).collect();
    assert_refused(&[
        ("entry '20': more than 20", zip(&zipped)),
        ("entry '20': more than 20", tar(&tarred)),
        ("more than 20 files and folders", tar(&nested)),
        // The archive lies about their number.
        ("more than 20", zip_counted(&zipped, 3)),
        ("3 entries by its own count, but 5 are listed", zip_counted(&zipped[..5], 3)),
        ("cannot read the zip archive", zip_counted(&zipped[..5], 7)),
        ("cannot read the zip archive", zip_counted(&zipped[..5], u16::MAX)),
    ]);
    let place = Place::with(&zip(&zipped[..20]));
    place.unpack().unwrap();
    let place = Place::with(&tar(&tarred[..20]));
    place.unpack().unwrap();
}

#[test]
fn a_list_of_entries_beyond_measure() {
    // Names of 60 kB each, of which only the first is ever looked at.
    let long = |number: u8| ZipEntry::new(vec![b'a' + number; 60_000], b"");
    let entries: Vec<ZipEntry> = (0..8).map(long).collect();
    assert_refused(&[("the list of its entries is too long", zip(&entries))]);
}

#[test]
fn too_many_bytes() {
    let zeros = vec![0; 100_001];
    let part = vec![0; 40_000];
    let lying = ZipEntry::new("bomb", &vec![0; 1 << 20]).with(|header| header.unpacked = 1000);
    assert_refused(&[
        ("unpacks to more than 100000 bytes", zip(&[ZipEntry::new("a", &zeros)])),
        ("unpacks to more than 100000 bytes", gzip(&tar(&[file("a", &zeros)]))),
        ("entry '3': with it the archive unpacks", zip(&["1", "2", "3"].map(|name| ZipEntry::new(name, &part)))),
        ("entry '3': with it the archive unpacks", tar(&["1", "2", "3"].map(|name| file(name, &part)))),
        ("cannot read entry 'bomb'", zip(&[lying])),
        ("1048577 bytes, but an archive may have at most 1048576", vec![b'a'; (1 << 20) + 1]),
    ]);
    let place = Place::with(&zip(&[ZipEntry::new("a", &zeros[1..])]));
    place.unpack().unwrap();
}

#[test]
fn bombs_end_at_the_limit() {
    // 900 MiB in less than one; they have no end, so that reading on would be another refusal.
    let claimed = 800 << 20;
    let bombs = [
        header(FILE, b"zeros", 0o644, claimed),
        header(b'g', b"skipped", 0o644, claimed),
        header(b'K', b"skipped", 0o644, claimed),
        Vec::new(),
    ];
    for beginning in bombs {
        let reason = refusal(&gzip_bomb(&beginning, 900));
        assert!(reason.contains("unpacks to more than"), "{reason}");
    }
    let huge = 10 << 30;
    assert_refused(&[
        ("a PAX header of 8000000000 bytes", gzip_bomb(&header(b'x', b"", 0, 8_000_000_000), 1)),
        ("a name of 7999999999 bytes", gzip_bomb(&header(b'L', b"", 0, 8_000_000_000), 1)),
        ("size overflow", gzip_bomb(&base_256(header(b'g', b"", 0, 0), u64::MAX), 1)),
        ("unpacks to more than", gzip_bomb(&base_256(header(FILE, b"a", 0, 0), huge), 1)),
    ]);
}

/// Writes a size as GNU's tar does if it is too large for octal digits.
fn base_256(mut block: Vec<u8>, size: u64) -> Vec<u8> {
    block[124] = 0x80;
    block[125..128].fill(0);
    block[128..136].copy_from_slice(&size.to_be_bytes());
    checked(block)
}

#[test]
fn entries_that_share_their_bytes() {
    let reason = "its bytes overlap with those of another entry";
    let mut second = ZipEntry::new("b", b"12345");
    second.offset = Some(0);
    let mut long = ZipEntry::packed("a", STORED, b"1".to_vec(), b"1");
    // Its contents go on into the list of entries.
    long = long.with(|header| (header.packed, header.unpacked) = (60, 60));
    assert_refused(&[
        (reason, quoting_zip(&[0; 1000])),
        (reason, zip(&[long])),
        ("header inconsistency", zip(&[ZipEntry::new("a", b"12345"), second])),
    ]);
}

#[test]
fn every_cut_is_noticed() {
    let zipped = zip(&[ZipEntry::new("a", b"print()"), ZipEntry::new("b", b"")]);
    let tarred = tar(&[file("a", b"print()"), file("b", b"")]);
    let gzipped = gzip(&tarred);
    // One block of zeros is enough of an end mark for a tar.
    let whole = tarred.len() - 512;
    for (archive, step) in [(&zipped[..], 1), (&gzipped, 1), (&tarred[..whole], 61)] {
        Place::with(archive).unpack().unwrap();
        for length in (0..archive.len()).filter(|length| length % step == 0 || length % 512 == 0) {
            refusal(&archive[..length]);
        }
    }
    assert_refused(&[
        ("the archive has no end mark", file("a", b"1")),
        ("an entry that is missing", tar(&[file("a", b"1"), pax(&[("uid", b"1")])])),
        ("an entry that is missing", tar(&[file("a", b"1"), entry(b'L', b"", b"name\0")])),
    ]);
}

#[test]
fn what_follows_the_end() {
    let tarred = tar(&[file("a", b"1")]);
    assert_refused(&[
        ("something follows the end", [tarred.clone(), tarred.clone()].concat()),
        ("something follows the end", gzip(&[tarred.clone(), b"more".to_vec()].concat())),
        ("invalid gzip header", [gzip(&tarred), b"more than any header".to_vec()].concat()),
        ("something follows the end", [gzip(&tarred), gzip(&tarred)].concat()),
    ]);
}

#[test]
fn damage_is_noticed() {
    let mut zipped = zip(&[ZipEntry::packed("a", STORED, b"print()".to_vec(), b"print()")]);
    let place = zipped.windows(5).position(|window| window == b"print").unwrap();
    zipped[place] ^= 1;
    let mut gzipped = gzip(&tar(&[file("a", b"print()")]));
    let sum = gzipped.len() - 8;
    gzipped[sum] ^= 1;
    let mut tarred = tar(&[file("a", b"print()"), file("b", b"")]);
    tarred[1024] ^= 1;
    let cut = ZipEntry::packed("a", STORED, b"1".to_vec(), b"1").with(|header| header.unpacked = 2);
    assert_refused(&[
        ("cannot read entry 'a': Invalid checksum", zipped),
        ("the archive is damaged: corrupt gzip stream", gzipped),
        ("the archive is damaged: archive header checksum mismatch", tarred),
        ("entry 'a': 1 bytes, but its header says 2", zip(&[cut])),
        ("a PAX header that cannot be read", tar(&[entry(b'x', b"", b"99 path=a\n"), file("a", b"")])),
        ("a PAX header that cannot be read", tar(&[entry(b'x', b"", b"1 path=a\n"), file("a", b"")])),
        ("not a tar archive", gzip(b"print()")),
        ("not a tar archive", gzip(&[b'a'; 1024])),
        ("cannot read the zip archive", b"PK\x03\x04 and so on".to_vec()),
    ]);
}

#[test]
fn nothing_to_unpack() {
    assert_refused(&[
        ("the file is empty", Vec::new()),
        ("not an archive; expected zip, tar or tar.gz", b"print()".to_vec()),
        ("rar archives cannot be read", b"Rar!\x1a\x07\x01\0".to_vec()),
        ("7z archives cannot be read", b"7z\xbc\xaf\x27\x1c\0\x04".to_vec()),
        ("xz archives cannot be read", b"\xfd7zXZ\0\0\x04".to_vec()),
        ("bzip2 archives cannot be read", b"BZh91AY&SY\0\0".to_vec()),
        ("zstd archives cannot be read", b"\x28\xb5\x2f\xfd\x04\x58".to_vec()),
        ("no file in it", zip(&[])),
        ("no file in it", zip(&[ZipEntry::packed("a/", STORED, Vec::new(), b"")])),
        ("no file in it", tar(&[])),
        ("no file in it", gzip(&tar(&[entry(FOLDER, b"a", b"")]))),
    ]);
    let place = Place::with(b"");
    let folder = unpack(place.folder.path(), &place.target(), &LIMITS);
    assert!(matches!(&folder, Err(ArchiveError::Refused(reason)) if reason.contains("not a file")), "{folder:?}");
    let nowhere = unpack(&place.folder.path().join("nowhere"), &place.target(), &LIMITS);
    assert!(matches!(nowhere, Err(ArchiveError::Host(_))), "{nowhere:?}");
}
