//! Bots that change and teams that come back while a tournament goes on.

use std::{fs, process::Stdio};

use serde_json::Value;

use super::hall::{AGON, Hall, verify};

/// Three teams with bots of their own, everybody against everybody.
fn league(name: &str) -> Hall {
    let hall = Hall::new(name);
    for team in ["one", "two", "three"] {
        bot(&hall, team, "random");
    }
    let format = hall.write(
        "cup.toml",
        "title = \"League\"\ngame = \"connectx\"\n[[part]]\nclock = \"nodes=5\"\n[[stage]]\nkind = \"round-robin\"\n",
    );
    let teams = hall.path("teams");
    hall.must(&format!("new {format} --teams {teams} --sandbox none --secret s"));
    hall
}

fn bot(hall: &Hall, team: &str, level: &str) -> String {
    let run = format!("{AGON} bot connectx --level {level}");
    let toml = format!("name = \"{team}\"\ngame = \"connectx\"\nprotocol = \"ugi\"\nrun = \"{run}\"\n");
    hall.write(&format!("teams/{team}/bot.toml"), &toml);
    hall.path(&format!("teams/{team}"))
}

/// The records of the matches of a team: which of its bots played, by the version that the record names.
fn versions(hall: &Hall, team: &str) -> Vec<String> {
    let records = fs::read_dir(hall.path("cup-out/records")).expect("records");
    let texts = records.map(|entry| fs::read_to_string(entry.expect("an entry").path()).expect("a record"));
    let mut found: Vec<String> = Vec::new();
    for text in texts {
        for side in ["First", "Second"] {
            if text.contains(&format!("[{side} \"{team}\"]")) {
                let tag = format!("[{side}Version \"");
                let version = text.split(&tag).nth(1).map_or("1", |rest| rest.split('"').next().unwrap_or_default());
                found.push(version.to_owned());
            }
        }
    }
    found.sort();
    found
}

fn forfeits(results: &Value) -> usize {
    results["battles"].to_string().matches("\"forfeit\"").count()
}

#[test]
fn a_withdrawn_team_no_longer_stops_the_tournament() {
    let hall = league("withdraw-unblocks");
    bot(&hall, "two", "greedy");
    let said = hall.fails("run cup --sandbox none", 1);
    assert!(said.contains("is not the one that was entered") && said.contains("agon tournament replace cup"), "{said}");
    hall.must("withdraw cup two --reason changed");
    hall.must("run cup --sandbox none");
    let results = hall.publish("cup");
    assert_eq!(forfeits(&results), 4, "two battles of the team that is out");
    // Back with its changed bot it stops the tournament again; with its own it plays what it forfeited.
    hall.must("reinstate cup two --reason sorry");
    assert!(hall.fails("run cup --sandbox none", 1).contains("is not the one that was entered"));
    let said = hall.fails("reinstate cup two", 2);
    assert!(said.contains("'two' is not out of the tournament"), "{said}");
    bot(&hall, "two", "random");
    hall.must("run cup --sandbox none");
    let results = hall.publish("cup");
    assert_eq!(forfeits(&results), 0, "everything was played after all");
    assert!(results["log"].to_string().contains("sorry"));
}

#[test]
fn a_replaced_bot_plays_from_the_next_match_on() {
    let hall = league("replace");
    hall.must("run cup --sandbox none");
    let path = bot(&hall, "two", "greedy");
    hall.must(&format!("replace cup two {path} --sandbox none --reason mended"));
    let said = hall.fails(&format!("replace cup two {path} --sandbox none"), 2);
    assert!(said.contains("plays with this bot already"), "{said}");
    let nothing = hall.path("teams");
    assert!(hall.fails(&format!("replace cup two {nothing} --sandbox none"), 1).contains("cannot play"));
    hall.must("replay cup 1.1.g1.b1.1 --reason again");
    hall.must("replay cup 1.1.g1.b1.2 --reason again");
    hall.must("replay cup 1.1.g1.b3.1 --reason again");
    hall.must("run cup --sandbox none");
    let results = hall.publish("cup");
    let played = versions(&hall, "two");
    assert!(played.contains(&"1".to_owned()) && played.contains(&"2".to_owned()), "{played:?}");
    assert!(results["log"].to_string().contains("mended"));
    let published = results["log"].to_string();
    assert!(!published.contains(&path), "a path is published: {published}");
    let report = fs::read_to_string(hall.path("cup-out/report.html")).expect("a report");
    assert!(report.contains("plays with another bot"), "the report says so");

    // Whoever takes the replacement out of the log, or lets a match claim another version, is found out.
    let out = hall.folder.join("cup-out");
    let text = fs::read_to_string(out.join("results.json")).expect("results");
    let mut changed: Value = serde_json::from_str(&text).expect("JSON");
    let log = changed["log"].as_array_mut().expect("a log");
    log.retain(|entry| entry["event"] != "replaced");
    fs::write(out.join("results.json"), changed.to_string()).expect("a file");
    let (good, said) = verify(&out);
    assert!(!good && said.contains("two played with version 2 of its bot, which the log does not know"), "{said}");
    fs::write(out.join("results.json"), text).expect("a file");
    assert!(verify(&out).0);
}

/// The process that plays builds the new bot and takes the team back itself.
#[test]
fn bots_are_replaced_and_teams_come_back_while_it_runs() {
    let hall = league("while-it-runs");
    hall.must("withdraw cup three --reason late");
    hall.must("pause cup");
    let mut playing =
        hall.command("run cup --sandbox none").stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("agon");
    while !hall.must("results cup --json").contains("\"started\"") {
        assert!(playing.try_wait().expect("a process").is_none(), "it ended while it was paused");
    }
    let path = bot(&hall, "two", "greedy");
    hall.must(&format!("replace cup two {path} --sandbox none --reason mended"));
    hall.must("reinstate cup three --reason here");
    let said = hall.must("resume cup --sandbox none");
    // These matches take milliseconds: the process that plays may be done before the other one looks for it.
    assert!(said.contains("goes on in the process that plays it") || said.contains("Publish it with"), "{said}");
    // Whichever of the two played on, the other one may find nothing left to do; the results must be whole.
    playing.wait().expect("a process");
    hall.must("run cup --sandbox none");
    let results = hall.publish("cup");
    assert_eq!(forfeits(&results), 0);
    assert_eq!(versions(&hall, "two"), ["2", "2", "2", "2"]);
    assert_eq!(versions(&hall, "three"), ["1", "1", "1", "1"]);
}
