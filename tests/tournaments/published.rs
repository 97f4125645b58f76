//! What is published: nothing private, everything covered by `agon verify`, and fit to begin the next phase with.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use super::hall::{AGON, Hall, standings, verify};

const CUP: &str = r#"
title = "A published cup"
game = "connectx"

[[part]]
clock = "nodes=10"

[[stage]]
kind = "round-robin"
ties = ["coin"]
advance = 2

[[stage]]
kind = "knockout"
ties = ["points", "group", "coin"]
"#;

/// Every file of a published folder.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for place in [folder.to_owned(), folder.join("records")] {
        for entry in fs::read_dir(place).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.is_file() {
                let name = path.strip_prefix(folder).expect("a file of it").to_string_lossy().into_owned();
                all.insert(name, fs::read_to_string(path).expect("a text"));
            }
        }
    }
    all
}

fn out(hall: &Hall, arguments: &str) -> PathBuf {
    let out = PathBuf::from(hall.path(&format!("out-{}", arguments.replace([' ', '-'], ""))));
    hall.must(&format!("results {arguments} --out {}", out.display()));
    out
}

/// Bots with something to hide: what they say, where they lie, how they are named.
fn hall_of_secrets() -> Hall {
    let hall = Hall::new("secrets");
    let manifest = |name: &str, build: &str, run: &str| {
        format!("name = \"{name}\"\ngame = \"connectx\"\nprotocol = \"ugi\"\n{build}run = \"\"\"{run}\"\"\"\n")
    };
    let noise = "echo stderr''-secret in $PWD >&2";
    let folder = |name: &str| format!("anna-mueller/2019CS10399_{name}");
    let write = |name: &str, text: String| hall.write(&format!("{}/bot.toml", folder(name)), &text);
    write("talks", manifest("private-name", "", &format!("{noise}; exec {AGON} bot connectx --level random")));
    write("dies", manifest("private-name", "", &format!("{noise}; cat /no/such-place/here; exit 3")));
    let build = "build = \"echo build-secret in $PWD; exit 1\"\n";
    write("breaks", manifest("private-name", build, "true"));
    hall.write(&format!("{}/nothing.txt", folder("empty")), "");
    hall.write("own-tools/engine-x", "");
    let bot = |name: &str| hall.path(&folder(name));
    let command = format!("cmd:cat {}", hall.path("own-tools/engine-x"));
    let rows = [
        ("Talks", bot("talks")),
        ("Dies", bot("dies")),
        ("Breaks", bot("breaks")),
        ("Empty", bot("empty")),
        ("Command", command),
        // Somebody who plays on.
        ("House", "random".to_owned()),
    ];
    let rows: String = rows.iter().map(|(team, bot)| format!("{team},{bot}\n")).collect();
    let (teams, format) = (hall.write("teams.csv", &format!("team,bot\n{rows}")), hall.write("cup.toml", CUP));
    hall.must(&format!("new {format} --teams {teams} --sandbox none"));
    hall.must("run cup --sandbox none");
    hall
}

#[test]
fn nothing_private_is_published() {
    let hall = hall_of_secrets();
    let places = [
        env!("CARGO_TARGET_TMPDIR"),
        env!("CARGO_MANIFEST_DIR"),
        "anna-mueller",
        "2019CS10399",
        "own-tools",
        "engine-x",
        "such-place",
    ];
    let said = ["stderr-secret", "build-secret"];
    let free_of = |name: &str, text: &str, secrets: &[&str]| {
        for secret in secrets {
            let found = text.find(secret).map(|at| &text[at.saturating_sub(60)..(at + 60).min(text.len())]);
            assert_eq!(found, None, "'{secret}' in {name}");
        }
    };
    let public = out(&hall, "cup");
    assert!(verify(&public).0, "{}", verify(&public).1);
    for (name, text) in files(&public) {
        free_of(&name, &text, &[&places[..], &said[..]].concat());
    }
    let page = hall.path("page.html");
    hall.must(&format!("results cup --html {page}"));
    free_of("the page", &fs::read_to_string(page).expect("a page"), &[&places[..], &said[..]].concat());
    for form in ["--json", "--csv"] {
        free_of(form, &hall.must(&format!("results cup {form}")), &[&places[..], &said[..]].concat());
    }
    let all: String = files(&public).into_values().collect();
    assert!(all.contains("exited with code 3") && all.contains("failed (exit status: 1)"), "what happened is told");
    // Only where the organiser asks; and no paths even then.
    let open = out(&hall, "cup --with-stderr");
    assert!(verify(&open).0, "{}", verify(&open).1);
    let all: String = files(&open).into_values().collect();
    assert!(said.iter().all(|words| all.contains(words)), "stderr and what builds said");
    for (name, text) in files(&open) {
        free_of(&name, &text, &places);
    }
}

