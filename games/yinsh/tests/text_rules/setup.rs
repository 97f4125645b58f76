//! Variants, position texts and pictures.

use std::collections::HashSet;

use agon_picture::{MarkKind, Shape};
use agon_rules::{AnyGame, RuleSet};
use agon_yinsh::Yinsh;

use crate::boards::{board, set_up, start, state, turns};

fn refused(variant: &str, rules: RuleSet) -> String {
    Yinsh.open(variant, rules).err().unwrap_or_else(|| panic!("{variant} was accepted")).to_string()
}

#[test]
fn variants_of_the_text() {
    for size in 4..=7 {
        for row in 4..=7 {
            for rings in 1..=10 {
                let count = start(&format!("{size}-{rings}-{row}-1"), RuleSet::Text).perft(1);
                assert_eq!(count, [55, 85, 121, 163][size - 4]);
                start(&format!("{size}-{rings}-{row}-{rings}"), RuleSet::Text);
            }
        }
    }
    for (variant, reason) in [
        ("8-5-5-3", "variant 8-5-5-3: expected a hexagon (N) of 4 to 7, found 8"),
        ("5-11-5-3", "variant 5-11-5-3: expected a number of rings (M) of 1 to 10, found 11"),
        ("5-5-3-3", "variant 5-5-3-3: expected a row (K) of 4 to 7, found 3"),
        ("5-5-5-6", "variant 5-5-5-6: expected a number of rings to take (L) of 1 to 5, found 6"),
        ("5-5-5-0", "variant 5-5-5-0: expected a number of rings to take (L) of 1 to 5, found 0"),
        ("5-5-5", "unknown variant '5-5-5', expected N-M-K-L, for example 5-5-5-3"),
        ("05-5-5-3", "unknown variant '05-5-5-3', expected N-M-K-L, for example 5-5-5-3"),
        ("5-5-5-3-1", "unknown variant '5-5-5-3-1', expected N-M-K-L, for example 5-5-5-3"),
    ] {
        assert_eq!(refused(variant, RuleSet::Text), reason);
    }
    assert!(refused(&"5-".repeat(1_000_000), RuleSet::Text).len() < 100);
}

#[test]
fn variants_of_the_server() {
    for variant in ["5-5-5-3", "5-5-7-3", "6-6-5-3", "6-6-6-3", "7-7-5-3", "7-7-7-3"] {
        start(variant, RuleSet::Server);
    }
    for (variant, reason) in [
        ("4-4-5-3", "variant 4-4-5-3: expected a hexagon (N) of 5 to 7 under the server's rules, found 4"),
        ("5-6-5-3", "variant 5-6-5-3: expected a number of rings (M) of 5 under the server's rules, found 6"),
        ("5-5-4-3", "variant 5-5-4-3: expected a row (K) of 5 to 7 under the server's rules, found 4"),
        ("5-5-5-2", "variant 5-5-5-2: expected a number of rings to take (L) of 3 under the server's rules, found 2"),
    ] {
        assert_eq!(refused(variant, RuleSet::Server), reason);
        start(variant, RuleSet::Text);
    }
}

#[test]
fn position_texts_that_mean_nothing() {
    let row = board(5, &[("A", "5 22"), ("a", "2 0, 1 0, 0 0, 1 3, 2 6")]);
    let empty = board(5, &[]);
    let crowded = board(5, &[("B", "1 0, 1 1, 1 2, 1 3, 1 4")]);
    for (text, reason) in [
        (String::new(), "expected a board, found the end of the text"),
        (empty.clone(), "expected the side to move, 1 or 2, found the end of the text"),
        ("... 1 0 0 0".to_owned(), "board: expected 85 points, found 3"),
        (
            format!("{} 1 0 0 0", empty.replacen('.', "x", 1)),
            "board: expected '.', 'A', 'a', 'B' or 'b' at 0 0, found 'x'",
        ),
        (format!("{empty} 3 0 0 0"), "side to move: expected 1 or 2, found '3'"),
        (format!("{empty} 1 2 0 0"), "phase: expected 0, 1, 3, 4, 5, 6 or 7, found '2'"),
        (format!("{empty} 1 0 0"), "expected the number of rings that each side has taken, found the end of the text"),
        (format!("{empty} 1 0 0 -1"), "rings that blue has taken: expected 0 to 3, found '-1'"),
        (format!("{empty} 1 0 00 0"), "rings that orange has taken: expected 0 to 3, found '00'"),
        (format!("{empty} 1 0 4 0"), "rings that orange has taken: expected 0 to 3, found '4'"),
        (format!("{empty} 1 0 0 0 0"), "expected the end after five parts, found '0'"),
        (format!("{crowded} 1 1 0 1"), "expected at most 5 rings of blue, found 5 and 1 taken"),
        (format!("{crowded} 2 0 0 0"), "phase 0: expected blue to have a ring left to place"),
        (format!("{empty} 1 3 0 0"), "phase 3: expected a row of 5 orange markers"),
        (format!("{row} 2 6 0 0"), "phase 6: expected a row of 5 blue markers"),
        (format!("{row} 1 5 2 2"), "phase 5: expected 3 rings taken by one side"),
        (format!("{row} 1 5 3 3"), "expected one winner, found 3 rings taken by both sides"),
        (format!("{row} 1 6 3 0"), "expected phase 5 with 3 rings taken, found 6"),
    ] {
        let mut game = start("5-5-5-3", RuleSet::Text);
        let before = game.text();
        assert_eq!(game.set_up(&text).expect_err("a meaningless text").to_string(), reason, "{text}");
        assert_eq!(game.text(), before);
    }
}

