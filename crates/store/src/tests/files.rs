//! Everything that can be wrong with a file, and the sentence for it.

use std::fs;
use std::io::ErrorKind::{ExecutableFileBusy, InvalidInput, PermissionDenied};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use rusqlite::{Connection, ffi};
use tempfile::TempDir;

use super::{integrity, run, sample};
use crate::{Match, Saved, Store, StoreError};

fn refusal(path: &Path) -> String {
    Store::open(path).unwrap_err().to_string()
}

fn read_refusal(path: &Path) -> String {
    Store::open_read_only(path).unwrap_err().to_string()
}

#[test]
fn the_folder_is_created_and_the_file_is_in_wal_mode() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a/b/agon.db");
    let store = Store::open(&path).unwrap();
    let text = |pragma: &str| store.connection.query_row(pragma, [], |row| row.get::<_, String>(0)).unwrap();
    let number = |pragma: &str| store.connection.query_row(pragma, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(text("PRAGMA journal_mode"), "wal");
    assert_eq!(number("PRAGMA synchronous"), 1);
    assert_eq!(number("PRAGMA foreign_keys"), 1);
    assert_eq!(number("PRAGMA busy_timeout"), 5000);
}

#[test]
fn a_folder_is_no_file() {
    let folder = TempDir::new().unwrap();
    let shown = folder.path().display();
    assert_eq!(refusal(folder.path()), format!("{shown} is a folder: name a file in it"));
    assert_eq!(read_refusal(folder.path()), format!("{shown} is a folder: name a file in it"));
    assert_eq!(refusal(Path::new("")), ". is a folder: name a file in it");
}

#[test]
fn a_file_where_a_folder_should_be() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    let sentence = refusal(&file.join("agon.db"));
    assert!(sentence.starts_with(&format!("cannot create the folder {}: ", file.display())), "{sentence}");
    assert!(sentence.ends_with("; create it yourself or name another file"), "{sentence}");
}

