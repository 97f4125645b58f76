//! Teams as they are entered: without a bot, with one that does not start, by the names of their folders.

use std::{fs, process::Command};

use serde_json::Value;

use super::hall::{AGON, Hall, standings};

const CUP: &str = "title = \"Entering\"\ngame = \"connectx\"\n[[part]]\nclock = \"nodes=5\"\n[[stage]]\nkind = \"groups\"\ngroups = 2\n\
    advance = 2\n[[stage]]\nkind = \"knockout\"\nbracket = \"crossing\"\n[marks]\nplaces = [9, 7, 5, 3]\n";

/// What `agon tournament …` printed, on stdout and on stderr.
fn said(hall: &Hall, arguments: &str) -> (String, String) {
    let output = hall.tournament(arguments);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments}: {err}");
    (out.into_owned(), err.into_owned())
}

fn bot(hall: &Hall, team: &str, run: &str) -> String {
    let toml = format!("name = \"{team}\"\ngame = \"connectx\"\nprotocol = \"ugi\"\nrun = \"{run}\"\n");
    hall.write(&format!("bots/{team}/bot.toml"), &toml);
    hall.path(&format!("bots/{team}"))
}

fn good() -> String {
    format!("{AGON} bot connectx --level random")
}

#[test]
fn a_team_that_handed_in_nothing_is_entered_and_comes_last() {
    let hall = Hall::new("nothing-handed-in");
    for team in ["Ada", "Bob", "Cay"] {
        bot(&hall, team, &good());
    }
    let format = hall.write("cup.toml", CUP);
    let table = hall.write("standings.csv", "team,score\nDov,90\nAda,80\nBob,70\nCay,60\nEve,50\n");
    let bots = hall.path("bots");
    let (out, err) = said(&hall, &format!("new {format} --teams {table} --bots {bots} --sandbox none --secret s"));
    assert!(out.contains("2 teams have handed in nothing and will lose all matches: 'Dov', 'Eve'."), "{out}");
    assert!(out.contains("agon tournament replace cup TEAM BOT") && !err.contains("cannot play"), "{out} {err}");
    hall.must("run cup --sandbox none");
    let results = hall.publish("cup");
    let table = standings(&results);
    for late in &table[3..] {
        assert!(["Dov", "Eve"].contains(&late.0.as_str()) && late.1 == 4 && late.2 == Some(0.0), "{table:?}");
    }
    assert!(results["teams"].to_string().contains("nothing was handed in"), "everybody can read why");
    // A cell without a bot means the same, and `replace` gives the team one.
    let table = hall.write("teams.csv", "team,bot\nAda,random\nBob,\nCay,random\n");
    let (out, _) = said(&hall, &format!("new {format} --teams {table} --name late --secret s"));
    assert!(out.contains("1 team has handed in nothing and will lose all matches: 'Bob'."), "{out}");
    hall.must(&format!("replace late Bob {bots}/Ada --sandbox none"));
    hall.must("run late --sandbox none");
    let bob = hall.publish("late")["battles"].to_string();
    assert!(!bob.contains("double fault") && !bob.contains("would not start"), "{bob}");
    let missing = hall.write("missing.csv", "team,bot\nAda,random\nBob,subs/bob\n");
    let said = hall.fails(&format!("new {format} --teams {missing} --name typo"), 2);
    assert!(said.contains("line 3: there is no file or folder 'subs/bob'") && !said.contains("greedy"), "{said}");
}

/// Its bot builds and does not start: it gets no bye past those that can play, because that is known before the first match.
#[test]
fn a_bot_that_does_not_start_is_known_before_the_first_match() {
    let hall = Hall::new("does-not-start");
    for (team, run) in
        [("Ada", &*good()), ("Bob", &good()), ("Cay", &good()), ("Dov", "sh -c 'exit 3'"), ("Eve", "cat")]
    {
        bot(&hall, team, run);
    }
    // Five teams: the best seed has a bye in the first round, and it would be Dov.
    let cup = "title = \"Byes\"\ngame = \"connectx\"\n[[part]]\nclock = \"5\"\n[[stage]]\nkind = \"knockout\"\n";
    let format = hall.write("cup.toml", cup);
    let table = hall.write("scores.csv", "team,score\nDov,90\nAda,80\nBob,70\nCay,60\nEve,50\n");
    let bots = hall.path("bots");
    let (_, err) = said(&hall, &format!("new {format} --teams {table} --bots {bots} --sandbox none --secret s"));
    for (team, why) in [("Dov", "exited with code 3"), ("Eve", "")] {
        let line = err.lines().find(|line| line.contains(&format!("the bot of '{team}' cannot play")));
        assert!(line.is_some_and(|line| line.contains(why)), "{err}");
    }
    assert!(!err.contains("'Ada'") && !err.contains("'Bob'"), "{err}");
    let results: Value = serde_json::from_str(&hall.must("results cup --json")).expect("JSON");
    let seeds: Vec<&str> =
        results["parts"][0]["seeds"].as_array().expect("seeds").iter().filter_map(Value::as_str).collect();
    assert_eq!(seeds, ["Ada", "Bob", "Cay", "Dov", "Eve"], "who does not start is seeded last");
    // Neither does a new bot that does not start replace anything.
    let worse = bot(&hall, "worse", "sh -c 'exit 4'");
    let refused = hall.fails(&format!("replace cup Dov {worse} --sandbox none"), 1);
    assert!(refused.contains("nothing is changed") && refused.contains("exited with code 4"), "{refused}");
    let better = bot(&hall, "better", &good());
    hall.must(&format!("replace cup Dov {better} --sandbox none"));
    // Whoever comes back hears that its bot does not start.
    hall.must("withdraw cup Eve");
    let (out, err) = said(&hall, "reinstate cup Eve --sandbox none");
    assert!(out.contains("'Eve' is back") && err.contains("the bot of 'Eve' cannot play"), "{out} {err}");
    hall.must("run cup --sandbox none");
    let table = standings(&hall.publish("cup"));
    assert_eq!(table.last().map(|row| row.0.as_str()), Some("Eve"), "{table:?}");
}

