//! The rules, point by point, from the event's text.

use agon_connectx::{ConnectX, ConnectXPosition, FULL_BOARD};
use agon_rules::{AnyGame, AnyPosition, BySide, Ending, Outcome, Position, Reason, RuleSet, Side};

fn start() -> Box<dyn AnyPosition> {
    ConnectX.open("standard", RuleSet::Text).expect("the standard variant")
}

fn set_up(text: &str) -> Box<dyn AnyPosition> {
    let mut game = start();
    game.set_up(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    game
}

fn refused(game: &mut dyn AnyPosition, turn: &str) -> String {
    game.play(turn).expect_err("an illegal turn").to_string()
}

#[test]
fn starts_in_local_board_4() {
    let game = start();
    assert!(game.text().ends_with(" 1 4"));
    assert_eq!(refused(&mut *game.boxed(), "0 0"), "cell 0 0 lies in local board 0, but the active one is 4");
}

#[test]
fn a_stone_sends_the_opponent_to_the_board_of_its_place() {
    // The text's own example: (4, 0) in convention 2 is (3, 3) in convention 1 and makes board 0 active.
    let mut game = start();
    game.play("3 3").expect("legal");
    assert!(game.text().ends_with(" 2 0"));
    game.play("2 1").expect("legal: cell 7 of board 0");
    assert!(game.text().ends_with(" 1 7"));
}

#[test]
fn a_full_board_falls_back_to_the_lowest_with_space() {
    // Boards 0 and 1 are full; a stone in place 0 of board 4 sends to board 0, so to board 2.
    let mut game =
        set_up("112212.../221121.../112212.../........./........./........./........./........./......... 1 4");
    game.play("3 3").expect("legal");
    assert!(game.text().ends_with(" 2 2"));
}

#[test]
fn the_stone_that_fills_a_board_counts() {
    // The last empty cell of board 0 is its own place 0: the stone fills the board it points to.
    let mut game =
        set_up(".12....../221....../112....../........./........./........./........./........./......... 1 0");
    game.play("0 0").expect("legal");
    assert!(game.text().ends_with(" 2 1"));
}

#[test]
fn four_in_every_direction_wins_across_local_boards() {
    let row = "......../".replace('/', ".");
    let lines = [
        [(4, 2), (4, 3), (4, 4), (4, 5)],
        [(1, 4), (2, 4), (3, 4), (4, 4)],
        [(1, 1), (2, 2), (3, 3), (4, 4)],
        [(2, 6), (3, 5), (4, 4), (5, 3)],
    ];
    for line in lines {
        let mut rows = vec![row.clone().into_bytes(); 9];
        for (r, c) in line.into_iter().filter(|&cell| cell != (4, 4)) {
            rows[r][c] = b'1';
        }
        let rows: Vec<String> = rows.into_iter().map(|row| String::from_utf8(row).expect("ascii")).collect();
        let mut game = set_up(&format!("{} 1 4", rows.join("/")));
        assert_eq!(game.outcome(), None, "three are no four");
        game.play("4 4").expect("legal");
        assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::GOAL)), "{line:?}");
    }
}

#[test]
fn five_in_a_row_wins_too_and_rows_do_not_wrap() {
    let mut game =
        set_up("........./........./........./........./11.11..../........./........./........./......... 1 3");
    game.play("4 2").expect("legal");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::GOAL)));
    // Two stones at the end of a row and two at the start of the next are no four.
    let game = set_up("........./.......11/11......./........./........./........./........./........./......... 1 3");
    assert_eq!(game.outcome(), None);
}

#[test]
fn a_full_grid_is_a_draw_and_a_four_on_the_last_cell_a_win() {
    let mut game =
        set_up("112211211/122211221/111222112/212111221/222122212/112221222/121122111/221211122/11211122. 2 8");
    game.play("8 8").expect("legal");
    assert_eq!(game.outcome(), Some(Outcome::draw(FULL_BOARD)));
    assert_eq!(game.points(Ending::Over(game.outcome().expect("over"))), BySide::new(0.5, 0.5));
    let mut game =
        set_up("112211211/122211221/111222112/212111221/222122212/112221222/121122111/221211122/11212111. 1 8");
    game.play("8 8").expect("legal");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::GOAL)));
    assert!(game.legal_turns(9).expect("none").is_empty());
    assert_eq!(refused(&mut *game, "0 0"), "the game is over (win)");
}

#[test]
fn points_of_wins_and_faults() {
    let game = start();
    let win = Ending::Over(Outcome::win(Side::Second, Reason::GOAL));
    assert_eq!(game.points(win), BySide::new(0.0, 1.0));
    assert_eq!(game.points(Ending::Fault(Side::First)), BySide::new(0.0, 1.0));
    assert_eq!(game.points(Ending::Fault(Side::Second)), BySide::new(1.0, 0.0));
}

#[test]
fn sub_x_counts_runs_of_three_that_are_not_the_opponents() {
    let empty = ConnectXPosition::start();
    // 9 rows and 9 columns of three runs each; diagonals of length 3..9 give 1,1,1,2,2,2,3 and mirrored, both ways.
    let expected = 9 * 3 * 2 + 2 * (2 * (1 + 1 + 1 + 2 + 2 + 2) + 3);
    assert_eq!(empty.sub_x(), BySide::new(expected, expected));
    // A stone in the corner breaks the opponent's first run in its row and column (8 cells are left: two runs) and
    // its main diagonal (8 left: two runs).
    let one =
        empty.parse("1......../........./........./........./........./........./........./........./......... 2 0");
    assert_eq!(one.expect("a position").sub_x(), BySide::new(expected, expected - 3));
}

#[test]
fn refusals_name_the_rule() {
    let mut game = start();
    game.play("4 4").expect("legal");
    let cases = [
        ("4 4", "cell 4 4 is taken"),
        ("0 0", "cell 0 0 lies in local board 0, but the active one is 4"),
        ("9 9", "expected 'row column', two numbers from 0 to 8, found '9 9'"),
        ("4", "expected 'row column', two numbers from 0 to 8, found '4'"),
        ("4 5 6", "expected 'row column', two numbers from 0 to 8, found '4 5 6'"),
        ("+4 5", "expected 'row column', two numbers from 0 to 8, found '+4 5'"),
        ("", "expected 'row column', two numbers from 0 to 8, found ''"),
    ];
    for (turn, message) in cases {
        assert_eq!(refused(&mut *game, turn), message);
    }
}

#[test]
fn bad_positions_say_where_and_what() {
    let cases = [
        ("", "expected '<rows> <1|2> <active board>', found 1 parts: ''"),
        ("......... 1 4", "expected 9 rows joined by '/', found 1"),
        (
            "........./........./......../........./........./........./........./........./......... 1 4",
            "row 2: expected 9 columns, found 8",
        ),
        (
            "........./........./........./....3..../........./........./........./........./......... 1 4",
            "row 3, column 4: expected '.', '1' or '2', found '3'",
        ),
        (
            "........./........./........./........./........./........./........./........./......... 3 4",
            "side to move: expected 1 or 2, found '3'",
        ),
        (
            "........./........./........./........./........./........./........./........./......... 1 9",
            "active board: expected a number from 0 to 8, found '9'",
        ),
        (
            "112....../221....../112....../........./........./........./........./........./......... 1 0",
            "active board: board 0 is full, expected 1, the lowest with an empty cell",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(start().set_up(text).expect_err("a bad position").to_string(), message);
    }
}
