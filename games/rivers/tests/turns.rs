//! Texts of turns and positions: what is accepted, and what is said about the rest.

use agon_rivers::{Axis, Cell, Face, Piece, Rivers, RiversPosition};
use agon_rules::{AnyGame, AnyPosition, Position, RuleSet, Side};

fn start() -> Box<dyn AnyPosition> {
    Rivers.open("small", RuleSet::Text).expect("a variant")
}

/// Circle: river e6 (horizontal), stone e7, stone g6. Square: stone e5, river g5 (vertical), stone h10 at home.
const MIXED: &str = "12/12/12/12/12/4s1v5/4H1S5/4S7/12/12/7s4/12/12 circle";

fn mixed() -> Box<dyn AnyPosition> {
    let mut game = start();
    game.set_up(MIXED).expect("a position");
    game
}

fn refuses(game: &dyn AnyPosition, turn: &str, message: &str) {
    let mut after = game.boxed();
    let error = after.play(turn).expect_err(turn).to_string();
    assert!(error.contains(message), "{turn}: '{error}' should say '{message}'");
    assert_eq!(after.text(), game.text(), "{turn} changed the position");
}

#[test]
fn short_texts_name_the_rule_they_break() {
    let game = mixed();
    for (turn, message) in [
        ("e7-m7", "oob: column 12, row 7 is off the board of 12 columns and 13 rows"),
        ("e7-e13", "oob"),
        ("e7-f10", "can't go into opponent score: f10 lies in square's area"),
        ("a0-b0", "invalid piece: expected a piece of circle on a0, found an empty crossing"),
        ("e5-e4", "invalid piece: expected a piece of circle on e5, found a stone of square"),
        ("e7-g6", "invalid move: expected an empty g6, found a stone of circle"),
        ("e7-e9", "invalid move location: neither a step nor a river leads from e7 to e9"),
        ("e6*e7-e10", "push would enter opponent score cell: e10 lies in square's area, closed to circle"),
        ("e6*e5-e2", "push would enter opponent score cell: e2 lies in circle's area, closed to square"),
        ("a0*e5-e4", "invalid piece"),
        ("e6*f6-h6", "to must be occupied: f6 is empty"),
        ("e6*e5-g6", "pushed_to not empty: g6 holds a stone of circle"),
        ("e6*g5-h5", "rivers cannot push rivers: g5 holds a river"),
        ("g6*g5-g4", "push pair invalid: only stones can be pushed, g5 holds a river"),
        ("e7*e5-e4", "push pair invalid: e7 cannot enter e5"),
        ("e6*e7-e8", "push pair invalid: e6 cannot push e7 to e8, a horizontal river does not carry it there"),
        ("e6h", "expected a stone on e6, found a river"),
        ("e7s", "expected a river on e7, found a stone"),
        ("e7r", "rotate only on river: e7 is a stone"),
        ("e5r", "invalid: expected a piece of circle on e5, found a stone of square"),
        ("e5v", "invalid piece: expected a piece of circle"),
        ("z9h", "oob"),
    ] {
        refuses(&*game, turn, message);
    }
    let game = start();
    refuses(&*game, "d9*d8-d6", "push pair invalid: d9 cannot push d8 to d6, a stone pushes one step straight on");
}

#[test]
fn texts_outside_the_grammar_are_refused() {
    let game = start();
    let long = "d8".repeat(500_000);
    let texts = [
        "",
        " ",
        "d8",
        "8d-d7",
        "d8-",
        "-d7",
        "d8-d7 ",
        " d8-d7",
        "d8 d7",
        "d8-d7-d6",
        "d9*d8",
        "d9*d8-",
        "d9*d8*d7",
        "d8x",
        "D8-D7",
        "d8H",
        "d+8-d7",
        "d08-d7",
        "d8-d07",
        "d8hh",
        "d99999999999999999999-d7",
        "é8-d7",
        "d8-d7\n",
        "d8–d7",
        "[3,8]",
        "null",
        &long,
    ];
    for text in texts {
        refuses(&*game, text, "expected a turn like d8-d7, d9*d8-d7, d8h, d8v, d8s, d8r or a JSON object, found '");
        let error = game.boxed().play(text).expect_err("refused").to_string();
        assert!(error.len() < 400, "an error of {} bytes", error.len());
    }
}

