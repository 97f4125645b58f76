//! What teams are told about their bots: a page that opens from disk, and turns that really lost.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::AtomicBool,
};

use agon_all::Entry;
use agon_analysis::losing_turn;
use agon_course::{CourseFolder, GradeOptions, Watcher, grade};
use agon_referee::Record;
use agon_rules::{RuleSet, Side};
use agon_runs::SandboxOptions;
use agon_sandbox::Level;
use agon_search::{EngineOptions, Limits};
use agon_tournament::{News, Preparing, StoredTournament};
use tempfile::TempDir;

use crate::site::{audit, driver::Browser};

const AGON: &str = env!("CARGO_BIN_EXE_agon");

fn agon(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(AGON).args(arguments).current_dir(folder).output().expect("agon runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A course that is over: two teams with starter kits, of which one has a fault that was mended, and one that handed nothing in.
fn course() -> TempDir {
    let home = tempfile::tempdir().expect("a folder");
    let course = home.path().join("course");
    agon(home.path(), &["course", "new", "col333-2019-cannon", "course"]);
    let roster = "entry,name,team,bot\n2019CS1,Ada Lovelace,Otters,alpha\n2019CS2,Bob Stone,Otters,alpha\n\
                  2019CS3,Cay Moon,Herons,beta\n2019CS4,Dan Hill,Moles,\n2019CS5,Eve Fox,Newts,gamma\n";
    fs::write(course.join("roster.csv"), roster).expect("a roster");
    for bot in ["alpha", "beta"] {
        agon(home.path(), &["new", "cannon", "--lang", "python", &format!("in/{bot}")]);
    }
    let script = home.path().join("in/beta/run.sh");
    let text = fs::read_to_string(&script).expect("a script").replace('\n', "\r\n");
    fs::write(&script, text).expect("the line endings of Windows");
    fs::create_dir(home.path().join("in/gamma")).expect("a folder");
    fs::write(home.path().join("in/gamma/writeup.txt"), "3\nNone\n").expect("all that it has");
    agon(&course, &["course", "import", "../in"]);
    agon(&course, &["course", "grade", "--tc", "nodes=50", "--secret", "x"]);
    home
}

#[test]
fn a_team_is_told_how_its_bot_fared() {
    let home = course();
    let course = home.path().join("course");
    agon(&course, &["course", "feedback"]);
    let page = |team: &str| course.join("feedback").join(team).join("feedback.html");
    let told = |team: &str| fs::read_to_string(page(team).with_extension("txt")).expect("a text");
    let herons = told("Herons");
    for part in ["run.sh has the line endings of Windows", "PHASE A2", "PHASE A5", "lost the game: your chance fell"] {
        assert!(herons.contains(part), "{part}: {herons}");
    }
    assert!(told("Moles").contains("Nothing was handed in."));
    // Two of three had nothing that played: they failed in every match, and were not quick at it.
    for part in ["In freedom from faults ahead of 67 % of the others.", "In speed ahead of"] {
        assert!(herons.contains(part), "{part}: {herons}");
    }
    let newts = told("Newts");
    assert!(newts.contains("Your bot could not play") && !newts.contains("In speed"), "{newts}");
    assert!(!newts.contains(home.path().to_str().expect("UTF-8")), "where the organiser keeps it: {newts}");
    // What is told to one team names no other but by its pseudonym.
    let whole = fs::read_to_string(page("Herons")).expect("a page") + &herons;
    for other in [
        "Otters",
        "Moles",
        "Newts",
        "Ada",
        "Lovelace",
        "2019CS1",
        "2019CS4",
        "alpha",
        home.path().to_str().expect("UTF-8"),
    ] {
        assert!(!whole.contains(other), "{other} is named");
    }

    let browser = Browser::open(1000, 800, false);
    let axe = audit::axe();
    for team in ["Herons", "Moles"] {
        for (width, dark) in [(360, false), (1000, false), (1000, true)] {
            browser.screen(width, dark);
            browser.go(&format!("file://{}", page(team).display()));
            browser.wait("document.readyState === 'complete'");
            browser.run("for (const details of document.querySelectorAll('details')) details.open = true;");
            let mut wrong = audit::accessibility(&browser, &axe);
            wrong.extend(audit::sideways(&browser));
            wrong.extend(audit::foreign(&browser));
            wrong.extend(browser.errors().into_iter().map(|error| format!("the console says: {error}")));
            assert!(wrong.is_empty(), "{team}, {width}, dark {dark}: {}", wrong.join("\n"));
        }
    }
    browser.screen(1000, false);
    browser.go(&format!("file://{}", page("Herons").display()));
    let picture: PathBuf = audit::build_folder().join("pictures");
    fs::create_dir_all(&picture).expect("a folder for pictures");
    fs::write(picture.join("feedback.png"), browser.picture()).expect("a picture");
}

/// Two teams have the same program beside their kits, with other names; a third one has the kit alone.
#[test]
fn pairs_that_are_alike_are_listed_without_what_was_given() {
    let home = tempfile::tempdir().expect("a folder");
    let course = home.path().join("course");
    agon(home.path(), &["course", "new", "col333-2019-cannon", "course"]);
    let roster = "entry,name,team,bot\n2019CS1,Ada,Otters,alpha\n2019CS2,Bob,Herons,beta\n2019CS3,Cay,Moles,gamma\n";
    fs::write(course.join("roster.csv"), roster).expect("a roster");
    for bot in ["alpha", "beta", "gamma"] {
        agon(home.path(), &["new", "cannon", "--lang", "python", &format!("in/{bot}")]);
    }
    // A program that is long enough, and that nobody was given for this game.
    let foreign = concat!(env!("CARGO_MANIFEST_DIR"), "/../../kits/yinsh/python/bot.py");
    let program = fs::read_to_string(foreign).expect("a program");
    fs::write(home.path().join("in/alpha/think.py"), &program).expect("a program");
    let renamed = program.replace("self", "this").replace("board", "field").replace("ring", "circle");
    assert_ne!(renamed, program);
    fs::write(home.path().join("in/beta/mine.py"), renamed).expect("a program");
    agon(&course, &["course", "import", "../in"]);
    let said = agon(&course, &["course", "similar", "--html", "similar.html"]);
    let pairs: Vec<&str> = said.lines().filter(|line| line.contains(" and ")).collect();
    assert!(matches!(pairs[..], [one] if one.contains("Otters and Herons")), "{said}");
    assert!(
        said.contains("think.py")
            && said.contains("mine.py")
            && said.ends_with("Pairs that are alike by 30 % or more: 1.\n")
    );

    let browser = Browser::open(1000, 800, false);
    let axe = audit::axe();
    for dark in [false, true] {
        browser.screen(1000, dark);
        browser.go(&format!("file://{}", course.join("similar.html").display()));
        browser.wait("document.readyState === 'complete'");
        let wrong = audit::accessibility(&browser, &axe);
        assert!(wrong.is_empty(), "dark {dark}: {}", wrong.join("\n"));
    }
}

/// Hands in for the Moles when the second phase is about to begin, as an organiser may in another terminal.
struct Latecomer<'a>(&'a Path);

impl Watcher for Latecomer<'_> {
    fn phase(&mut self, name: &str) {
        if name == "A5" {
            agon(self.0, &["course", "import", "../late"]);
        }
    }

    fn preparing(&mut self, _: Preparing<'_>) {}

    fn playing(&mut self, _: &StoredTournament, _: &News<'_>) {}
}

#[test]
fn what_comes_while_a_phase_is_played_counts_in_the_next() {
    let home = tempfile::tempdir().expect("a folder");
    let course = home.path().join("course");
    agon(home.path(), &["course", "new", "col333-2019-cannon", "course"]);
    let roster = "entry,name,team,bot\n2019CS1,Ada,Otters,alpha\n2019CS2,Bob,Herons,beta\n2019CS3,Cay,Moles,gamma\n";
    fs::write(course.join("roster.csv"), roster).expect("a roster");
    for bot in ["in/alpha", "in/beta", "late/gamma"] {
        agon(home.path(), &["new", "cannon", "--lang", "python", bot]);
    }
    agon(&course, &["course", "import", "../in"]);
    let options = GradeOptions {
        time: Some("nodes=50".to_owned()),
        secret: None,
        seed: 1,
        as_announced: false,
        slots: 2,
        sandbox: SandboxOptions { level: Some(Level::None), ..SandboxOptions::default() },
    };
    let mut folder = CourseFolder::open(&course).expect("a course");
    grade(&mut folder, &options, &AtomicBool::new(false), &mut Latecomer(&course)).expect("both phases");
    let table = |phase: &str| fs::read_to_string(course.join(format!("phases/{phase}.csv"))).expect("a table");
    let without = |phase: &str| table(phase).lines().filter(|line| line.ends_with(',')).count();
    assert_eq!((without("A2"), without("A5")), (1, 0), "{}", table("A5"));
}

/// The nodes with which a turn is found, and those with which it is looked at again here.
const NODES: u64 = 1_000;
const MORE: u64 = 20 * NODES;

/// The chance of a side after some turns of a record.
fn chance(game: &'static dyn Entry, record: &Record, turns: usize, side: Side) -> (f64, Option<String>) {
    let rules: RuleSet = record.tag("Rules").expect("a rule set").parse().expect("a rule set");
    let variant = record.tag("Variant").expect("a variant");
    let mut engine = game.engine(variant, rules, EngineOptions::default()).expect("an engine");
    let texts: Vec<String> = record.turns[..turns].iter().map(|turn| turn.text.clone()).collect();
    engine.follow(None, &texts).expect("a line of play");
    let position = record.replay(agon_all::rules).expect("a game").swap_remove(turns);
    let Some(thought) = engine.think(1, &Limits { nodes: Some(MORE), ..Limits::default() }, &mut |_| {}) else {
        let winner = position.outcome().and_then(|outcome| outcome.winner);
        return (winner.map_or(0.5, |winner| f64::from(u8::from(winner == side))), None);
    };
    let of_mover = thought.lines[0].chance;
    (if position.turn() == side { of_mover } else { 1.0 - of_mover }, Some(thought.turn))
}

/// Of 200 matches with `--full`, of a few otherwise.
#[test]
fn a_turn_that_is_said_to_have_lost_did() {
    let home = tempfile::tempdir().expect("a folder");
    let cases: usize = std::env::var("AGON_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1);
    let battles = cases.to_string();
    let (mut lost, mut named, mut confirmed) = (0, 0, 0);
    for &game in agon_all::GAMES {
        let file = format!("{}.pgn", game.name());
        let players = ["match", game.name(), "level:2", "master", "--battles", &battles];
        agon(home.path(), &[&players[..], &["--tc", "nodes=300", "--records", &file, "--db", "matches.db"]].concat());
        let text = fs::read_to_string(home.path().join(&file)).expect("records");
        for record in text.split("\n[Event ").map(|part| format!("[Event {}", part.trim_start_matches("[Event "))) {
            let record = Record::parse(&record).expect("a record");
            let loser = match record.tag("Result") {
                Some("1-0") => Side::Second,
                Some("0-1") => Side::First,
                _ => continue,
            };
            lost += 1;
            let mut budget = u64::MAX;
            let Some(turn) = losing_turn(&record, loser, NODES, &mut budget).expect("a look") else { continue };
            named += 1;
            let (before, best) = chance(game, &record, turn.number, loser);
            let (after, _) = chance(game, &record, turn.number + 1, loser);
            let is_so = after < 0.35 && after < before && best.as_ref() != Some(&turn.turn);
            confirmed += usize::from(is_so);
        }
    }
    println!("{lost} lost, {named} with a turn that lost, {confirmed} of these confirmed");
    // Many games are lost little by little.
    assert!(named * 3 >= lost && named > 0, "{named} of {lost} have a turn");
    assert!(confirmed * 100 >= named * 95, "{confirmed} of {named} are confirmed");
}
