//! Games, legal moves and counts recorded from the original programs.

use agon_cannon::{ANNIHILATION, Cannon, STAGNANT};
use agon_rules::{AnyGame, AnyPosition, BySide, Ending, Outcome, Reason, RuleSet, Side, conformance::read_vectors};
use serde_json::Value;

fn vectors(name: &str) -> Vec<Value> {
    read_vectors(format!("{}/vectors/{name}", env!("CARGO_MANIFEST_DIR")))
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

fn open(record: &Value) -> Box<dyn AnyPosition> {
    let variant = format!("{}x{}", number(&record["rows"]), number(&record["cols"]));
    Cannon.open(&variant, RuleSet::Server).unwrap()
}

/// A board as the vectors have it, as a position text.
fn position_text(record: &Value, board: &str, turn: Side) -> String {
    let rows: Vec<&str> =
        board.as_bytes().chunks(number(&record["cols"])).map(|row| std::str::from_utf8(row).unwrap()).collect();
    format!("{} {}", rows.join("/"), turn.number())
}

fn legal(game: &dyn AnyPosition) -> Vec<String> {
    let turns = game.legal_turns(usize::MAX).unwrap();
    let mut all: Vec<String> = turns.into_iter().flat_map(|turn| turn.spellings).collect();
    all.sort_unstable();
    all
}

fn assert_points(found: BySide<f64>, expected: &Value, context: &str) {
    for (found, expected) in [found.first, found.second].into_iter().zip(expected.as_array().unwrap()) {
        let expected = expected.as_f64().unwrap();
        assert!((found - expected).abs() < 1e-9, "{context}: {found} points, expected {expected}");
    }
}

/// The recorded result in our words; the winner follows from the recorded hall scores.
fn expected_outcome(record: &Value) -> Outcome {
    let scores = record["scores"].as_array().unwrap();
    let hall_score = |i: usize| scores[i].as_f64().unwrap().floor() as i32;
    let winner = match hall_score(0) - hall_score(1) {
        0 => None,
        1.. => Some(Side::First),
        _ => Some(Side::Second),
    };
    let reason = match record["result"].as_str().unwrap() {
        "black_win" | "white_win" => Reason::GOAL,
        "black_stalemated" | "white_stalemated" => Reason::STALEMATE,
        "black_annihilated" | "white_annihilated" => ANNIHILATION,
        "stagnant" => STAGNANT,
        other => panic!("unknown result {other}"),
    };
    Outcome { winner, reason }
}

#[test]
fn games() {
    for record in vectors("cannon.jsonl.gz") {
        let mut game = open(&record);
        let (moves, states) = (strings(&record["moves"]), strings(&record["states"]));
        assert_eq!(moves.len(), states.len());
        for (ply, (turn, state)) in moves.iter().zip(states).enumerate() {
            let context = format!("seed {}, ply {ply}, {turn}", record["seed"]);
            assert_eq!(game.outcome(), None, "{context}");
            game.play(turn).unwrap_or_else(|e| panic!("{context}: {e}"));
            assert_eq!(game.text(), position_text(&record, state, game.turn()), "{context}");
        }
        check_ending(&record, game.as_ref());
    }
}

fn check_ending(record: &Value, game: &dyn AnyPosition) {
    let context = format!("seed {}, {}", record["seed"], record["result"]);
    let outcome = game.outcome().unwrap_or_else(|| panic!("{context}: the game goes on"));
    assert_eq!(outcome, expected_outcome(record), "{context}");
    match record["result"].as_str().unwrap().split_once('_') {
        Some((side, "win")) => assert_eq!(outcome.winner, Some(side_called(side)), "{context}"),
        Some((side, _)) => assert_eq!(game.turn(), side_called(side), "{context}"),
        None => {}
    }
    assert_points(game.points(Ending::Over(outcome)), &record["scores"], &context);
    for side in Side::BOTH {
        let expected = &record["timeout_scores"][side.number().to_string()];
        if !expected.is_null() {
            assert_points(game.points(Ending::Fault(side)), expected, &format!("{context}, fault of {side:?}"));
        }
    }
    assert!(legal(game).is_empty(), "{context}");
}

fn side_called(name: &str) -> Side {
    let index = Cannon.sides().iter().position(|&side| side == name).unwrap();
    Side::BOTH[index]
}

#[test]
fn legal_moves() {
    for record in vectors("cannon_legal.jsonl.gz") {
        let mut game = open(&record);
        let turn = Side::from_number(record["to_move"].as_u64().unwrap()).unwrap();
        let text = position_text(&record, record["board"].as_str().unwrap(), turn);
        game.set_up(&text).unwrap();
        assert_eq!(game.text(), text);
        assert_eq!(legal(game.as_ref()), strings(&record["legal"]), "{text}");
        assert_eq!(game.perft_turns(1) as usize, strings(&record["legal"]).len(), "{text}");
    }
}

/// Every text of the grammar, not only the legal ones, is judged right.
#[test]
fn every_other_text_is_refused() {
    for record in vectors("cannon_legal.jsonl.gz").iter().step_by(10) {
        let mut game = open(record);
        let turn = Side::from_number(record["to_move"].as_u64().unwrap()).unwrap();
        let text = position_text(record, record["board"].as_str().unwrap(), turn);
        game.set_up(&text).unwrap();
        let squares: Vec<String> = (0..number(&record["rows"]))
            .flat_map(|y| (0..number(&record["cols"])).map(move |x| format!("{x} {y}")))
            .collect();
        let legal = strings(&record["legal"]);
        for from in &squares {
            for to in &squares {
                for letter in ["M", "B"] {
                    let turn = format!("S {from} {letter} {to}");
                    let result = game.boxed().play(&turn);
                    assert_eq!(result.is_ok(), legal.binary_search(&turn.as_str()).is_ok(), "{text}: {turn}");
                    // The general message of the open face would mean that the game could not say why.
                    let reason = result.map_or_else(|e| e.to_string(), |_| String::new());
                    assert_ne!(reason, "not a legal move here", "{text}: {turn}");
                }
            }
        }
    }
}

#[test]
fn counts() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/cannon_perft.json");
    let record: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for (key, variant) in
        [("8x8", "8x8"), ("10x8", "10x8"), ("10x10", "10x10"), ("8x10_not_accepted_by_server", "8x10")]
    {
        let game = Cannon.open(variant, RuleSet::Server).unwrap();
        let counts = record[key].as_array().unwrap();
        assert!(counts.len() >= 3);
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(game.perft_turns(depth), count.as_u64().unwrap(), "{variant}, depth {depth}");
        }
    }
}
