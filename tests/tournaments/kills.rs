//! A tournament that is killed again and again ends as if nothing had happened.

use std::{fs, path::Path, process::Stdio};

use agon_store::Store;
use serde_json::Value;

use super::hall::{Hall, verify};

const FORMAT: &str = r#"
title = "Killed"
game = "connectx"
matches = 4

[[part]]
clock = "nodes=20"

[[stage]]
kind = "groups"
size = 4
advance = 2
ties = ["points", "rematch nodes=10", "coin"]

[[stage]]
kind = "knockout"
bracket = "crossing"
third_place = true
ties = ["points", "rematch nodes=15", "rematch nodes=5", "group", "coin"]

[marks]
places = [10, 8, 6, 4]
otherwise = 1
"#;

/// Twins are tied more often than others, so that rematches and coins come up.
const TEAMS: [(&str, &str, i32); 10] = [
    ("Ada", "level1", 9),
    ("Bob", "greedy", 8),
    ("Cay", "greedy", 7),
    ("Dov", "random", 6),
    ("Eve", "random", 5),
    ("Fay", "broken", 4),
    ("Gil", "broken", 3),
    ("Hal", "level2", 2),
    ("Ida", "greedy", 1),
    ("Jon", "random", 0),
];

fn stored(hall: &Hall) -> usize {
    let Ok(store) = Store::open_read_only(hall.folder.join("a.db")) else { return 0 };
    store.briefs_of("cup").map_or(0, |briefs| briefs.len())
}

/// Everything but when things happened, and how long turns took.
fn timeless(mut results: Value) -> String {
    (results["log"], results["digests"]) = (Value::Null, Value::Null);
    format!("{results:#}")
}

#[test]
fn a_killed_tournament_ends_as_if_nothing_had_happened() {
    let kills: usize =
        std::env::var("AGON_KILLS").ok().and_then(|text| text.parse().ok()).map_or(4, |kills: usize| 2 * kills);
    let begin = |name: &str| {
        let hall = Hall::new(name);
        let (teams, format) = (hall.teams(&TEAMS), hall.write("cup.toml", FORMAT));
        hall.must(&format!("new {format} --teams {teams} --seed 3 --secret heads"));
        hall
    };
    let (whole, broken) = (begin("kills-whole"), begin("kills-broken"));
    whole.must("run cup");
    let expected = timeless(whole.publish("cup"));
    let total = stored(&whole);
    for kill in 1..=kills {
        // The instant is a count of stored matches: not a time, so that no machine is too fast or too slow.
        let until = total * kill / (kills + 1);
        let mut child =
            broken.command("run cup").stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("agon runs");
        while stored(&broken) < until && child.try_wait().expect("a child").is_none() {
            std::thread::yield_now();
        }
        child.kill().expect("a kill");
        child.wait().expect("a child");
    }
    broken.must("run cup");
    let found = timeless(broken.publish("cup"));
    let differs = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    assert!(found == expected, "{differs:?}");
    let table =
        |hall: &Hall| fs::read_to_string(Path::new(&hall.path("cup-out")).join("standings.csv")).expect("a table");
    assert_eq!(table(&broken), table(&whole));
    assert_eq!(stored(&broken), total, "nothing is played twice");
    one_altered_record_is_found(&whole);
}

/// Changes one thing at a time in what was published, and sees it found.
fn one_altered_record_is_found(hall: &Hall) {
    let out = hall.path("cup-out");
    let out = Path::new(&out);
    assert!(verify(out).0);
    let mut records: Vec<_> =
        fs::read_dir(out.join("records")).expect("records").map(|entry| entry.expect("a file").path()).collect();
    records.sort();
    let change = |file: &Path, from: &str, to: &str, found: &str| {
        let text = fs::read_to_string(file).expect("a file");
        assert!(text.contains(from), "{from} in {}", file.display());
        fs::write(file, text.replacen(from, to, 1)).expect("a file");
        let (verified, said) = verify(out);
        assert!(!verified && said.contains(found), "{from} to {to}: {said}");
        fs::write(file, text).expect("a file");
        assert!(verify(out).0);
    };
    let won = records
        .iter()
        .find(|path| fs::read_to_string(path).is_ok_and(|text| text.contains("[Result \"1-0\"]")))
        .expect("a win");
    let name = won.file_name().and_then(|name| name.to_str()).expect("UTF-8");
    let text = fs::read_to_string(won).expect("a record");
    let turns = text.split("\n\n").nth(1).expect("turns");
    change(won, turns, turns.replace("1-0", "0-1").as_str(), "the result is");
    change(won, "[Points \"1 0\"]", "[Points \"0 1\"]", "the points are 0 1 in it");
    change(won, "[First \"", "[First \"X", "by the pairings");
    change(won, "[TimeControl \"nodes=20\"]", "[TimeControl \"nodes=21\"]", name);
    let results = out.join("results.json");
    change(&results, "\"secret\": \"heads\"", "\"secret\": \"tails\"", "was published at the start");
    change(&results, "\"marks\": 10.0", "\"marks\": 9.0", "/standings/0/marks is 9.0, derived is 10.0");
    change(&out.join("standings.csv"), "Ada", "Ida", "standings.csv: line");
    let hidden = won.with_extension("hidden");
    fs::rename(won, out.join("hidden")).expect("a move");
    let (verified, said) = verify(out);
    assert!(!verified, "a missing record: {said}");
    fs::rename(out.join("hidden"), won).expect("a move");
    fs::copy(won, &hidden).expect("a copy");
    assert!(verify(out).1.contains("another record claims to be the same match"));
    fs::remove_file(&hidden).expect("a file");
}