/// Margin scores are in every record of a game whose text has them, and follow from its last position.
#[test]
fn margin_scores_are_published_and_checked() {
    let hall = Hall::new("margins");
    let teams = hall.teams(&[("Ada", "greedy", 3), ("Bob", "random", 2)]);
    let format = CUP.replace("connectx", "rivers").replace("[\"coin\"]", "[\"margin\", \"coin\"]");
    let format = hall.write("cup.toml", &format);
    hall.must(&format!("new {format} --teams {teams} --secret s"));
    hall.must("run cup");
    let folder = out(&hall, "cup");
    assert!(verify(&folder).0, "{}", verify(&folder).1);
    let records = files(&folder).into_iter().filter(|(name, _)| name.starts_with("records/"));
    let mut names = Vec::new();
    for (name, text) in records {
        assert!(text.contains("\n[Margins \""), "{name}: {text}");
        names.push(name);
    }
    assert_eq!(names.len(), 4, "{names:?}");
    found(&folder, &names[0], "[Margins \"", "[Margins \"9", "the margin scores are 9");
}

/// Changes a file, sees the change found, and puts the file back.
fn found(folder: &Path, file: &str, from: &str, to: &str, expected: &str) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).expect("a file");
    let changed = text.replacen(from, to, 1);
    assert_ne!(changed, text, "{from} in {file}");
    fs::write(&path, changed).expect("a file");
    let (verified, said) = verify(folder);
    assert!(!verified && said.contains(expected), "{file}: {from} to {to}: {said}");
    fs::write(&path, text).expect("a file");
}

#[test]
fn every_published_file_is_covered() {
    let hall = Hall::new("covered");
    let teams = hall.teams(&[("Ada", "level1", 3), ("Bob", "random", 2), ("Cay", "random", 1)]);
    let format = hall.write("cup.toml", CUP);
    hall.must(&format!("new {format} --teams {teams} --secret s"));
    hall.must("run cup");
    let folder = out(&hall, "cup");
    let (verified, said) = verify(&folder);
    assert!(verified && said.contains("digest of results.json: "), "{said}");
    let record = files(&folder).into_keys().find(|name| name.starts_with("records/")).expect("a record");
    found(&folder, &record, "[%emt 0", "[%emt 1", &format!("{record}: it was changed"));
    found(&folder, "report.html", "<td class=\"number\">", "<td class=\"number\">1", "report.html: it says");
    found(&folder, "report.html", "A published cup", "Another cup", "report.html: it says");
    found(&folder, "standings.csv", "Bob", "Bot", "standings.csv: line");
    found(&folder, "results.json", "\"draw_rate\": ", "\"draw_rate\": 1", "/ratings/draw_rate");
    let digest = format!("\"{record}\": \"");
    found(&folder, "results.json", &digest, &format!("{digest}0"), &format!("{record}: it was changed"));
    // Programs that read a member of two take one or the other; and nobody vouches for what is not there.
    let twice = "\"standings\": [], \"standings\": [";
    found(&folder, "results.json", "\"standings\": [", twice, "two members are called 'standings'");
    let invented = "\"digests\": {\"appeal.pdf\": \"00\",";
    found(&folder, "results.json", "\"digests\": {", invented, "'appeal.pdf': results.json has a digest of it");
    // A page of another version may look otherwise: its digest must do, and that is said.
    let path = folder.join("results.json");
    let text = fs::read_to_string(&path).expect("results");
    let program: Value = serde_json::from_str::<Value>(&text).expect("JSON")["program"].clone();
    fs::write(&path, text.replace(program.as_str().expect("a program"), "agon 0.0.1")).expect("a file");
    let (verified, said) = verify(&folder);
    assert!(verified && said.contains("report.html is of agon 0.0.1"), "{said}");
    found(&folder, "report.html", "A published cup", "Another cup", "report.html: it was changed");
    fs::write(&path, text).expect("a file");
    for (name, expected) in [("notes.txt", "notes.txt: it does not belong"), ("records/x.pgn", "records/x.pgn: ")] {
        fs::write(folder.join(name), "something").expect("a file");
        let (verified, said) = verify(&folder);
        assert!(!verified && said.contains(expected), "{said}");
        fs::remove_file(folder.join(name)).expect("a file");
    }
    assert!(verify(&folder).0);
}

