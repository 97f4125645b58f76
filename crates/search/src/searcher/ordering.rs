//! In which order the moves of a node are tried: the table's move, then moves that gain something, then quiet ones by killers,
//! counter moves and history.

use super::{Searcher, node::Known};
use crate::Searchable;

/// Ranks that put kinds of moves in order; within a kind the rest decides.
pub(super) const TABLE_MOVE: i32 = 1 << 30;
pub(super) const NOISY: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
const COUNTER: i32 = 1 << 19;

/// The moves of a node and their ranks.
pub(super) struct MoveList<M> {
    pub(super) moves: Vec<M>,
    ranks: Vec<i32>,
}

impl<M> Default for MoveList<M> {
    fn default() -> MoveList<M> {
        MoveList { moves: Vec::new(), ranks: Vec::new() }
    }
}

impl<M: Copy> MoveList<M> {
    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.ranks.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// Gives every move its rank.
    #[inline]
    pub(super) fn rank_by(&mut self, rank: impl FnMut(M) -> i32) {
        self.ranks.extend(self.moves.iter().copied().map(rank));
    }

    /// Puts the best of the moves from `at` on into place `at`, and gives it with its rank. Most nodes look at few moves, so nobody
    /// sorts.
    #[inline]
    pub(super) fn pick(&mut self, at: usize) -> (M, i32) {
        let (mut best, mut most) = (at, self.ranks[at]);
        for (other, &rank) in self.ranks.iter().enumerate().skip(at + 1) {
            if rank > most {
                (best, most) = (other, rank);
            }
        }
        self.moves.swap(at, best);
        self.ranks.swap(at, best);
        (self.moves[at], most)
    }
}

impl<P: Searchable> Searcher<P> {
    pub(super) fn rank(&self, position: &P, list: &mut MoveList<P::Move>, known: &Known, ply: usize) {
        let side = position.turn().index();
        let history = &self.knowledge.history;
        let previous = self.tree.played(ply);
        let table_code = known.entry.map_or(0, |entry| entry.code);
        let killers = if self.parameters.killers != 0 { history.killers(ply) } else { [0; 2] };
        let counter = if previous != 0 && self.parameters.killers != 0 { history.counter(side, previous) } else { 0 };
        let rows = history.rows(side, previous, &self.parameters);
        list.rank_by(|m| {
            let code = P::code(m);
            let gain = position.gain(m);
            if code == table_code && table_code != 0 {
                return TABLE_MOVE;
            }
            if gain > 0 {
                return NOISY + gain;
            }
            let mut rank = gain + rows.of(code);
            if code == killers[0] {
                rank += KILLER + 1;
            } else if code == killers[1] {
                rank += KILLER;
            } else if code == counter {
                rank += COUNTER;
            }
            rank
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picking_gives_descending_ranks() {
        let before = [3, 8, -5, 8, 0, 100, 2, 2, 7];
        let mut list = MoveList { moves: (0..before.len()).collect(), ..MoveList::default() };
        list.rank_by(|m| before[m]);
        let picked: Vec<(usize, i32)> = (0..list.len()).map(|at| list.pick(at)).collect();
        assert!(picked.is_sorted_by(|a, b| a.1 >= b.1));
        assert!(picked.iter().all(|&(m, rank)| before[m] == rank));
    }
}
