//! Games and legal lists that were made by running the original program. All are of the `server` rule set.

use agon_rivers::{REPETITION, Rivers};
use agon_rules::{AnyGame, AnyPosition, BySide, Ending, Outcome, Reason, RuleSet, Side, conformance::read_vectors};
use serde_json::Value;

/// Pieces of a side, and points for a stone that is home.
fn pieces_and_weight(size: &str) -> (f64, f64) {
    match size {
        "small" => (12.0, 10.0),
        "medium" => (14.0, 8.0),
        "large" => (16.0, 6.5),
        _ => panic!("no such size: {size}"),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(text).collect()
}

fn pair(value: &Value) -> BySide<f64> {
    BySide::new(value[0].as_f64().expect("a number"), value[1].as_f64().expect("a number"))
}

fn side(name: &str) -> Side {
    match name {
        "circle" => Side::First,
        "square" => Side::Second,
        _ => panic!("no such side: {name}"),
    }
}

fn close(a: BySide<f64>, b: BySide<f64>) -> bool {
    (a.first - b.first).abs() < 1e-9 && (a.second - b.second).abs() < 1e-9
}

/// Compares the n and m of both sides through the points of a fault: the offender gets weight * (n + m / pieces).
fn check_nm(game: &dyn AnyPosition, size: &str, nm: &Value, place: &str) {
    let (pieces, weight) = pieces_and_weight(size);
    for (side, nm) in Side::BOTH.into_iter().zip([pair(&nm[0]), pair(&nm[1])]) {
        let lost = weight * (nm.first + nm.second / pieces);
        let points = game.points(Ending::Fault(side));
        let expected =
            if side == Side::First { BySide::new(lost, 100.0 - lost) } else { BySide::new(100.0 - lost, lost) };
        assert!(close(points, expected), "{place}: {points:?}, expected {expected:?}");
    }
}

/// Plays a recorded game and compares everything in it that binds. Gives the kind of its result.
fn check_game(record: &Value, place: &str) -> String {
    let size = text(&record["size"]);
    let result = text(&record["result"]);
    let moves = strings(&record["moves"]);
    let mut game = Rivers.open(size, RuleSet::Server).expect("a variant");
    let mut states = record["states"].as_array().expect("a list").iter().peekable();
    let illegal = result.strip_prefix("invalid: ");
    for ply in 0..=moves.len() {
        // A game that ends with an illegal turn has its last state twice.
        while let Some(state) = states.next_if(|state| state[0].as_u64() == Some(ply as u64)) {
            let board = game.text();
            assert_eq!(board.split(' ').next(), state[1].as_str(), "{place}, ply {ply}");
        }
        let Some(turn) = moves.get(ply) else { break };
        assert_eq!(game.outcome(), None, "{place}, ply {ply}");
        match (illegal, ply + 1 == moves.len()) {
            (Some(message), true) => {
                let error = game.play(turn).expect_err(place).to_string();
                assert!(error.starts_with(message), "{place}: '{error}' should name '{message}'");
            }
            _ => {
                game.play(turn).unwrap_or_else(|e| panic!("{place}, ply {ply}, {turn}: {e}"));
            }
        }
    }
    assert_eq!(states.next(), None, "{place}: a state was never reached");
    check_nm(&*game, size, &record["nm"], place);
    let ending = match result {
        "win" => {
            let outcome = Outcome::win(side(text(&record["winner"])), Reason::GOAL);
            assert_eq!(game.outcome(), Some(outcome), "{place}");
            Ending::Over(outcome)
        }
        "repetition" => {
            let outcome = Outcome::draw(REPETITION);
            assert_eq!(game.outcome(), Some(outcome), "{place}");
            Ending::Over(outcome)
        }
        // The generator stopped here and scored the game as if it were a draw.
        "cap" => {
            assert_eq!(game.outcome(), None, "{place}");
            Ending::Over(Outcome::draw(Reason::MOVE_LIMIT))
        }
        _ => {
            assert!(illegal.is_some(), "{place}: unknown result {result}");
            Ending::Fault(side(text(&record["winner"])).other())
        }
    };
    let points = game.points(ending);
    assert!(close(points, pair(&record["scores"])), "{place}: {points:?}, expected {}", record["scores"]);
    illegal.map_or(result, |_| "invalid").to_owned()
}

#[test]
fn games() {
    let records = read_vectors(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/rivers.jsonl.gz"));
    assert_eq!(records.len(), 350);
    let kinds: Vec<String> =
        records.iter().enumerate().map(|(i, record)| check_game(record, &format!("game {}", i + 1))).collect();
    let count = |kind: &str| kinds.iter().filter(|k| *k == kind).count();
    assert_eq!([count("win"), count("repetition"), count("cap"), count("invalid")], [41, 6, 301, 2]);
}

#[test]
fn legal_lists() {
    let records = read_vectors(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/rivers_legal.jsonl.gz"));
    assert_eq!(records.len(), 900);
    for (i, record) in records.iter().enumerate() {
        let place = format!("position {}", i + 1);
        let size = text(&record["size"]);
        let mut game = Rivers.open(size, RuleSet::Server).expect("a variant");
        let position = format!("{} {}", text(&record["board"]), text(&record["turn"]));
        game.set_up(&position).expect("a position");
        assert_eq!(game.text(), position, "{place}");
        let turns = game.legal_turns(10_000).expect("not too many");
        let mut legal: Vec<&str> = turns.iter().flat_map(|turn| &turn.spellings).map(String::as_str).collect();
        legal.sort_unstable();
        assert_eq!(legal, text(&record["moves"]).split(' ').collect::<Vec<_>>(), "{place}");
        assert_eq!(legal.len() as u64, record["n"].as_u64().expect("a number"), "{place}");
        assert_eq!(game.perft(1), legal.len() as u64, "{place}");
        check_nm(&*game, size, &record["nm"], &place);
        check_both_forms(&*game, &place);
    }
}

/// Every legal turn is accepted in the original's JSON form too, and means the same.
fn check_both_forms(game: &dyn AnyPosition, place: &str) {
    for turn in game.legal_turns(10_000).expect("not too many") {
        let object = turn.object.expect("an object for every turn");
        let [mut short, mut long] = [game.boxed(), game.boxed()];
        short.play(&turn.spellings[0]).unwrap_or_else(|e| panic!("{place}, {}: {e}", turn.spellings[0]));
        long.play(&object).unwrap_or_else(|e| panic!("{place}, {object}: {e}"));
        assert_eq!(short.text(), long.text(), "{place}, {object}");
    }
}

/// The counts of the spec's section 9, made by the original generator.
#[test]
fn perft_of_the_start() {
    let counts = [("small", [48, 2_304, 123_732]), ("medium", [54, 2_916, 180_338]), ("large", [60, 3_600, 252_328])];
    for (size, expected) in counts {
        let game = Rivers.open(size, RuleSet::Server).expect("a variant");
        assert_eq!([1, 2, 3].map(|depth| game.perft(depth)), expected, "{size}");
        assert_eq!([1, 2, 3].map(|depth| game.perft_turns(depth)), expected, "{size}");
    }
    assert_eq!(Rivers.open("small", RuleSet::Server).expect("a variant").perft(4), 6_645_032);
}
