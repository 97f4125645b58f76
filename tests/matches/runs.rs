//! How a run ends early, goes on, and shares its database with others.

use std::{
    fs,
    process::{Command, Output, Stdio},
};

use agon_store::Store;
use serde_json::{Value, json};

use super::{AGON, agon, scratch, stderr, stdout, stored};

/// A run of many matches with a bot that cannot play tells nothing: one battle is enough to see it.
#[test]
fn a_bot_that_cannot_start_or_speak_ends_the_run() {
    let folder = scratch("silent");
    let db = folder.join("a.db").display().to_string();
    let play = |bots: [&str; 2], more: &[&str]| {
        let usual = ["--battles", "3", "--tc", "5", "--json"];
        agon(&[&["match", "cannon"], &bots[..], &usual, more].concat())
    };
    let matches = |output: &Output| -> Value {
        let text = stdout(output);
        serde_json::from_str::<Value>(text.lines().last().expect("a line")).expect("JSON")["matches"].clone()
    };
    let script = folder.join("stranger.sh");
    let answers = "while read -r word rest; do case $word in\nugi) echo ugiok;;\nisready) echo readyok;;\n\
                   go) echo bestmove nonsense;;\nesac; done\n";
    fs::write(&script, answers).expect("a script");
    let foreign = format!("cmd:sh {};name=stranger", script.display());
    let output = play([&foreign, "random"], &["--db", &db]);
    let said = stderr(&output);
    assert_eq!((output.status.code(), matches(&output)), (Some(1), json!(2)), "{said}");
    assert!(
        said.contains("stranger could not play a single turn in either match of a battle: illegal turn: 'nonsense'"),
        "{said}"
    );
    assert!(said.contains("the run ends here, and --go-on plays on"), "{said}");
    let again = play([&foreign, "random"], &["--db", &db]);
    assert_eq!((again.status.code(), matches(&again)), (Some(1), json!(2)), "{}", stderr(&again));
    assert!(stderr(&again).contains("stranger could not play a single turn"), "{}", stderr(&again));
    let on = play([&foreign, "random"], &["--db", &db, "--go-on"]);
    assert_eq!((on.status.code(), matches(&on)), (Some(0), json!(6)), "{}", stderr(&on));
    let absent = play(["random", "cmd:exec ./not-there"], &["--sprt", "0,10"]);
    assert_eq!((absent.status.code(), matches(&absent)), (Some(1), json!(2)), "{}", stderr(&absent));
    assert!(stderr(&absent).contains("would not start"), "{}", stderr(&absent));
    // One that fails later can speak.
    let quitter = format!("cmd:{AGON} bot cannon | sed -u /^bestmove/q");
    let output = play([&quitter, "random"], &[]);
    assert_eq!((output.status.code(), matches(&output)), (Some(0), json!(6)), "{}", stderr(&output));
}

#[test]
fn a_bot_for_another_game_is_not_waited_for() {
    let other = format!("cmd:{AGON} bot yinsh;proto=ugi;name=stranger");
    // Nobody would wait so long.
    let output = agon(&["match", "cannon", &other, "random", "--battles", "3", "--tc", "100000", "--sandbox", "none"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("would not start: it plays 'yinsh', not 'cannon'"), "{said}");
}

#[test]
fn numbers_below_0_are_numbers() {
    let play = |more: &[&str]| {
        agon(&[&["match", "connectx", "random", "random", "--battles", "1", "--tc", "inf"], more].concat())
    };
    let test = play(&["--sprt", "-5,5"]);
    assert!(test.status.success(), "{}", stderr(&test));
    for option in ["--seed", "--grace"] {
        let refused = play(&[option, "-1"]);
        let said = stderr(&refused);
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains("expected a whole number from 0 up, found '-1'"), "{said}");
    }
}

