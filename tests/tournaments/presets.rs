//! Every preset, from teams to marks, with real bots of all kinds.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use super::hall::{AGON, Hall, standings};

/// The teams of a preset: kits, house levels, broken and hostile ones, one that only draws, twins.
fn teams(hall: &Hall, game: &str) -> String {
    let bots = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/bots").canonicalize().expect("bots");
    let script = |name: &str| format!("cmd:python3 {}/{name}.py;proto=ugi;lang=python", bots.display());
    let kit = |language: &str| {
        let folder = hall.path(&format!("kit-{language}"));
        let made = Command::new(AGON).args(["new", game, "--lang", language, &folder]).output().expect("agon runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        folder
    };
    let mut rows: Vec<(String, String)> = Vec::new();
    let mut add = |team: &str, bot: String| rows.push((team.to_owned(), bot));
    add("Kit in Python", kit("python"));
    add("Kit in C++", kit("cpp"));
    add("Twin kit", hall.path("kit-python"));
    add("Bad build", {
        let folder = hall.path("bad-build");
        hall.write("bad-build/bot.toml", "name = \"bad\"\nprotocol = \"ugi\"\nbuild = \"exit 7\"\nrun = \"true\"\n");
        folder
    });
    add("No bot", "broken".to_owned());
    for hostile in ["garbage", "exits_after_a_move", "closes_stdout", "endless_line", "sleeps"] {
        add(hostile, script(hostile));
    }
    add("floods", format!("cmd:sh {}/floods.sh;proto=ugi", bots.display()));
    add("Draws", format!("cmd:python3 {}/shuffles.py {AGON};proto=ugi;lang=python", bots.display()));
    for (i, level) in
        ["level1", "level2", "greedy", "greedy", "random", "random", "random", "level1", "greedy", "random"]
            .iter()
            .enumerate()
    {
        add(&format!("House {}", i + 1), (*level).to_owned());
    }
    for i in 1..=4 {
        add(&format!("Late {i}"), "broken".to_owned());
    }
    let rows: Vec<(&str, &str, i32)> =
        rows.iter().enumerate().map(|(i, (team, bot))| (team.as_str(), bot.as_str(), 50 - i as i32)).collect();
    hall.teams(&rows)
}

fn whole(preset: &str, game: &str, clock: &str) {
    let hall = Hall::new(&format!("preset-{preset}"));
    let teams = teams(&hall, game);
    // Two of the boards know no end by moves: against the one that only draws a match would take thousands of them.
    let text = hall.printed(&format!("presets {preset}"));
    let format = hall.write("cup.toml", &text.replacen("matches = 2", "matches = 2\nmax_turns = 400", 1));
    hall.must(&format!("new {format} --teams {teams} --tc {clock} --secret preset"));
    hall.must("run cup");
    let results = hall.publish("cup");
    let order = standings(&results);
    let entered = fs::read_to_string(&teams).expect("teams").lines().count() - 1;
    let names: BTreeSet<&str> = order.iter().map(|(team, ..)| team.as_str()).collect();
    assert_eq!((order.len(), names.len()), (entered, entered), "everybody is placed once");
    let terminations = terminations(&results);
    assert!(terminations.contains("would not start"), "{terminations:?}");
    let draws = order.iter().find(|(team, ..)| team == "Draws").expect("a team");
    assert!(faultless(&results, &draws.0), "the one that draws plays by the rules");
    let report = fs::read_to_string(Path::new(&hall.path("cup-out")).join("report.html")).expect("a report");
    assert!(report.contains("House 1"));
    // The one address is the name of SVG, which nobody asks for.
    let asks = report.replace("http://www.w3.org/2000/svg", "");
    assert!(!asks.contains("http://") && !asks.contains("https://"), "the page asks somebody for something");
}

/// Whether a team never lost by a fault of its own: it lost at most by the rules.
fn faultless(results: &Value, team: &str) -> bool {
    let faults = ["would not start", "crash", "illegal turn", "silent exit", "closed output", "protocol violation"];
    let battles = results["battles"].as_array().expect("battles").iter();
    battles.filter(|battle| battle["players"].as_array().expect("players").iter().any(|name| name == team)).all(
        |battle| {
            battle["matches"].as_array().expect("matches").iter().all(|played| {
                let first = played["first"] == team;
                let lost = played["result"] == if first { "0-1" } else { "1-0" };
                !(lost && faults.contains(&played["termination"].as_str().expect("a word")))
            })
        },
    )
}

fn terminations(results: &Value) -> BTreeSet<String> {
    let battles = results["battles"].as_array().expect("battles");
    let matches = battles.iter().flat_map(|battle| battle["matches"].as_array().expect("matches"));
    matches.map(|played| played["termination"].as_str().expect("a word").to_owned()).collect()
}

#[test]
fn cannon_phase_one() {
    whole("col333-2019-cannon-phase1", "cannon", "2");
}

#[test]
fn cannon_phase_two() {
    whole("col333-2019-cannon-phase2", "cannon", "2");
}

#[test]
fn yinsh_phase_one() {
    whole("col333-2018-yinsh-phase1", "yinsh", "2");
}

#[test]
fn yinsh_phase_two() {
    whole("col333-2018-yinsh-phase2", "yinsh", "2");
}

#[test]
fn rollerball_phase_one() {
    whole("col333-2023-rollerball-phase1", "rollerball", "2");
}

#[test]
fn rollerball_phase_two() {
    whole("col333-2023-rollerball-phase2", "rollerball", "2");
}

#[test]
fn rivers() {
    whole("col333-2025-rivers", "rivers", "2");
}

#[test]
fn connectx() {
    whole("avishkar-connectx", "connectx", "0.5/turn");
}
