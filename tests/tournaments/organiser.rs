//! What an organiser sees and does.

use std::{fs, process::Command};

use super::hall::{AGON, Hall, standings};

const CUP: &str = r#"
title = "A small cup"
game = "connectx"

[[part]]
clock = "nodes=10"

[[stage]]
kind = "round-robin"
ties = ["points", "head-to-head", "coin"]
advance = 4

[[stage]]
kind = "knockout"
third_place = true
ties = ["points", "group", "coin"]
"#;

const TEAMS: [(&str, &str, i32); 5] =
    [("Ada", "level2", 9), ("Bob", "level1", 8), ("Cay", "greedy", 7), ("Dov", "random", 6), ("Eve", "random", 5)];

fn cup(name: &str) -> Hall {
    let hall = Hall::new(name);
    let (teams, format) = (hall.teams(&TEAMS), hall.write("cup.toml", CUP));
    hall.must(&format!("new {format} --teams {teams} --secret s"));
    hall
}

#[test]
fn a_format_says_how_long_it_takes_and_ends_with_json() {
    let hall = Hall::new("run-file");
    let (teams, format) = (hall.teams(&TEAMS), hall.write("cup.toml", CUP));
    let output = hall.tournament(&format!("run {format} --teams {teams} --json"));
    let (out, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    // Ten battles of everybody against everybody, then four of the knockout, two matches each.
    let forecast = said.lines().find(|line| line.starts_with("All")).unwrap_or_else(|| panic!("no forecast: {said}"));
    assert!(forecast.contains("14") && forecast.contains("28"), "{forecast}");
    let last: serde_json::Value = serde_json::from_str(out.lines().last().expect("a line")).expect("JSON");
    let rows = last["standings"].as_array().expect("standings");
    assert_eq!(rows.len(), 5);
    for key in ["team", "place", "marks", "points"] {
        assert!(rows.iter().all(|row| row.get(key).is_some()), "{key}");
    }
    // The same command again finds it over.
    assert_eq!(hall.must(&format!("run {format} --teams {teams} --json")).lines().last(), out.lines().last());
}

#[test]
fn the_memory_that_a_tournament_was_set_up_with_is_kept() {
    let hall = Hall::new("memory");
    let (teams, format) = (hall.teams(&TEAMS), hall.write("cup.toml", CUP));
    let plan = hall.must(&format!("new {format} --teams {teams} --secret s --memory 512"));
    assert!(plan.contains("Each bot may use 512 MiB of memory."), "{plan}");
    let other = hall.fails("run cup --memory 400", 2);
    assert!(other.contains("'cup' was set up with --memory 512, and all its matches have that"), "{other}");
    let output = hall.tournament("run cup");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("Each bot may use 512 MiB of memory."), "{said}");
    let log = hall.publish("cup")["log"].to_string();
    assert!(log.contains("\"memory\":\"512\"") || log == "null", "{log}");
}

#[test]
fn a_team_whose_folder_has_no_name_in_utf_8_is_refused_for_that() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let hall = Hall::new("names");
    let format = hall.write("cup.toml", CUP);
    for name in [b"b\xf6t".as_slice(), b"fine"] {
        let folder = hall.folder.join("teams").join(OsStr::from_bytes(name));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("bot.toml"), "name = 'a'\nrun = 'true'\n").expect("a manifest");
    }
    let said = hall.fails(&format!("new {format} --teams {}", hall.path("teams")), 2);
    assert!(said.contains("is not UTF-8; rename it, with plain letters"), "{said}");
    assert!(!said.contains("unknown bot"), "{said}");
}

#[test]
fn wrong_formats_and_teams_are_refused_with_the_line() {
    let hall = Hall::new("wrong");
    let teams = hall.teams(&TEAMS);
    let refused = |text: &str, expected: &str| {
        let format = hall.write("wrong.toml", text);
        let said = hall.fails(&format!("new {format} --teams {teams}"), 2);
        assert!(said.contains(expected), "{said}");
    };
    refused(&CUP.replace("third_place", "fourth_place"), "line 15: unknown field `fourth_place`");
    refused(&CUP.replace("\"coin\"]\nadvance", "\"luck\"]\nadvance"), "line 10: ties: expected one of points");
    refused(&CUP.replace("connectx", "chess"), "line 3: unknown game 'chess'");
    refused(&CUP.replace("nodes=10", "soon"), "line 6: clock: time control 'soon'");
    refused(&CUP.replace("advance = 4", "advance = 0"), "line 11: advance: expected a number from 1");
    let said = hall.fails(&format!("new no-such-preset --teams {teams}"), 2);
    assert!(said.contains("the presets are"), "{said}");
    let csv = hall.write("bad.csv", "team,bot,score\nAda,level2,many\n");
    let said = hall.fails(&format!("new avishkar-connectx --teams {csv}"), 2);
    assert!(said.contains("line 2: score: expected a number, found 'many'"), "{said}");
    let said = hall.fails("run nobody", 2);
    assert!(said.contains("no tournament is called 'nobody'"), "{said}");
}

