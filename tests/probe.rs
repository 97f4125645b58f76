//! `agon probe` as another program uses it, and on damaged lines.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use agon_all::GAMES;
use agon_probe::answer_line;
use agon_rules::Random;
use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use serde_json::{Value, json};

fn ask(game: &str, question: &Value) -> Value {
    let game = agon_all::find(game).expect("a game");
    serde_json::from_str(&answer_line(game, &question.to_string())).expect("an answer in JSON")
}

fn probe(game: &str, input: &[u8]) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["probe", game])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("agon starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input).expect("agon reads everything"));
    let output = child.wait_with_output().expect("agon ends");
    writer.join().expect("the writer ends");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn every_answer_has_all_keys() {
    for game in GAMES {
        for question in [json!({}), json!({ "position": "nonsense" }), json!({ "moves": ["nonsense"] }), json!(3)] {
            let answer = ask(game.name(), &question);
            let keys: Vec<&str> = answer.as_object().expect("an object").keys().map(String::as_str).collect();
            assert_eq!(keys, ["position", "turn", "legal", "states", "outcome", "points", "error"]);
        }
    }
}

#[test]
fn a_refused_turn_leaves_the_position_before_it() {
    let answer = ask("connectx", &json!({ "moves": ["3 3", "4 4", "0 0"], "want": ["legal", "states"] }));
    let after_first = "........./........./........./...1...../........./........./........./........./......... 2 0";
    assert_eq!(answer["position"], after_first);
    assert_eq!(answer["states"], json!([after_first]));
    assert_eq!(answer["turn"], 2);
    assert_eq!(answer["legal"].as_array().expect("a list").len(), 9);
    assert_eq!(answer["error"]["turn_index"], 1);
    assert_eq!(answer["error"]["text"], "4 4");
    assert_eq!(answer["error"]["rule"], "cell 4 4 lies in local board 4, but the active one is 0");
}

#[test]
fn a_finished_game_has_outcome_and_points_and_no_turns() {
    let won = "1111...../........./........./........./........./........./........./........./......... 2 4";
    let answer = ask("connectx", &json!({ "position": won, "want": ["legal", "points"] }));
    assert_eq!(answer["outcome"], json!({ "winner": 1, "reason": "win" }));
    assert_eq!(answer["points"], json!([1.0, 0.0]));
    assert_eq!(answer["legal"], json!([]));
    let answer = ask("connectx", &json!({ "position": won, "moves": ["4 4"] }));
    assert_eq!(answer["error"]["rule"], "the game is over (win)");
}

#[test]
fn only_what_is_wanted_is_answered() {
    let answer = ask("connectx", &json!({ "want": [] }));
    assert_eq!([&answer["legal"], &answer["states"], &answer["points"]], [&Value::Null; 3]);
    let answer = ask("connectx", &json!({ "want": ["states"], "variant": null, "moves": null }));
    assert_eq!(answer["states"], json!([]));
}

#[test]
fn bad_questions_are_explained() {
    let cases = [
        (json!([]), "expected a JSON object"),
        (json!({ "postion": "x" }), "unknown key 'postion', expected variant, rules, position, moves, want"),
        (json!({ "want": ["all"] }), "want: expected 'legal', 'states' or 'points', found 'all'"),
        (json!({ "moves": "3 3" }), "moves: expected a list of strings, found '\"3 3\"'"),
        (json!({ "variant": 3 }), "variant: expected a string, found '3'"),
        (json!({ "variant": "huge" }), "unknown variant 'huge', expected 'standard'"),
        (json!({ "rules": "server" }), "connectx has no 'server' rule set"),
        (json!({ "rules": "house" }), "unknown rule set 'house', expected 'text' or 'server'"),
    ];
    for (question, rule) in cases {
        let answer = ask("connectx", &question);
        assert_eq!(answer["error"]["rule"], rule, "{question}");
        assert_eq!(answer["error"]["turn_index"], Value::Null);
        assert_eq!(answer["position"], Value::Null);
    }
}

#[test]
fn a_bad_line_is_answered_and_so_is_the_next() {
    let mut input = b"{\"want\":[]}\nnot json\n\xff\xfe\n\n".to_vec();
    input.extend(std::iter::repeat_n(b'x', 5 << 20));
    input.extend(b"\n{\"want\":[]}");
    let answers = probe("connectx", &input);
    assert_eq!(answers.len(), 5, "an empty line is no question");
    assert_eq!(answers[0], answers[4]);
    assert_eq!(answers[2]["error"]["rule"], "expected UTF-8 text");
    assert_eq!(answers[3]["error"]["rule"], "expected a line of at most 4194304 bytes");
    for answer in &answers[1..4] {
        assert!(answer["error"].is_object());
    }
}

/// Lines as a program would send them, from random games of every variant and rule set.
fn good_lines() -> Vec<(usize, String)> {
    let mut random = Random::new(5);
    let mut lines = Vec::new();
    for (index, game) in GAMES.iter().enumerate() {
        for &rules in game.rule_sets() {
            for variant in game.variants() {
                let mut position = game.open(variant, rules).expect("a listed variant");
                let mut moves = Vec::new();
                for _ in 0..30 {
                    let Ok(turns) = position.legal_turns(20_000) else { break };
                    if turns.is_empty() {
                        break;
                    }
                    let turn = turns[random.below(turns.len())].spellings[0].clone();
                    position.play(&turn).expect("a legal turn");
                    moves.push(turn);
                }
                let wants = ["legal", "states", "points"];
                let setup = json!({ "variant": variant, "rules": rules.name(), "moves": moves, "want": wants });
                lines.push((index, setup.to_string()));
                let setup = json!({ "variant": variant, "rules": rules.name(), "position": position.text() });
                lines.push((index, setup.to_string()));
            }
        }
    }
    lines
}

#[test]
fn damaged_lines_never_break_the_probe() {
    let lines = good_lines();
    for (game, line) in &lines {
        let answer: Value = serde_json::from_str(&answer_line(GAMES[*game], line)).expect("JSON");
        assert!(answer["error"].is_null(), "{line}: {answer}");
    }
    let config = Config { cases: 400, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let edits = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6);
    let strategy = (prop::sample::select(lines), edits);
    let result = runner.run(&strategy, |((game, line), edits)| {
        let mut bytes = line.into_bytes();
        for (at, byte) in edits {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let line = String::from_utf8_lossy(&bytes);
        let answer: Value = serde_json::from_str(&answer_line(GAMES[game], &line)).expect("JSON");
        // What an answer calls a position can be asked about again.
        if let Some(position) = answer["position"].as_str()
            && answer["error"].is_null()
        {
            let asked: Value = serde_json::from_str(&line).expect("it was understood");
            let mut question = json!({ "position": position, "want": [] });
            for key in ["variant", "rules"] {
                question[key] = asked[key].clone();
            }
            let again: Value = serde_json::from_str(&answer_line(GAMES[game], &question.to_string())).expect("JSON");
            prop_assert_eq!(&again["position"], &answer["position"]);
        }
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
}
