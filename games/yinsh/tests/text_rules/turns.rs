//! Every rule on which the text and the server differ, and those that both share, from the texts.

use agon_rules::{Outcome, Reason, RuleSet, Side};

use crate::boards::{refusal, set_up, start, state, turns};

const BOTH: [RuleSet; 2] = [RuleSet::Text, RuleSet::Server];
const STANDARD: &str = "5-5-5-3";
/// Rings of both sides far from the lines that the tests use.
const RINGS: [(&str, &str); 2] = [("A", "5 22, 5 23, 5 24, 5 26, 5 27"), ("B", "5 6, 5 7, 5 8, 5 9, 4 8")];

/// The rings and these markers.
fn with_rings<'a>(markers: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [&RINGS, markers].concat()
}

/// The rows that can be taken first, as `RS h p RE h p`.
fn first_rows(rules: RuleSet, variant: &str, pieces: &[(&str, &str)], rest: &str) -> Vec<String> {
    let game = set_up(variant, rules, pieces, rest);
    let mut rows: Vec<String> =
        turns(&*game).iter().map(|turn| turn.split(' ').take(6).collect::<Vec<_>>().join(" ")).collect();
    rows.dedup();
    rows
}

#[test]
fn a_run_longer_than_a_row() {
    let seven = with_rings(&[("a", "3 0, 2 0, 1 0, 0 0, 1 3, 2 6, 3 9")]);
    let [low, high, middle] = ["RS 1 0 RE 3 9", "RS 1 3 RE 3 0", "RS 2 0 RE 2 6"];
    assert_eq!(first_rows(RuleSet::Text, STANDARD, &seven, "1 6 0 0"), [low, high]);
    assert_eq!(first_rows(RuleSet::Server, STANDARD, &seven, "1 6 0 0"), [low, high, middle]);
    let game = set_up(STANDARD, RuleSet::Text, &seven, "1 6 0 0");
    assert_eq!(
        refusal(&*game, "RS 2 0 RE 2 6 X 5 22"),
        "only the 5 markers at either end of a longer run may be taken, found 2 0 to 2 6 inside one"
    );
    // The same after the player's own move.
    assert_eq!(first_rows(RuleSet::Text, STANDARD, &seven, "1 3 0 0").len(), 2);
    assert_eq!(first_rows(RuleSet::Server, STANDARD, &seven, "1 3 0 0").len(), 3);
}

#[test]
fn a_run_of_one_more_than_a_row_has_two_ends_and_nothing_between() {
    let six = with_rings(&[("a", "3 0, 2 0, 1 0, 0 0, 1 3, 2 6")]);
    for rules in BOTH {
        assert_eq!(first_rows(rules, STANDARD, &six, "1 6 0 0"), ["RS 1 3 RE 3 0", "RS 2 0 RE 2 6"]);
    }
    // With rows of six there is one row only, and with rows of four on a smaller board three, of which the text allows two.
    let one = [("A", "4 2"), ("B", "4 3"), ("a", "3 0, 2 0, 1 0, 0 0, 1 3, 2 6")];
    assert_eq!(first_rows(RuleSet::Text, "4-1-6-1", &one, "1 6 0 0"), ["RS 2 6 RE 3 0"]);
    assert_eq!(first_rows(RuleSet::Text, "4-1-4-1", &one, "1 6 0 0"), ["RS 0 0 RE 3 0", "RS 1 0 RE 2 6"]);
}

