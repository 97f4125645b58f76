//! Bytes that a disk has changed.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{run, sample};
use crate::{Bot, Live, Logged, Match, Run, Store, StoreError, Tally};

/// Everything that can be read of a database with one run.
#[derive(Debug, PartialEq)]
struct Content {
    runs: Vec<Run>,
    matches: Vec<Match>,
    briefs: usize,
    tally: Tally,
    log: Vec<Logged>,
    live: Vec<Live>,
    bots: Vec<Bot>,
}

fn content(path: &Path) -> Result<Content, StoreError> {
    let store = Store::open_read_only(path)?;
    Ok(Content {
        runs: store.recent_runs(9)?,
        matches: store.matches_of("r")?,
        briefs: store.briefs_of("r")?.len(),
        tally: store.tally("r", "ann")?,
        log: store.log_of("r")?,
        live: store.live_since(0, 9)?,
        bots: store.bots()?,
    })
}

fn fill(path: &Path) {
    let mut store = Store::open(path).unwrap();
    store.create_or_resume_run(&run("r")).unwrap();
    for half in 0..2 {
        let record = format!("[Half \"{half}\"]\n{}", "1. a1 b2 {a comment} ".repeat(40));
        store.save_match(&Match { record, ..sample("r", 0, half, "1-0") }).unwrap();
    }
    store.append_log("r", &Logged { at_ms: 5, entry: r#"{"paused": "lunch"}"#.into() }).unwrap();
    let text = String::from;
    let live = Live {
        id: text("now"),
        kind: text("page"),
        game: text("some game"),
        variant: text("small"),
        rules: text("text"),
        first: text("ann"),
        second: text("bob"),
        turns: 3,
        updated_ms: 77,
        setting: text("{}"),
        record: text("1. a1 b2"),
    };
    store.save_live(&live).unwrap();
    let bot = Bot {
        hash: text("aaaa"),
        name: text("ann"),
        game: text("some game"),
        protocol: text("ugi"),
        language: text("python"),
        first_seen_ms: 9,
    };
    store.save_bot(&bot).unwrap();
    store.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
}

#[test]
fn no_changed_byte_changes_what_is_read() {
    let folder = TempDir::new().unwrap();
    let (path, damaged) = (folder.path().join("agon.db"), folder.path().join("damaged.db"));
    fill(&path);
    let whole = content(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    let (mut reported, mut hidden) = (0, 0);
    // Most of the file is empty: a few bytes of that will do.
    for offset in (0..bytes.len()).filter(|&offset| bytes[offset] != 0 || offset % 16 == 0) {
        let mut changed = bytes.clone();
        changed[offset] ^= 1 << (offset % 8);
        fs::write(&damaged, &changed).unwrap();
        match content(&damaged) {
            Ok(read) if read == whole => {}
            Ok(read) => {
                // Whoever reads only what is there cannot miss what a page or an index hides; whoever looks at all of it can.
                hidden += 1;
                let found = Store::open_read_only(&damaged).and_then(|store| store.check());
                assert!(found.is_err(), "the changed byte {offset} goes unnoticed: {read:?}");
            }
            Err(_) => reported += 1,
        }
    }
    assert!(reported > 1000 && hidden < 50, "{reported} reported, {hidden} hidden");
}
