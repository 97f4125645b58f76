//! A course that is killed again and again gives the same marks as one that ran through.

use std::{fs, process::Stdio};

use agon_store::Store;

use super::{
    samples::Sample,
    semester::{AGON, SECRET, Semester, Team},
};

/// Two phases of few matches, in which ties come up, with repairs that cost something.
const COURSE: &str = r#"
title = "Killed"
game = "connectx"

[submission]
archive = "entries"
files = [{ for = "any", names = ["bot.toml"] }]

[repairs]
folder = 0.1

[[rule]]
id = "archive-name"
kind = "archive-name"
section = "1"
says = "Entry numbers."
penalty = 0.1

[[phase]]
name = "One"
format = "one.toml"
marks = 5

[[phase]]
name = "Two"
format = "two.toml"
marks = 10
seeds = "before"

[[judged]]
name = "style"
most = 3
section = "2"
says = "Style."
"#;

const ONE: &str = r#"
title = "One"
game = "connectx"
matches = 2
non_starters = "last"

[[part]]
clock = "nodes=50"

[[stage]]
kind = "gauntlet"
house = ["random"]
ties = ["points", "coin"]

[marks]
share = { of = 5, full = 20 }
"#;

const TWO: &str = r#"
title = "Two"
game = "connectx"
matches = 2
non_starters = "last"

[[part]]
clock = "nodes=50"

[[stage]]
kind = "groups"
size = 4
advance = 1
ties = ["points", "rematch nodes=20", "coin"]

[[stage]]
kind = "knockout"
ties = ["points", "coin"]

[marks]
rank = { of = 10 }
"#;

const TEAMS: usize = 40;

fn semester(name: &str) -> Semester {
    let teams: Vec<Team> = (0..TEAMS).map(|number| Team::new(number, 1 + number % 2)).collect();
    let semester = Semester::of(name, "avishkar-connectx", &teams);
    semester.write("course/course.toml", COURSE);
    semester.write("course/one.toml", ONE);
    semester.write("course/two.toml", TWO);
    for (number, team) in teams.iter().enumerate() {
        let level = ["random", "greedy", "level1"][number % 3];
        let run = if number % 8 == 5 { "exit 3".to_owned() } else { format!("{AGON} bot connectx --level {level}") };
        let bot = Sample::default().with(
            "bot.toml",
            format!("name = \"b{number}\"\ngame = \"connectx\"\nprotocol = \"ugi\"\nrun = \"{run}\"\n"),
        );
        match number % 10 {
            // Somebody hands nothing in.
            7 => {}
            3 => drop(semester.hand_in(&team.by_entries(), &bot.inside("folder/"))),
            _ => drop(semester.hand_in(&team.by_entries(), &bot)),
        }
    }
    semester.import();
    semester.must(&["judge", "style", &teams[0].name, "2.5"]);
    semester
}

const GRADE: [&str; 9] = ["grade", "--tc", "nodes=50", "--secret", SECRET, "--sandbox", "none", "--concurrency", "2"];

/// How many matches of both phases are stored.
fn stored(semester: &Semester) -> usize {
    let Ok(store) = Store::open_read_only(semester.folder.join("course/course.db")) else { return 0 };
    ["One", "Two"].iter().map(|phase| store.briefs_of(phase).map_or(0, |briefs| briefs.len())).sum()
}

#[test]
fn a_killed_course_gives_the_same_marks() {
    let whole = semester("kills-whole");
    whole.must(&GRADE);
    whole.must(&["marks", "--csv", &whole.path("marks.csv")]);
    let expected = fs::read_to_string(whole.path("marks.csv")).expect("marks");
    let total = stored(&whole);
    let broken = semester("kills-broken");
    // The moments are counts of matches: no machine is too fast or too slow for them. They come from a seed.
    let mut seed = 20_260_101_u64;
    let mut moments: Vec<usize> = (0..4)
        .map(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % total
        })
        .collect();
    moments.sort_unstable();
    let mut killed = 0;
    for moment in moments {
        let mut child = broken.command(&GRADE).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("agon runs");
        while stored(&broken) < moment && child.try_wait().expect("a child").is_none() {
            std::thread::yield_now();
        }
        killed += usize::from(child.try_wait().expect("a child").is_none());
        child.kill().expect("a kill");
        child.wait().expect("a child");
    }
    assert!(killed > 0, "it was over before it was killed");
    broken.must(&GRADE);
    broken.must(&["marks", "--csv", &broken.path("marks.csv")]);
    let found = fs::read_to_string(broken.path("marks.csv")).expect("marks");
    let differs = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    assert!(found == expected, "{differs:?}");
    assert_eq!(stored(&broken), total, "nothing is played twice");
    assert!(expected.contains("nothing was handed in") && expected.contains("repair:folder: 10 %"), "{expected}");
}
