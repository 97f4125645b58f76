//! Who has played, and who only failed to.
//!
//! A team *did not start* in a tournament of a series if it made no turn of its own in any match there and lost one at least: its bot
//! would not start, failed at its first turn, or its team was out. A match that it won without a turn, because its opponent failed
//! first, counts for nothing. Where a team has had no match that counts, what it did in the tournaments of the series before counts,
//! and before its first match, whether its bot could be built.
//!
//! This is asked of what is known when something is decided, and of nothing that comes later, so that no decision is taken back.

use super::Derivation;
use crate::{
    battle::Tally,
    format::{NonStarters, Reached},
    quick::QuickMap,
};

/// Matches of a team.
#[derive(Clone, Copy, Default)]
struct Attendance {
    /// Those in which it made a turn.
    played: u32,
    /// Those that it lost without a turn.
    absent: u32,
}

impl Attendance {
    fn add(&mut self, tally: &Tally) {
        self.played += tally.played;
        self.absent += tally.absent;
    }

    fn is_empty(self) -> bool {
        self.played == 0 && self.absent == 0
    }
}

/// What was seen of everybody.
#[derive(Default)]
pub(super) struct Presence {
    /// In earlier tournaments of the series.
    before: QuickMap<usize, Attendance>,
    /// In this one.
    here: QuickMap<usize, Attendance>,
    /// The battles that were looked at: those before this index.
    looked_at: usize,
}

impl Derivation<'_> {
    /// Looks at the battles that came since the last time.
    pub(crate) fn note_attendance(&mut self) {
        let new = &self.battles[self.presence.looked_at..];
        for (battle, seat) in new.iter().flat_map(|battle| [(battle, 0), (battle, 1)]) {
            self.presence.here.entry(battle.players[seat]).or_default().add(&battle.tally(seat));
        }
        self.presence.looked_at = self.battles.len();
    }

    /// Ends a tournament of the series: those that did not start come last.
    pub(super) fn close_part(&mut self, ranking: Vec<(Reached, Vec<usize>)>) -> Vec<(Reached, Vec<usize>)> {
        let (mut ranked, mut absent) = (Vec::new(), Vec::new());
        for (reached, teams) in ranking {
            let (missing, present): (Vec<usize>, Vec<usize>) =
                teams.into_iter().partition(|&team| self.did_not_start(team, &Tally::default()));
            absent.extend(missing);
            ranked.push((reached, present));
        }
        ranked.push((Reached::DidNotStart, absent));
        ranked.retain(|(_, teams)| !teams.is_empty());
        for (team, seen) in std::mem::take(&mut self.presence.here) {
            let before = self.presence.before.entry(team).or_default();
            before.played += seen.played;
            before.absent += seen.absent;
        }
        ranked
    }

    /// Whether a team has not played so far; `tally` is what it did in battles that were not looked at yet.
    pub(crate) fn did_not_start(&self, team: usize, tally: &Tally) -> bool {
        let Some(entered) = self.plan.teams.get(team) else { return false };
        if self.plan.format.non_starters == NonStarters::Placed {
            return false;
        }
        let mut seen = self.presence.here.get(&team).copied().unwrap_or_default();
        seen.add(tally);
        if seen.is_empty() {
            seen = self.presence.before.get(&team).copied().unwrap_or_default();
        }
        if seen.is_empty() { entered.broken.is_some() } else { seen.played == 0 }
    }
}
