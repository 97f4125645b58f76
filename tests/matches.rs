//! `agon match` as people and programs use it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

mod runs;

use agon_store::Store;
use serde_json::{Value, json};

const AGON: &str = env!("CARGO_BIN_EXE_agon");

/// A folder of the test's own, empty at first.
fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("matches").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

fn agon(arguments: &[&str]) -> Output {
    Command::new(AGON).args(arguments).stdin(Stdio::null()).output().expect("agon runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// The last line of the output, which must be JSON.
fn summary(output: &Output) -> Value {
    assert!(output.status.success(), "{}", stderr(output));
    let text = stdout(output);
    serde_json::from_str(text.lines().last().expect("a line")).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn ugi_bot(game: &str) -> String {
    format!("cmd:{AGON} bot {game};proto=ugi;name=neighbour")
}

#[test]
fn the_json_line_has_the_promised_keys() {
    let result = summary(&agon(&["match", "connectx", "random", "random", "--battles", "3", "--tc", "inf", "--json"]));
    let keys: Vec<&str> = result.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(keys, ["battles", "matches", "wins", "draws", "losses", "points", "elo", "error", "terminations"]);
    assert_eq!((&result["battles"], &result["matches"]), (&json!(3), &json!(6)));
    let counted: u64 = ["wins", "draws", "losses"].iter().map(|key| result[key].as_u64().expect("a count")).sum();
    assert_eq!(counted, 6);
}

#[test]
fn every_game_is_played_by_a_process() {
    for game in agon_all::GAMES {
        let bot = ugi_bot(game.name());
        let output = agon(&["match", game.name(), &bot, "random", "--battles", "1", "--tc", "inf", "--json"]);
        let result = summary(&output);
        let terminations = result["terminations"].as_object().expect("an object");
        let faults = ["timeout", "illegal turn", "crash", "silent exit", "protocol violation", "would not start"];
        assert!(faults.iter().all(|fault| !terminations.contains_key(*fault)), "{}: {result}", game.name());
        assert_eq!(result["matches"], 2);
    }
}

#[test]
fn results_do_not_depend_on_concurrency() {
    let play = |concurrency: &str| {
        let bots = ["match", "yinsh", "random", "random", "--battles", "6", "--tc", "inf", "--openings", "random:4"];
        summary(&agon(&[&bots[..], &["--concurrency", concurrency, "--force", "--json"]].concat()))
    };
    assert_eq!(play("1"), play("3"));
}

#[test]
fn battles_swap_sides_on_the_same_opening() {
    let folder = scratch("swap");
    let (db, records) = (folder.join("a.db"), folder.join("a.pgn"));
    let (db, records) = (db.to_str().expect("UTF-8"), records.to_str().expect("UTF-8"));
    let battle = ["match", "cannon", "random", "random", "--battles", "2", "--tc", "inf", "--openings", "random:3"];
    summary(&agon(&[&battle[..], &["--db", db, "--records", records, "--json"]].concat()));
    let store = Store::open_read_only(Path::new(db)).expect("a database");
    let run = &store.recent_runs(1).expect("runs")[0].id;
    let matches = store.matches_of(run).expect("matches");
    assert_eq!(matches.len(), 4);
    for pair in matches.chunks(2) {
        assert_eq!((&pair[0].first, &pair[0].second), (&pair[1].second, &pair[1].first));
        let opening =
            |record: &str| record.split("\n\n").nth(1).expect("turns").lines().next().expect("a line").to_owned();
        let first = |record: &str| opening(record).split('"').nth(1).expect("a turn").to_owned();
        assert_eq!(first(&pair[0].record), first(&pair[1].record));
    }
    let written = fs::read_to_string(records).expect("records");
    assert_eq!(written.matches("[Record \"1\"]").count(), 4);
    assert_eq!(written, matches.iter().map(|played| played.record.clone()).collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_finished_run_is_not_played_again_and_a_longer_one_goes_on() {
    let folder = scratch("resume");
    let db = folder.join("a.db");
    let db = db.to_str().expect("UTF-8");
    let play = |battles: &str| {
        let bots = ["match", "rollerball", "random", "random", "--tc", "inf", "--json"];
        agon(&[&bots[..], &["--db", db, "--battles", battles]].concat())
    };
    let first = play("2");
    let again = play("2");
    assert_eq!(summary(&first), summary(&again));
    assert!(stderr(&again).contains("4 of 4 matches were played before"), "{}", stderr(&again));
    let longer = play("3");
    assert!(stderr(&longer).contains("4 of 6 matches were played before"), "{}", stderr(&longer));
    assert_eq!(summary(&longer)["matches"], 6);
}

/// Kills `agon match` at many instants; the run must end as if nothing had happened.
#[test]
fn a_killed_run_goes_on_without_losing_or_repeating_anything() {
    let number = |name: &str, usual: u32| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (kills, battles) = (number("AGON_KILLS", 5), number("AGON_KILL_BATTLES", 60).to_string());
    let folder = scratch("kill");
    let run = |db: &str| -> Vec<String> {
        let words = format!(
            "match rollerball random random --tc nodes=1 --json --openings random:2 --battles {battles} --db {db}"
        );
        words.split(' ').map(str::to_owned).collect()
    };
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (whole, broken) = (path("whole.db"), path("broken.db"));
    let expected = summary(&Command::new(AGON).args(run(&whole)).output().expect("agon runs"));
    let total = 2 * battles.parse::<u32>().expect("a number");
    for kill in 1..=kills {
        // The instant is a count of stored matches: not a time, so that no machine is too fast or too slow.
        let until = total * kill / (kills + 1);
        let mut child = Command::new(AGON)
            .args(run(&broken))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("agon runs");
        while stored(&broken) < until && child.try_wait().expect("a child").is_none() {
            std::thread::yield_now();
        }
        child.kill().expect("a kill");
        child.wait().expect("a child");
    }
    let resumed = summary(&Command::new(AGON).args(run(&broken)).output().expect("agon runs"));
    assert_eq!(resumed, expected);
    let ids = |db: &str| -> Vec<(String, String, String)> {
        let store = Store::open_read_only(Path::new(db)).expect("a database");
        let run = &store.recent_runs(1).expect("runs")[0].id;
        let matches = store.matches_of(run).expect("matches");
        matches.into_iter().map(|played| (played.id, played.result, played.termination)).collect()
    };
    assert_eq!(ids(&broken).len() as u32, total);
    assert_eq!(ids(&broken), ids(&whole));
}

fn stored(db: &str) -> u32 {
    let Ok(store) = Store::open_read_only(Path::new(db)) else { return 0 };
    let Ok(runs) = store.recent_runs(1) else { return 0 };
    runs.first().and_then(|run| store.finished_battles(&run.id).ok()).map_or(0, |battles| 2 * battles.len() as u32)
}

#[test]
fn a_log_is_written_for_those_who_ask_for_it() {
    let run = |level: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(["match", "connectx", "random", "random", "--battles", "1", "--run", "told"]);
        command.env("AGON_LOG", level).output().expect("it runs")
    };
    assert_eq!(stderr(&run("")), "");
    assert!(stderr(&run("debug")).contains("a run ends run=\"told\" played=2 stopped=false"));
    let refused = run("loud");
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("AGON_LOG: expected error, warn, info, debug or trace, found 'loud'"));
}

#[test]
fn a_test_stops_when_it_is_decided() {
    let arguments =
        ["match", "connectx", "random", "cmd:false;name=absent", "--battles", "5000", "--sprt", "0,50", "--go-on"];
    let output = agon(&[&arguments[..], &["--tc", "inf", "--json"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("a gain: H1 accepted"), "{}", stdout(&output));
    let result = summary(&output);
    assert!(result["matches"].as_u64().expect("a count") < 2000, "{result}");
    assert_eq!(result["elo"], Value::Null, "a bot that wins everything has no finite rating");
    assert_eq!(result["terminations"]["would not start"], result["matches"]);
}

#[test]
fn cutechess_spelling_and_lines() {
    let neighbour = format!("cmd={AGON} bot connectx");
    let words = ["match", "connectx", "-engine", "name=A", "cmd=random", "-engine", "name=B", &neighbour, "-each"];
    let output = agon(&[&words[..], &["proto=ugi", "tc=60+1", "-rounds", "2", "-games", "2", "-repeat"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Started game 1 of 4 (A vs B)");
    assert!(lines[1].starts_with("Finished game 1 (A vs B): "), "{text}");
    assert!(lines[2].starts_with("Score of A vs B: "), "{text}");
    assert_eq!(lines[3], "Started game 2 of 4 (B vs A)");
    assert!(text.contains("\n...      A playing White: "), "{text}");
    assert!(text.contains("\nElo difference: "), "{text}");
    assert!(text.ends_with("Finished match\n"), "{text}");
}

#[test]
fn wrong_arguments_are_explained() {
    let cases: [(&[&str], &str); 15] = [
        (&["chess", "random", "random"], "unknown game 'chess'"),
        (
            &["yinsh", "random", "nobody"],
            "unknown bot 'nobody', expected a house bot (random, greedy, novice, adept, master, level1",
        ),
        (&["yinsh", "random", "random", "--variant", "9-9-9-9"], "9-9-9-9"),
        (&["yinsh", "random", "random", "--rules", "house"], "unknown rule set 'house'"),
        (&["yinsh", "random", "random", "--tc", "soon"], "time control 'soon': expected SECONDS"),
        (&["yinsh", "random", "random", "--concurrency", "4000"], "bots that share a core lose time"),
        (&["yinsh", "random", "random", "--concurrency", "0"], "expected at least 1"),
        (&["yinsh", "random", "random", "--openings", "/nonexistent"], "cannot read the openings in /nonexistent"),
        (&["yinsh", "random", "random", "--openings", "random:many"], "expected random:N"),
        (&["yinsh", "random", "random", "--sprt", "5"], "expected ELO0,ELO1"),
        (&["yinsh", "random", "cmd:x;proto=morse"], "x: bots of yinsh speak 'ugi', 'lines', not 'morse'"),
        (&["yinsh", "-engine", "cmd=random"], "expected exactly two -engine options"),
        (
            &["yinsh", "-engine", "cmd=random", "tc=1", "-engine", "cmd=random", "tc=2"],
            "both engines need the same one",
        ),
        (&["yinsh", "-engine", "cmd=random", "dir=x", "-engine", "cmd=random"], "'dir'= is not understood"),
        (
            &["yinsh", "-engine", "cmd=random", "-engine", "cmd=random", "-openings", "order=random"],
            "expected file=FILE",
        ),
    ];
    for (arguments, message) in cases {
        let output = agon(&[&["match"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn openings_from_a_file_are_checked_line_by_line() {
    let folder = scratch("openings");
    let file = folder.join("openings.txt");
    let name = file.to_str().expect("UTF-8");
    fs::write(&file, "# two openings\n3 3; 0 0\n3 3; 4 4\n").expect("a file");
    let arguments = ["match", "connectx", "random", "random", "--tc", "inf", "--openings", name];
    let output = agon(&arguments);
    assert_eq!(output.status.code(), Some(2));
    let expected = format!("{name}, line 3: turn '4 4': cell 4 4 lies in local board 4, but the active one is 0");
    assert!(stderr(&output).contains(&expected), "{}", stderr(&output));
    fs::write(&file, "3 3; 0 0\n").expect("a file");
    assert!(agon(&arguments).status.success());
}

/// An original may take a turn in several spellings; a record and the bots get the game's own.
#[test]
fn openings_are_told_and_recorded_in_the_games_own_spelling() {
    let folder = scratch("spelling");
    let (openings, records, heard) = (folder.join("openings"), folder.join("r.pgn"), folder.join("heard"));
    let objects =
        r#"{"action":"move","from":[3,8],"to":[2,8]}; {"action":"flip","from":[3,3],"orientation":"vertical"}"#;
    fs::write(&openings, objects).expect("openings");
    let bot = format!("cmd:tee -a {} | {AGON} bot rivers --level 1;name=listener", heard.display());
    let output = agon(&[
        "match",
        "rivers",
        &bot,
        "random",
        "--battles",
        "1",
        "--tc",
        "inf",
        "--max-turns",
        "4",
        "--sandbox",
        "none",
        "--openings",
        &openings.display().to_string(),
        "--records",
        &records.display().to_string(),
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let (record, heard) = (fs::read_to_string(&records).expect("records"), fs::read_to_string(&heard).expect("heard"));
    assert!(record.contains("\n1. d8-c8 d3v\n") && !record.contains("action"), "{record}");
    assert!(heard.contains("position startpos moves d8-c8 d3v\n") && !heard.contains("action"), "{heard}");
}

#[test]
fn a_database_that_cannot_be_used_is_explained() {
    let folder = scratch("database");
    let no_database = folder.join("notes.txt");
    fs::write(&no_database, "these are notes, not a database, and they are long enough to look like one\n".repeat(20))
        .expect("a file");
    let play = |db: &Path| {
        let db = db.to_str().expect("UTF-8");
        agon(&["match", "connectx", "random", "random", "--battles", "1", "--tc", "inf", "--db", db])
    };
    let output = play(&no_database);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("notes.txt"), "{}", stderr(&output));
    assert!(fs::read_to_string(&no_database).expect("a file").starts_with("these are notes"), "the file was touched");
    let output = play(&folder);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let locked = folder.join("locked.db");
    assert!(play(&locked).status.success());
    let holder = rusqlite::Connection::open(&locked).expect("a database");
    holder.execute_batch("BEGIN EXCLUSIVE").expect("a lock");
    let output = play(&locked);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("locked.db is locked by another program: close what holds it"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn another_configuration_under_the_same_name_is_refused() {
    let folder = scratch("names");
    let db = folder.join("a.db");
    let play = |seed: &str| {
        let db = db.to_str().expect("UTF-8");
        let bots = ["match", "connectx", "random", "random", "--battles", "1", "--tc", "inf", "--run", "evening"];
        agon(&[&bots[..], &["--db", db, "--seed", seed]].concat())
    };
    assert!(play("1").status.success());
    let output = play("2");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("seed was 1, now 2"), "{}", stderr(&output));
}

#[test]
fn a_bot_is_run_by_any_shell_command() {
    for (name, run) in [("plain", ""), ("variable", "A=1 "), ("folder", "cd inner && ")] {
        let folder = scratch(&format!("run-{name}"));
        fs::create_dir(folder.join("inner")).expect("a folder");
        let manifest = format!("name = \"{name}\"\nrun = '{run}{AGON} bot connectx'\n");
        fs::write(folder.join("bot.toml"), manifest).expect("a manifest");
        let bot = folder.to_str().expect("UTF-8");
        let how = ["--battles", "1", "--tc", "inf", "--sandbox", "none", "--json"];
        let result = summary(&agon(&[&["match", "connectx", bot, "random"][..], &how].concat()));
        assert_eq!(result["terminations"], json!({ "win": 2 }), "{run}");
    }
}

/// A bot that goes when its clock is not the one before, less what its turn took, plus the increment; `tests/bots` has it.
#[test]
fn bots_are_told_their_clocks_with_the_increment_of_each_turn() {
    let records = scratch("clocks").join("records.pgn");
    let bot = format!(
        "cmd:python3 {}/../../tests/bots/reads_its_clock.py {AGON};proto=ugi;lang=python;name=reader",
        env!("CARGO_MANIFEST_DIR")
    );
    // The grace is for slow machines: an answer is never late, and the clock is charged all the same.
    let clock = ["--tc", "2+0.25", "--grace", "600000", "--max-turns", "12", "--battles", "1", "--json"];
    let file = records.to_str().expect("UTF-8");
    let result = summary(&agon(&[&["match", "connectx", &bot, "random", "--records", file], &clock[..]].concat()));
    assert_eq!(result["terminations"], json!({ "broken off": 2 }), "{result}");
    let written = fs::read_to_string(&records).expect("records");
    assert_eq!(written.matches("[TimeControl \"2+0.25\"]").count(), 2, "{written}");
    assert_eq!(written.matches("clocks checked: 5, increments 0.25 and 0.25").count(), 2, "{written}");
    // What is charged is what the turn took by the record, and the bot was told what the record says was left.
    for (first, record) in [true, false].into_iter().zip(written.split("[Event ").skip(1)) {
        let numbers = |tag: &str| -> Vec<f64> {
            let after = record.split(tag).skip(1).map(|rest| rest.split(']').next().expect("a tag that is closed"));
            after.map(|number| number.parse().expect("a number")).collect()
        };
        let (took, mut left) = (numbers("[%emt "), numbers("[%clk "));
        assert_eq!((took.len(), left.len()), (12, 12), "{record}");
        left.splice(0..0, [2.0, 2.0]);
        for (turn, took) in took.iter().enumerate() {
            let least = (left[turn] - took).max(0.0) + 0.25;
            assert!((left[turn + 2] - least).abs() < 1e-6, "turn {turn}: {record}");
        }
        for (index, told) in record.split(", left ").skip(1).enumerate() {
            let turn = 2 * index + usize::from(!first);
            let (told, _) = told.split_once("\\n").expect("the end of what it wrote");
            let clocks = if first { [left[turn], left[turn + 1]] } else { [left[turn + 1], left[turn]] };
            for (told, clock) in told.split(" and ").zip(clocks) {
                let told: f64 = told.parse().expect("a clock");
                assert!((-1e-6..=0.001 + 1e-6).contains(&(clock - told)), "turn {turn}: {record}");
            }
        }
    }
}

/// What a match of two bots brought, with the words for people before the line for programs.
fn battle_of(game: &str, bots: [&str; 2], more: &[&str]) -> (Value, String) {
    let output = agon(&[&["match", game, bots[0], bots[1], "--battles", "1", "--json"], more].concat());
    (serde_json::from_str(stdout(&output).lines().last().expect("a line")).expect("JSON"), stdout(&output))
}

#[test]
fn two_bots_that_cannot_start_both_lose() {
    let folder = scratch("both-lose");
    for (index, game) in agon_all::GAMES.iter().enumerate() {
        let name = game.name();
        let rules = game.rule_sets()[0];
        let start = game.open(game.variants()[0], rules).expect("a start");
        let db = folder.join(format!("{index}.db"));
        let more = ["--tc", "5", "--rules", rules.name(), "--db", db.to_str().expect("UTF-8")];
        let (result, words) = battle_of(name, ["cmd:false", "cmd:false"], &more);
        assert_eq!(result["terminations"], json!({ "double fault": 2 }), "{name}");
        let counts = ["battles", "matches", "wins", "draws", "losses"].map(|key| result[key].as_u64());
        assert_eq!(counts, [1, 2, 0, 0, 2].map(Some), "{name}: {result}");
        assert_eq!((&result["elo"], &result["error"]), (&Value::Null, &Value::Null), "{name}");
        // Each match gives both what a side has for its own fault.
        let loser = |side| start.points(agon_rules::Ending::Fault(side))[side];
        let both = loser(agon_rules::Side::First) + loser(agon_rules::Side::Second);
        let points = [0, 1].map(|bot| result["points"][bot].as_f64().expect("points"));
        assert!(points.iter().all(|points| (points - both).abs() < 1e-6), "{name}: {points:?} instead of {both}");
        assert!(words.contains("lost by both") && words.contains("nobody won"), "{words}");
        assert!(words.contains("superiority  unknown") && !words.contains("50.0 %"), "no evidence: {words}");
        let store = Store::open_read_only(&db).expect("a database");
        let run = &store.recent_runs(1).expect("runs")[0].id;
        for played in store.matches_of(run).expect("matches") {
            assert_eq!((played.result.as_str(), played.termination.as_str()), ("0-0", "double fault"));
            assert!(
                played.record.contains("[Result \"0-0\"]") && played.record.ends_with("\n0-0\n"),
                "{}",
                played.record
            );
            assert!(played.record.contains("[FaultBy \"both\"]"), "{}", played.record);
            assert_eq!(played.evidence.matches("would not start").count(), 2, "{}", played.evidence);
        }
        let again = battle_of(name, ["cmd:false", "cmd:false"], &more).0;
        assert_eq!(again, result, "a resumed run counts them alike");
    }
}

/// Bots of the originals' protocols say nothing before their first turn: one that has died is found out only then.
#[test]
fn a_bot_that_dies_before_its_first_turn_wins_against_nobody() {
    for (game, bot) in [("yinsh", "cmd:false;proto=lines"), ("connectx", "cmd:false;proto=persistent")] {
        let (result, _) = battle_of(game, [bot, bot], &["--tc", "5"]);
        assert_eq!((&result["losses"], &result["terminations"]), (&json!(2), &json!({ "double fault": 2 })), "{game}");
        // One that cannot be begun and one that dies: either way round.
        let (result, _) = battle_of(game, ["cmd:no-such-program-anywhere", bot], &["--tc", "5"]);
        assert_eq!((&result["losses"], &result["terminations"]), (&json!(2), &json!({ "double fault": 2 })), "{game}");
    }
    // Nor against one that answers, however wrongly; and last words are no answer.
    let (illegal, silent) = ("cmd:echo 9 9;proto=oneshot", "cmd:false;proto=oneshot");
    let dying = "cmd:echo 'Error: could not find main class' && exit 1;proto=oneshot";
    for bots in [[illegal, silent], [silent, illegal], [dying, dying]] {
        let (result, _) = battle_of("connectx", bots, &["--tc", "5"]);
        let both = result["terminations"]["double fault"].as_u64();
        assert!(both >= Some(1) && result["wins"].as_u64() <= Some(1), "{bots:?}: {result}");
    }
}

#[test]
fn a_bot_that_can_play_wins_against_one_that_cannot_start() {
    let works = ugi_bot("cannon");
    for (bots, key) in [([works.as_str(), "cmd:false"], "wins"), (["cmd:false", works.as_str()], "losses")] {
        let (result, words) = battle_of("cannon", bots, &["--tc", "nodes=1"]);
        assert_eq!((&result[key], &result["terminations"]), (&json!(2), &json!({ "would not start": 2 })), "{result}");
        assert!(!words.contains("lost by both"), "{words}");
    }
}

#[test]
fn what_bots_believed_is_recorded_and_shown() {
    let folder = scratch("believed");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (records, svg) = (path("records.pgn"), path("curve.svg"));
    let bot = format!("cmd:{AGON} bot connectx --level level9;proto=ugi;name=neighbour");
    let battle = ["match", "connectx", "level7", &bot, "--battles", "1", "--tc", "nodes=2000", "--json"];
    summary(&agon(&[&battle[..], &["--records", &records]].concat()));
    let written = fs::read_to_string(&records).expect("records");
    let comments: Vec<&str> = written.split('{').skip(1).collect();
    assert!(comments.len() > 10, "{written}");
    for comment in comments {
        assert!(["[%eval ", "[%depth ", "[%info \"depth "].iter().all(|field| comment.contains(field)), "{comment}");
    }
    assert!(written.contains("[%eval #1]"), "the last turn wins, and who made it knows: {written}");
    let shown = stdout(&agon(&["replay", &records, "--match", "1", "--at", "5"]));
    assert!(shown.contains("\nBelieved: ") && shown.contains(" %, depth "), "{shown}");
    let analysis = ["analyse", "connectx", "--record", &records, "--match", "1", "--nodes", "100"];
    assert!(agon(&[&analysis[..], &["--svg", &svg]].concat()).status.success());
    let picture = fs::read_to_string(&svg).expect("a picture");
    assert_eq!(picture.matches("<polyline ").count(), 2, "a line for each bot: {picture}");
    let json = stdout(&agon(&[&analysis[..], &["--json"]].concat()));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let turns = json["turns"].as_array().expect("turns");
    let last = turns.last().expect("a turn");
    let won = if last["side"] == 1 { 1.0 } else { 0.0 };
    assert_eq!(last["believed_first_chance"], json!(won), "{last}");
}
