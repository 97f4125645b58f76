//! What has been played so far, seen from the first bot.

use std::collections::BTreeMap;

use agon_rating::{MatchResult, Pentanomial, Score};
use agon_store::Match;

/// The running counts of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) score: Score,
    pub(super) battles: Pentanomial,
    pub(super) points: [f64; 2],
    pub(super) terminations: BTreeMap<String, u64>,
    /// Wins, draws and losses of the first bot on each side.
    pub(super) by_side: [Score; 2],
    /// Halves whose other half is still missing.
    open: BTreeMap<u32, MatchResult>,
}

impl Tally {
    /// Counts a match.
    pub(super) fn add(&mut self, played: &Match) {
        let on_first_side = played.half == 0;
        let result = match (played.result.as_str(), on_first_side) {
            ("1-0", true) | ("0-1", false) => MatchResult::Win,
            ("0-1", true) | ("1-0", false) => MatchResult::Loss,
            _ => MatchResult::Draw,
        };
        self.score.record(result);
        self.by_side[usize::from(!on_first_side)].record(result);
        let points = [played.first_points, played.second_points];
        let own = usize::from(!on_first_side);
        self.points[0] += points[own];
        self.points[1] += points[1 - own];
        *self.terminations.entry(played.termination.clone()).or_default() += 1;
        match self.open.remove(&played.battle) {
            Some(other) => self.battles.record(other, result),
            None => {
                self.open.insert(played.battle, result);
            }
        }
    }

    pub(super) fn matches(&self) -> u64 {
        self.score.matches()
    }
}
