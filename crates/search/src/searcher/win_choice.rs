//! Which win to choose, once one is proven: the one with the most points, and it is never put off for ever.
//!
//! A plain search takes the shortest win. Here its proof is only the permission to look further, with searches nested in it: one for
//! points may name another move; one of the shortest win says what that brings; and if it is less, a third must prove that the other
//! move wins, too, and soon enough: no later than was promised with the move before, and only a few moves later than the shortest win.
//! So the end comes nearer with every turn.

use std::time::{Duration, Instant};

use super::{RootPosition, Searcher};
use crate::{
    Limits, Objective, Report, Searchable, Variation,
    score::{DECIDED, MOST_PLIES, distance},
};

/// How many moves of both sides a win may be put off for its points.
const PATIENCE: usize = 6;
/// What the choice may cost where neither nodes nor time are limited.
const USUAL_NODES: u64 = 50_000;
/// With less there is no second thought.
const LEAST_NODES: u64 = 100;

impl<P: Searchable> Searcher<P> {
    /// The limits without what is kept for the choice from the beginning: where points are all that counts, a search does not end when a
    /// win is found.
    pub(super) fn without_reserve(&self, limits: Limits) -> Limits {
        if !self.weighs_wins || self.root.nested || self.objective == Objective::Win {
            return limits;
        }
        let most = |time: Option<Duration>| time.map(|time| time * 3 / 4);
        Limits {
            nodes: limits.nodes.map(|nodes| nodes * 3 / 4),
            soft: most(limits.soft),
            hard: most(limits.hard),
            ..limits
        }
    }

    /// The report of a search that has ended, with another move where that is worth more points. `limits` were those of the whole turn.
    pub(super) fn choose_win(
        &mut self,
        root: RootPosition<'_, P>,
        limits: &Limits,
        mut report: Report<P::Move>,
    ) -> Report<P::Move> {
        if !self.weighs_wins || self.root.nested || self.root.wanted_lines != 1 || report.lines[0].score < DECIDED {
            return report;
        }
        let spare = self.spare(limits, report.nodes);
        let kept = (self.timer.save(), self.knowledge.last_score, self.objective);
        self.root.nested = true;
        let mut spent = 0;
        let line = match self.objective {
            Objective::Win => self.most_points(root, &report.lines[0], spare, &mut spent),
            Objective::Points => self.sooner(root, &report.lines[0], spare, &mut spent),
        };
        let (search, last_score, objective) = kept;
        self.timer.restore(search);
        (self.knowledge.last_score, self.objective) = (last_score, objective);
        (self.root.nested, self.root.only) = (false, None);
        if let Some(line) = line {
            report.lines = vec![line];
        }
        report.nodes += spent;
        report.time = self.timer.elapsed();
        report
    }

    /// The win that brings the most points, if it is not the shortest one.
    fn most_points(
        &mut self,
        root: RootPosition<'_, P>,
        shortest: &Variation<P::Move>,
        spare: Option<Limits>,
        spent: &mut u64,
    ) -> Option<Variation<P::Move>> {
        let now = root.history.len();
        let nearest = distance(shortest.score)?;
        // The first proof fixes when the game must be over; a win that came out further away than that is not put off at all.
        let usual = if self.knowledge.win_deadline.is_none() { PATIENCE } else { 0 };
        let end = self.knowledge.win_deadline.filter(|&end| end >= now + nearest).unwrap_or(now + nearest + usual);
        self.knowledge.win_deadline = Some(end);
        let latest = (end - now).min(nearest + PATIENCE);
        let spare = spare?;
        let begun = Instant::now();
        let left = |spent: u64, parts: u64| shared(&spare, spent, begun.elapsed(), parts, latest);
        let by_points = self.search_nested(root, Objective::Points, None, left(*spent, 2), spent)?;
        let worth = by_points.lines[0].score;
        let (plain, other) = (shortest.moves[0], by_points.lines[0].moves[0]);
        if worth <= DECIDED || other == plain {
            return None;
        }
        let without = self.search_nested(root, Objective::Points, Some(plain), left(*spent, 2), spent)?;
        if without.lines[0].score >= worth {
            return None;
        }
        let proof = self.search_nested(root, Objective::Win, Some(other), left(*spent, 1), spent)?;
        let line = proof.lines.into_iter().next()?;
        let in_time = distance(line.score).is_some_and(|moves| line.score > 0 && moves <= latest);
        (in_time && line.moves[0] == other).then_some(line)
    }

    /// Where points are all that counts: another move, if the one with the most points puts the end off.
    fn sooner(
        &mut self,
        root: RootPosition<'_, P>,
        best: &Variation<P::Move>,
        spare: Option<Limits>,
        spent: &mut u64,
    ) -> Option<Variation<P::Move>> {
        let now = root.history.len();
        let spare = spare?;
        let latest = self.knowledge.win_deadline.map_or(MOST_PLIES / 2, |end| end.saturating_sub(now).max(1));
        let begun = Instant::now();
        let half = shared(&spare, 0, Duration::ZERO, 2, latest);
        let same = self.search_nested(root, Objective::Win, Some(best.moves[0]), half, spent)?;
        let end_of = |line: &Variation<P::Move>| distance(line.score).filter(|_| line.score > 0);
        if let Some(end) = end_of(&same.lines[0]).filter(|&end| end <= latest) {
            self.knowledge.win_deadline = Some(now + end);
            return None;
        }
        let rest = shared(&spare, *spent, begun.elapsed(), 1, MOST_PLIES / 2);
        let shortest = self.search_nested(root, Objective::Win, None, rest, spent)?;
        let line = shortest.lines.into_iter().next()?;
        self.knowledge.win_deadline = Some(now + end_of(&line)?);
        Some(line)
    }

    /// Another search of the same position: for points or for a win, of all moves or of one.
    fn search_nested(
        &mut self,
        root: RootPosition<'_, P>,
        objective: Objective,
        only: Option<P::Move>,
        limits: Limits,
        spent: &mut u64,
    ) -> Option<Report<P::Move>> {
        (self.objective, self.root.only) = (objective, only);
        let report = self.search(root.position, root.history, root.made, 1, limits, &mut |_| {})?;
        *spent += report.nodes;
        Some(report)
    }

    /// What is left of the limits; `None` if that is too little.
    fn spare(&self, limits: &Limits, used: u64) -> Option<Limits> {
        let limited = limits.soft.is_some() || limits.hard.is_some();
        let nodes = limits.nodes.or((!limited).then_some(used + USUAL_NODES)).map(|most| most.saturating_sub(used));
        let elapsed = self.timer.elapsed();
        let time = limits.soft.or(limits.hard).map(|most| most.saturating_sub(elapsed));
        let enough = nodes.is_none_or(|nodes| nodes >= LEAST_NODES)
            && time.is_none_or(|time| time > Duration::from_millis(1))
            && !self.timer.is_told_to_stop();
        enough.then(|| Limits { nodes, depth: None, soft: None, hard: time, ..limits.clone() })
    }
}

/// One of `parts` equal parts of what is left of the limits, to look `depth` plies ahead.
fn shared(spare: &Limits, spent: u64, elapsed: Duration, parts: u64, depth: usize) -> Limits {
    Limits {
        nodes: spare.nodes.map(|nodes| (nodes.saturating_sub(spent) / parts).max(1)),
        hard: spare.hard.map(|time| time.saturating_sub(elapsed) / parts as u32),
        depth: Some(depth as i32),
        ..spare.clone()
    }
}
