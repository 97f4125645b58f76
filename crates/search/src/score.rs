//! Scores: what a position is worth to the side to move.
//!
//! A score is an `i32` that fits into 16 bits. Small ones are estimates in the game's own units. Those beyond [`DECIDED`] say that
//! the game is decided; beyond [`PROVEN`] they also say how soon.

/// Beyond every score.
pub const INFINITE: i32 = 32_500;
/// A game won here and now. A win in `n` moves is `n` less.
pub const WIN: i32 = 32_000;
/// From here on a score is a win, and [`WIN`] minus it is the distance in moves.
pub const PROVEN: i32 = 31_000;
/// From here on the game is decided, by a proven win or by points.
pub const DECIDED: i32 = 16_000;
/// A draw.
pub const DRAW: i32 = 0;
/// Estimates stay below.
pub const MOST_ESTIMATE: i32 = 15_000;
/// The deepest line that a search follows.
pub const MOST_PLIES: usize = 240;

/// The score of winning after `ply` moves.
pub const fn win_in(ply: usize) -> i32 {
    WIN - ply as i32
}

/// The score of losing after `ply` moves.
pub const fn loss_in(ply: usize) -> i32 {
    -WIN + ply as i32
}

/// Whether it is a proven win or loss, with a distance.
pub const fn is_proven(score: i32) -> bool {
    score.abs() >= PROVEN
}

/// Whether the game is decided, one way or the other.
pub const fn is_decided(score: i32) -> bool {
    score.abs() >= DECIDED
}

/// How many moves away a proven end is.
pub const fn distance(score: i32) -> Option<usize> {
    if is_proven(score) { Some((WIN - score.abs()) as usize) } else { None }
}

/// A score seen from the root, as the node at `ply` sees it: tables keep distances from the node, not from the root.
pub(crate) const fn to_table(score: i32, ply: usize) -> i32 {
    if score >= PROVEN {
        score + ply as i32
    } else if score <= -PROVEN {
        score - ply as i32
    } else {
        score
    }
}

/// The reverse of [`to_table`].
pub(crate) const fn from_table(score: i32, ply: usize) -> i32 {
    if score >= PROVEN {
        score - ply as i32
    } else if score <= -PROVEN {
        score + ply as i32
    } else {
        score
    }
}

/// The chance to win that an estimate stands for, in a game where `unit` is worth as much as a clear advantage.
pub fn win_chance(score: i32, unit: i32) -> f64 {
    if is_decided(score) {
        return if score > 0 { 1.0 } else { 0.0 };
    }
    1.0 / (1.0 + (-f64::from(score) / f64::from(unit.max(1))).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_survive_the_table() {
        for (score, ply) in [(win_in(7), 3), (loss_in(12), 5), (120, 9), (-DECIDED - 3, 4)] {
            assert_eq!(from_table(to_table(score, ply), ply), score);
        }
        assert_eq!(from_table(to_table(win_in(7), 3), 5), win_in(9), "the same end, met two moves later");
        assert_eq!((distance(win_in(4)), distance(loss_in(9)), distance(300)), (Some(4), Some(9), None));
    }
}