#[test]
fn namesakes_are_numbered_and_twins_are_named() {
    let hall = Hall::new("namesakes");
    let teams = hall.teams(&[("Ada", "random", 3), ("Ada", "greedy", 2), ("Bob", "greedy", 1)]);
    let output = hall.tournament(&format!("new avishkar-connectx --teams {teams} --tc nodes=5 --name cup"));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("a second team is called 'Ada'; it plays as 'Ada (2)'"), "{said}");
    assert!(said.contains("'Ada (2)' and 'Bob' have entered the same bot"), "{said}");
    hall.must("run cup");
    assert_eq!(standings(&hall.publish("cup")).len(), 3);
}

#[test]
fn a_folder_of_bots_is_a_list_of_teams() {
    let hall = Hall::new("folder");
    let good = format!("game = \"connectx\"\nprotocol = \"ugi\"\nrun = \"{AGON} bot connectx --level random\"\n");
    for team in ["one", "two"] {
        hall.write(&format!("teams/{team}/bot.toml"), &format!("name = \"{team}\"\n{good}"));
    }
    hall.write("teams/three/nothing.txt", "");
    hall.write("teams/notes.txt", "not a team");
    let teams = hall.path("teams");
    let output =
        hall.tournament(&format!("new avishkar-connectx --teams {teams} --tc nodes=5 --name cup --sandbox none"));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    assert!(said.contains("notes.txt was passed over"), "{said}");
    assert!(said.contains("the bot of 'three' cannot play and will lose its matches"), "{said}");
    hall.must("run cup --sandbox none");
    let results = hall.publish("cup");
    let order = standings(&results);
    assert_eq!(order.last().map(|(team, ..)| team.as_str()), Some("three"), "{order:?}");
}

#[test]
fn a_changed_bot_stops_the_tournament() {
    let hall = Hall::new("changed");
    let toml = format!("name = \"one\"\ngame = \"connectx\"\nprotocol = \"ugi\"\nrun = \"{AGON} bot connectx\"\n");
    hall.write("teams/one/bot.toml", &toml);
    hall.write("teams/two/bot.toml", &toml);
    let teams = hall.path("teams");
    hall.must(&format!("new avishkar-connectx --teams {teams} --tc nodes=5 --name cup --sandbox none"));
    hall.write("teams/two/bot.toml", &toml.replace("bot connectx", "bot connectx --level greedy"));
    let said = hall.fails("run cup --sandbox none", 1);
    assert!(said.contains("the bot of 'two'") && said.contains("is not the one that was entered"), "{said}");
}

#[test]
fn withdrawals_disqualifications_and_replays_are_kept_in_the_log() {
    let hall = cup("log");
    hall.must("withdraw cup Bob --reason ill");
    hall.must("disqualify cup Ada --reason copied");
    let said = hall.fails("withdraw cup Bob", 2);
    assert!(said.contains("'Bob' has withdrawn already"), "{said}");
    let said = hall.fails("withdraw cup Nobody", 2);
    assert!(said.contains("there are Ada, Bob, Cay, Dov, Eve"), "{said}");
    hall.must("run cup");
    let said = hall.fails("replay cup 1.1.g1.b1.1", 2);
    assert!(said.contains("no match of 'cup' is called") || said.contains("later matches were paired"), "{said}");
    let final_match = hall.must("results cup --json");
    let results: serde_json::Value = serde_json::from_str(&final_match).expect("JSON");
    let played = results["battles"].as_array().expect("battles").iter().rev().find(|battle| {
        battle["matches"][0]["termination"] != "forfeit"
            && battle["place"].as_str().is_some_and(|place| place.contains(".2."))
    });
    let id = played.expect("a played battle")["matches"][1]["id"].as_str().expect("an id");
    hall.must(&format!("replay cup {id} --reason lights-out"));
    hall.must("run cup");
    let results = hall.publish("cup");
    let log = results["log"].to_string();
    for words in ["withdrawn", "ill", "disqualified", "copied", "void", "lights-out"] {
        assert!(log.contains(words), "{words}: {log}");
    }
    let order = standings(&results);
    assert_eq!(order.last().map(|(team, ..)| team.as_str()), Some("Ada"), "the disqualified come last: {order:?}");
    assert!(results["battles"].to_string().contains("forfeit"));
    assert!(results.to_string().contains(".again1"), "the match was played again");
}

