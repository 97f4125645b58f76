//! Draws: what they are worth to the side that searches, and how they are seen coming.

use agon_rules::keys::mix;

use super::Searcher;
use crate::{Objective, Parameters, Searchable, score::DRAW};

/// How many plies back repetitions are looked for.
const MOST_PLIES_BACK: usize = 100;
/// More cycles of four moves than this do not count.
const MOST_CYCLES: usize = 5;
/// This many moves before the rules end the game, estimates begin to fade.
const FADING_MOVES: usize = 40;

/// **Repetition**: the position was there before, so whoever stands better must find something else. Where the rules know no such
/// draw, games of two careful sides would never end. Worth +23 ± 10 where it is on.
#[inline]
pub(super) fn repeats(key: u64, path: &[u64], parameters: &Parameters) -> bool {
    parameters.repetition != 0 && path.iter().rev().take(MOST_PLIES_BACK).any(|&before| before == key)
}

/// **Impatience**: how many cycles of four moves both sides have repeated of late. Who takes a repetition for a draw may still think
/// everything else worse, move after move; against somebody who only waits, that draws games that were there to be won. No more than
/// a few count: a draw is never as bad as a loss.
pub(super) fn repeated_cycles(history: &[u64]) -> i32 {
    let late = &history[history.len().saturating_sub(MOST_PLIES_BACK)..];
    let again = (1..late.len()).filter(|&ply| late[..ply].contains(&late[ply])).count();
    (again / 4).min(MOST_CYCLES) as i32
}

impl<P: Searchable> Searcher<P> {
    /// **Contempt**: a draw is a little worse than an even position for the side that searches, so that it tries something else;
    /// and ever worse the longer nothing else was tried.
    pub(super) fn score_of_draw(&self, position: &P) -> i32 {
        let hundredths = self.parameters.contempt + self.root.repeated_cycles * self.parameters.impatience;
        let cost = P::UNIT * hundredths / 100;
        if position.turn() == self.root.side { DRAW - cost } else { DRAW + cost }
    }

    /// How many moves of both sides are left before the rules end the game, where it matters.
    #[inline]
    fn moves_left(&self, position: &P) -> Option<usize> {
        let left = position.move_limit()?.saturating_sub(self.tree.path().len());
        (left < FADING_MOVES).then_some(left)
    }

    /// What a position seems to be worth to the side to move: ever less of an advantage while the draw by the move limit comes nearer, so
    /// that whoever is ahead makes haste.
    #[inline]
    pub(super) fn evaluate(&self, position: &P) -> i32 {
        let estimate = self.evaluator.evaluate(position);
        self.moves_left(position).map_or(estimate, |left| estimate * left as i32 / FADING_MOVES as i32)
    }

    /// The key under which the table knows a position. What is true with many moves left may be wrong with few: a mate that comes too late
    /// is a draw. And what a draw is worth changes with impatience.
    #[inline]
    pub(super) fn table_key(&self, position: &P) -> u64 {
        let left = self.moves_left(position).map_or(0, |left| left as u64 + 1);
        // Points are another measure than wins: what one search learnt is nothing to the other.
        let points = u64::from(self.root.nested && self.objective == Objective::Points);
        let kind = left | (self.root.repeated_cycles as u64) << 32 | points << 63;
        if kind == 0 { position.key() } else { position.key() ^ mix(kind) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_counted_while_they_are_remembered() {
        assert_eq!(repeated_cycles(&[]), 0);
        let to_and_fro: Vec<u64> = (0..60).map(|ply| ply % 4).collect();
        assert_eq!([7, 8, 20, 60].map(|plies| repeated_cycles(&to_and_fro[..plies])), [0, 1, 4, 5]);
        let new = to_and_fro.iter().copied().chain(100..200).collect::<Vec<u64>>();
        assert_eq!(repeated_cycles(&new), 0, "that was long ago");
    }
}
