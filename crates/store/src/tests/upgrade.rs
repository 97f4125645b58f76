//! Files of older and newer versions.

use std::fs;
use std::path::Path;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tempfile::TempDir;

use super::{integrity, run, sample};
use crate::migration::{KNOWN, STEPS};
use crate::{Match, Resume, Store, StoreError, Tally};

/// A database as the first format had it, written down once and never regenerated.
const VERSION_1: &str = include_str!("fixtures/version-1.sql");

fn version_1(path: &Path) {
    Connection::open(path).unwrap().execute_batch(VERSION_1).unwrap();
}

fn schema(connection: &Connection) -> Vec<(String, Option<String>)> {
    let mut statement = connection.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").unwrap();
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
}

#[test]
fn the_first_step_still_makes_the_first_format() {
    let step = Connection::open_in_memory().unwrap();
    step.execute_batch(STEPS[0]).unwrap();
    let fixture = Connection::open_in_memory().unwrap();
    fixture.execute_batch(VERSION_1).unwrap();
    assert_eq!(schema(&step), schema(&fixture));
}

#[test]
fn an_old_file_is_upgraded_without_loss() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("agon.db");
    version_1(&path);
    let mut store = Store::open(&path).unwrap();

    assert_eq!(store.recent_runs(9), Ok(vec![run("r")]));
    let (first, second) = (sample("r", 0, 0, "1-0"), sample("r", 0, 1, "1/2-1/2"));
    let third = Match { record: "it's \"old\" — ½\n".into(), evidence: String::new(), ..sample("r", 7, 1, "0-1") };
    assert_eq!(store.matches_of("r"), Ok(vec![first, second, third]));
    assert_eq!(store.finished_battles("r"), Ok(vec![0]));
    let terminations = [("normal".into(), 3)].into();
    let tally = Tally { wins: 2, draws: 1, losses: 0, terminations, pentanomial: [0, 0, 0, 1, 0] };
    assert_eq!(store.tally("r", "ann"), Ok(tally));

    assert_eq!(store.create_or_resume_run(&run("r")), Ok(Resume::Resumed));
    store.save_match(&sample("r", 7, 0, "1-0")).unwrap();
    assert_eq!(store.finished_battles("r"), Ok(vec![0, 7]));
    assert_eq!(store.bots(), Ok(vec![]));
    assert_eq!(integrity(&store), "ok");
    assert_eq!(schema(&store.connection), schema(&Store::in_memory().unwrap().connection));
}

#[test]
fn threads_that_upgrade_one_file_at_once_agree() {
    for _ in 0..10 {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("agon.db");
        version_1(&path);
        let barrier = Barrier::new(4);
        let open = || {
            barrier.wait();
            Store::open(&path).map(|store| store.matches_of("r").unwrap().len())
        };
        thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
            for thread in threads {
                assert_eq!(thread.join().unwrap(), Ok(3));
            }
        });
    }
}

#[test]
fn opening_waits_for_another_writer_before_it_gives_up() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("agon.db");
    version_1(&path);
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (begun, patience) = (Instant::now(), Duration::from_millis(60));
    assert_eq!(Store::open_with(&path, patience).unwrap_err(), StoreError::Locked { path: path.clone() });
    assert!(begun.elapsed() >= patience);
    other.execute_batch("COMMIT").unwrap();
    assert!(Store::open_with(&path, patience).is_ok());
}

#[test]
fn an_old_file_is_not_upgraded_by_reading() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("agon.db");
    version_1(&path);
    let before = fs::read(&path).unwrap();
    assert_eq!(
        Store::open_read_only(&path).unwrap_err().to_string(),
        format!(
            "{} has format 1 and is opened only for reading, which needs format {KNOWN}: open it once for writing, \
             which upgrades it",
            path.display()
        )
    );
    assert_eq!(fs::read(&path).unwrap(), before);
    fs::write(&path, "").unwrap();
    assert_eq!(Store::open_read_only(&path).unwrap_err(), StoreError::Older { path, found: 0, known: KNOWN });
}

#[test]
fn a_newer_file_is_refused_and_left_alone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("agon.db");
    let newer = KNOWN + 5;
    Store::open(&path).unwrap().connection.pragma_update(None, "user_version", newer).unwrap();
    let before = fs::read(&path).unwrap();
    let sentence = format!(
        "{} was written by a newer agon (format {newer}, this one knows formats up to {KNOWN}): update agon",
        path.display()
    );
    assert_eq!(Store::open(&path).unwrap_err().to_string(), sentence);
    assert_eq!(Store::open_read_only(&path).unwrap_err().to_string(), sentence);
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_senseless_format_is_damage() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("agon.db");
    Store::open(&path).unwrap().connection.pragma_update(None, "user_version", -3).unwrap();
    let reason = "it claims format -3".into();
    assert_eq!(Store::open(&path).unwrap_err(), StoreError::Damaged { path, reason });
}