#[test]
fn a_paused_tournament_waits_and_a_tie_waits_for_the_organiser() {
    let hall = Hall::new("pause");
    let teams = hall.teams(&[("Ada", "broken", 2), ("Bob", "broken", 1)]);
    // Bots that do not start share a place, unless the format wants them placed.
    let format = CUP.replace("[\"points\", \"group\", \"coin\"]", "[\"points\", \"decision\"]");
    let format = hall.write("cup.toml", &format!("non_starters = \"placed\"\n{format}"));
    hall.must(&format!("new {format} --teams {teams}"));
    hall.must("pause cup --reason lunch");
    assert!(hall.must("status").contains("paused"));
    let said = hall.fails("pause cup", 2);
    assert!(said.contains("is paused already"), "{said}");
    // It resumes and finds that two broken bots are equal, which only the organiser can decide.
    let said = hall.fails("resume cup --reason coffee", 1);
    assert!(said.contains("the organiser has to decide a tie of"), "{said}");
    assert!(hall.must("status cup").contains("waits for the organiser"));
    let said = hall.fails("decide cup Ada Eve", 2);
    assert!(said.contains("to be decided"), "{said}");
    hall.must("decide cup Bob Ada --reason jury");
    hall.must("run cup");
    let results = hall.publish("cup");
    assert_eq!(standings(&results)[0].0, "Bob");
    for (event, reason) in [("paused", "lunch"), ("resumed", "coffee"), ("decided", "jury")] {
        let entry = results["log"].as_array().expect("a log").iter().find(|entry| entry["event"] == event);
        assert_eq!(entry.expect("an entry")["reason"], reason);
    }
}

#[test]
fn every_number_of_teams_is_played() {
    for count in [2, 3, 15, 17, 33] {
        let hall = Hall::new(&format!("teams-{count}"));
        let names: Vec<String> = (1..=count).map(|team| format!("Team {team}")).collect();
        let bots = ["random", "broken", "random", "broken", "broken"];
        let rows: Vec<(&str, &str, i32)> =
            names.iter().enumerate().map(|(i, name)| (name.as_str(), bots[i % 5], -(i as i32))).collect();
        let teams = hall.teams(&rows);
        hall.must(&format!("new {} --teams {teams} --tc nodes=1 --name cup", "avishkar-connectx"));
        hall.must("run cup");
        let order = standings(&hall.publish("cup"));
        assert_eq!(order.len(), count);
        assert_eq!(order[0].1, 1);
    }
}