#[test]
fn what_is_not_finished_is_checked_as_far_as_it_goes() {
    let hall = Hall::new("unfinished");
    let teams = hall.teams(&[("Ada", "level1", 3), ("Bob", "random", 3), ("Cay", "random", 1)]);
    let format = hall.write("cup.toml", CUP);
    hall.must(&format!("new {format} --teams {teams} --secret s"));
    let folder = out(&hall, "cup");
    assert!(verify(&folder).1.contains("not finished: 0 matches"));
    hall.must("run cup");
    let results: Value = serde_json::from_str(&hall.must("results cup --json")).expect("JSON");
    let last = results["battles"].as_array().and_then(|battles| battles.last()).expect("a final");
    hall.must(&format!("replay cup {} --reason lights", last["matches"][0]["id"].as_str().expect("an id")));
    let folder = out(&hall, "cup");
    let results: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("results.json")).expect("results")).expect("JSON");
    assert!(!results["tosses"].as_array().expect("tosses").is_empty(), "coins have fallen already");
    let (verified, said) = verify(&folder);
    assert!(!verified && said.contains("not finished: 8 matches"), "{said}");
    let record = files(&folder).into_keys().find(|name| name.starts_with("records/")).expect("a record");
    found(&folder, &record, "[%emt 0", "[%emt 1", &format!("differs: {record}: it was changed"));
    found(&folder, &record, "[Points \"", "[Points \"7", "differs: ");
    found(&folder, "results.json", "\"place\": 1", "\"place\": 2", "differs: ");
    found(&folder, "report.html", "It is not over.", "It is over.", "differs: report.html");
    hall.must("run cup");
    hall.publish("cup");
}

/// The table of teams with a column of the organiser's own and a name that a spreadsheet would compute.
fn first_phase(hall: &Hall, phase: &str) -> PathBuf {
    let teams =
        "email,bot,team,group-2\na@b.c,level1,\"=Ada\",7\n@home,greedy,Bob,-3.5\nc@d.e,random,\"Cay, the third\",\n";
    let teams = hall.write("teams.csv", &format!("\u{feff}{teams}"));
    hall.must(&format!("new {phase} --teams {teams} --tc nodes=1 --name first --secret s"));
    hall.must("run first");
    out(hall, "first").join("standings.csv")
}

fn rows(table: &Path) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(table).expect("a table");
    let mut lines = text.lines();
    // No cell of these tables has a quotation mark in it.
    let split = |line: &str| -> Vec<String> {
        let parts = line.split('"').enumerate();
        let marked: String =
            parts.map(|(i, part)| if i % 2 == 0 { part.replace(',', "\n") } else { part.to_owned() }).collect();
        marked.split('\n').map(str::to_owned).collect()
    };
    let header = split(lines.next().expect("a header"));
    lines.map(|line| header.iter().cloned().zip(split(line)).collect()).collect()
}

#[test]
fn the_first_phases_standings_are_the_second_phases_teams() {
    let hall = Hall::new("phases");
    let table = first_phase(&hall, "col333-2018-yinsh-phase1");
    let first = rows(&table);
    assert_eq!(first.len(), 3);
    for row in &first {
        assert_eq!((row["bot"].as_str(), &row["score"]), ("from:first", &row["points"]), "{row:?}");
        assert!(row["house"].parse::<f64>().is_ok(), "{row:?}");
    }
    let of = |name: &str| first.iter().find(|row| row["team"] == name).unwrap_or_else(|| panic!("{name}: {first:?}"));
    assert_eq!(of("'=Ada")["email"], "a@b.c");
    assert_eq!((of("Bob")["email"].as_str(), of("Bob")["group-2"].as_str()), ("'@home", "-3.5"));
    hall.must(&format!("new col333-2018-yinsh-phase2 --teams {} --tc nodes=1 --name second", table.display()));
    hall.must("run second");
    let results = hall.publish("second");
    let names: Vec<String> = standings(&results).into_iter().map(|(name, ..)| name).collect();
    assert!(["=Ada", "Bob", "Cay, the third"].iter().all(|name| names.iter().any(|known| known == name)), "{names:?}");
    // Seeded by score, then by what the house bots scored.
    let mut expected: Vec<(f64, f64)> =
        first.iter().map(|row| (row["score"].parse().unwrap(), row["house"].parse().unwrap())).collect();
    expected.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.total_cmp(&b.1)));
    let team = |name: &Value| {
        results["teams"].as_array().expect("teams").iter().find(|team| team["name"] == *name).expect("a team")
    };
    let seeds = results["parts"][0]["seeds"].as_array().expect("seeds").iter().map(team);
    let seeds: Vec<(f64, f64)> =
        seeds.map(|team| (team["score"].as_f64().unwrap(), team["house"].as_f64().unwrap())).collect();
    assert_eq!(seeds, expected);
    let second = rows(&Path::new(&hall.path("second-out")).join("standings.csv"));
    let row = second.iter().find(|row| row["team"] == "Bob").expect("Bob");
    assert_eq!((row["email"].as_str(), row["group-2"].as_str()), ("'@home", "-3.5"), "columns are given back");
}

