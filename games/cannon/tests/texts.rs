//! Texts that are refused, with the reason, and what the picture says.

use agon_cannon::Cannon;
use agon_rules::{AnyGame, AnyPosition, RuleSet};

use RuleSet::{Server, Text};

fn set_up(rules: RuleSet, position: &str) -> Box<dyn AnyPosition> {
    let mut game = Cannon.open("8x8", rules).unwrap();
    game.set_up(position).unwrap();
    game
}

fn start(rules: RuleSet) -> Box<dyn AnyPosition> {
    Cannon.open("8x8", rules).unwrap()
}

fn play(game: &mut dyn AnyPosition, turns: &[&str]) {
    for turn in turns {
        assert_eq!(game.outcome(), None, "before {turn}");
        game.play(turn).unwrap_or_else(|e| panic!("{turn}: {e}"));
    }
}

/// Why a turn is refused. Also checks that nothing changed.
fn refusal(game: &dyn AnyPosition, turn: &str) -> String {
    let mut copy = game.boxed();
    let error = copy.play(turn).expect_err(turn).to_string();
    assert_eq!((copy.text(), copy.turns_made()), (game.text(), game.turns_made()));
    error
}

#[test]
fn turns_that_are_not_in_the_grammar() {
    let game = start(Server);
    let grammar = [
        "",
        " ",
        "S",
        "S 0 5",
        "S 0 5 M 0",
        "S 0 5 M 0 4 0",
        "S 0 5 S 0 4",
        "s 0 5 m 0 4",
        "M 0 5 S 0 4",
        "S 0 5 M 0 4 S 1 2 M 1 3",
        "S,0,5,M,0,4",
        "S05M04",
        "S 0 5 M\u{a0}0 4",
        "Ｓ 0 5 M 0 4",
    ];
    for turn in grammar {
        let error = refusal(game.as_ref(), turn);
        assert!(error.starts_with("expected 'S x y M x y' or 'S x y B x y', found '"), "{turn}: {error}");
    }
    for (turn, message) in [
        ("S 8 5 M 0 4", "x: expected a number from 0 to 7, found '8'"),
        ("S 0 8 M 0 4", "y: expected a number from 0 to 7, found '8'"),
        ("S 0 5 M -1 4", "x: expected a number from 0 to 7, found '-1'"),
        ("S 0 5 M +0 4", "x: expected a number from 0 to 7, found '+0'"),
        ("S 0 5 M 00 4", "x: expected a number from 0 to 7, found '00'"),
        ("S 0 5 M 0 4.0", "y: expected a number from 0 to 7, found '4.0'"),
        ("S 0 5 M 0 99999999999999999999", "y: expected a number from 0 to 7, found '99999999999999999999'"),
        ("S ٠ 5 M 0 4", "x: expected a number from 0 to 7, found '٠'"),
    ] {
        assert_eq!(refusal(game.as_ref(), turn), message);
    }
    for long in ["S ".repeat(500_000), "9".repeat(1_000_000), format!("S 0 5 M 0 {}", "4".repeat(1_000_000))] {
        assert!(refusal(game.as_ref(), &long).len() < 300);
    }
    // White space between the parts does not matter.
    assert!(game.boxed().play("  S 0\t5  M 0 4\r\n").is_ok());
}

#[test]
fn turns_that_break_a_rule() {
    let game = start(Server);
    for (turn, message) in [
        ("S 1 4 M 1 3", "expected a black soldier at 1 4, found an empty square"),
        ("S 1 2 M 1 3", "expected a black soldier at 1 2, found a white soldier"),
        ("S 1 7 M 1 6", "expected a black soldier at 1 7, found a black hall"),
        ("S 0 0 B 0 3", "expected a black soldier at 0 0, found a white hall"),
        ("S 0 6 M 0 5", "0 5 holds a black soldier of the side to move"),
        ("S 0 7 M 1 7", "1 7 holds a black hall of the side to move"),
        ("S 0 5 M 1 5", "a sideways step must capture, but 1 5 is empty"),
        ("S 0 6 M 1 7", "1 7 holds a black hall of the side to move"),
        ("S 0 5 M 3 2", "0 5 is not the rear of a cannon that points to 3 2"),
    ] {
        assert_eq!(refusal(game.as_ref(), turn), message);
    }
    let far = refusal(game.as_ref(), "S 0 5 M 4 4");
    assert!(far.starts_with("a soldier cannot go from 0 5 to 4 4: it steps one square forward"), "{far}");
}

#[test]
fn positions_that_cannot_be_read() {
    let mut game = start(Text);
    let before = game.text();
    let rows = "t.t.t.t./......../......../......../......../......../S......s/.T.T.T.T";
    for (text, message) in [
        (String::new(), "expected '<rows joined by /> <1|2>', found ''".to_owned()),
        (rows.to_owned(), format!("expected '<rows joined by /> <1|2>', found '{}…'", &rows[..48])),
        (format!("{rows} 1 x"), format!("expected '<rows joined by /> <1|2>', found '{}…'", &rows[..48])),
        (format!("{rows} 3"), "side to move: expected 1 or 2, found '3'".to_owned()),
        (format!("{rows} w"), "side to move: expected 1 or 2, found 'w'".to_owned()),
        (format!("{rows}/........ 1"), "expected 8 rows joined by '/', found 9".to_owned()),
        (rows.replacen("......../", "", 1) + " 1", "expected 8 rows joined by '/', found 7".to_owned()),
        (rows.replace("S......s", "S.....s") + " 1", "row 6: expected 8 columns, found 7".to_owned()),
        (rows.replace("S......s", "S..x...s") + " 1", "row 6, column 3: expected one of 'STst.', found 'x'".to_owned()),
        (rows.replace("S......s", "S..é...s") + " 1", "row 6, column 3: expected one of 'STst.', found 'é'".to_owned()),
    ] {
        assert_eq!(game.set_up(&text).unwrap_err().to_string(), message);
    }
    for long in ["/".repeat(1_000_000) + " 1", ".".repeat(1_000_000) + " 1", " ".repeat(1_000_000)] {
        assert!(game.set_up(&long).unwrap_err().to_string().len() < 300);
    }
    assert_eq!(game.text(), before);
}

#[test]
fn the_picture_says_what_counts() {
    let mut game = set_up(Text, "t.t.t.../......../S..s..../......../......../......../......../.T.T.T.T 1");
    play(game.as_mut(), &["S 0 2 M 1 1"]);
    let picture = game.picture();
    assert_eq!(picture.caption, "White is to move. Halls lost: black 0, white 1.");
    let marked: Vec<(&str, String)> =
        picture.marks.iter().map(|mark| (picture.spots[mark.spot].name.as_str(), format!("{:?}", mark.kind))).collect();
    let expected = [("0 2", "LastFrom"), ("1 1", "LastTo"), ("0 0", "Danger"), ("2 0", "Danger")];
    assert_eq!(marked, expected.map(|(name, kind)| (name, kind.to_owned())));
    play(game.as_mut(), &["S 3 2 M 3 3", "S 1 1 M 2 0"]);
    assert_eq!(game.picture().caption, "Black wins. Halls lost: black 0, white 2.");
    let stuck = |rules, halls: &str| {
        let game = set_up(rules, &format!("tttt...S/......../......../......../......../......../......s./{halls} 1"));
        game.picture().caption
    };
    assert_eq!(stuck(Text, "TTTT...."), "Black has no move: a draw. Halls lost: black 0, white 0.");
    assert_eq!(stuck(Server, "TTT....."), "Black has no move, and white wins. Halls lost: black 1, white 0.");
}
