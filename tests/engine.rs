//! The engine as its users meet it: `agon bench`, `agon analyse`, `agon lab`, and the house bot `master`.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use serde_json::{Value, json};
use tempfile::TempDir;

fn agon(arguments: &[&str], cache: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_agon")).args(arguments).env("AGON_CACHE", cache).output().expect("agon runs")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn last_json(output: &Output) -> Value {
    let text = stdout(output);
    serde_json::from_str(text.lines().last().expect("a line")).unwrap_or_else(|e| panic!("{e}: {text}"))
}

fn home() -> TempDir {
    TempDir::new().expect("a folder")
}

#[test]
fn the_bench_counts_the_same_nodes_every_time() {
    let home = home();
    let nodes = || {
        let bench = last_json(&agon(&["bench", "--json"], home.path()));
        let games = bench["games"].as_object().expect("games").clone();
        games.into_iter().map(|(game, row)| (game, row["nodes"].as_u64().expect("a count"))).collect::<Vec<_>>()
    };
    let first = nodes();
    assert_eq!(first, nodes());
    let written: Vec<(String, u64)> =
        agon_all::GAMES.iter().map(|game| (game.name().to_owned(), written(game.name()))).collect();
    assert_eq!(first, written, "the search behaves differently: say why");
}

/// What the search does today, in debug and in release: `games/*/bench.nodes`. A change there is a change of play, and quotes the match
/// that justified it.
fn written(game: &str) -> u64 {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(game).join("bench.nodes");
    let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    text.trim().parse().unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

#[test]
fn a_forced_win_is_seen_and_said_in_words() {
    let home = home();
    // The first side has three in a row and is sent to the board with the fourth cell.
    let position = "111....../........./........./........./........./........./2......../2......2./2........ 1 1";
    let arguments = ["analyse", "connectx", "--position", position, "--depth", "4"];
    let text = stdout(&agon(&arguments, home.path()));
    assert!(text.contains("wins in 1 turn"), "{text}");
    let json = last_json(&agon(&[&arguments[..], &["--json", "--lines", "3"]].concat(), home.path()));
    assert_eq!((&json["lines"][0]["winner"], &json["lines"][0]["moves_to_end"]), (&1.into(), &1.into()), "{json}");
    assert_eq!(json["lines"].as_array().expect("lines").len(), 3);
    assert_eq!(json["lines"][0]["chance"], 1.0);
    // A proof would find this one at once and know nothing of its length; who analyses wants both.
    let far = "..1...122/..2...1../..11..2.1/2.1.....1/...1....2/2..1..1../2.2...2.2/221....../1........ 1 0";
    let text = stdout(&agon(&["analyse", "connectx", "--position", far, "--nodes", "200000"], home.path()));
    // Thirteen moves of both sides; the line that is shown breaks off earlier.
    assert!(text.contains("first wins in 7 turns"), "{text}");
}

#[test]
fn what_cannot_be_analysed_is_explained() {
    let home = home();
    let over = "1111...../........./........./........./........./........./2......../2......../2........ 2 3";
    let output = agon(&["analyse", "connectx", "--position", over], home.path());
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the game is over (win)"));
    for (arguments, message) in [
        (&["analyse", "chess"][..], "unknown game 'chess'"),
        (&["analyse", "cannon", "--time", "0"], "expected seconds"),
        (&["analyse", "cannon", "--position", "x"], "position:"),
        (&["analyse", "cannon", "--record", "/nonexistent"], "cannot read /nonexistent"),
        (&["lab", "match", "cannon", "base", "magic"], "PARAMETER=NUMBER"),
        (&["lab", "match", "cannon", "base", "magic=1"], "unknown weight 'magic'"),
        (&["lab", "match", "cannon", "base", "skill=1:2"], "expected DEPTH:NODES:NOISE:SLIPS"),
        (&["lab", "match", "cannon", "base", "killers=7"], "from 0 to 1"),
        (&["lab", "tune", "cannon", "magic"], "unknown parameter or weight 'magic'"),
        (&["lab", "tune", "cannon", "hall", "--rate", "0"], "expected a number from 0.001 to 100"),
        (&["lab", "tune", "cannon"], "<PARAMETERS>"),
        (&["lab", "tune", "cannon", "history", "--weights"], "cannot be used with"),
        (&["lab", "tune", "cannon", "history", "--games", "3"], "cannot be used with"),
        (&["lab", "weights", "chess"], "unknown game 'chess'"),
        (&["lab", "openings", "cannon", "--moves", "0"], "0 is not in 1..=100"),
    ] {
        let output = agon(arguments, home.path());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
}

#[test]
fn a_recorded_game_is_judged_turn_by_turn() {
    let home = home();
    let record = home.path().join("game.txt");
    let record_path = record.to_str().expect("a path");
    let arguments =
        ["match", "connectx", "random", "random", "--battles", "1", "--tc", "inf", "--records", record_path];
    stdout(&agon(&arguments, home.path()));
    let svg = home.path().join("curve.svg");
    let arguments = ["analyse", "connectx", "--record", record_path, "--match", "2", "--nodes", "300"];
    let text = stdout(&agon(&[&arguments[..], &["--svg", svg.to_str().expect("a path")]].concat(), home.path()));
    assert!(text.contains("has won") || text.contains("a draw"), "{text}");
    let json = last_json(&agon(&[&arguments[..], &["--json"]].concat(), home.path()));
    assert_eq!(json["turns"].as_array().expect("turns").len(), text.lines().count());
    let picture = fs::read_to_string(&svg).expect("a picture");
    assert!(picture.starts_with("<svg") && picture.contains("class=\"curve\""));
    let other = agon(&["analyse", "cannon", "--record", record_path, "--match", "1"], home.path());
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("this is a game of connectx"));
}

#[test]
fn openings_are_as_long_and_as_level_as_wanted() {
    let home = home();
    let file = home.path().join("openings").display().to_string();
    let make_of = |game: &str, more: &[&str]| {
        let arguments = [&["lab", "openings", game, "--rules", "server", "--out", &file], more].concat();
        (stdout(&agon(&arguments, home.path())), fs::read_to_string(&file).expect("openings"))
    };
    let make = |more: &[&str]| make_of("cannon", more);
    let (made, openings) = make(&["--count", "20", "--moves", "1"]);
    assert_eq!((openings.lines().count(), made), (20, format!("20 openings in {file}\n")));
    assert!(openings.lines().all(|line| (1..=3).contains(&line.split("; ").count())), "{openings}");
    // Level is what as many nodes say, and what fewer say need not be.
    let lopsided = |openings: &str| {
        let chance = |line: &str| {
            let analysis = ["analyse", "cannon", "--rules", "server", "--moves", line, "--nodes", "2000", "--json"];
            last_json(&agon(&analysis, home.path()))["lines"][0]["chance"].as_f64().expect("a chance")
        };
        openings.lines().filter(|line| !(0.35..=0.65).contains(&chance(line))).count()
    };
    let (_, hasty) = make(&["--count", "20", "--nodes", "1", "--moves", "8"]);
    assert!(lopsided(&hasty) > 0, "{hasty}");
    let (_, careful) = make(&["--count", "20", "--nodes", "2000", "--moves", "8"]);
    assert_eq!(lopsided(&careful), 0, "{careful}");
    let (made, few) = make_of("rollerball", &["--count", "500", "--nodes", "1", "--moves", "1"]);
    assert!(few.lines().count() < 500 && made.contains("\n500 were wanted"), "{made}");
}

#[test]
fn a_long_game_is_played_until_the_rules_end_it() {
    let home = home();
    let [log, openings] = ["log", "openings"].map(|name| home.path().join(name).display().to_string());
    fs::write(&openings, "d8-d7\n").expect("an opening");
    let contest = ["lab", "match", "rivers", "random", "random", "--pairs", "1"];
    stdout(&agon(&[&contest[..], &["--openings", &openings, "--log", &log]].concat(), home.path()));
    let log = fs::read_to_string(&log).expect("a log");
    let pair: Value = serde_json::from_str(log.lines().nth(1).expect("a pair")).expect("JSON");
    let points = |contender: usize| pair["points"][contender].as_f64().expect("a number");
    // Who plays at random never gets home: two draws after a thousand moves, which bring 79.5 points each. Broken off they would bring none.
    assert_eq!((pair["scores"].clone(), points(0) + points(1)), (json!([0.5, 0.5]), 159.0), "{log}");
}

#[test]
fn a_contest_goes_on_where_it_was_and_ends_in_the_same_table() {
    let home = home();
    let log = home.path().join("log.jsonl");
    let contest = |pairs: &str, log: &[&str]| {
        let arguments = ["lab", "match", "connectx", "base", "reductions=0", "--effort", "nodes=200", "--json"];
        last_json(&agon(&[&arguments[..], &["--pairs", pairs], log].concat(), home.path()))
    };
    let whole = contest("6", &[]);
    let log = ["--log", log.to_str().expect("a path")];
    contest("3", &log);
    let kept = fs::read_to_string(log[1]).expect("a log");
    // As a kill in the middle of a line leaves it.
    fs::write(log[1], format!("{kept}{{\"pair\": 3, \"sco")).expect("a log");
    assert_eq!(contest("6", &log), whole);
    assert_eq!(fs::read_to_string(log[1]).expect("a log").lines().filter(|line| line.contains("scores")).count(), 6);
    let other = ["lab", "match", "connectx", "base", "reductions=0", "--effort", "nodes=300", log[0], log[1]];
    let refused = agon(&other, home.path());
    assert_eq!(refused.status.code(), Some(2), "another contest's log");
    assert_eq!(whole["pairs"], 6);
    let count = |name: &str| whole[name].as_f64().expect("a number");
    assert_eq!(
        count("share_of_points"),
        (count("wins") + count("draws") / 2.0) / 12.0,
        "a point for a win in this game"
    );
}

#[test]
fn weights_of_each_board_are_listed_and_tuned_by_play() {
    let home = home();
    let listed = |variant: &str| -> Vec<(String, String)> {
        let text = stdout(&agon(&["lab", "weights", "cannon", "--variant", variant], home.path()));
        let words = |line: &str| line.split_whitespace().take(2).map(str::to_owned).collect::<Vec<_>>();
        text.lines().map(words).map(|words| (words[0].clone(), words[1].clone())).collect()
    };
    assert_ne!(listed("8x8"), listed("10x8"));
    let tune = |names: &str| {
        let arguments = ["lab", "tune", "cannon", names, "--variant", "10x8", "--steps", "1", "--pairs", "1"];
        let effort = ["--effort", "nodes=50", "--rate", "0.001", "--threads", "1"];
        stdout(&agon(&[&arguments[..], &effort].concat(), home.path())).trim_end().to_owned()
    };
    // So slowly nothing moves: what comes out is what the board has.
    let unchanged: Vec<String> = listed("10x8").iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(tune("weights"), unchanged.join(","));
    assert_eq!(tune("history,near_hall"), "history=1,near_hall=150");
}

#[test]
fn weights_are_fitted_to_self_play_and_come_out_the_same() {
    let home = home();
    let fit = |game: &str, more: &[&str]| {
        let arguments = ["lab", "tune", game, "--weights", "--effort", "nodes=100"];
        agon(&[&arguments[..], more].concat(), home.path())
    };
    let whole = stdout(&fit("connectx", &["--games", "30", "--threads", "1"]));
    for (name, meaning) in
        [("hot_board", "a local board with a cell that wins"), ("pair", "four cells in line, two of them")]
    {
        let listed = stdout(&agon(&["lab", "weights", "connectx"], home.path()));
        let row = |text: &str| text.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
        assert!(row(&listed).contains(meaning) && row(&whole).contains(meaning), "{whole}");
        let row = row(&whole);
        let numbers: Vec<f64> = row.split_whitespace().skip(1).take(4).filter_map(|word| word.parse().ok()).collect();
        assert_eq!(numbers.len(), 4, "old, new, error, seen: {whole}");
    }
    assert!(whole.starts_with("30 games: ") && whole.contains("loss where held out: 0."), "{whole}");

    let data = home.path().join("positions.jsonl");
    let data = ["--data", data.to_str().expect("a path")];
    stdout(&fit("connectx", &["--games", "12", data[0], data[1]]));
    let kept = fs::read_to_string(data[1]).expect("the positions");
    // As a kill in the middle of a line leaves it.
    fs::write(data[1], format!("{kept}{{\"game\": 12, \"resu")).expect("the positions");
    assert_eq!(stdout(&fit("connectx", &["--games", "30", "--threads", "3", data[0], data[1]])), whole);
    let played = fs::read_to_string(data[1]).expect("the positions");
    assert_eq!(played.lines().filter(|line| line.ends_with("]}")).count(), 30, "no game is played twice");
    assert_eq!(stdout(&fit("connectx", &["--games", "30", data[0], data[1]])), whole);
    assert_eq!(fs::read_to_string(data[1]).expect("the positions"), played, "nothing is played again");

    refuses_foreign_data(&fit, &played, data);
}

fn refuses_foreign_data(fit: &dyn Fn(&str, &[&str]) -> Output, played: &str, data: [&str; 2]) {
    let other_weights = played.replacen("pair=", "pair=1", 1);
    for (text, game, more, message) in [
        (played, "cannon", &[][..], "was made with game 'connectx', not 'cannon': choose another file"),
        (played, "connectx", &["--seed", "2"], "was made with seed 1, not 2"),
        (&other_weights, "connectx", &[], "was made with weights 'turn="),
        ("dear diary\n", "connectx", &[], "does not hold positions for fitting"),
    ] {
        fs::write(data[1], text).expect("the positions");
        let output = fit(game, &[&["--games", "30", data[0], data[1]], more].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message), "{said}");
        assert_eq!(fs::read_to_string(data[1]).expect("the positions"), text, "what is refused is left alone");
    }
    let few = fit("connectx", &["--games", "3"]);
    assert!(String::from_utf8_lossy(&few.stderr).contains("in 3 games: play more"));
}

