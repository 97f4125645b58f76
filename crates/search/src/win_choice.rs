//! Which win to choose, once one is proven: the one with the most points, and it is never put off for ever.
//!
//! A plain search takes the shortest win. Here its proof is only the permission to look further: a second search, for points, may name
//! another move. That move is played if a third search proves that it wins, too, and soon enough: no later than was promised with the
//! move before, and only a few moves later than the shortest win. So the end comes nearer with every turn.

use std::time::{Duration, Instant};

use agon_rules::BySide;

use crate::{
    Limits, Line, Objective, Report, Searchable,
    score::{DECIDED, MOST_PLIES, distance},
    searcher::Searcher,
};

/// By so many moves of both sides a win may be put off for its points.
const PATIENCE: usize = 6;
/// What the choice may cost where neither nodes nor time are limited.
const USUAL_NODES: u64 = 50_000;
/// With less there is no second thought.
const LEAST_NODES: u64 = 100;

/// Where a search stands in the game.
struct Place<'a, P> {
    position: &'a P,
    history: &'a [u64],
    made: BySide<u32>,
}

impl<P: Searchable> Searcher<P> {
    /// From now on it chooses among proven wins by their points; it may think a little longer about turns that win.
    pub fn weigh_wins(&mut self) {
        self.weighs_wins = true;
    }

    /// What is left for the choice if this much of the limits is kept for it from the beginning: where points are all that counts, a search
    /// does not end when a win is found.
    pub(crate) fn leave_some(&self, limits: Limits) -> Limits {
        if !self.weighs_wins || self.aside || self.objective == Objective::Win {
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
    pub(crate) fn choose_win(
        &mut self,
        position: &P,
        history: &[u64],
        made: BySide<u32>,
        limits: &Limits,
        mut report: Report<P::Move>,
    ) -> Report<P::Move> {
        let place = Place { position, history, made };
        let kept = (self.limits.clone(), self.started, self.expected, self.objective);
        let spare = self.spare(limits, report.nodes);
        if !self.weighs_wins || self.aside || self.wanted_lines != 1 || report.lines[0].score < DECIDED {
            return report;
        }
        self.aside = true;
        let mut spent = 0;
        let line = match self.objective {
            Objective::Win => self.richest(&place, &report.lines[0], spare, &mut spent),
            Objective::Points => self.hastened(&place, &report.lines[0], spare, &mut spent),
        };
        (self.limits, self.started, self.expected, self.objective) = kept;
        (self.aside, self.only) = (false, None);
        if let Some(line) = line {
            report.lines = vec![line];
        }
        report.nodes += spent;
        report.time = self.started.elapsed();
        report
    }

    /// The win that brings the most points, if it is not the shortest one.
    fn richest(
        &mut self,
        place: &Place<'_, P>,
        shortest: &Line<P::Move>,
        spare: Option<Limits>,
        spent: &mut u64,
    ) -> Option<Line<P::Move>> {
        let now = place.history.len();
        let nearest = distance(shortest.score)?;
        // The first proof fixes when the game must be over; a win that came out further away than that is not put off at all.
        let usual = if self.promised_end.is_none() { PATIENCE } else { 0 };
        let end = self.promised_end.filter(|&end| end >= now + nearest).unwrap_or(now + nearest + usual);
        self.promised_end = Some(end);
        let latest = (end - now).min(nearest + PATIENCE);
        let spare = spare?;
        let begun = Instant::now();
        let left = |spent: u64, parts: u64| shared(&spare, spent, begun.elapsed(), parts, latest);
        let richest = self.search_aside(place, Objective::Points, None, left(*spent, 2), spent)?;
        let worth = richest.lines[0].score;
        let (plain, other) = (shortest.moves[0], richest.lines[0].moves[0]);
        if worth <= DECIDED || other == plain {
            return None;
        }
        let without = self.search_aside(place, Objective::Points, Some(plain), left(*spent, 2), spent)?;
        if without.lines[0].score >= worth {
            return None;
        }
        let proof = self.search_aside(place, Objective::Win, Some(other), left(*spent, 1), spent)?;
        let line = proof.lines.into_iter().next()?;
        let in_time = distance(line.score).is_some_and(|moves| line.score > 0 && moves <= latest);
        (in_time && line.moves[0] == other).then_some(line)
    }

    /// Where points are all that counts: another move, if the one with the most points puts the end off.
    fn hastened(
        &mut self,
        place: &Place<'_, P>,
        best: &Line<P::Move>,
        spare: Option<Limits>,
        spent: &mut u64,
    ) -> Option<Line<P::Move>> {
        let now = place.history.len();
        let spare = spare?;
        let latest = self.promised_end.map_or(MOST_PLIES / 2, |end| end.saturating_sub(now).max(1));
        let begun = Instant::now();
        let half = shared(&spare, 0, Duration::ZERO, 2, latest);
        let same = self.search_aside(place, Objective::Win, Some(best.moves[0]), half, spent)?;
        let end_of = |line: &Line<P::Move>| distance(line.score).filter(|_| line.score > 0);
        if let Some(end) = end_of(&same.lines[0]).filter(|&end| end <= latest) {
            self.promised_end = Some(now + end);
            return None;
        }
        let rest = shared(&spare, *spent, begun.elapsed(), 1, MOST_PLIES / 2);
        let shortest = self.search_aside(place, Objective::Win, None, rest, spent)?;
        let line = shortest.lines.into_iter().next()?;
        self.promised_end = Some(now + end_of(&line)?);
        Some(line)
    }

    /// Another search of the same position: for points or for a win, of all moves or of one.
    fn search_aside(
        &mut self,
        place: &Place<'_, P>,
        objective: Objective,
        only: Option<P::Move>,
        limits: Limits,
        spent: &mut u64,
    ) -> Option<Report<P::Move>> {
        (self.objective, self.only) = (objective, only);
        let report = self.search(place.position, place.history, place.made, 1, limits, &mut |_| {})?;
        *spent += report.nodes;
        Some(report)
    }

    /// What is left of the limits; `None` if that is too little.
    fn spare(&self, limits: &Limits, used: u64) -> Option<Limits> {
        let limited = limits.soft.is_some() || limits.hard.is_some();
        let nodes = limits.nodes.or((!limited).then_some(used + USUAL_NODES)).map(|most| most.saturating_sub(used));
        let elapsed = self.started.elapsed();
        let time = limits.soft.or(limits.hard).map(|most| most.saturating_sub(elapsed));
        let enough = nodes.is_none_or(|nodes| nodes >= LEAST_NODES)
            && time.is_none_or(|time| time > Duration::from_millis(1))
            && !self.is_told_to_stop();
        enough.then(|| Limits { nodes, depth: None, soft: None, hard: time, ..limits.clone() })
    }
}

/// One of so many equal parts of what is left after so much was used, to look so far ahead.
fn shared(spare: &Limits, spent: u64, elapsed: Duration, parts: u64, depth: usize) -> Limits {
    Limits {
        nodes: spare.nodes.map(|nodes| (nodes.saturating_sub(spent) / parts).max(1)),
        hard: spare.hard.map(|time| time.saturating_sub(elapsed) / parts as u32),
        depth: Some(depth as i32),
        ..spare.clone()
    }
}
