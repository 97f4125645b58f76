//! Games and positions made by a plain program written from the event's text.

use agon_connectx::ConnectX;
use agon_rules::{AnyGame, AnyPosition, RuleSet, Side, conformance::read_vectors};
use serde_json::Value;

fn vectors(kind: &str) -> Vec<Value> {
    let all = read_vectors(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/connectx.jsonl.gz"));
    let chosen: Vec<Value> = all.into_iter().filter(|record| record["type"] == kind).collect();
    assert!(chosen.len() > 100, "only {} records of type {kind}", chosen.len());
    chosen
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(|item| item.as_str().expect("a string")).collect()
}

fn start() -> Box<dyn AnyPosition> {
    ConnectX.open("standard", RuleSet::Text).expect("the standard variant")
}

fn play(moves: &[&str]) -> Box<dyn AnyPosition> {
    let mut game = start();
    for turn in moves {
        assert_eq!(game.outcome(), None, "the game is over before '{turn}' of {moves:?}");
        game.play(turn).unwrap_or_else(|e| panic!("'{turn}' of {moves:?}: {e}"));
    }
    game
}

fn legal(game: &dyn AnyPosition) -> Vec<String> {
    let turns = game.legal_turns(100).expect("at most nine turns");
    let mut texts: Vec<String> = turns.into_iter().flat_map(|turn| turn.spellings).collect();
    texts.sort();
    texts
}

#[test]
fn games() {
    for record in vectors("game") {
        let game = play(&strings(&record["moves"]));
        let outcome = game.outcome().expect("a finished game");
        let result = match outcome.winner {
            Some(Side::First) => "p1",
            Some(Side::Second) => "p2",
            None => "draw",
        };
        assert_eq!(record["result"], result, "{record}");
        assert_eq!(legal(&*game), Vec::<String>::new());
    }
}

#[test]
fn positions() {
    for record in vectors("pos") {
        let game = play(&strings(&record["moves"]));
        check_position(&*game, &record);
        // The same from the position's text alone.
        let mut set_up = start();
        set_up.set_up(&game.text()).unwrap_or_else(|e| panic!("{}: {e}", game.text()));
        check_position(&*set_up, &record);
    }
}

fn check_position(game: &dyn AnyPosition, record: &Value) {
    let text = game.text();
    let parts: Vec<&str> = text.split(' ').collect();
    let grid = parts[0].replace('/', "").replace('.', "0");
    assert_eq!(record["grid"], grid.as_str());
    assert_eq!(record["active"].to_string(), parts[2]);
    let mut expected = strings(&record["legal"]);
    expected.sort_unstable();
    assert_eq!(legal(game), expected, "{record}");
    let wins = |turn: &String| {
        let mut next = game.boxed();
        next.play(turn).expect("a legal turn");
        next.outcome().is_some_and(|outcome| outcome.winner == Some(game.turn()))
    };
    let winning: Vec<String> = legal(game).into_iter().filter(wins).collect();
    let mut expected = strings(&record["winning"]);
    expected.sort_unstable();
    assert_eq!(winning, expected, "{record}");
}