#[test]
fn other_files_are_refused_and_left_alone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("notes.txt");
    for text in ["x".to_string(), "not a database\n".repeat(10_000)] {
        fs::write(&path, &text).unwrap();
        let sentence =
            format!("{} is not an SQLite database: name another file; this one was left as it is", path.display());
        assert_eq!(refusal(&path), sentence);
        assert_eq!(read_refusal(&path), sentence);
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn databases_of_other_programs_are_refused_and_left_alone() {
    let folder = TempDir::new().unwrap();
    for (name, sql) in [
        ("tables", "CREATE TABLE bookmarks (url)"),
        ("versioned", "PRAGMA user_version = 1"),
        ("claimed", "PRAGMA application_id = 7"),
    ] {
        let path = folder.path().join(name);
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let before = fs::read(&path).unwrap();
        let sentence = format!(
            "{} is a database of another program: name another file; this one was left as it is",
            path.display()
        );
        assert_eq!(refusal(&path), sentence);
        assert_eq!(read_refusal(&path), sentence);
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

#[test]
fn names_that_mean_something_to_sqlite_are_plain_files() {
    // Relative names are the point, so this needs a process with its own working folder.
    if std::env::var_os("AGON_STORE_CHILD").is_some() {
        for name in [":memory:", "file:uri.db?mode=memory", "plain.db"] {
            drop(Store::open(name).unwrap());
            drop(Store::open_read_only(name).unwrap());
            assert!(Path::new(".").join(name).is_file(), "{name}");
        }
        return;
    }
    let folder = TempDir::new().unwrap();
    let mut child = this_test("files::names_that_mean_something_to_sqlite_are_plain_files");
    assert!(child.current_dir(folder.path()).status().unwrap().success());
}

#[test]
fn reading_needs_a_file_and_never_writes() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("agon.db");
    assert_eq!(read_refusal(&path), format!("{} does not exist: check the name", path.display()));
    assert!(!path.exists());

    let mut writer = Store::open(&path).unwrap();
    writer.create_or_resume_run(&run("r")).unwrap();
    let saved = sample("r", 0, 0, "1-0");
    writer.save_match(&saved).unwrap();
    let mut reader = Store::open_read_only(&path).unwrap();
    assert_eq!(reader.matches_of("r"), Ok(vec![saved]));
    assert_eq!(
        reader.save_match(&sample("r", 0, 1, "1-0")).unwrap_err().to_string(),
        format!("{} may only be read: make the file and its folder writable or name another file", path.display())
    );
    drop((writer, reader));
    assert_eq!(Store::open_read_only(&path).unwrap().matches_of("r").unwrap().len(), 1);
}

#[test]
fn only_opening_for_good_creates_anything() {
    let folder = TempDir::new().unwrap();
    let names = |folder: &Path| {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    for name in ["typo.db", "typo/deeper.db"] {
        let path = folder.path().join(name);
        let sentence = format!("{} does not exist: check the name", path.display());
        assert_eq!(Store::open_existing(&path).unwrap_err().to_string(), sentence);
        assert_eq!(read_refusal(&path), sentence);
        assert!(names(folder.path()).is_empty());
    }
    let path = folder.path().join("agon.db");
    drop(Store::open(&path).unwrap());
    drop(Store::open_existing(&path).unwrap());
    drop(Store::open_read_only(&path).unwrap());
    assert_eq!(names(folder.path()), ["agon.db"], "whoever reads leaves nothing beside the database");
}

#[test]
fn a_lock_that_stays_is_reported_and_harms_nothing() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("agon.db");
    let mut store = Store::open_with(&path, Duration::from_millis(1)).unwrap();
    store.create_or_resume_run(&run("r")).unwrap();
    let browser = Connection::open(&path).unwrap();
    browser.execute_batch("BEGIN IMMEDIATE").unwrap();
    let saved = sample("r", 0, 0, "1-0");
    let sentence = format!(
        "{} is locked by another program: close what holds it (a database browser, a backup) and try again",
        path.display()
    );
    assert_eq!(store.save_match(&saved).unwrap_err().to_string(), sentence);
    assert_eq!(store.matches_of("r"), Ok(vec![]), "reading goes on beside a writer");
    browser.execute_batch("COMMIT").unwrap();
    assert_eq!(store.save_match(&saved), Ok(Saved::New));

    let fresh = folder.path().join("fresh.db");
    let browser = Connection::open(&fresh).unwrap();
    browser.execute_batch("BEGIN EXCLUSIVE").unwrap();
    assert_eq!(Store::open_with(&fresh, Duration::from_millis(1)).unwrap_err(), StoreError::Locked { path: fresh });
}

#[test]
fn a_full_disk_loses_nothing_that_was_saved() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("agon.db");
    let mut store = Store::open(&path).unwrap();
    store.create_or_resume_run(&run("r")).unwrap();
    let small = sample("r", 0, 0, "1-0");
    let large = Match { record: "x".repeat(1 << 20), ..sample("r", 0, 1, "0-1") };
    store.save_match(&small).unwrap();
    let limit = |store: &Store, pages: i64| -> i64 {
        store.connection.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |row| row.get(0)).unwrap()
    };
    limit(&store, 20);
    assert_eq!(
        store.save_match(&large).unwrap_err().to_string(),
        format!("no space is left for {}: free some and try again; everything saved before is safe", path.display())
    );
    assert_eq!(store.matches_of("r"), Ok(vec![small.clone()]));
    assert_eq!(integrity(&store), "ok");
    limit(&store, 1 << 30);
    assert_eq!(store.save_match(&large), Ok(Saved::New));
    assert_eq!(store.matches_of("r"), Ok(vec![small, large]));
}

#[test]
fn a_failing_disk_loses_nothing_that_was_saved() {
    if let Some(path) = std::env::var_os("AGON_STORE_CHILD") {
        let mut store = Store::open(&path).unwrap();
        store.create_or_resume_run(&run("r")).unwrap();
        store.save_match(&sample("r", 0, 0, "1-0")).unwrap();
        let large = Match { record: "x".repeat(4 << 20), ..sample("r", 0, 1, "0-1") };
        let sentence = store.save_match(&large).unwrap_err().to_string();
        let shown = Path::new(&path).display();
        assert!(sentence.starts_with(&format!("cannot read or write {shown} (disk I/O error")), "{sentence}");
        assert!(sentence.ends_with("): check the disk, its free space and your quota, then try again"), "{sentence}");
        return;
    }
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("agon.db");
    // The system refuses to let any file grow beyond half a megabyte (1024 blocks of 512 bytes).
    let child = this_test("files::a_failing_disk_loses_nothing_that_was_saved");
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 1024; exec \"$@\"", "sh"]).arg(child.get_program());
    let status = limited.args(child.get_args()).env("AGON_STORE_CHILD", &path).status().unwrap();
    assert!(status.success());
    let store = Store::open(&path).unwrap();
    assert_eq!(store.matches_of("r"), Ok(vec![sample("r", 0, 0, "1-0")]));
    assert_eq!(integrity(&store), "ok");
}

