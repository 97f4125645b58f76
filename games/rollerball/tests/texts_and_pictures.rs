//! What is accepted, what a refused text is told, and what a position looks like.

mod common;

use std::time::Duration;

use agon_picture::{Click, MarkKind, terminal};
use agon_rollerball::{Rollerball, RollerballPosition, Variant};
use agon_rules::{AnyGame, Clock, Game, RuleSet};

use common::{BOTH, open, play, refusal, set_up, targets};

#[test]
fn any_arrangement_with_one_king_a_side_is_accepted() {
    for rules in BOTH {
        for (variant, text) in [
            ("7-3", "PPPPPPP/k...P../..   ../..   ../..   ../pp....K/ppppppp w"),
            ("7-3", "NNNNNNN/NNNNNNN/NN___nn/nn___nn/nn___nn/nnnnnnn/nnnknKn b"),
            ("8-4", "Kk....../......../..    ../..    ../..    ../..    ../......../........ w"),
            ("8-2", "......../......../......../...__.../...__.../......../......../K......k b"),
        ] {
            let game = set_up(variant, rules, text);
            let (board, turn) = text.rsplit_once(' ').expect("a side to move");
            assert_eq!(game.text(), format!("{} {turn}", board.replace(' ', "_")));
        }
    }
}

#[test]
fn a_king_is_never_captured() {
    for rules in BOTH {
        let mut game = set_up("7-3", rules, "k.....K/......./..___../..___../..___../......./R...... w");
        assert_eq!(targets(&*game, "a1"), "a2 a3 a4 a5 a6 b1");
        assert_eq!(refusal(&mut *game, "a1a7"), "a king is never captured");
        let mut game = set_up("7-3", rules, "kK...../......./..___../..___../..___../......./R...... w");
        assert_eq!(targets(&*game, "a1"), "", "the other king's attack cannot be answered by capture");
        assert_eq!(targets(&*game, "b7"), "c6 c7");
        assert_eq!(refusal(&mut *game, "a1a2"), "the white king is in check, and this move leaves it there");
    }
}

#[test]
fn refused_positions_say_where_and_what() {
    for (text, message) in [
        ("", "expected '<rows> <w|b>', found ''"),
        ("..rbp../..rkp..", "expected '<rows> <w|b>', found '..rbp../..rkp..'"),
        ("..rbp../..rkp../..___../..___../..___../..PKR../..PBR.. W", "side to move: expected w or b, found 'W'"),
        ("..rbp../..rkp../..___../..___../..___../..PKR../..PBR.. ", "side to move: expected w or b, found ''"),
        ("..rbp../..rkp../..___../..___../..PKR../..PBR.. w", "expected 7 rows joined by '/', found 6"),
        ("..rbp../..rkp../..___./..___../..___../..PKR../..PBR.. w", "row 3: expected 7 columns, found 6"),
        ("..rbp../..rkp../..___../..___../..___../..PKR../..PBR... w", "row 7: expected 7 columns, found 8"),
        (
            "..rbp../..rkp../..___../..P__../..___../...KR../..PBR.. w",
            "row 4, column 3: expected the hole ('_' or a blank), found 'P'",
        ),
        (
            "..rbp../..rkp../..___../_.___../..___../..PKR../..PBR.. w",
            "row 4, column 1: expected '.', 'PRBKN' or 'prbkn', found '_'",
        ),
        (
            "..rbp../..rkq../..___../..___../..___../..PKR../..PBR.. w",
            "row 2, column 5: expected '.', 'PRBKN' or 'prbkn', found 'q'",
        ),
        ("..rbp../..rkp../..___../..___../..___../..PBR../..PBR.. w", "expected one white king, found 0"),
        ("..rbk../..rkp../..___../..___../..___../..PKR../..PBR.. w", "expected one black king, found 2"),
    ] {
        for rules in BOTH {
            let mut game = open("7-3", rules);
            let error = game.set_up(text).expect_err("a meaningless position");
            assert_eq!(error.to_string(), message, "{text}");
        }
    }
}

