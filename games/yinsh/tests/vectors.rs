//! The games, legal lists, counts and accepted turns of the original server.

use agon_rules::{AnyGame, AnyPosition, Ending, RuleSet, Side, conformance::read_vectors};
use agon_yinsh::Yinsh;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// More turns than any listed position has.
const MOST_TURNS: usize = 1_000_000;

fn records(name: &str) -> Vec<Value> {
    read_vectors(format!("{}/vectors/{name}.jsonl.gz", env!("CARGO_MANIFEST_DIR")))
}

/// The start of the record's game.
fn open(record: &Value) -> Box<dyn AnyPosition> {
    let [n, m, k, l] = ["n", "m", "k", "l"].map(|name| record[name].as_u64().expect("a number"));
    Yinsh.open(&format!("{n}-{m}-{k}-{l}"), RuleSet::Server).expect("a variant of the server")
}

/// The record's position.
fn set_up(record: &Value) -> Box<dyn AnyPosition> {
    let mut game = open(record);
    game.set_up(text(&record["state"])).expect("a position of the server");
    game
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn list(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(text).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|number| number.as_f64().expect("a number")).collect()
}

fn points(game: &dyn AnyPosition, ending: Ending) -> Vec<f64> {
    let points = game.points(ending);
    vec![points.first, points.second]
}

#[test]
fn games() {
    let mut turns = 0;
    for record in records("yinsh") {
        let mut game = open(&record);
        for (turn, state) in list(&record["moves"]).iter().zip(list(&record["states"])) {
            assert_eq!(game.outcome(), None, "game {} went on", record["id"]);
            game.play(turn).unwrap_or_else(|error| panic!("game {}, {turn}: {error}", record["id"]));
            assert_eq!(game.text(), state, "game {}, after {turn}", record["id"]);
            let mut again = open(&record);
            again.set_up(state).expect("a position of the game");
            assert_eq!((again.text().as_str(), again.key()), (state, game.key()));
            turns += 1;
        }
        check_result(&*game, &record["result"]);
    }
    assert!(turns > 16_000, "{turns} turns");
}

fn check_result(game: &dyn AnyPosition, result: &Value) {
    let outcome = game.outcome().expect("the game is over");
    assert_eq!(points(game, Ending::Over(outcome)), numbers(&result["scores"]));
    let out: Vec<u64> = result["rings_out"].as_array().expect("a pair").iter().filter_map(Value::as_u64).collect();
    match text(&result["end"]) {
        "win" => {
            assert_eq!(outcome.reason.name(), "win");
            assert_eq!(outcome.winner.map(|side| u64::from(side.number())), result["winner"].as_u64());
        }
        "no_moves" => {
            assert_eq!(outcome.reason.name(), "stalemate");
            let ahead = if out[0] > out[1] { Some(Side::First) } else { Some(Side::Second) };
            assert_eq!(outcome.winner, ahead.filter(|_| out[0] != out[1]));
        }
        other => panic!("unknown end {other}"),
    }
    for (side, scores) in Side::BOTH.into_iter().zip(["scores_if_p1_error", "scores_if_p2_error"]) {
        // After a third ring the original counts it against the offender, which does not bind.
        if out[side.index()] < 3 {
            assert_eq!(points(game, Ending::Fault(side)), numbers(&result[scores]));
        }
    }
}

fn hash(lines: &[String]) -> String {
    let digest = Sha256::digest(lines.join("\n"));
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// `turn` with the two ends of every row written first one way, then the other.
fn both_orders(turn: &str) -> Vec<String> {
    let words: Vec<&str> = turn.split(' ').collect();
    let Some(at) = words.iter().position(|&word| word == "RS") else { return vec![turn.to_owned()] };
    let before = words[..at].iter().map(|word| format!("{word} ")).collect::<String>();
    let (a, b) = (words[at + 1..at + 3].join(" "), words[at + 4..at + 6].join(" "));
    let rests = if at + 6 < words.len() { both_orders(&words[at + 6..].join(" ")) } else { vec![String::new()] };
    let turns = |start: &str, end: &str| -> Vec<String> {
        let turn = |rest: &String| format!("{before}RS {start} RE {end} {rest}").trim_end().to_owned();
        rests.iter().map(turn).collect()
    };
    [turns(&a, &b), turns(&b, &a)].concat()
}

#[test]
fn legal_turns() {
    let mut hashed = 0;
    for record in records("yinsh_legal") {
        let game = set_up(&record);
        let legal = game.legal_turns(MOST_TURNS).expect("not too many");
        let mut turns: Vec<String> = legal.into_iter().flat_map(|turn| turn.spellings).collect();
        turns.sort();
        assert_eq!(turns.len() as u64, record["count"].as_u64().expect("a count"), "{}", record["state"]);
        assert_eq!(hash(&turns), text(&record["sha"]));
        if record["turns"].is_null() {
            hashed += 1;
        } else {
            assert_eq!(turns, list(&record["turns"]));
        }
        let mut in_any_order: Vec<String> = turns.iter().flat_map(|turn| both_orders(turn)).collect();
        in_any_order.sort();
        assert_eq!(hash(&in_any_order), text(&record["sha_raw"]));
        check_both_orders(&*game, &in_any_order);
    }
    assert!(hashed > 0, "some lists are known by their hash only");
}

/// A row may be named from either end, with the same result.
fn check_both_orders(game: &dyn AnyPosition, turns: &[String]) {
    // Some positions have thousands of turns; a few hundred of each are enough.
    for turn in turns.iter().step_by(1 + turns.len() / 200) {
        let mut next = game.boxed();
        next.play(turn).unwrap_or_else(|error| panic!("{turn}: {error}"));
    }
}

#[test]
fn perft() {
    for record in records("yinsh_perft") {
        let game = set_up(&record);
        for (depth, count) in [(1, &record["d1"]), (2, &record["d2"])] {
            assert_eq!(Some(game.perft_turns(depth)), count.as_u64(), "{} at depth {depth}", record["state"]);
        }
    }
}

#[test]
fn accepted_and_refused_turns() {
    let mut refused = 0;
    for record in records("yinsh_try") {
        let moves = list(&record["moves"]);
        let (attempt, before) = moves.split_last().expect("at least one turn");
        let mut game = open(&record);
        // Where the original was fooled by an earlier turn, this game ends there already.
        let Ok(()) = before.iter().try_for_each(|turn| game.play(turn).map(drop)) else {
            assert!(
                text(&record["tag"]).starts_with("quirk_opponent"),
                "{}: an earlier turn was refused",
                record["tag"]
            );
            continue;
        };
        let position = game.text();
        let result = game.play(attempt);
        assert_eq!(result.is_ok(), record["strict_legal"] == true, "{}: {attempt}: {result:?}", record["tag"]);
        if result.is_ok() {
            assert_eq!(game.text(), text(&record["state"]));
        } else {
            assert_eq!(game.text(), position, "a refused turn changes nothing");
            refused += 1;
        }
    }
    assert!(refused > 100, "{refused} refused turns");
}
