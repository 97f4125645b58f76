//! Matches that are not played because a team is out.
//!
//! Whoever is out loses. If both are, nobody wins, unless one of them was still there when the other one left and has gone on by
//! that: what later matches were paired by does not change any more.

use agon_rules::{BySide, Side, Verdict};

use super::Derivation;
use crate::battle::{Half, Outcome};

impl Derivation<'_> {
    /// What a match brings that is not played because somebody is out, or was out when later matches were paired by it.
    pub(super) fn forfeit(&self, half: &Half, players: [usize; 2]) -> Option<Outcome> {
        let verdict = self.forfeited(half, players)?;
        let variant = &self.plan.format.parts[self.part].variant;
        let [first, second] = self.constants.forfeits.get(variant).copied().unwrap_or_default();
        let points = match verdict {
            Verdict::Won(Side::Second) => first,
            Verdict::Won(Side::First) => second,
            // Each has what a loser has.
            Verdict::BothLost | Verdict::Drawn => [first[0], second[1]],
        };
        let margins = self.constants.margins.get(variant).copied();
        Some(Outcome { verdict, points, margins, turns: 0, forfeit: true })
    }

    /// Who loses because of that.
    fn forfeited(&self, half: &Half, players: [usize; 2]) -> Option<Verdict> {
        let all = self.interventions;
        let played = (half.number, half.half);
        let stands = all.stands.get(&played).map_or(&[][..], Vec::as_slice);
        if self.left.is_empty() && stands.is_empty() {
            return None;
        }
        let team = BySide::from_fn(|side| players[half.seat(side)]);
        // When each was lost to this match: those that are back were so before all that are out now.
        let lost = |team: usize| match stands.contains(&team) {
            true => Some(0),
            false => self.left.get(&team).map(|when| when + 1),
        };
        let later = match (lost(team.first), lost(team.second)) {
            (None, None) => return None,
            (Some(_), None) => return Some(Verdict::Won(Side::Second)),
            (None, Some(_)) => return Some(Verdict::Won(Side::First)),
            (Some(first), Some(second)) if first == second => return Some(Verdict::BothLost),
            (Some(first), Some(second)) => {
                if first < second {
                    Side::Second
                } else {
                    Side::First
                }
            }
        };
        let keeps = all.keep_all.contains(&team[later]) || all.kept.get(&played) == Some(&team[later]);
        Some(if keeps { Verdict::Won(later) } else { Verdict::BothLost })
    }

    /// Whether both players of a battle were out for all of it: then nobody goes on by it.
    pub(crate) fn is_forfeited_by_both(&self, battle: usize) -> bool {
        let lost_by_both = |outcome: Outcome| outcome.forfeit && outcome.verdict == Verdict::BothLost;
        self.battles[battle].halves.iter().all(|half| half.outcome.is_some_and(lost_by_both))
    }
}