/// On a file system that is full the tournament stops with the host's exit code, and goes on when there is room again.
#[test]
fn a_full_disk_stops_it_and_loses_nothing() {
    let hall = cup("full");
    let small = hall.path("small");
    fs::create_dir_all(&small).expect("a folder");
    let script = format!(
        "cp {db} {small}/a.db && {{ dd if=/dev/zero of={small}/filler bs=1k 2>/dev/null; true; }} && \
         {{ {AGON} tournament run cup --db {small}/a.db --sandbox none; echo full $?; rm {small}/filler; \
         {AGON} tournament run cup --db {small}/a.db --sandbox none; echo room $?; }}",
        db = hall.path("a.db"),
    );
    let output = Command::new("bwrap")
        .args(["--dev-bind", "/", "/", "--size", "4000000", "--tmpfs", &small, "sh", "-c", &script])
        .output()
        .expect("bubblewrap runs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(out.contains("full 3"), "{out} {err}");
    assert!(out.contains("room 0"), "{out} {err}");
    assert!(err.contains("full"), "{err}");
}

#[test]
fn a_simulation_tells_how_much_is_luck() {
    let hall = Hall::new("simulate");
    let picture = hall.path("luck.svg");
    let simulate = format!("simulate avishkar-connectx --teams 16 --runs 40 --matches 2,8 --seed 7 --svg {picture}");
    let text = hall.must(&simulate);
    assert_eq!(text, hall.must(&simulate), "the same seed, the same chances");
    assert!(text.lines().any(|line| line.starts_with("team ") && line.contains("strength")), "{text}");
    assert!(fs::read_to_string(picture).expect("a picture").starts_with("<svg"));
    // Measured strengths: those of a tournament that was played.
    let played = cup("simulate-played");
    played.must("run cup");
    let text = played.must("simulate cup --runs 20");
    assert!(text.contains("Ada") && text.contains("Eve"), "{text}");
}

#[test]
fn presets_are_listed_and_printed() {
    let hall = Hall::new("presets");
    let list = hall.printed("presets");
    assert_eq!(list.lines().count(), 8, "{list}");
    for line in list.lines() {
        let name = line.split_ascii_whitespace().next().expect("a name");
        assert!(hall.printed(&format!("presets {name}")).contains("[[stage]]"), "{name}");
    }
}

#[test]
fn one_team_alone_is_refused_unless_it_meets_house_bots() {
    let hall = Hall::new("alone");
    let teams = hall.teams(&[("Ada", "random", 1)]);
    let format = hall.write("cup.toml", CUP);
    let said = hall.fails(&format!("new {format} --teams {teams}"), 2);
    assert!(said.contains("expected at least two teams, found only 'Ada'"), "{said}");
    assert!(!hall.folder.join("a.db").exists(), "nothing was created");
    hall.must(&format!("new col333-2018-yinsh-phase1 --teams {teams} --tc nodes=1"));
}

#[test]
fn whoever_looks_for_something_creates_nothing() {
    let hall = Hall::new("typo");
    let look = |arguments: &str| {
        let mut command = Command::new(AGON);
        command.arg("tournament").args(arguments.split_ascii_whitespace());
        command.arg("--db").arg(hall.folder.join("deep/typo.db")).output().expect("agon runs")
    };
    let commands = [
        "status",
        "status cup",
        "results cup",
        "results cup --csv",
        "simulate cup",
        "run cup",
        "pause cup",
        "resume cup",
        "withdraw cup Ada",
        "disqualify cup Ada",
        "replay cup 1.1",
        "decide cup Ada Bob",
    ];
    for command in commands {
        let output = look(command);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{command}: {said}");
        assert!(said.contains("typo.db does not exist"), "{command}: {said}");
        assert!(!hall.folder.join("deep").exists(), "{command}");
    }
    // The usual database need not be there yet: that is no mistake, and no reason to create it.
    let usual = Command::new(AGON)
        .args(["tournament", "status"])
        .env("XDG_DATA_HOME", hall.folder.join("data"))
        .output()
        .expect("agon runs");
    assert!(usual.status.success() && String::from_utf8_lossy(&usual.stdout).contains("There are no tournaments"));
    assert!(!hall.folder.join("data").exists());
}

#[test]
fn looking_leaves_nothing_beside_the_database() {
    let hall = cup("looking");
    let files = || {
        let mut names: Vec<_> =
            fs::read_dir(&hall.folder).expect("a folder").map(|entry| entry.expect("a file").file_name()).collect();
        names.sort();
        names
    };
    let before = files();
    for command in ["status", "status cup", "results cup --json", "simulate cup --runs 1"] {
        hall.must(command);
        assert_eq!(files(), before, "{command}");
    }
}

#[test]
fn marks_and_points_print_with_three_decimals() {
    let hall = Hall::new("decimals");
    let teams = hall.teams(&[("Ada", "random", 3), ("Bob", "random", 2), ("Cay", "random", 1)]);
    let format = format!("{}\n[marks.rank]\nof = 10\n", CUP.replace("advance = 4", "advance = 2"));
    let format = hall.write("cup.toml", &format);
    hall.must(&format!("new {format} --teams {teams} --secret s"));
    let text = hall.must("run cup");
    assert!(text.contains("6.667") && text.contains("3.333"), "{text}");
    let longest = |text: &str| {
        let words = text.split([' ', ',', '\n']).filter_map(|word| word.split_once('.'));
        words.map(|(_, decimals)| decimals.bytes().take_while(u8::is_ascii_digit).count()).max()
    };
    assert_eq!(longest(&text), Some(3), "{text}");
    assert_eq!(longest(&hall.must("results cup --csv")), Some(3));
}
