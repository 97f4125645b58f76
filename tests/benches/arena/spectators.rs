//! People who look on at one match.

use std::{
    fs,
    time::{Duration, Instant},
};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};

use crate::players::{agent, begin, events, next_event};

/// Kibibytes that the arena holds, and how long news takes to reach everybody.
pub(crate) struct Memory {
    pub(crate) before: u64,
    pub(crate) idle: u64,
    pub(crate) after_a_turn: u64,
    pub(crate) last_heard: Duration,
}

/// Lets so many look on, then makes a turn.
pub(crate) fn watch(site: &str, arena: u32, spectators: usize) -> Memory {
    allow_many_files();
    let agent = agent();
    let id = begin(&agent, site, agon_all::GAMES[0].name());
    let before = resident(arena);
    let mut crowd: Vec<_> = (0..spectators).map(|_| events(site, &id)).collect();
    let mut view = Value::Null;
    for spectator in &mut crowd {
        view = next_event(spectator).expect("the match as it stands").1;
    }
    let idle = resident(arena);
    let turn = json!({ "turn": view["legal"][0]["turn"] }).to_string();
    let sent = Instant::now();
    let request = agent.post(format!("{site}/api/matches/{id}/turns")).header("content-type", "application/json");
    assert_eq!(request.send(turn).expect("an answer").status(), 200);
    let mut last_heard = Duration::ZERO;
    for spectator in &mut crowd {
        // The turn and its answer may come as one event or as two.
        while next_event(spectator).expect("an event").1["turns"].as_array().map_or(0, Vec::len) < 2 {}
        last_heard = sent.elapsed();
    }
    Memory { before, idle, after_a_turn: resident(arena), last_heard }
}

/// What a process holds in memory.
fn resident(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("the arena runs");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("its size");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

/// Each spectator is an open file.
fn allow_many_files() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).expect("more open files");
}