#[test]
fn refused_moves_name_the_rule() {
    for (turn, message) in [
        ("", "expected a move like c2b3 or d6e7r, in lower case, found ''"),
        ("0000", "expected a move like c2b3 or d6e7r, in lower case, found '0000'"),
        ("C2B3", "expected a move like c2b3 or d6e7r, in lower case, found 'C2B3'"),
        (" c2b3", "expected a move like c2b3 or d6e7r, in lower case, found ' c2b3'"),
        ("c2b3 ", "promotion: expected 'r' or 'b', found ' '"),
        ("c2b3 c6b6", "expected a move like c2b3 or d6e7r, in lower case, found 'c2b3 c6b6'"),
        ("c2b3+", "expected the bare move 'c2b3', found 'c2b3+'"),
        ("c2b3#", "expected the bare move 'c2b3', found 'c2b3#'"),
        ("c2b3-", "expected the bare move 'c2b3', found 'c2b3-'"),
        ("c2b3q", "promotion: expected 'r' or 'b', found 'q'"),
        ("c2b3r", "a pawn that goes from c2 to b3 is not promoted"),
        ("c2c3", "c3 lies in the hole"),
        ("c2h3", "h3 is not on the board: expected files a to g and ranks 1 to 7"),
        ("c8c7", "c8 is not on the board: expected files a to g and ranks 1 to 7"),
        ("a1a2", "expected a white man on a1, found an empty square"),
        ("c7b7", "expected a white man on c7, found a black rook"),
        ("c2d2", "the pawn on c2 does not reach d2"),
        ("e2g2", "the rook on e2 does not reach g2"),
        ("e1d1", "d1 is taken by a bishop of the same side"),
        ("c2♙b", "expected a move like c2b3 or d6e7r, in lower case, found 'c2♙b'"),
    ] {
        for rules in BOTH {
            assert_eq!(refusal(&mut *open("7-3", rules), turn), message, "{turn}");
        }
    }
}

// ---- set-up ----

#[test]
fn boards_clocks_and_names() {
    assert_eq!(<Rollerball as Game>::clock("7-3"), Clock::PerMove(Duration::from_secs(2)));
    assert_eq!(<Rollerball as Game>::clock("8-4"), Clock::Total(Duration::from_secs(180)));
    assert_eq!(<Rollerball as Game>::clock("8-2"), Clock::Total(Duration::from_secs(240)));
    let error = Rollerball.open("9-3", RuleSet::Text).err().expect("no such board");
    assert_eq!(error.to_string(), "unknown board '9-3', expected '7-3', '8-4' or '8-2'");
    assert_eq!(RollerballPosition::start(Variant::EightTwo, RuleSet::Server).rules(), RuleSet::Server);
}

// ---- pictures ----

#[test]
fn clicks_are_man_target_and_what_a_pawn_becomes() {
    let game = set_up("7-3", RuleSet::Text, "...P..k/......./..___../..___../..___../......./.K..... w");
    let spots = game.picture().spots;
    let spot = |name: &str| Click::Spot(spots.iter().position(|spot| spot.name == name).expect("a spot"));
    let turns = game.legal_turns(100).expect("few moves");
    let clicks = |text: &str| turns.iter().find(|turn| turn.spellings[0] == text).expect("legal").clicks.clone();
    assert_eq!(clicks("b1b2"), [spot("b1"), spot("b2")]);
    assert_eq!(clicks("d7e6r"), [spot("d7"), spot("e6"), Click::Choice("rook")]);
    assert_eq!(clicks("d7e6b"), [spot("d7"), spot("e6"), Click::Choice("bishop")]);
}

#[test]
fn pictures_mark_the_last_move_and_a_king_in_check() {
    let mut game = set_up("7-3", RuleSet::Text, "......k/......./..___../..___../..___../.K...../...R... w");
    play(&mut *game, "d1a7");
    let picture = game.picture();
    let marks: Vec<_> = picture.marks.iter().map(|m| (picture.spots[m.spot].name.as_str(), m.kind)).collect();
    assert_eq!(marks, [("d1", MarkKind::LastFrom), ("a7", MarkKind::LastTo), ("g7", MarkKind::Danger)]);
    let expected = "The black king is in check and black is to move. Men left: 3 points of white, 0 of black.";
    assert_eq!(picture.caption, expected);
    let start = open("7-3", RuleSet::Text).picture();
    assert_eq!((start.spots.len(), start.pieces.len()), (40, 12));
    let text = terminal::render(&start, terminal::Style { unicode: false, colour: false });
    assert!(text.contains("7 . . r b p . .") && text.contains("5 . .       . .") && text.contains("  a b c d e f g"));
}
