//! Archives that are unpacked once.

use std::{fs, path::PathBuf, sync::Barrier, thread};

use agon_entrants::{ArchiveError, ArchiveLimits, submission_folder};

use crate::{
    LIMITS, Place, names_below,
    tars::{file, gzip, tar},
    zips::{ZipEntry, zip},
};

impl Place {
    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn submission(&self) -> Result<PathBuf, ArchiveError> {
        submission_folder(&self.archive(), &self.cache(), &LIMITS)
    }
}

#[test]
fn the_only_folder_is_the_submission() {
    let zipped = |names: &[&str]| zip(&names.iter().map(|name| ZipEntry::new(*name, b"1")).collect::<Vec<_>>());
    let cases = [
        (zipped(&["team/bot.py", "team/src/a"]), "team"),
        (zipped(&["team/bot.py", "__MACOSX/team/._bot.py", ".DS_Store"]), "team"),
        (gzip(&tar(&[file("team/bot.py", b"1")])), "team"),
        (zipped(&["outer/team/bot.py"]), "outer"),
        (zipped(&["team/bot.py", "other/a"]), ""),
        (zipped(&["team/a", "bot.py"]), ""),
        (zipped(&["bot.py", "__MACOSX/._bot.py"]), ""),
        (zipped(&["__MACOSX/._bot.py"]), ""),
    ];
    for (archive, only) in cases {
        let place = Place::with(&archive);
        let folder = place.submission().unwrap();
        let home = folder.strip_prefix(place.cache().join("archives")).unwrap();
        let below: PathBuf = home.iter().skip(1).collect();
        assert_eq!(below, PathBuf::from(only));
        assert!(folder.is_dir());
    }
}

#[test]
fn the_same_content_is_unpacked_once() {
    let archive = zip(&[ZipEntry::new("team/bot.py", b"1")]);
    let place = Place::with(&archive);
    let first = place.submission().unwrap();
    fs::write(first.join("mark"), "1").unwrap();
    let renamed = place.folder.path().join("renamed.zip");
    fs::write(&renamed, &archive).unwrap();
    // It could not be unpacked with these limits; but it need not be.
    let none = ArchiveLimits { unpacked: 0, ..LIMITS };
    assert_eq!(submission_folder(&renamed, &place.cache(), &none).unwrap(), first);
    assert_eq!(names_below(&first), ["bot.py", "mark"]);

    fs::write(place.archive(), zip(&[ZipEntry::new("team/bot.py", b"2")])).unwrap();
    let second = place.submission().unwrap();
    assert_ne!(second, first);
    assert_eq!(fs::read(second.join("bot.py")).unwrap(), b"2");
    assert_eq!(fs::read(first.join("bot.py")).unwrap(), b"1");
}

#[test]
fn several_may_unpack_at_once() {
    let entries: Vec<ZipEntry> = (0..20).map(|number| ZipEntry::new(format!("{number}"), &[0; 1000])).collect();
    let place = Place::with(&zip(&entries));
    let start = Barrier::new(8);
    let folders: Vec<PathBuf> = thread::scope(|scope| {
        let unpack = || {
            start.wait();
            place.submission().unwrap()
        };
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(unpack)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(folders.iter().all(|folder| *folder == folders[0]));
    assert_eq!(names_below(&folders[0]).len(), 20);
    assert_eq!(fs::read_dir(place.cache().join("archives")).unwrap().count(), 1);
}

#[test]
fn nothing_of_a_refused_archive_is_kept() {
    let place = Place::with(&zip(&[ZipEntry::new("a", b"1"), ZipEntry::new("../b", b"2")]));
    let result = place.submission();
    assert!(matches!(&result, Err(ArchiveError::Refused(reason)) if reason.contains("'../b'")), "{result:?}");
    assert_eq!(place.left(), ["cache/", "cache/archives/"]);
}
