//! The engine that grows a Monte-Carlo tree instead of searching depth by depth.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use super::Engine;
use crate::{
    Limits, Mcts, Report, Searchable, Variation,
    score::{MOST_ESTIMATE, PROVEN},
};

/// The name of the house bot that thinks like this.
pub const MCTS: &str = "mcts";

/// Leaves between two looks at the clock.
const BATCH: u64 = 16;
/// Nodes that its tree may have: some tens of mebibytes.
const MOST_NODES: usize = 1_000_000;

/// Leaves that stand for a depth: each move ahead costs four times as much.
pub fn leaves_for_depth(depth: i32) -> u64 {
    4u64.saturating_pow(depth.max(1).unsigned_abs())
}

impl<P: Searchable> Engine<P> {
    /// Grows a tree below the position that was followed to, as far as the limits allow; `None` if the game is over there. `watch` sees
    /// it each time that the tree has doubled.
    pub(super) fn grow_tree(
        &self,
        limits: &Limits,
        watch: &mut dyn FnMut(&Report<P::Move>),
    ) -> Option<Report<P::Move>> {
        let (position, history) = (self.game.position(), self.game.history());
        let over = position.generate(&mut Vec::new()).or_else(|| position.adjudicate(history));
        if over.is_some() {
            return None;
        }
        let (started, busy) = (Instant::now(), crate::thread_time());
        let spent = || if limits.cpu { crate::thread_time().saturating_sub(busy) } else { started.elapsed() };
        let time = limits.soft.into_iter().chain(limits.hard).min();
        let depth = limits.depth.map(leaves_for_depth);
        let most = limits.nodes.into_iter().chain(depth).min().unwrap_or(u64::MAX).max(1);
        let stopped = || limits.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        let mut tree = Mcts::new(position.clone(), history).with_most_nodes(MOST_NODES);
        let mut reported_at = 512;
        // However little time there is, the root is looked at.
        tree.grow(1);
        while tree.leaves() < most && !stopped() && time.is_none_or(|time| spent() < time) {
            let before = tree.leaves();
            tree.grow(BATCH.min(most - before));
            if tree.leaves() == before {
                break;
            }
            if tree.leaves() >= reported_at {
                reported_at *= 2;
                watch(&report(&tree, started.elapsed()));
            }
        }
        Some(report(&tree, started.elapsed()))
    }

    /// One more move of a turn that is not complete.
    pub(super) fn move_of_tree(&self, position: &P, history: &[u64], leaves: u64) -> Option<P::Move> {
        let mut tree = Mcts::new(position.clone(), history).with_most_nodes(MOST_NODES);
        tree.grow(leaves);
        tree.best_move()
    }
}

fn report<P: Searchable>(tree: &Mcts<P>, time: Duration) -> Report<P::Move> {
    let moves = tree.line();
    let score = match tree.proven() {
        // Decided, but its line need not be the shortest way there.
        Some(true) => PROVEN - 1,
        Some(false) => 1 - PROVEN,
        None => estimate(tree.chance(), P::UNIT),
    };
    let depth = i32::try_from(moves.len()).unwrap_or(i32::MAX);
    Report {
        depth,
        lines: vec![Variation { score, moves }],
        deepest: depth.unsigned_abs() as usize,
        nodes: tree.leaves(),
        time,
    }
}

/// The estimate that stands for a chance: the inverse of [`crate::score::win_chance`].
fn estimate(chance: f64, unit: i32) -> i32 {
    let chance = chance.clamp(1e-6, 1.0 - 1e-6);
    let score = (chance / (1.0 - chance)).ln() * f64::from(unit.max(1));
    (score as i32).clamp(-MOST_ESTIMATE, MOST_ESTIMATE)
}
