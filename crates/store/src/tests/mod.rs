//! Tests with the real SQLite. They live inside the crate because some need its connection (a full disk) or its
//! patience.

mod content;
mod damage;
mod files;
mod sharing;
mod upgrade;

use crate::{BotRef, Match, Run, Store};

fn run(id: &str) -> Run {
    Run { id: id.into(), created_ms: 1_760_000_000_000, kind: "match".into(), configuration: "{}".into() }
}

/// A match of the bots `ann` and `bob`; they swap sides in half 1.
fn sample(run: &str, battle: u32, half: u8, result: &str) -> Match {
    let ann = BotRef { name: "ann".into(), hash: "aaaa".into() };
    let bob = BotRef { name: "bob".into(), hash: "bbbb".into() };
    let (first, second) = if half == 0 { (ann, bob) } else { (bob, ann) };
    Match {
        id: format!("{run}-{battle}-{half}"),
        run: run.into(),
        battle,
        half,
        game: "some game".into(),
        variant: "small".into(),
        rules: "text".into(),
        first,
        second,
        result: result.into(),
        first_points: 7.25,
        second_points: -0.1,
        termination: "normal".into(),
        evidence: "three in a row".into(),
        turns: 42,
        started_ms: 1_760_000_000_123,
        duration_ms: 4_567,
        record: format!("[Result \"{result}\"]\n\n1. a1 {result}\n"),
    }
}

fn store_with_run(id: &str) -> Store {
    let mut store = Store::in_memory().unwrap();
    store.create_or_resume_run(&run(id)).unwrap();
    store
}

fn integrity(store: &Store) -> String {
    store.connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap()
}