#[test]
fn the_rest_of_a_long_run_is_taken_too_if_it_is_a_row() {
    // The longest line of the board, ten markers: both halves must go.
    let ten = with_rings(&[("a", "5 1, 4 1, 3 1, 2 1, 1 1, 1 2, 2 5, 3 8, 4 11, 5 14")]);
    for rules in BOTH {
        let game = set_up(STANDARD, rules, &ten, "1 3 0 0");
        let legal = turns(&*game);
        assert!(legal.contains(&"RS 1 1 RE 5 1 X 5 22 RS 1 2 RE 5 14 X 5 23".to_owned()));
        assert_eq!(
            refusal(&*game, "RS 1 1 RE 5 1 X 5 22"),
            "the turn is incomplete: expected 'RS h p RE h p', found its end"
        );
        // A row from the middle, which only the server allows, leaves no second row.
        let middle = "RS 2 5 RE 3 1 X 5 22";
        assert_eq!(set_up(STANDARD, rules, &ten, "1 3 0 0").play(middle).is_ok(), rules == RuleSet::Server);
    }
}

/// Two rows of the first side that share no marker.
fn two_rows(rules: RuleSet, phase: &str) -> Box<dyn agon_rules::AnyPosition> {
    let rows = [("A", "5 22, 5 23, 5 24, 5 26, 5 27"), ("B", "5 6, 5 7, 5 8, 5 9, 4 4")];
    let markers = ("a", "2 0, 1 0, 0 0, 1 3, 2 6, 4 20, 4 19, 4 18, 4 17, 4 16");
    set_up(STANDARD, rules, &[rows[0], rows[1], markers], &format!("1 {phase} 0 0"))
}

#[test]
fn two_given_rows_and_then_the_ring_move_in_the_text_only() {
    let rows = "RS 2 0 RE 2 6 X 5 22 RS 4 16 RE 4 20 X 5 23";
    let with_move = format!("{rows} S 5 27 M 5 28");

    let mut game = two_rows(RuleSet::Text, "6");
    assert_eq!(refusal(&*game, rows), "the turn is incomplete: expected 'S h p M h p', found its end");
    game.play(&with_move).expect("all rows, then a ring move");
    assert_eq!(state(&*game), "2 1 2 0");

    let mut game = two_rows(RuleSet::Server, "6");
    assert_eq!(
        refusal(&*game, &with_move),
        "the turn ends after 'X 5 23' (no ring is moved after a second row has been taken), found 'S'"
    );
    game.play(rows).expect("both rows and nothing else");
    assert_eq!(state(&*game), "2 1 2 0");

    for rules in BOTH {
        let game = two_rows(rules, "6");
        let one = "RS 2 0 RE 2 6 X 5 22";
        assert_eq!(refusal(&*game, one), "the turn is incomplete: expected 'RS h p RE h p', found its end");
        assert_eq!(
            refusal(&*game, &format!("{one} S 5 27 M 5 28")),
            "orange must first take a row of 5 markers: expected 'RS h p RE h p', found 'S'"
        );
        // Rows of the player's own making end the turn in both.
        let mut game = two_rows(rules, "3");
        game.play(rows).expect("both rows");
        assert_eq!(state(&*game), "2 1 2 0");
    }
}

#[test]
fn one_given_row_and_then_the_ring_move() {
    let row = with_rings(&[("a", "2 0, 1 0, 0 0, 1 3, 2 6")]);
    // Two rows that cross: with the first one taken the second is no longer a row.
    let crossing = with_rings(&[("a", "2 0, 1 0, 0 0, 1 3, 2 6, 2 2, 1 1, 1 4, 2 8")]);
    for (rules, pieces) in BOTH.into_iter().flat_map(|rules| [(rules, &row), (rules, &crossing)]) {
        let mut game = set_up(STANDARD, rules, pieces, "1 6 0 0");
        assert_eq!(
            refusal(&*game, "S 5 27 M 5 28"),
            "orange must first take a row of 5 markers: expected 'RS h p RE h p', found 'S'"
        );
        assert_eq!(refusal(&*game, "RS 2 0 RE 2 6"), "the turn is incomplete: expected 'X h p', found its end");
        game.play("RS 2 6 RE 2 0 X 5 22 S 5 27 M 5 28").expect("row, ring, ring move, the ends in either order");
        assert_eq!(state(&*game), "2 1 1 0");
    }
}

