//! What the original programs did, replayed: states, legal moves, results and counts.

use agon_picture::MarkKind;
use agon_rollerball::{CHECKMATE, Rollerball, THREEFOLD};
use agon_rules::{AnyGame, AnyPosition, Outcome, Reason, RuleSet, Side, conformance::read_vectors};
use serde_json::Value;

fn vectors(file: &str) -> Vec<Value> {
    let vectors = read_vectors(format!("{}/vectors/{file}", env!("CARGO_MANIFEST_DIR")));
    assert!(!vectors.is_empty(), "{file} is empty");
    vectors
}

fn text<'a>(record: &'a Value, member: &str) -> &'a str {
    record[member].as_str().unwrap_or_else(|| panic!("{member} is not a text in {record}"))
}

fn texts<'a>(record: &'a Value, member: &str) -> Vec<&'a str> {
    let list = record[member].as_array().unwrap_or_else(|| panic!("{member} is not a list in {record}"));
    list.iter().map(|item| item.as_str().expect("a text")).collect()
}

fn open(variant: &str, rules: RuleSet) -> Box<dyn AnyPosition> {
    Rollerball.open(variant, rules).expect("a board that exists")
}

/// The printed form of a vector's position: the original program leaves the hole blank.
fn printed(state: &str) -> String {
    let (board, turn) = state.rsplit_once(' ').expect("a side to move");
    format!("{} {turn}", board.replace(' ', "_"))
}

fn legal(game: &dyn AnyPosition) -> Vec<String> {
    let turns = game.legal_turns(1000).expect("few moves");
    let mut spellings: Vec<String> = turns.into_iter().flat_map(|turn| turn.spellings).collect();
    spellings.sort();
    spellings
}

fn in_check(game: &dyn AnyPosition) -> bool {
    game.picture().marks.iter().any(|mark| mark.kind == MarkKind::Danger)
}

/// Plays a game of the vectors, compares every state, and calls `after` with the number of moves still to come.
fn replay(record: &Value, rules: RuleSet, mut after: impl FnMut(&dyn AnyPosition, usize)) {
    let mut game = open(text(record, "board_type"), rules);
    let (moves, states) = (texts(record, "moves"), texts(record, "states"));
    assert_eq!(states.len(), moves.len() + 1);
    assert_eq!(game.text(), printed(states[0]));
    for (i, m) in moves.iter().enumerate() {
        after(&*game, moves.len() - i);
        game.play(m).unwrap_or_else(|e| panic!("{m} in {}: {e}", states[i]));
        assert_eq!(game.text(), printed(states[i + 1]), "after {m} in {}", states[i]);
    }
    after(&*game, 0);
}

fn outcome(record: &Value) -> Outcome {
    match (text(record, "result"), text(record, "reason")) {
        ("1-0", "checkmate") => Outcome::win(Side::First, CHECKMATE),
        ("0-1", "checkmate") => Outcome::win(Side::Second, CHECKMATE),
        ("1/2-1/2", "stalemate") => Outcome::draw(Reason::STALEMATE),
        ("1/2-1/2", "threefold") => Outcome::draw(THREEFOLD),
        ("1/2-1/2", "100-moves") => Outcome::draw(Reason::MOVE_LIMIT),
        other => panic!("unknown ending {other:?}"),
    }
}

#[test]
fn games_of_the_first_server_end_as_they_did() {
    for record in vectors("rollerball.jsonl.gz") {
        replay(&record, RuleSet::Server, |game, to_come| match to_come {
            0 => assert_eq!(game.outcome(), Some(outcome(&record)), "{record}"),
            _ => assert_eq!(game.outcome(), None, "{to_come} moves before the end of {record}"),
        });
    }
}

/// The cut-offs of these games were their generator's; on the larger boards under the server's rules nothing but mate
/// and stalemate ends a game.
#[test]
fn games_of_the_second_server_replay() {
    for record in vectors("rollerball_a5.jsonl.gz") {
        let rules = if text(&record, "board_type") == "7-3" { RuleSet::Text } else { RuleSet::Server };
        let expected = outcome(&record);
        replay(&record, rules, |game, to_come| {
            let by_board = matches!(expected.reason, CHECKMATE | Reason::STALEMATE);
            match (to_come, by_board) {
                (0, true) => assert_eq!(game.outcome(), Some(expected)),
                (0, false) => {}
                _ => assert_eq!(game.outcome(), None),
            }
            if rules == RuleSet::Server && !by_board {
                assert_eq!(game.outcome(), None);
            }
        });
    }
}

fn compare_legal(record: &Value, rules: RuleSet) {
    let mut game = open(text(record, "board_type"), rules);
    let position = format!("{} {}", text(record, "board"), text(record, "turn"));
    game.set_up(&position).unwrap_or_else(|e| panic!("{position}: {e}"));
    assert_eq!(game.text(), printed(&position));
    assert_eq!(legal(&*game), texts(record, "legal"), "{position}");
    assert_eq!(in_check(&*game), record["in_check"].as_bool().expect("a truth value"), "{position}");
    if texts(record, "legal").is_empty() {
        let reason = if in_check(&*game) { CHECKMATE } else { Reason::STALEMATE };
        assert_eq!(game.outcome().map(|outcome| outcome.reason), Some(reason), "{position}");
    }
}

#[test]
fn legal_moves_of_the_first_server() {
    for record in vectors("rollerball_legal.jsonl.gz") {
        compare_legal(&record, RuleSet::Server);
    }
}

#[test]
fn legal_moves_of_the_second_server() {
    for record in vectors("rollerball_a5_legal.jsonl.gz") {
        compare_legal(&record, RuleSet::Text);
        if text(&record, "board_type") != "7-3" {
            compare_legal(&record, RuleSet::Server);
        }
    }
}

/// One record is a list of positions reached by moves from the start.
#[test]
fn perft_of_the_servers() {
    let mut counted = 0;
    for record in vectors("rollerball_perft.json").iter().flat_map(|list| list.as_array().expect("a list")) {
        for (member, rules) in [("perft_a2", RuleSet::Server), ("perft_a5", RuleSet::Text)] {
            let mut game = open("7-3", rules);
            for m in texts(record, "moves") {
                game.play(m).unwrap_or_else(|e| panic!("{m}: {e}"));
            }
            assert_eq!(game.text(), printed(text(record, "state")));
            for (depth, count) in (1..).zip(record[member].as_array().expect("counts")) {
                assert_eq!(Some(game.perft_turns(depth)), count.as_u64(), "{member} depth {depth} of {record}");
                assert_eq!(Some(game.perft(depth)), count.as_u64(), "{member} depth {depth} of {record}");
                counted += 1;
            }
        }
    }
    assert_eq!(counted, 5 * (4 + 5));
}
