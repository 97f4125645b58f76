//! What every ending is worth.

use agon_rules::{Ending, RuleSet, Side};

use crate::boards::{final_points, points, set_up, start};

const STANDARD: &str = "5-5-5-3";
const FIRST_ERRS: Ending = Ending::Fault(Side::First);
const SECOND_ERRS: Ending = Ending::Fault(Side::Second);

/// A won game in which the first side has `a` rings out and the second `b`, with 3 and 1 markers.
fn won(variant: &str, rules: RuleSet, a: u32, b: u32) -> (f64, f64) {
    let pieces = [("a", "1 0, 1 1, 1 4"), ("b", "2 0")];
    let game = set_up(variant, rules, &pieces, &format!("1 5 {a} {b}"));
    final_points(&*game)
}

#[test]
fn wins() {
    for (a, b, first, second) in [(3, 0, 10, 0), (3, 1, 9, 1), (3, 2, 8, 2), (0, 3, 0, 10), (1, 3, 1, 9), (2, 3, 2, 8)]
    {
        // The text adds the difference in markers, the server each side's own.
        let near = |points: (f64, f64), first: f64, second: f64| {
            assert!((points.0 - first).abs() < 1e-12 && (points.1 - second).abs() < 1e-12, "{a}-{b}: {points:?}");
        };
        let (first, second) = (f64::from(first), f64::from(second));
        near(won(STANDARD, RuleSet::Text, a, b), first + 0.002, second - 0.002);
        near(won(STANDARD, RuleSet::Server, a, b), first + 0.003, second + 0.001);
    }
    // Exactly the nearest numbers to the decimal ones, as the server's example has it.
    assert_eq!(won(STANDARD, RuleSet::Server, 3, 1), (9.003, 1.001));
    assert_eq!(won(STANDARD, RuleSet::Text, 3, 1), (9.002, 0.998));
}

#[test]
fn wins_with_other_numbers_of_rings() {
    // 10 - 2 * (loser's rings) / (L - 1): between 10 and 8 whatever L is.
    assert_eq!(won("5-5-5-1", RuleSet::Text, 1, 0), (10.002, -0.002));
    assert_eq!(won("5-5-5-2", RuleSet::Text, 2, 0), (10.002, -0.002));
    assert_eq!(won("5-5-5-2", RuleSet::Text, 2, 1), (8.002, 1.998));
    assert_eq!(won("5-5-5-5", RuleSet::Text, 5, 1), (9.502, 0.498));
    assert_eq!(won("5-5-5-5", RuleSet::Text, 5, 4), (8.002, 1.998));
    assert_eq!(won("5-5-5-4", RuleSet::Text, 4, 1), (28_006.0 / 3_000.0, 1_994.0 / 3_000.0));
}

/// A board without an empty point, and with as many markers of both colours.
fn stuck(variant: &str, rules: RuleSet, a: u32, b: u32) -> (f64, f64) {
    let mut game = start(variant, rules);
    let board: String = (0..85).map(|i| if i == 0 { "A" } else { ["a", "b"][usize::from(i % 4 < 2)] }).collect();
    game.set_up(&format!("{board} 1 1 {a} {b}")).expect("a full board");
    assert_eq!(board.matches('a').count(), board.matches('b').count());
    final_points(&*game)
}

#[test]
fn stalemates() {
    for (a, b, first, second) in
        [(2, 0, 7.0, 3.0), (2, 1, 6.0, 4.0), (1, 0, 6.0, 4.0), (0, 2, 3.0, 7.0), (0, 1, 4.0, 6.0)]
    {
        assert_eq!(stuck(STANDARD, RuleSet::Text, a, b), (first, second));
        assert_eq!(stuck(STANDARD, RuleSet::Server, a, b), (first + 0.042, second + 0.042));
    }
    for (rings, base) in [(0, 5.0), (1, 5.1), (2, 5.2)] {
        assert_eq!(stuck(STANDARD, RuleSet::Text, rings, rings), (base, base));
        // The server does not tell draws apart.
        assert_eq!(stuck(STANDARD, RuleSet::Server, rings, rings), (5.042, 5.042));
    }
    // 5 + 2 * difference / (L - 1).
    assert_eq!(stuck("5-5-5-5", RuleSet::Text, 4, 0), (7.0, 3.0));
    assert_eq!(stuck("5-5-5-5", RuleSet::Text, 1, 2), (4.5, 5.5));
    assert_eq!(stuck("5-5-5-2", RuleSet::Text, 1, 0), (7.0, 3.0));
    assert_eq!(stuck("5-5-5-1", RuleSet::Text, 0, 0), (5.0, 5.0));
    assert_eq!(stuck("5-5-5-5", RuleSet::Text, 3, 3), (5.3, 5.3));
}

#[test]
fn the_difference_in_markers_counts_in_a_stalemate_too() {
    let mut game = start(STANDARD, RuleSet::Text);
    game.set_up(&format!("AB{} 1 1 0 0", "a".repeat(83))).expect("a full board");
    assert_eq!(final_points(&*game), (5.083, 4.917));
    game.set_up(&format!("AB{} 2 1 2 2", "b".repeat(83))).expect("a full board");
    assert_eq!(final_points(&*game), (5.117, 5.283));
}

#[test]
fn faults_while_placing_count_no_ring() {
    for rules in [RuleSet::Text, RuleSet::Server] {
        for variant in [STANDARD, "6-6-6-3"] {
            let mut game = start(variant, rules);
            for i in 0..2 * variant[2..3].parse::<u32>().expect("a number of rings") {
                assert_eq!(points(&*game, FIRST_ERRS), (0.0, 10.0));
                assert_eq!(points(&*game, SECOND_ERRS), (10.0, 0.0));
                game.play(&format!("P 4 {i}")).expect("an empty point");
            }
            assert_eq!(points(&*game, FIRST_ERRS), (0.0, 10.0));
        }
    }
}

#[test]
fn faults_in_play_count_the_rings_that_the_offender_has_taken() {
    let pieces = [("A", "5 22, 5 23"), ("B", "5 6, 5 7, 5 8"), ("a", "1 0, 1 1, 1 4"), ("b", "2 0")];
    let text = |rest: &str, ending| points(&*set_up(STANDARD, RuleSet::Text, &pieces, rest), ending);
    let server = |rest: &str, ending| points(&*set_up(STANDARD, RuleSet::Server, &pieces, rest), ending);
    assert_eq!(text("1 1 2 1", FIRST_ERRS), (2.002, 7.998));
    assert_eq!(text("1 1 2 1", SECOND_ERRS), (9.002, 0.998));
    assert_eq!(text("1 1 0 0", FIRST_ERRS), (0.002, 9.998));
    assert_eq!(server("1 1 2 1", FIRST_ERRS), (2.003, 8.001));
    assert_eq!(server("1 1 2 1", SECOND_ERRS), (9.003, 1.001));
    assert_eq!(server("2 1 0 0", SECOND_ERRS), (10.003, 0.001));
    // In the middle of a turn, with a ring due.
    assert_eq!(text("1 4 2 1", FIRST_ERRS), (2.002, 7.998));
    assert_eq!(server("1 7 2 1", FIRST_ERRS), (2.003, 8.001));
    let other = |variant: &str, ending| points(&*set_up(variant, RuleSet::Text, &pieces, "1 1 1 0"), ending);
    assert_eq!(other("5-5-5-2", FIRST_ERRS), (2.002, 7.998));
    assert_eq!(other("5-5-5-5", FIRST_ERRS), (0.502, 9.498));
    assert_eq!(other("5-5-5-5", SECOND_ERRS), (10.002, -0.002));
}