#[test]
fn unreachable_positions_are_accepted() {
    let row = [("A", "5 22"), ("a", "2 0, 1 0, 0 0, 1 3, 2 6")];
    // Fewer rings than the game has; a row that stands although it is time to move; a ring due without a row.
    for rest in ["1 0 0 0", "1 1 0 0", "1 3 0 0", "1 4 0 0", "1 5 3 0", "2 5 3 0", "1 6 0 2", "1 7 2 2", "2 0 1 1"] {
        let game = set_up("5-5-5-3", RuleSet::Text, &row, rest);
        assert_eq!(state(&*game), rest);
    }
    // A row that was overlooked is taken after the ring move.
    let mut game = set_up("5-5-5-3", RuleSet::Text, &row, "1 1 0 0");
    game.play("S 5 22 M 5 21 RS 2 0 RE 2 6 X 5 21").expect("a move and the row");
    // Rings are placed as long as the side to move has one; rings left over stay away.
    let mut game = set_up("5-2-5-1", RuleSet::Text, &[("B", "1 0, 1 1")], "1 0 0 0");
    game.play("P 2 0").expect("an empty point");
    assert_eq!(state(&*game), "2 1 0 0");
}

#[test]
fn spots_have_names_and_places_of_their_own() {
    for variant in ["4-2-4-1", "5-5-5-3", "6-6-6-3", "7-7-5-3"] {
        let picture = start(variant, RuleSet::Text).picture();
        let count = picture.spots.len();
        let cell = |at: (f32, f32)| ((at.0 / picture.grid.0).round() as i32, (at.1 / picture.grid.1).round() as i32);
        assert_eq!(picture.spots.iter().map(|spot| cell(spot.at)).collect::<HashSet<_>>().len(), count);
        assert_eq!(picture.spots.iter().map(|spot| &spot.name).collect::<HashSet<_>>().len(), count);
        assert!(picture.spots.iter().all(|spot| spot.at.0 > 0.0 && spot.at.0 < picture.size.0));
        assert!(picture.spots.iter().all(|spot| spot.at.1 > 0.0 && spot.at.1 < picture.size.1));
    }
}

#[test]
fn a_picture_tells_what_happened() {
    let pieces = [("A", "4 0, 4 2"), ("B", "5 6"), ("a", "3 0, 2 0, 1 0, 1 1")];
    let mut game = set_up("5-5-4-3", RuleSet::Text, &pieces, "1 1 1 0");
    assert_eq!(game.picture().caption, "Orange to move a ring. Rings taken: orange 1, blue 0, of 3.");
    assert_eq!(game.picture().pieces.iter().filter(|piece| piece.shape == Shape::Ring).count(), 3);
    assert_eq!(game.picture().pieces.iter().filter(|piece| piece.shape == Shape::Disc).count(), 4);
    let turn = "S 4 2 M 3 2";
    assert!(turns(&*game).iter().any(|legal| legal == turn));
    game.play(turn).expect("a legal turn");
    let picture = game.picture();
    let marked = |kind| -> Vec<&str> {
        let spots = picture.marks.iter().filter(|mark| mark.kind == kind);
        spots.map(|mark| picture.spots[mark.spot].name.as_str()).collect()
    };
    assert_eq!((marked(MarkKind::LastFrom), marked(MarkKind::LastTo)), (vec!["4 2"], vec!["3 2"]));
    assert_eq!(picture.caption, "Blue to move a ring. Rings taken: orange 1, blue 0, of 3.");
    let caption = |rest: &str| set_up("5-5-4-3", RuleSet::Text, &[("a", "3 0, 2 0, 1 0, 0 0")], rest).picture().caption;
    assert_eq!(caption("1 0 0 0"), "Orange to place a ring, 5 left. Rings taken: orange 0, blue 0, of 3.");
    assert_eq!(caption("1 6 0 0"), "Orange to take a row of 4. Rings taken: orange 0, blue 0, of 3.");
    assert_eq!(caption("1 5 2 3"), "Blue wins. Rings taken: orange 2, blue 3, of 3.");
    assert_eq!(
        caption("1 1 2 1"),
        "Orange cannot move: orange wins with more rings taken. Rings taken: orange 2, blue 1, of 3."
    );
}
