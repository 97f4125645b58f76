//! The end that the rules set to long games, as the search sees it coming.

use agon_rules::keys::mix;

use crate::{Objective, Searchable, searcher::Searcher};

/// From so many moves before the end on, what a position is worth depends on how many are left.
const NEAR: usize = 40;

impl<P: Searchable> Searcher<P> {
    /// How many moves of both sides are left, where it matters.
    #[inline]
    fn moves_left(&self, position: &P) -> Option<usize> {
        let left = position.move_limit()?.saturating_sub(self.history().len());
        (left < NEAR).then_some(left)
    }

    /// What a position seems to be worth to the side to move: ever less of an advantage while the draw comes nearer, so that
    /// whoever is ahead makes haste.
    #[inline]
    pub(crate) fn estimate(&self, position: &P) -> i32 {
        let estimate = self.evaluator.evaluate(position);
        self.moves_left(position).map_or(estimate, |left| estimate * left as i32 / NEAR as i32)
    }

    /// The key under which the table knows a position. What is true with many moves left may be wrong with few: a mate that comes too late
    /// is a draw. And what a draw is worth changes with impatience.
    #[inline]
    pub(crate) fn table_key(&self, position: &P) -> u64 {
        let left = self.moves_left(position).map_or(0, |left| left as u64 + 1);
        // Points are another measure than wins: what one search learnt is nothing to the other.
        let points = u64::from(self.aside && self.objective == Objective::Points);
        let kind = left | (self.circles as u64) << 32 | points << 63;
        if kind == 0 { position.key() } else { position.key() ^ mix(kind) }
    }
}