#[test]
fn the_ladder_is_measured_drawn_and_not_played_twice() {
    let home = home();
    let [log, svg] = ["ladder", "ladder.svg"].map(|name| home.path().join(name).display().to_string());
    let ladder = ["lab", "ladder", "connectx", "--pairs", "2", "--effort", "nodes=300", "--log", &log, "--svg", &svg];
    let measured = stdout(&agon(&ladder, home.path()));
    for line in ["level2      against level1", "master      against adept", "defensive   against balanced"] {
        assert!(measured.contains(line), "{measured}");
    }
    let picture = fs::read_to_string(&svg).expect("a picture");
    assert!(picture.starts_with("<svg ") && picture.contains(">level10</text>"), "{picture}");
    let logs =
        || fs::read_dir(&log).expect("logs").flatten().map(|file| fs::read_to_string(file.path()).expect("a log"));
    let played: usize = logs().map(|text| text.matches("scores").count()).sum();
    assert_eq!(stdout(&agon(&ladder, home.path())), measured);
    assert_eq!(logs().map(|text| text.matches("scores").count()).sum::<usize>(), played, "nothing is played again");
    // Who names no effort gets the time for which the game's levels were chosen, and who names openings gets those.
    for (game, time) in [("connectx", "time=0.1"), ("yinsh", "time=0.035")] {
        let output = agon(&["lab", "ladder", game, "--pairs", "0"], home.path());
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.lines().next().is_some_and(|line| line.contains(&format!("{time} for a move"))), "{said}");
    }
    let nowhere = agon(&["lab", "ladder", "yinsh", "--openings", "nowhere"], home.path());
    assert_eq!(nowhere.status.code(), Some(2));
    let said = String::from_utf8_lossy(&nowhere.stderr);
    assert!(said.contains("cannot read nowhere") && said.contains("agon lab openings yinsh --out nowhere"), "{said}");
}

