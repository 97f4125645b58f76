//! What has been played so far, seen from the first bot.

use std::collections::BTreeMap;

use agon_rating::{Decision, Estimate, MatchResult, Pentanomial, Score, Sprt};
use agon_rules::{Side, Verdict};
use agon_store::Match;

/// The running counts of a run.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Wins, draws and losses.
    pub score: Score,
    /// The same without matches that both lost: those say nothing about who is stronger.
    pub rated: Score,
    /// Finished battles, whatever came of them.
    pub finished: u64,
    /// Finished battles without such a match.
    pub battles: Pentanomial,
    /// The points of either bot.
    pub points: [f64; 2],
    /// How often matches ended for each reason.
    pub terminations: BTreeMap<String, u64>,
    /// Wins, draws and losses of the first bot on each side.
    pub by_side: [Score; 2],
    /// The same without matches that both lost.
    pub rated_by_side: [Score; 2],
    /// Matches that both lost.
    pub lost_by_both: u64,
    /// Halves whose other half is still missing; `None` for one that both lost.
    open: BTreeMap<u32, Option<MatchResult>>,
}

impl Tally {
    /// Counts a match.
    pub fn add(&mut self, played: &Match) {
        let on_first_side = played.half == 0;
        let side = if on_first_side { Side::First } else { Side::Second };
        // The store keeps nothing that is no result.
        let verdict = played.result.parse().unwrap_or(Verdict::Drawn);
        let result = match verdict {
            Verdict::Drawn => MatchResult::Draw,
            verdict if verdict.lost_by(side) => MatchResult::Loss,
            _ => MatchResult::Win,
        };
        self.score.record(result);
        let rated = (verdict != Verdict::BothLost).then_some(result);
        match rated {
            Some(result) => {
                self.rated.record(result);
                self.rated_by_side[usize::from(!on_first_side)].record(result);
            }
            None => self.lost_by_both += 1,
        }
        self.by_side[usize::from(!on_first_side)].record(result);
        let points = [played.first_points, played.second_points];
        let own = usize::from(!on_first_side);
        self.points[0] += points[own];
        self.points[1] += points[1 - own];
        *self.terminations.entry(played.termination.clone()).or_default() += 1;
        match self.open.remove(&played.battle) {
            Some(other) => {
                self.finished += 1;
                if let (Some(other), Some(result)) = (other, rated) {
                    self.battles.record(other, result);
                }
            }
            None => {
                self.open.insert(played.battle, rated);
            }
        }
    }

    /// Matches that were played.
    pub fn matches(&self) -> u64 {
        self.score.matches()
    }

    /// The log-likelihood ratio from battles, or from matches where the model knows no battles.
    pub fn llr(&self, sprt: &Sprt) -> f64 {
        sprt.llr_of_battles(&self.battles).unwrap_or_else(|| sprt.llr_of_matches(&self.rated))
    }

    /// What a sequential test says.
    pub fn decision(&self, sprt: &Sprt) -> Decision {
        sprt.decide(self.llr(sprt))
    }

    /// The difference in Elo, from battles as soon as there are any.
    pub fn elo(&self) -> Estimate {
        if self.battles.battles() > 0 { self.battles.elo() } else { self.rated.elo() }
    }
}