#[test]
fn house_bots_are_told_what_to_achieve() {
    let play = |more: &[&str]| {
        let usual = ["match", "connectx", "level3", "random", "--battles", "1", "--tc", "nodes=20", "--json"];
        agon(&[&usual[..], more].concat())
    };
    for (more, for_points) in [(&["--objective", "points"][..], true), (&["--objective", "win"], false), (&[], false)] {
        let output = play(more);
        assert!(output.status.success(), "{}", stderr(&output));
        let said = stdout(&output);
        assert!(said.contains("level3") && said.contains("level3:points") == for_points, "{more:?}: {said}");
    }
    let wrong = play(&["--objective", "glory"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("expected 'win' or 'points'"), "{}", stderr(&wrong));
}

#[test]
fn cutechess_recovers_from_bots_that_do_not_work_only_if_told_to() {
    let play = |more: &[&str]| {
        let words =
            ["match", "cannon", "-engine", "cmd=false", "-engine", "cmd=random", "-each", "tc=5", "-rounds", "6"];
        agon(&[&words[..], more].concat())
    };
    let output = play(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("Score of false vs random: 0 - 2 - 0"), "{}", stdout(&output));
    let output = play(&["-recover"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("Score of false vs random: 0 - 6 - 0"), "{}", stdout(&output));
}

#[test]
fn a_command_is_another_bot_when_a_file_changes_that_it_names() {
    let folder = scratch("changed");
    let (db, script) = (folder.join("a.db").display().to_string(), folder.join("bot.sh"));
    let bot = format!("cmd:sh {};name=mine", script.display());
    let play = |line: &str, more: &[&str]| {
        fs::write(&script, format!("{line}\nexec {AGON} bot connectx\n")).expect("a script");
        let words =
            ["match", "connectx", &bot, "random", "--battles", "1", "--tc", "inf", "--sandbox", "none", "--db", &db];
        agon(&[&words[..], more].concat())
    };
    assert!(play("# first", &["--run", "evening"]).status.success());
    let same = play("# first", &["--run", "evening"]);
    assert!(stderr(&same).contains("2 of 2 matches were played before"), "{}", stderr(&same));
    let changed = play("# second", &["--run", "evening"]);
    assert_eq!(changed.status.code(), Some(2), "{}", stderr(&changed));
    assert!(stderr(&changed).contains("bots was"), "{}", stderr(&changed));
    // Without a name of its own, another bot begins another run.
    assert!(play("# second", &[]).status.success());
    assert!(!stderr(&play("# third", &[])).contains("played before"));
    let again = play("# third", &[]);
    assert!(stderr(&again).contains("2 of 2 matches were played before"), "{}", stderr(&again));
}

/// A run of an older agon, which knew a command by its text, goes on.
#[test]
fn a_run_that_knows_a_command_by_its_text_goes_on() {
    let folder = scratch("text-only");
    let (db, script) = (folder.join("a.db").display().to_string(), folder.join("bot.sh"));
    fs::write(&script, format!("exec {AGON} bot connectx\n")).expect("a script");
    let bot = format!("cmd:sh {};name=mine", script.display());
    let play = || {
        let words = [
            "match",
            "connectx",
            &bot,
            "random",
            "--battles",
            "1",
            "--tc",
            "inf",
            "--run",
            "old",
            "--sandbox",
            "none",
            "--db",
            &db,
        ];
        agon(&words)
    };
    assert!(play().status.success());
    rewrite_as_older(&db, &|old| {
        let hash = old["bots"][0]["hash"].as_str().expect("a hash").to_owned();
        old["bots"][0]["hash"] = hash.split(";files=").next().into();
    });
    let output = play();
    assert!(output.status.success(), "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("2 of 2 matches were played before") && said.contains("whether mine changed"), "{said}");
}

/// Two programs play in one file: different runs do not disturb each other, and one run is played by one program.
#[test]
fn two_programs_share_a_database() {
    let folder = scratch("two");
    let db = folder.join("a.db");
    let start = |seed: &str, battles: &str| {
        let words =
            ["match", "yinsh", "random", "random", "--tc", "nodes=1", "--battles", battles, "--seed", seed, "--db"];
        let mut command = Command::new(AGON);
        command.args(words).arg(&db).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("agon runs")
    };
    let both = [start("1", "20"), start("2", "20")];
    for child in both {
        let output = child.wait_with_output().expect("an end");
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let mut first = start("3", "100000");
    let path = db.display().to_string();
    let lock = || {
        fs::read_dir(&folder)
            .expect("a folder")
            .flatten()
            .any(|entry| entry.path().extension().is_some_and(|end| end == "lock"))
    };
    while !(lock() && stored(&path) > 0) {
        assert!(first.try_wait().expect("a child").is_none(), "it plays on");
        std::thread::yield_now();
    }
    let second = start("3", "100000").wait_with_output().expect("an end");
    let holder = format!("is being played by process {}: wait for its end, or give this one another name", first.id());
    assert_eq!(second.status.code(), Some(2), "{}", stderr(&second));
    assert!(stderr(&second).contains(&holder), "{}", stderr(&second));
    first.kill().expect("a kill");
    first.wait().expect("a child");
    let mut third = start("3", "100000");
    let before = stored(&path);
    while stored(&path) == before {
        assert!(third.try_wait().expect("a child").is_none(), "a killed program holds nothing");
        std::thread::yield_now();
    }
    third.kill().expect("a kill");
    third.wait().expect("a child");
}

/// Changes what a database says of its run, and leaves it as agon wrote it before rows had digests.
fn rewrite_as_older(db: &str, change: &dyn Fn(&mut Value)) {
    let connection = rusqlite::Connection::open(db).expect("a database");
    let text: String = connection.query_row("SELECT configuration FROM runs", [], |row| row.get(0)).expect("a run");
    let mut configuration: Value = serde_json::from_str(&text).expect("JSON");
    change(&mut configuration);
    connection.execute("UPDATE runs SET configuration = ?1", [configuration.to_string()]).expect("an update");
    let older = "ALTER TABLE runs DROP COLUMN digest; ALTER TABLE bots DROP COLUMN digest; ALTER TABLE live DROP COLUMN digest;
        ALTER TABLE log DROP COLUMN digest; ALTER TABLE matches DROP COLUMN record_digest; ALTER TABLE matches DROP COLUMN digest;
        DROP TABLE entered; PRAGMA user_version = 5;";
    connection.execute_batch(older).expect("an older format");
}

/// What bots may use is decided when a run begins, not by whoever goes on with it.
#[test]
fn the_memory_of_a_run_stays_as_it_began() {
    let folder = scratch("memory");
    let (db, records) = (folder.join("a.db").display().to_string(), folder.join("r.pgn").display().to_string());
    let bot = format!("cmd:{AGON} bot connectx;name=mine");
    let play = |battles: &str, more: &[&str]| {
        let words = ["match", "connectx", &bot, "random", "--tc", "inf", "--battles", battles, "--db", &db];
        agon(&[&words[..], &["--sandbox", "filters", "--records", &records], more].concat())
    };
    let memory = || -> Vec<String> {
        let text = fs::read_to_string(&records).expect("records");
        text.lines()
            .filter_map(|line| Some(line.strip_prefix("[Memory \"")?.trim_end_matches("\"]").to_owned()))
            .collect()
    };
    let usual = (agon_sandbox::fair_share() >> 20).to_string();
    assert!(play("1", &[]).status.success());
    assert_eq!(memory(), [usual.as_str(); 2]);
    // As on a host with less memory.
    rewrite_as_older(&db, &|configuration| configuration["memory"] = "320".into());
    let output = play("2", &[]);
    assert!(stdout(&output).contains("memory       320 MiB a bot"), "{}{}", stdout(&output), stderr(&output));
    assert_eq!(memory()[2..], ["320", "320"]);
    // As an older agon wrote it.
    rewrite_as_older(&db, &|configuration| drop(configuration.as_object_mut().expect("an object").remove("memory")));
    assert!(play("3", &[]).status.success());
    assert_eq!(memory()[4..], ["2048", "2048"]);

    let named = |memory: &str| play("1", &["--run", "named", "--memory", memory]);
    assert!(named("300").status.success());
    assert_eq!(memory(), ["300", "300"]);
    let other = named("400");
    assert_eq!(other.status.code(), Some(2), "{}", stderr(&other));
    assert!(stderr(&other).contains("memory was \"300\", now \"400\""), "{}", stderr(&other));
}

/// Runs that people have begun are found again by these names.
#[test]
fn a_run_is_called_by_its_settings() {
    let home = scratch("called");
    let path = |name: &str| home.join(name).display().to_string();
    fs::write(home.join("openings"), "3 3; 0 1\n").expect("a file");
    let (db, openings) = (path("matches.db"), path("openings"));
    let settings = ["match", "connectx", "level3", "random", "--battles", "1", "--tc", "nodes=300", "--grace", "250"];
    let more =
        ["--seed", "7", "--max-turns", "40", "--sandbox", "none", "--cores", "warn", "--memory", "64", "--db", &db];
    let usual = [&settings[..], &more].concat();
    assert!(agon(&usual).status.success());
    assert!(agon(&[&usual[..], &["--openings", &openings]].concat()).status.success());
    let runs = Store::open(&db).and_then(|store| store.recent_runs(2)).expect("runs");
    let mut names: Vec<&str> = runs.iter().map(|run| run.id.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["match-287a1f3b0408a3eb", "match-c197c75184b529d3"]);
}