#[test]
fn names_of_folders_are_said_to_be_published() {
    let hall = Hall::new("folder-names");
    for team in ["2019CS10399", "2019CS10400"] {
        bot(&hall, team, &good());
    }
    let (format, bots) = (hall.write("cup.toml", CUP), hall.path("bots"));
    let (_, err) = said(&hall, &format!("new {format} --teams {bots} --sandbox none"));
    assert!(err.contains("the teams have the names of their folders") && err.contains("published"), "{err}");
    let table = hall.write("teams.csv", "team,bot\nAda,random\nBob,random\n");
    let (_, err) = said(&hall, &format!("new {format} --teams {table} --name other"));
    assert!(!err.contains("folders"), "{err}");
}

#[test]
fn what_is_over_stays_as_it_is() {
    let hall = Hall::new("is-over");
    for team in ["Ada", "Bob", "Cay"] {
        bot(&hall, team, &good());
    }
    let (format, bots) = (hall.write("cup.toml", CUP), hall.path("bots"));
    hall.must(&format!("new {format} --teams {bots} --sandbox none --secret s"));
    let first = hall.must("run cup --sandbox none");
    // Nobody plays any more: no bot is needed.
    fs::remove_dir_all(&bots).expect("a folder");
    assert_eq!(hall.must("run cup --sandbox none"), first);
    assert!(hall.fails("pause cup", 2).contains("'cup' is over: there is nothing to pause"));
    hall.must("disqualify cup Ada --reason copied");
    let (out, err) = said(&hall, "reinstate cup Ada");
    assert!(out.contains("the tournament is over, and nothing is left to play") && err.is_empty(), "{out} {err}");
}

/// A tournament that has the name of its preset is the one that is meant; and an empty file is not filled by looking at it.
#[test]
fn a_tournament_goes_before_the_preset_of_its_name() {
    let hall = Hall::new("preset-name");
    let teams = hall.teams(&[("Ada", "greedy", 3), ("Bob", "random", 2), ("Cay", "random", 1)]);
    hall.must(&format!("new avishkar-connectx --teams {teams} --tc nodes=1 --secret s"));
    let (out, err) = said(&hall, "simulate avishkar-connectx --runs 5 --matches 2");
    assert!(out.contains("Cay") && !out.contains("team 1"), "{out}");
    assert!(err.contains("'avishkar-connectx' is the tournament in "), "{err}");

    let empty = hall.write("empty.db", "");
    let look = |arguments: &str| {
        let mut command = Command::new(AGON);
        command.arg("tournament").args(arguments.split_ascii_whitespace()).arg("--db").arg(&empty);
        let output = command.output().expect("agon runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for command in ["status", "status cup", "results cup", "simulate cup", "run cup", "pause cup"] {
        let (code, err) = look(command);
        assert_eq!(code, Some(2), "{command}: {err}");
        assert!(err.contains("empty.db is not an SQLite database"), "{command}: {err}");
        assert_eq!(fs::metadata(&empty).expect("the file").len(), 0, "{command}");
    }
    fs::remove_file(&empty).expect("the file");
    let (code, err) = look("simulate no-such-thing");
    let (file, preset) = (err.find("empty.db does not exist"), err.find("no preset is called"));
    assert!(code == Some(2) && file.is_some() && preset > file, "the missing file comes first: {err}");
}

#[test]
fn the_house_bots_of_the_2023_preset_are_of_three_kinds() {
    let hall = Hall::new("three-kinds");
    let preset = hall.printed("presets col333-2023-rollerball-phase1");
    assert!(preset.contains("house = [\"greedy\", \"mcts\", \"adept\"]"), "{preset}");
}
