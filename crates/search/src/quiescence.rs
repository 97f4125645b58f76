//! The end of every line: noisy moves are played out before a position is judged. Worth from +18 ± 23 to
//! +120 ± 20 Elo (`bench/search.md`).

use crate::{
    Searchable,
    order::pick,
    score::MOST_PLIES,
    searcher::{Searcher, Standing},
};

/// Noisy lines are not followed further than this beyond the last full ply.
const MOST_NOISY_PLIES: usize = 12;

impl<P: Searchable> Searcher<P> {
    /// The value of a position for the side to move, looking at noisy moves only. The side to move may always decline them.
    pub(crate) fn quiesce(
        &mut self,
        position: &P,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        noisy_plies: usize,
        standing: Standing,
    ) -> i32 {
        if let Some(score) = self.settled(position, ply, standing) {
            return score;
        }
        if ply > 0
            && let Some(score) = self.foreseen(position, ply)
        {
            return score;
        }
        let estimate = self.estimate(position);
        if self.parameters.quiescence == 0 || ply + 1 >= MOST_PLIES || noisy_plies >= MOST_NOISY_PLIES {
            return estimate;
        }
        if estimate >= beta {
            return estimate;
        }
        alpha = alpha.max(estimate);
        let mut best = estimate;
        let (mut moves, mut ranks) = self.take_buffers(ply);
        position.noisy(&mut moves);
        ranks.extend(moves.iter().map(|&m| position.gain(m)));
        for at in 0..moves.len() {
            pick(&mut moves, &mut ranks, at);
            let m = moves[at];
            let next = self.enter(position, m, ply);
            let standing = standing.after(position.turn(), next.turn());
            let score = if next.turn() == position.turn() {
                self.quiesce(&next, alpha, beta, ply + 1, noisy_plies + 1, standing)
            } else {
                -self.quiesce(&next, -beta, -alpha, ply + 1, noisy_plies + 1, standing)
            };
            self.leave();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.keep_line(ply, m);
                }
                if score >= beta {
                    break;
                }
            }
        }
        self.give_buffers(ply, moves, ranks);
        best
    }
}