#[test]
fn the_mover_takes_its_rows_before_the_opponent() {
    // The ring jumps from 4 0 along a blue row of five and leaves the sixth marker: all turn orange, and
    // another blue row stands beside them.
    let pieces = [
        ("A", "4 0, 5 22, 5 23, 5 24, 5 26"),
        ("B", "5 6, 5 7, 5 8, 5 9, 4 4"),
        ("b", "3 0, 2 0, 1 0, 0 0, 4 20, 4 19, 4 18, 4 17, 4 16"),
    ];
    for rules in BOTH {
        let mut game = set_up(STANDARD, rules, &pieces, "1 1 0 0");
        assert_eq!(refusal(&*game, "S 4 0 M 1 3"), "the turn is incomplete: expected 'RS h p RE h p', found its end");
        game.play("S 4 0 M 1 3 RS 0 0 RE 4 0 X 1 3").expect("the row of the mover");
        assert_eq!(state(&*game), "2 6 1 0");
        game.play("RS 4 16 RE 4 20 X 5 6 S 5 7 M 5 6").expect("then that of the opponent");
        assert_eq!(state(&*game), "1 1 1 1");
    }
}

#[test]
fn the_last_ring_wins_at_once() {
    let both = [("a", "2 0, 1 0, 0 0, 1 3, 2 6"), ("b", "4 20, 4 19, 4 18, 4 17, 4 16")];
    let pieces = [&[("A", "5 22, 5 23, 5 24"), ("B", "5 6, 5 7, 5 8")], &both[..]].concat();
    for rules in BOTH {
        // At the start of a turn, before a ring is moved, and although the other side has a row for its last ring too.
        for phase in [3, 6] {
            let mut game = set_up(STANDARD, rules, &pieces, &format!("1 {phase} 2 2"));
            assert_eq!(
                refusal(&*game, "RS 2 0 RE 2 6 X 5 22 S 5 23 M 5 22"),
                "the turn ends after 'X 5 22' (the game is won), found 'S'"
            );
            game.play("RS 2 0 RE 2 6 X 5 22").expect("the winning turn");
            assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::GOAL)));
            assert_eq!(state(&*game), "2 5 3 2");
            assert!(turns(&*game).is_empty());
            assert_eq!(refusal(&*game, "S 5 6 M 5 7"), "the game is over (win)");
        }
    }
}

#[test]
fn other_numbers_of_rings_to_win() {
    let row = [("A", "4 2, 4 3"), ("B", "4 5, 4 6"), ("a", "2 0, 1 0, 0 0, 1 3")];
    let mut game = set_up("4-2-4-1", RuleSet::Text, &row, "1 3 0 0");
    game.play("RS 1 3 RE 2 0 X 4 2").expect("the winning turn");
    assert_eq!(state(&*game), "2 5 1 0");
    let mut game = set_up("4-3-4-2", RuleSet::Text, &row, "1 3 0 0");
    game.play("RS 1 3 RE 2 0 X 4 2").expect("one of two");
    assert_eq!(state(&*game), "2 1 1 0");
}

/// A board without an empty point, so that nothing can move.
fn stuck(rest: &str, rules: RuleSet) -> Box<dyn agon_rules::AnyPosition> {
    let mut game = start(STANDARD, rules);
    let board: String = (0..85).map(|i| if i < 2 { ["A", "B"][i] } else { "a" }).collect();
    game.set_up(&format!("{board} {rest}")).expect("a full board");
    game
}

#[test]
fn no_legal_turn_ends_the_game() {
    let win = |side| Some(Outcome::win(side, Reason::STALEMATE));
    let draw = Some(Outcome::draw(Reason::STALEMATE));
    for rules in BOTH {
        for (rest, outcome) in [
            ("2 1 1 0", win(Side::First)),
            ("2 1 0 2", win(Side::Second)),
            ("1 1 2 1", win(Side::First)),
            ("2 1 1 1", draw),
            ("1 0 0 0", draw),
        ] {
            let game = stuck(rest, rules);
            assert_eq!(game.outcome(), outcome, "{rest}");
            assert!(turns(&*game).is_empty());
            assert_eq!(refusal(&*game, "S 0 0 M 1 1"), "the game is over (stalemate)");
        }
    }
}

