//! Boards for tests, written as points and letters.

use std::collections::HashMap;

use agon_rules::{AnyGame, AnyPosition, Ending, RuleSet};
use agon_yinsh::Yinsh;

/// The names of all points in the order of texts, by the recipe of the specification.
fn names(size: i32) -> Vec<String> {
    let positions = |hexagon: i32| 0..(6 * hexagon).max(1);
    let missing = |hexagon: i32, position: i32| hexagon == size && position % size == 0;
    (0..=size).flat_map(|h| positions(h).filter(move |&p| !missing(h, p)).map(move |p| format!("{h} {p}"))).collect()
}

/// A board of `size` with these letters on these points, such as `("A", "1 0, 2 3")`.
pub(crate) fn board(size: i32, pieces: &[(&str, &str)]) -> String {
    let on: HashMap<&str, &str> =
        pieces.iter().flat_map(|&(letter, points)| points.split(", ").map(move |point| (point, letter))).collect();
    let names = names(size);
    assert!(on.keys().all(|&point| names.iter().any(|name| name == point)), "a point that is not on the board");
    names.iter().map(|name| *on.get(name.as_str()).unwrap_or(&".")).collect()
}

/// A game from the start.
pub(crate) fn start(variant: &str, rules: RuleSet) -> Box<dyn AnyPosition> {
    Yinsh.open(variant, rules).unwrap_or_else(|error| panic!("{variant}: {error}"))
}

/// A game from a board and the rest of a position's text.
pub(crate) fn set_up(variant: &str, rules: RuleSet, pieces: &[(&str, &str)], rest: &str) -> Box<dyn AnyPosition> {
    let mut game = start(variant, rules);
    let size = variant[..1].parse().expect("a size");
    let text = format!("{} {rest}", board(size, pieces));
    game.set_up(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    game
}

/// All legal turns, sorted.
pub(crate) fn turns(game: &dyn AnyPosition) -> Vec<String> {
    let legal = game.legal_turns(100_000).expect("not too many turns");
    let mut turns: Vec<String> = legal.into_iter().flat_map(|turn| turn.spellings).collect();
    turns.sort();
    turns
}

/// Why `turn` is refused.
pub(crate) fn refusal(game: &dyn AnyPosition, turn: &str) -> String {
    let before = game.text();
    let mut game = game.boxed();
    let error = game.play(turn).expect_err("an illegal turn");
    assert_eq!(game.text(), before);
    error.to_string()
}

/// Side, phase and rings out: the position's text without its board.
pub(crate) fn state(game: &dyn AnyPosition) -> String {
    game.text().split_once(' ').expect("a board and more").1.to_owned()
}

/// The points of both sides.
pub(crate) fn points(game: &dyn AnyPosition, ending: Ending) -> (f64, f64) {
    let points = game.points(ending);
    (points.first, points.second)
}

/// The points of both sides of a finished game.
pub(crate) fn final_points(game: &dyn AnyPosition) -> (f64, f64) {
    points(game, Ending::Over(game.outcome().expect("a finished game")))
}
