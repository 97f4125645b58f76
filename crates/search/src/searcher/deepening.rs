//! Iterative deepening: one depth after the other, all lines at each.

use std::time::Duration;

use super::{Node, RootPosition, Searcher};
use crate::{
    Report, Searchable, Variation,
    objective::TurnsMade,
    score::{INFINITE, MOST_PLIES, distance, is_decided},
};

impl<P: Searchable> Searcher<P> {
    /// Searches deeper and deeper until the limits are reached or all is known. `moves` are the legal ones.
    pub(super) fn deepen(
        &mut self,
        root: RootPosition<'_, P>,
        moves: &[P::Move],
        watch: &mut dyn FnMut(&Report<P::Move>),
    ) -> Report<P::Move> {
        let lines = self.root.wanted_lines;
        let first = Variation { score: self.evaluator.evaluate(root.position), moves: vec![moves[0]] };
        let mut report = Report { depth: 0, lines: vec![first], deepest: 0, nodes: 0, time: Duration::ZERO };
        let most_depth = self.timer.limits.depth.unwrap_or(i32::MAX).min(MOST_PLIES as i32 / 2);
        for depth in 1..=most_depth {
            self.root.depth = depth;
            let found = self.iterate(root, &report.lines);
            let complete = found.len() == lines && !self.timer.stopped;
            // A depth that was broken off still counts as far as it came: its first move is the last depth's best, so anything
            // found is at least as good.
            if !found.is_empty() {
                report.lines.splice(..found.len().min(report.lines.len()), found);
            }
            (report.nodes, report.time, report.deepest) = (self.timer.nodes, self.timer.elapsed(), self.tree.deepest);
            if !complete {
                break;
            }
            report.depth = depth;
            watch(&report);
            if self.is_enough(&report, moves.len()) {
                break;
            }
        }
        report
    }

    /// All lines at one depth; fewer if the search was stopped. `before` are those of the last depth.
    fn iterate(&mut self, root: RootPosition<'_, P>, before: &[Variation<P::Move>]) -> Vec<Variation<P::Move>> {
        self.root.excluded.clear();
        let mut found: Vec<Variation<P::Move>> = Vec::new();
        for number in 0..self.root.wanted_lines {
            let expected = before.get(number).map_or(0, |line| line.score);
            let score = self.aspire(root, expected);
            let moves = self.tree.pv().to_vec();
            let Some(&first) = moves.first() else { break };
            found.push(Variation { score, moves });
            if self.timer.stopped {
                break;
            }
            self.root.excluded.push(first);
        }
        found.sort_by_key(|line| -line.score);
        found
    }

    /// **Aspiration**: a narrow window around the expected score, opened where the score falls outside.
    fn aspire(&mut self, root: RootPosition<'_, P>, expected: i32) -> i32 {
        let mut margin = (P::UNIT * self.parameters.aspiration / 100).max(1);
        let depth = self.root.depth;
        let narrow = depth >= 4 && !is_decided(expected);
        let (mut alpha, mut beta) = if narrow { (expected - margin, expected + margin) } else { (-INFINITE, INFINITE) };
        loop {
            self.tree.clear_pv();
            let node = Node { alpha, beta, depth, ply: 0, made: TurnsMade::new(root.made), excluded: 0 };
            let score = self.node::<true>(root.position, node);
            if self.timer.stopped {
                return score;
            }
            if score <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = (score - margin).max(-INFINITE);
            } else if score >= beta && beta < INFINITE {
                beta = (score + margin).min(INFINITE);
            } else {
                return score;
            }
            margin += margin;
            if margin > 8 * P::UNIT {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Whether another depth would tell nothing, or there is no time for it.
    fn is_enough(&self, report: &Report<P::Move>, choices: usize) -> bool {
        let settled =
            |line: &Variation<P::Move>| distance(line.score).is_some_and(|moves| moves as i32 <= report.depth);
        let only_choice = choices == 1 && report.lines.len() == 1 && self.timer.limits.soft.is_some();
        report.lines.iter().all(settled) || only_choice || self.timer.is_past_soft_limit()
    }
}