#[test]
fn no_ring_left_to_move_after_given_rows_ends_the_game() {
    // Unreachable, but it can be set up: orange's only ring goes for the row.
    let pieces = [("A", "5 22"), ("B", "5 6"), ("a", "2 0, 1 0, 0 0, 1 3, 2 6")];
    for rules in BOTH {
        let mut game = set_up(STANDARD, rules, &pieces, "1 6 0 0");
        assert_eq!(turns(&*game), ["RS 2 0 RE 2 6 X 5 22"]);
        assert_eq!(
            refusal(&*game, "RS 2 0 RE 2 6 X 5 22 S 5 22 M 5 23"),
            "the turn ends after 'X 5 22' (orange has no move left), found 'S'"
        );
        game.play("RS 2 0 RE 2 6 X 5 22").expect("the only turn");
        assert_eq!(state(&*game), "1 1 1 0");
        assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::STALEMATE)));
        // With no ring at all the turn ends with the row.
        let mut game = set_up(STANDARD, rules, &pieces[1..], "1 6 0 0");
        game.play("RS 2 0 RE 2 6").expect("the only turn");
        assert_eq!(state(&*game), "1 7 0 0");
        assert_eq!(game.outcome(), Some(Outcome::draw(Reason::STALEMATE)));
    }
}

#[test]
fn rings_slide_and_jump() {
    // Up the middle line from 4 12: two empty points, two markers, an empty one, a marker, a ring.
    let pieces = [("A", "4 12"), ("B", "4 0"), ("a", "1 3"), ("b", "0 0, 2 0")];
    for rules in BOTH {
        let mut game = set_up(STANDARD, rules, &pieces, "1 1 0 0");
        let up: Vec<String> = turns(&*game)
            .into_iter()
            .filter(|turn| {
                ["3 9", "2 6", "1 3", "0 0", "1 0", "2 0", "3 0"].iter().any(|to| turn.ends_with(&format!("M {to}")))
            })
            .collect();
        assert_eq!(up, ["S 4 12 M 1 0", "S 4 12 M 2 6", "S 4 12 M 3 9"]);
        assert_eq!(
            refusal(&*game, "S 4 12 M 3 0"),
            "a ring that jumps over markers lands right behind them, at 1 0, not at 3 0"
        );
        game.play("S 4 12 M 1 0").expect("a jump");
        let turned = [("A", "1 0"), ("B", "4 0"), ("b", "1 3, 2 0"), ("a", "0 0, 4 12")];
        assert_eq!(game.text(), format!("{} 2 1 0 0", crate::boards::board(5, &turned)));
        assert_eq!(refusal(&*game, "S 4 0 M 2 6"), "a ring cannot pass the ring at 1 0 on the way from 4 0 to 2 6");
    }
}

#[test]
fn placing_ends_when_all_rings_stand() {
    for rules in BOTH {
        let mut game = start(STANDARD, rules);
        for (i, point) in ["1 0", "1 1", "1 2", "1 3", "1 4", "1 5", "2 0", "2 1", "2 2", "2 3"].iter().enumerate() {
            assert_eq!(turns(&*game).len(), 85 - i);
            assert_eq!(
                refusal(&*game, "S 1 0 M 3 0"),
                format!("{} has {} rings to place: expected 'P h p', found 'S'", ["orange", "blue"][i % 2], 5 - i / 2)
            );
            game.play(&format!("P {point}")).expect("an empty point");
        }
        assert_eq!(state(&*game), "1 1 0 0");
        assert_eq!(refusal(&*game, "P 4 4"), "all rings are placed: expected 'S h p M h p', found 'P'");
    }
}

