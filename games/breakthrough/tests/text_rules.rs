//! The rules, point by point.

use agon_breakthrough::{Breakthrough, NO_MEN};
use agon_rules::{AnyGame, AnyPosition, BySide, EndKind, Ending, Outcome, Reason, RuleSet, Side};

const EMPTY: &str = "........";

fn start(variant: &str) -> Box<dyn AnyPosition> {
    Breakthrough.open(variant, RuleSet::Text).expect("a variant")
}

/// A position on the small board, which fits on a line.
fn set_up(text: &str) -> Box<dyn AnyPosition> {
    let mut game = start("6x6");
    game.set_up(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    game
}

fn legal(game: &dyn AnyPosition) -> Vec<String> {
    let turns = game.legal_turns(100).expect("at most 48 turns");
    let mut texts: Vec<String> = turns.into_iter().flat_map(|turn| turn.spellings).collect();
    texts.sort();
    texts
}

fn refused(game: &dyn AnyPosition, turn: &str) -> String {
    game.boxed().play(turn).expect_err("an illegal turn").to_string()
}

#[test]
fn each_side_begins_with_two_rows_and_white_moves() {
    let rows = ["bbbbbbbb", "bbbbbbbb", EMPTY, EMPTY, EMPTY, EMPTY, "wwwwwwww", "wwwwwwww"];
    assert_eq!(start("8x8").text(), format!("{} w", rows.join("/")));
    assert_eq!(start("6x6").text(), "bbbbbb/bbbbbb/....../....../wwwwww/wwwwww w");
    assert_eq!(start("8x8").turn(), Side::First);
    // Six men of the front row have three moves, those at the edge two.
    assert_eq!(legal(&*start("8x8")).len(), 22);
}

#[test]
fn a_man_moves_one_step_forward_straight_or_diagonally() {
    let game = set_up("....b./....../....../..w.../....../...... w");
    assert_eq!(legal(&*game), ["c3b4", "c3c4", "c3d4"]);
    let game = set_up("....../....../..b.../....../....../.w.... b");
    assert_eq!(legal(&*game), ["c4b3", "c4c3", "c4d3"]);
    // At the edge there is one diagonal, and nothing lies beyond it.
    let game = set_up("...b../....../....../w....w/....../...... w");
    assert_eq!(legal(&*game), ["a3a4", "a3b4", "f3e4", "f3f4"]);
    let mut wide = start("8x8");
    wide.set_up("...b..../......../......../w......w/......../......../......../........ w").expect("a position");
    assert_eq!(legal(&*wide), ["a5a6", "a5b6", "h5g6", "h5h6"]);
}

#[test]
fn a_man_captures_diagonally_and_need_not() {
    let game = set_up("....../....../.bbb../..w.../....../...... w");
    assert_eq!(legal(&*game), ["c3b4", "c3d4"]);
    let mut after = game.boxed();
    after.play("c3b4").expect("a capture");
    assert_eq!(after.text(), "....../....../.wbb../....../....../...... b");
    // Who may capture may also step elsewhere.
    let game = set_up("....../....../.b..../..w.../....../...... w");
    assert_eq!(legal(&*game), ["c3b4", "c3c4", "c3d4"]);
}

#[test]
fn own_men_and_men_straight_ahead_are_in_the_way() {
    let game = set_up(".....b/....../.ww.../..w.../....../...... w");
    assert_eq!(refused(&*game, "c3b4"), "b4 is taken by a man of the same side");
    assert_eq!(refused(&*game, "c3c4"), "c4 is taken by a man of the same side");
    let game = set_up("....../....../..b.../..w.../....../...... w");
    assert_eq!(refused(&*game, "c3c4"), "c4 is taken, and men capture diagonally, not straight ahead");
}

#[test]
fn who_reaches_the_far_row_wins_at_once() {
    for (position, turn, side) in [
        ("...b../.w..../....../....../....../...... w", "b5b6", Side::First),
        // By a capture, too.
        ("..b.../.w..../....../....../....../...... w", "b5c6", Side::First),
        ("....../....../....../w...../...b../...... b", "d2e1", Side::Second),
    ] {
        let mut game = set_up(position);
        assert_eq!(game.outcome(), None);
        game.play(turn).expect("a legal turn");
        assert_eq!(game.outcome(), Some(Outcome::win(side, Reason::GOAL)));
        assert_eq!(legal(&*game), Vec::<String>::new());
        assert_eq!(refused(&*game, "a1a2"), "the game is over (win)");
    }
}

#[test]
fn a_side_without_men_loses() {
    let mut game = set_up("....../....../...b../..w.../....../...... w");
    game.play("c3d4").expect("a capture");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, NO_MEN)));
    assert_eq!((NO_MEN.name(), NO_MEN.kind()), ("no men left", EndKind::Win));
    assert!(game.picture().caption.contains("lost all its men"));
    assert_eq!(refused(&*game, "d4d5"), "the game is over (no men left)");
}