#[test]
fn a_book_is_made_and_comes_out_the_same() {
    let home = home();
    let arguments = ["lab", "book", "connectx", "--plies", "2", "--width", "2", "--nodes", "500", "--pairs", "1"];
    let book = |threads: &str| {
        stdout(&agon(&[&arguments[..], &["--game-nodes", "50", "--threads", threads]].concat(), home.path()))
    };
    let made = book("1");
    assert!(made.starts_with("variant standard\n | 10 "), "{made}");
    assert!(made.lines().count() > 2, "{made}");
    assert_eq!(book("2"), made);
    // Without games the search decides: what it expects less of is chosen less often.
    let searched = ["lab", "book", "connectx", "--plies", "1", "--width", "4", "--nodes", "500", "--pairs", "0"];
    let searched = stdout(&agon(&searched, home.path()));
    let choices: Vec<&str> = searched.lines().nth(1).expect("the start").split(" | ").skip(1).collect();
    assert!(choices.len() > 1 && !choices.iter().all(|choice| choice.starts_with("10 ")), "{searched}");
}

#[test]
fn the_master_beats_random_in_every_game() {
    let home = home();
    for game in agon_all::GAMES.iter().map(|game| game.name()) {
        let arguments = ["match", game, "master", "random", "--battles", "1", "--tc", "nodes=1500", "--json"];
        let summary = last_json(&agon(&arguments, home.path()));
        assert_eq!(summary["losses"], 0, "{game}: {summary}");
        assert!(summary["wins"].as_u64() >= Some(1), "{game}: {summary}");
        let faults = summary["terminations"].as_object().expect("terminations");
        assert!(!faults.contains_key("illegal turn") && !faults.contains_key("timeout"), "{game}: {summary}");
    }
}
