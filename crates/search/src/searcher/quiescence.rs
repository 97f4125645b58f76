//! The end of every line: noisy moves are played out before a position is evaluated. Worth from +18 ± 23 to
//! +120 ± 20 Elo (`bench/search.md`).

use super::{Node, Searcher};
use crate::{Searchable, score::MOST_PLIES};

/// Noisy lines are not followed further than this beyond the last full ply.
const MOST_NOISY_PLIES: i32 = 12;

impl<P: Searchable> Searcher<P> {
    /// The value of a position for the side to move, looking at noisy moves only. The side to move may always decline them. The depth of
    /// the node goes on below 0.
    pub(super) fn quiesce(&mut self, position: &P, mut node: Node) -> i32 {
        if let Some(score) = self.score_if_over(position, &node) {
            return score;
        }
        if node.ply > 0
            && let Some(score) = self.score_of_forced_end(position, node.ply)
        {
            return score;
        }
        let estimate = self.evaluate(position);
        if self.parameters.quiescence == 0 || node.ply + 1 >= MOST_PLIES || node.depth <= -MOST_NOISY_PLIES {
            return estimate;
        }
        if estimate >= node.beta {
            return estimate;
        }
        node.alpha = node.alpha.max(estimate);
        let mut best = estimate;
        let mut list = self.tree.take_list();
        position.noisy(&mut list.moves);
        list.rank_by(|m| position.gain(m));
        for at in 0..list.len() {
            let (m, _) = list.pick(at);
            let next = self.enter(position, m, node.ply);
            let made = node.made.after(position.turn(), next.turn());
            let below = Node { depth: node.depth - 1, ply: node.ply + 1, made, ..node };
            let score = if next.turn() == position.turn() {
                self.quiesce(&next, below)
            } else {
                -self.quiesce(&next, Node { alpha: -node.beta, beta: -node.alpha, ..below })
            };
            self.tree.leave();
            if self.timer.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > node.alpha {
                    node.alpha = score;
                    self.tree.update_pv(node.ply, m);
                }
                if score >= node.beta {
                    break;
                }
            }
        }
        self.tree.give_list(list);
        best
    }
}