#[test]
fn bots_are_found_elsewhere_if_the_first_phase_is_not_in_the_database() {
    let hall = Hall::new("phases-apart");
    let gauntlet = "title = \"One\"\ngame = \"connectx\"\n[[part]]\nclock = \"nodes=1\"\n[[stage]]\nkind = \"gauntlet\"\n\
                    house = [\"random\"]\nties = [\"points\", \"house\", \"coin\"]\n";
    let table = first_phase(&hall, &hall.write("first.toml", gauntlet));
    let new = |arguments: &str| {
        let mut command = Command::new(AGON);
        command.args(["tournament", "new", "avishkar-connectx", "--tc", "nodes=1", "--teams"]).arg(&table);
        command.args(arguments.split_ascii_whitespace()).arg("--db").arg(hall.folder.join("other.db"));
        command.output().expect("agon runs")
    };
    let refused = new("");
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("no tournament is called 'first'") && said.contains("--bots DIR|CSV"), "{said}");
    assert!(!hall.folder.join("other.db").exists());
    let bots = hall.write("bots.csv", "team,bot\n=Ada,random\nBob,random\n");
    let output = new(&format!("--bots {bots} --name incomplete"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("1 team has handed in nothing and will lose all matches: 'Cay, the third'."), "{said}");
    let others = hall.write("others.csv", "team,bot\nDov,random\nEve,random\n");
    let refused = new(&format!("--bots {others}"));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("no team has a bot there"), "{said}");
    let bots = hall.write("bots.csv", "team,bot\n=Ada,random\nBob,greedy\n\"Cay, the third\",level1\nDov,random\n");
    let output = new(&format!("--bots {bots}"));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    assert!(said.contains("no team is called so: Dov"), "{said}");
}

#[test]
fn nothing_that_was_entered_steers_the_terminal() {
    let hall = Hall::new("escapes");
    let build = "build = \"printf 'x\\\\033[2Jred\\\\n'; exit 1\"\n";
    let manifest = format!("name = \"a\"\ngame = \"connectx\"\nprotocol = \"ugi\"\n{build}run = \"true\"\n");
    hall.write("bots/one/bot.toml", &manifest);
    let rows = format!("\"Ada\u{1b}]0;owned\u{7}\",random\n\"Bob\u{9b}31m\",{}\n", hall.path("bots/one"));
    let (teams, format) = (hall.write("teams.csv", &format!("team,bot\n{rows}")), hall.write("cup.toml", CUP));
    let commands = [
        format!("new {format} --teams {teams} --sandbox none"),
        "status".to_owned(),
        "status cup".to_owned(),
        "withdraw cup Nobody\u{1b}[1m".to_owned(),
        "run cup --sandbox none --json".to_owned(),
        "results cup".to_owned(),
        "results cup --csv".to_owned(),
        "simulate cup --runs 2".to_owned(),
    ];
    for command in commands {
        let output = hall.tournament(&command);
        for text in [output.stdout, output.stderr] {
            let text = String::from_utf8_lossy(&text).into_owned();
            let control = text.chars().find(|letter| letter.is_control() && !matches!(letter, '\n' | '\t'));
            assert_eq!(control, None, "agon tournament {command}: {text:?}");
        }
    }
    assert!(hall.must("status cup").contains("Ada␛]0;owned␇"), "names are still told apart");
    let output = Command::new(AGON)
        .args(["check", "--game", "connectx", "--sandbox", "none"])
        .arg(hall.folder.join("bots/one"))
        .output()
        .expect("agon runs");
    let said = [output.stdout, output.stderr].concat();
    assert!(!said.contains(&0x1b), "{said:?}");
    let bot = format!("cmd:{AGON} bot connectx --level random;name=Eve\u{1b}[2J");
    let played = ["match", "connectx", "random", &bot, "--battles", "1", "--tc", "nodes=1", "--sandbox", "none"];
    let output = Command::new(AGON).args(played).output().expect("agon runs");
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!table.contains('\u{1b}') && table.contains("Eve␛[2J"), "{table}");
    assert!(String::from_utf8_lossy(&said).contains("[2Jred"), "{said:?}");
}