#[test]
fn damage_is_reported() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("agon.db");
    drop(Store::open(&path).unwrap());
    let mut bytes = fs::read(&path).unwrap();
    bytes[100..].fill(0xFF);
    fs::write(&path, bytes).unwrap();
    let sentence = refusal(&path);
    assert!(sentence.starts_with(&format!("{} is damaged (", path.display())), "{sentence}");
    assert!(
        sentence.ends_with("): keep a copy and restore a backup, or rescue it with sqlite3's .recover"),
        "{sentence}"
    );
}

/// Root may do everything, so the checks run as a user who may not.
#[test]
fn missing_permissions_are_explained() {
    if let Some(folder) = std::env::var_os("AGON_STORE_CHILD") {
        return check_permissions(Path::new(&folder));
    }
    let folder = TempDir::new().unwrap();
    let open = folder.path().join("open");
    fs::create_dir(&open).unwrap();
    for name in ["open/readable.db", "open/secret.db", "closed/agon.db"] {
        drop(Store::open(folder.path().join(name)).unwrap());
    }
    let mode = |name: &str, mode: u32| {
        fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    mode("", 0o755);
    mode("open/readable.db", 0o444);
    mode("open/secret.db", 0o000);
    mode("open", 0o777);
    // A copy of this program that everybody may run: its own folder may be private.
    let program = folder.path().join("program");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    mode("program", 0o755);
    mode("closed", 0o555);

    let mut child = Command::new(&program);
    child.args(["--exact", "tests::files::missing_permissions_are_explained"]);
    child.env("AGON_STORE_CHILD", folder.path()).current_dir("/");
    let is_root = fs::write(folder.path().join("closed/x"), "").is_ok();
    if is_root {
        child.uid(65_534).gid(65_534);
    }
    // Another test that starts a program at this moment may hold the copy open for a blink.
    let status = loop {
        match child.status() {
            Err(error) if error.kind() == ExecutableFileBusy => {}
            status => break status,
        }
    };
    mode("closed", 0o755);
    match status {
        Ok(status) => assert!(status.success()),
        // A container may hold nobody but root; then there is no one to try this as.
        Err(error) => assert!(is_root && matches!(error.kind(), PermissionDenied | InvalidInput), "{error}"),
    }
}

fn check_permissions(folder: &Path) {
    let readable = folder.join("open/readable.db");
    assert_eq!(refusal(&readable), StoreError::ReadOnly { path: readable.clone() }.to_string());
    assert!(Store::open_read_only(&readable).is_ok());
    for name in ["open/secret.db", "closed/agon.db", "closed/new.db"] {
        let path = folder.join(name);
        let shown = path.display();
        let sentence = format!(
            "cannot open {shown}: you need permission to write to the file and to its folder (SQLite keeps {shown}-wal \
             and {shown}-shm beside it); change the permissions or name another file"
        );
        if name != "closed/agon.db" {
            assert_eq!(refusal(&path), sentence);
        }
        if name != "closed/new.db" {
            assert_eq!(read_refusal(&path), sentence);
        }
    }
    let sentence = refusal(&folder.join("closed/deeper/agon.db"));
    assert!(sentence.starts_with("cannot create the folder "), "{sentence}");
}

#[test]
fn rare_answers_of_sqlite_have_sentences_too() {
    let path = Path::new("x.db");
    let sentence = |code: i32| {
        let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
        StoreError::from_sqlite(path, &error).to_string()
    };
    assert!(sentence(ffi::SQLITE_PROTOCOL).starts_with("x.db is locked by another program"));
    assert!(sentence(ffi::SQLITE_PERM).starts_with("cannot open x.db: you need permission"));
    assert!(sentence(ffi::SQLITE_NOMEM).starts_with("cannot use x.db: "));
    assert_eq!(
        StoreError::NotShareable { path: path.into(), mode: "delete".into() }.to_string(),
        "x.db cannot be shared between programs where it lies (journal mode delete instead of wal): put it on a local disk"
    );
}

/// This test program, told to run one test and nothing else.
fn this_test(name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("tests::{name}")]).env("AGON_STORE_CHILD", "yes");
    command
}