#[test]
fn a_side_with_men_always_has_a_move() {
    // The foremost man cannot be shut in: what stands diagonally ahead of it can be captured.
    let game = set_up("....../bbb.../bbb.../wbw.../www.../www... b");
    assert!(!legal(&*game).is_empty());
    let game = set_up("bbbbbb/bbbbbb/wwwwww/wwwwww/....../...... w");
    assert_eq!(legal(&*game).len(), 10);
}

#[test]
fn positions_where_several_things_are_true_were_won_by_the_side_that_moved_last() {
    let both = "w...../....../....../....../....../.....b";
    for (text, side) in [("w", Side::Second), ("b", Side::First)] {
        assert_eq!(set_up(&format!("{both} {text}")).outcome(), Some(Outcome::win(side, Reason::GOAL)));
        let nobody = "....../....../....../....../....../......";
        assert_eq!(set_up(&format!("{nobody} {text}")).outcome(), Some(Outcome::win(side, NO_MEN)));
    }
    // Far row before men.
    let alone = set_up("w...../....../....../....../....../...... b");
    assert_eq!(alone.outcome(), Some(Outcome::win(Side::First, Reason::GOAL)));
}

#[test]
fn points_of_wins_and_faults() {
    let game = start("8x8");
    assert_eq!(game.points(Ending::Over(Outcome::win(Side::Second, NO_MEN))), BySide::new(0.0, 1.0));
    assert_eq!(game.points(Ending::Over(Outcome::win(Side::First, Reason::GOAL))), BySide::new(1.0, 0.0));
    assert_eq!(game.points(Ending::Fault(Side::First)), BySide::new(0.0, 1.0));
    assert_eq!(game.points(Ending::Fault(Side::Second)), BySide::new(1.0, 0.0));
}

#[test]
fn refusals_name_the_rule() {
    let game = start("6x6");
    for (turn, message) in [
        ("", "expected two squares, like c2d3, found ''"),
        ("c2-d3", "expected two squares, like c2d3, found 'c2-d3'"),
        ("C2D3", "expected two squares, like c2d3, found 'C2D3'"),
        ("c2d0", "expected two squares, like c2d3, found 'c2d0'"),
        ("g2g3", "there is no square g2 on a board of 6x6"),
        ("c6c7", "there is no square c7 on a board of 6x6"),
        ("c3c4", "there is no man on c3"),
        ("c5c4", "the man on c5 is black, and white is to move"),
        ("c2c4", "c2 to c4 is not one step forward, straight or diagonally"),
        ("c2c1", "c2 to c1 is not one step forward, straight or diagonally"),
        ("c2d2", "c2 to d2 is not one step forward, straight or diagonally"),
        ("c1c2", "c2 is taken by a man of the same side"),
        ("c1d2", "d2 is taken by a man of the same side"),
    ] {
        assert_eq!(refused(&*game, turn), message);
    }
    // Nothing leads around the edge of the board.
    let wide = start("8x8");
    assert_eq!(refused(&*wide, "a2h2"), "a2 to h2 is not one step forward, straight or diagonally");
    assert_eq!(refused(&*wide, "h2a4"), "h2 to a4 is not one step forward, straight or diagonally");
}

#[test]
fn bad_positions_say_where_and_what() {
    for (text, message) in [
        ("", "expected '<rows> <w|b>', found 1 parts: ''"),
        (
            "bbbbbb/bbbbbb/....../....../wwwwww/wwwwww",
            "expected '<rows> <w|b>', found 1 parts: 'bbbbbb/bbbbbb/....../....../wwwwww/wwwwww'",
        ),
        ("bbbbbb/bbbbbb/....../....../wwwwww/wwwwww x", "side to move: expected w or b, found 'x'"),
        ("bbbbbb/....../wwwwww w", "expected 6 rows joined by '/', found 3"),
        ("bbbbbb/bbbbbb/...../....../wwwwww/wwwwww w", "row 4: expected 6 squares, found 5"),
        ("bbbbbb/bbbbbb/..x.../....../wwwwww/wwwwww w", "c4: expected '.', 'w' or 'b', found 'x'"),
    ] {
        assert_eq!(start("6x6").set_up(text).expect_err("a bad position").to_string(), message);
    }
    let error = Breakthrough.open("7x7", RuleSet::Text).err().expect("no such board").to_string();
    assert_eq!(error, "unknown variant '7x7', expected '8x8' or '6x6'");
}