#[test]
fn turns_are_judged_by_their_letters_and_points() {
    let pieces = with_rings(&[("a", "0 0")]);
    let game = set_up(STANDARD, RuleSet::Server, &pieces, "1 1 0 0");
    for (turn, reason) in [
        ("", "expected 'S h p M h p', found an empty turn"),
        ("P 5 22 X 5 21", "all rings are placed: expected 'S h p M h p', found 'P'"),
        ("s 5 22 m 5 21", "orange must move a ring: expected 'S h p M h p', found 's'"),
        ("RS 0 0 RE 4 0 X 5 22", "orange has no row of 5 markers to take: expected 'S h p M h p', found 'RS'"),
        ("S 5 22", "the turn is incomplete: expected 'M', found its end"),
        ("S 5 22 X 5 21", "expected 'M', found 'X'"),
        ("S 5 22 M 5", "the turn is incomplete: expected a position on hexagon 5, 0 to 29, found its end"),
        ("S 5 22 M 5 21 X", "the turn ends after 'S 5 22 M 5 21' (it is complete), found 'X'"),
        (
            "S 5 22 M 5 21 RS 0 0",
            "the turn ends after 'S 5 22 M 5 21' (orange has no row of 5 markers left), found 'RS'",
        ),
        ("S 5 20 M 4 20", "no point 5 20: the corners of hexagon 5 are not on the board"),
        ("S 5 52 M 4 20", "expected a position on hexagon 5, 0 to 29, found '52'"),
        ("S -5 7 M 4 20", "expected a hexagon, 0 to 5, found '-5'"),
        ("S 6 1 M 4 20", "expected a hexagon, 0 to 5, found '6'"),
        ("S 5 +22 M 4 20", "expected a position on hexagon 5, 0 to 29, found '+22'"),
        ("S 5 022 M 4 20", "expected a position on hexagon 5, 0 to 29, found '022'"),
        ("S 0 1 M 4 20", "expected a position on hexagon 0, 0 to 0, found '1'"),
        ("S 5 6 M 5 5", "expected an orange ring at 5 6, found a blue ring"),
        ("S 0 0 M 1 1", "expected an orange ring at 0 0, found an orange marker"),
        ("S 1 1 M 1 2", "expected an orange ring at 1 1, found an empty point"),
        ("S 5 22 M 0 0", "expected an empty point at 0 0, found an orange marker"),
        ("S 5 22 M 5 22", "expected an empty point at 5 22, found an orange ring"),
        ("S 5 22 M 1 0", "no line of the board leads from 5 22 to 1 0"),
    ] {
        assert_eq!(refusal(&*game, turn), reason, "{turn}");
    }
    let long = format!("S 5 22 M {}", "9".repeat(1_000_000));
    assert_eq!(refusal(&*game, &long), "expected a hexagon, 0 to 5, found '9999999999999999…'");
    let row =
        set_up(STANDARD, RuleSet::Text, &with_rings(&[("a", "2 0, 1 0, 0 0, 1 3, 2 6"), ("b", "1 1")]), "1 3 0 0");
    for (turn, reason) in [
        ("RS 2 0 RE 1 3 X 5 22", "expected the two ends of a row of 5 markers, found 2 0 and 1 3"),
        ("RS 1 1 RE 3 12 X 5 22", "expected an orange marker at 3 12, found an empty point"),
        ("RS 2 0 RE 2 6 X 5 6", "expected an orange ring at 5 6, found a blue ring"),
        ("RS 2 0 RE 2 6 S 5 22 M 5 21", "orange must take a ring for the row: expected 'X h p', found 'S'"),
        ("X 5 22", "orange must first take a row of 5 markers: expected 'RS h p RE h p', found 'X'"),
    ] {
        assert_eq!(refusal(&*row, turn), reason, "{turn}");
    }
}