#[test]
fn objects_are_a_second_form() {
    for (object, short) in [
        (r#"{"action":"move","from":[4,7],"to":[4,8]}"#, "e7-e8"),
        (r#"{"action":"push","from":[4,6],"to":[4,5],"pushed_to":[5,5]}"#, "e6*e5-f5"),
        (r#"{"action":"flip","from":[4,7],"orientation":"horizontal"}"#, "e7h"),
        (r#"{"action":"flip","from":[4,7],"orientation":"vertical"}"#, "e7v"),
        (r#"{"action":"flip","from":[4,6]}"#, "e6s"),
        (r#"{"action":"rotate","from":[4,6]}"#, "e6r"),
    ] {
        let game = mixed();
        let turns = game.legal_turns(1000).expect("not too many");
        let turn = turns.iter().find(|turn| turn.spellings == [short]).expect(short);
        assert_eq!(turn.object.as_deref(), Some(object));
        let [mut a, mut b] = [game.boxed(), game.boxed()];
        a.play(object).expect(object);
        b.play(short).expect(short);
        assert_eq!(a.text(), b.text());
    }
}

/// What the original lets pass: other members, any order, null, an orientation that means nothing, numbers as strings and
/// with fractions.
#[test]
fn objects_are_read_as_leniently_as_the_original_reads_them() {
    for (object, short) in [
        (r#"{"to":[4,8],"from":[4,7],"note":{"x":[1]},"action":"move"}"#, "e7-e8"),
        (r#"{"action":"move","from":["4"," 7 "],"to":[4.9,8.2],"orientation":null}"#, "e7-e8"),
        (r#"{ "action" : "move", "from": [4, 7, 9], "to": ["+4", "08"] }"#, "e7-e8"),
        (r#"{"action":"move","from":[4,7],"to":[4,8],"pushed_to":[]}"#, "e7-e8"),
        (r#"{"action":"flip","from":[4,6],"orientation":null}"#, "e6s"),
        (r#"{"action":"flip","from":[4,6],"orientation":"vertical","to":[0,0]}"#, "e6s"),
        (r#"{"action":"rotate","from":[4,6],"orientation":"horizontal"}"#, "e6r"),
        (r#"{"action":"move","from":[4,7],"from":[6,6],"to":[7,6]}"#, "g6-h6"),
    ] {
        let [mut a, mut b] = [mixed(), mixed()];
        a.play(object).unwrap_or_else(|e| panic!("{object}: {e}"));
        b.play(short).expect(short);
        assert_eq!(a.text(), b.text(), "{object}");
    }
}

#[test]
fn objects_name_the_rule_they_break() {
    let game = mixed();
    let deep = format!(r#"{{"action":{}"#, "[".repeat(100_000));
    for (object, message) in [
        ("{", "move must be dict"),
        (r#"{"action":"move"} {}"#, "move must be dict"),
        (deep.as_str(), "move must be dict"),
        ("{}", "unknown action"),
        (r#"{"type":"move","from":[4,7],"to":[4,8]}"#, "unknown action"),
        (r#"{"action":7}"#, "unknown action"),
        (r#"{"action":"jump","from":[4,7]}"#, "unknown action: expected move, push, flip or rotate, found 'jump'"),
        (r#"{"action":"move","from":[4,7]}"#, "move needs from & to"),
        (r#"{"action":"move","from":[],"to":[4,8]}"#, "move needs from & to"),
        (r#"{"action":"push","from":[4,6],"to":[4,5]}"#, "push needs from,to,pushed_to"),
        (r#"{"action":"flip"}"#, "flip needs from"),
        (r#"{"action":"rotate","from":null}"#, "rotate needs from"),
        (r#"{"action":"rotate","from":[4]}"#, "from: expected a list [column, row]"),
        (r#"{"action":"rotate","from":"e6"}"#, "from: expected a list [column, row]"),
        (r#"{"action":"rotate","from":{"x":4,"y":6}}"#, "from: expected a list [column, row]"),
        (r#"{"action":"rotate","from":["e",6]}"#, "from: expected two whole numbers"),
        (r#"{"action":"rotate","from":["4.9",6]}"#, "from: expected two whole numbers"),
        (r#"{"action":"rotate","from":[null,6]}"#, "from: expected two whole numbers"),
        (r#"{"action":"rotate","from":[-1,6]}"#, "oob"),
        (r#"{"action":"rotate","from":[1e300,6]}"#, "oob"),
        (r#"{"action":"rotate","from":["99999999999999999999",-99999999999999999999]}"#, "oob"),
        (r#"{"action":"flip","from":[4,7]}"#, "stone->river needs orientation"),
        (r#"{"action":"flip","from":[4,7],"orientation":null}"#, "stone->river needs orientation"),
        (r#"{"action":"flip","from":[4,7],"orientation":"h"}"#, "stone->river needs orientation"),
        (r#"{"action":"flip","from":[0,0]}"#, "invalid piece"),
        (r#"{"action":"move","from":[4,7],"to":[4,10]}"#, "can't go into opponent score"),
    ] {
        refuses(&*game, object, message);
    }
}

/// The checks come in the original's order, so the first broken rule is the one that is named.
#[test]
fn the_first_broken_rule_is_named() {
    let game = mixed();
    for (turn, message) in [
        ("z9-e10", "oob"),
        ("a0-e10", "can't go into opponent score"),
        ("a0-e5", "invalid piece"),
        // The cell to push from is empty: the original takes it for square's.
        ("a0*b0-e2", "push would enter opponent score cell"),
        ("a0*b0-e5", "invalid piece"),
        ("e7*b0-e5", "to must be occupied"),
        ("e6*g5-e5", "pushed_to not empty"),
    ] {
        let error = game.boxed().play(turn).expect_err(turn).to_string();
        assert!(error.starts_with(message), "{turn}: {error}");
    }
}

#[test]
fn positions_say_what_is_wrong_with_them() {
    let rows = "12/12/12/3ssssss3/3ssssss3/12/12/12/3SSSSSS3/3SSSSSS3/12/12/12";
    let replaced = |from: &str, to: &str| format!("{} circle", rows.replacen(from, to, 1));
    let million = "1".repeat(1_000_000);
    for (text, message) in [
        (String::new(), "expected '<rows joined by /> <circle|square>', found ''"),
        (rows.to_owned(), "expected '<rows joined by /> <circle|square>', found '12/12/"),
        (format!("{rows} circle 1"), "expected '<rows joined by /> <circle|square>'"),
        (format!("{rows} Circle"), "expected 'circle' or 'square', found 'Circle'"),
        (format!("{rows}/12 circle"), "expected 13 rows, found 14"),
        (replaced("3ssssss3", "2ssssss3"), "row 3: expected 12 columns, found 11"),
        (replaced("3ssssss3", "4ssssss3"), "row 3: expected 12 columns, found more"),
        (replaced("3ssssss3", "3sssxss3"), "row 3: expected a number or one of S H V s h v, found 'x'"),
        (replaced("12", "012"), "row 0: expected a run length without a leading zero"),
        (replaced("12", "99999999999999999999"), "row 0: expected 12 columns, found more"),
        (replaced("12", "1é"), "row 0: expected a number or one of S H V s h v, found 'é'"),
        (replaced("12", ""), "row 0: expected 12 columns, found 0"),
        (replaced("12", &million), "row 0: expected 12 columns, found more"),
    ] {
        let mut game = start();
        let before = game.text();
        let error = game.set_up(&text).expect_err(message).to_string();
        assert!(error.starts_with(message), "'{error}' should say '{message}'");
        assert_eq!(game.text(), before);
    }
}

#[test]
fn any_arrangement_is_accepted() {
    for text in [
        "12/12/12/12/12/12/12/12/12/12/12/12/12 square",
        "SSSSSSSSSSSS/hhhhhhhhhhhh/vvvvvvvvvvvv/HHHHHHHHHHHH/VVVVVVVVVVVV/12/12/12/12/12/12/12/ssssssssssss circle",
        "12/12/4svh5/12/12/12/12/12/12/12/4SVH5/12/12 circle",
    ] {
        let mut game = start();
        game.set_up(text).expect(text);
        assert_eq!(game.text(), text);
    }
}

/// What the original's JSON shows: a fresh stone has an orientation, one that has been a river has none.
#[test]
fn pieces_show_the_orientation_of_the_original() {
    let mut position = RiversPosition::small(RuleSet::Server);
    let d8 = Cell::new(3, 8);
    let piece = |face, orientation| Some(Piece { owner: Side::First, face, orientation });
    assert_eq!(position.piece(d8), piece(Face::Stone, Some(Axis::Horizontal)));
    for (turn, face, orientation) in [
        ("d8v", Face::River(Axis::Vertical), Some(Axis::Vertical)),
        ("d8r", Face::River(Axis::Horizontal), Some(Axis::Horizontal)),
        ("d8s", Face::Stone, None),
        ("d8h", Face::River(Axis::Horizontal), Some(Axis::Horizontal)),
        // Pushing leaves the pusher a stone that has been a river; the pushed one stays fresh.
        ("d8*e8-c8", Face::Stone, None),
    ] {
        let m = position.parse_turn(turn).unwrap_or_else(|e| panic!("{turn}: {e}"))[0];
        position.play(m);
        let at = if turn.contains('*') { Cell::new(4, 8) } else { d8 };
        assert_eq!(position.piece(at), piece(face, orientation), "{turn}");
        let reply = if position.piece(Cell::new(3, 4)).is_some() { "d4-c4" } else { "c4-d4" };
        position.play(position.parse_turn(reply).unwrap_or_else(|e| panic!("after {turn}: {e}"))[0]);
        assert_eq!(position.key(), position.recompute_key());
    }
    assert_eq!(position.piece(Cell::new(2, 8)), piece(Face::Stone, Some(Axis::Horizontal)));
    let fresh = position.parse(&position.text()).expect("its own text");
    assert_eq!(fresh, position, "the text does not carry the orientation of stones");
    assert_ne!(fresh.history_key(), position.history_key());
    assert_eq!((fresh.key(), fresh.turn()), (position.key(), position.turn()));
}

#[test]
fn symmetries_of_the_boards() {
    let small = RiversPosition::small(RuleSet::Text);
    let medium = RiversPosition::medium(RuleSet::Text);
    let large = RiversPosition::large(RuleSet::Text);
    assert_eq!([small.symmetries(3), medium.symmetries(3), large.symmetries(3)], [4, 2, 4]);
    let position = small.parse(MIXED).expect("a position");
    assert_eq!(position.transform(1).text(), "12/12/12/12/12/5v1s4/5S1H4/7S4/12/12/4s7/12/12 circle");
    assert_eq!(position.transform(2).text(), "12/12/7S4/12/12/4s7/4h1s5/4S1V5/12/12/12/12/12 square");
    assert_eq!(position.transform(3), position.transform(1).transform(2));
    // Swapping the sides is not exact where circle's area being looked at first can matter.
    for text in
        ["12/12/4s7/12/12/12/12/12/12/12/S11/12/12 circle", "12/12/4SSSS4/12/12/12/12/12/12/12/4ssss4/12/12 circle"]
    {
        assert_eq!(small.parse(text).expect("a position").symmetries(3), 2);
    }
}
