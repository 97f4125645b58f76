//! What is published tells nothing about anybody.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::read::DeflateDecoder;

use super::{
    samples::Sample,
    semester::{AGON, SECRET, Semester, Team},
};

const COURSE: &str = r#"
title = "Published"
game = "connectx"

[submission]
archive = "entries"
files = [{ for = "any", names = ["bot.toml"] }]

[[phase]]
name = "Only"
format = "only.toml"
marks = 5
"#;

const FORMAT: &str = r#"
title = "Only"
game = "connectx"
matches = 2
non_starters = "last"

[[part]]
clock = "nodes=20"

[[stage]]
kind = "round-robin"
ties = ["points", "coin"]

[marks]
rank = { of = 5 }
"#;

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            files(&path, all);
        } else {
            all.push(path);
        }
    }
}

/// A text, and what is packed in it: data of pages are deflated, in base 64.
fn unfolded(text: &str) -> String {
    let mut all = text.to_owned();
    let letter = |letter: char| letter.is_ascii_alphanumeric() || "+/=".contains(letter);
    for word in text.split(|c: char| !letter(c)).filter(|word| word.len() >= 60) {
        let Ok(bytes) = STANDARD.decode(word) else { continue };
        let mut unpacked = String::new();
        if std::io::Read::read_to_string(&mut DeflateDecoder::new(&bytes[..]), &mut unpacked).is_ok() {
            all.push_str(&unpacked);
        }
    }
    all
}

/// Everything about anybody: names whole and in parts, entry numbers, e-mail addresses, bots, free columns, places.
fn secrets(semester: &Semester, teams: &[Team]) -> Vec<String> {
    let mut all = vec![SECRET.to_owned(), semester.path(""), "students.example".to_owned(), "secretly".to_owned()];
    for team in teams {
        all.extend([team.name.clone(), team.bot.clone()]);
        all.extend(
            team.entries.iter().flat_map(|entry| [entry.clone(), entry.to_lowercase(), format!("Hall{entry}x")]),
        );
        all.extend(team.people.iter().flat_map(|person| person.split(' ').map(str::to_owned).collect::<Vec<_>>()));
    }
    all
}

fn published(name: &str, teams: &[Team]) -> Semester {
    let semester = Semester::of(name, "avishkar-connectx", teams);
    semester.write("course/course.toml", COURSE);
    semester.write("course/only.toml", FORMAT);
    for (number, team) in teams.iter().enumerate().take(teams.len() - 1) {
        let (entry, person) = (&team.entries[0], &team.people[0]);
        let talk = format!("echo {person} {entry} in $PWD >&2");
        let run = match number {
            0 => format!("{talk}; exit 3"),
            _ => format!("{talk}; exec {AGON} bot connectx --level random"),
        };
        let build = if number == 1 { format!("build = \"{talk}; exit 1\"\n") } else { String::new() };
        let manifest =
            format!("name = \"{person}\"\ngame = \"connectx\"\nprotocol = \"ugi\"\n{build}run = \"{run}\"\n");
        semester.hand_in(&team.by_entries(), &Sample::default().with("bot.toml", manifest));
    }
    semester.import();
    semester.grade();
    semester
}

#[test]
fn nothing_about_anybody_is_published_and_it_verifies() {
    let teams: Vec<Team> = (0..5).map(|number| Team::new(number, 1 + number % 2)).collect();
    let semester = published("published", &teams);
    let out = semester.path("public");
    for _ in 0..2 {
        semester.must(&["publish", "--out", &out]);
    }
    let mut all = Vec::new();
    files(Path::new(&out), &mut all);
    assert!(all.iter().any(|path| path.ends_with("report.html")) && all.len() > 4, "{all:?}");
    let secrets = secrets(&semester, &teams);
    let mut packed = 0;
    for path in &all {
        let text = fs::read_to_string(path).expect("a text");
        let whole = unfolded(&text);
        packed += usize::from(whole.len() > text.len());
        for secret in &secrets {
            let at = whole
                .find(secret.as_str())
                .map(|at| whole[at.saturating_sub(60)..].chars().take(140).collect::<String>());
            assert_eq!(at, None, "'{secret}' in {}", path.display());
            assert!(!path.strip_prefix(&out).expect("below").to_string_lossy().contains(secret.as_str()));
        }
    }
    assert!(packed > 0, "the page has data packed in it");
    let verified = Command::new(AGON).arg("verify").arg(Path::new(&out).join("Only")).output().expect("agon runs");
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
    // Whoever knows the roster's order does not know who is who by the order of the teams.
    let results = fs::read_to_string(Path::new(&out).join("Only/results.json")).expect("results");
    let results: serde_json::Value = serde_json::from_str(&results).expect("JSON");
    let listed: Vec<&str> =
        results["teams"].as_array().expect("teams").iter().map(|team| team["name"].as_str().expect("a name")).collect();
    let mut sorted = listed.clone();
    sorted.sort_unstable();
    assert_eq!(listed, sorted);
    assert_eq!(listed.len(), teams.len());
}
