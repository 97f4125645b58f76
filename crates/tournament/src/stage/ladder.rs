//! Rounds in which everybody meets an opponent with about the same rating, until so many battles are played.

use serde::{Deserialize, Serialize};

use super::{Key, StageKind, System, Takes, Word};
use crate::{
    battle::Battle,
    derive::{Derivation, PairingRule, Progress, StageSetup, pair_of},
    forecast::{Extent, Wave},
    format::TieBreaks,
    quick::QuickSet,
    ratings::SequentialElo,
    rung::Rung,
    source::{FormatError, StageReader},
};

pub(super) const WORD: Word = Word { word: "ladder", keys: &[Key { name: "budget", takes: Takes::Count }], read };

/// Everybody meets opponents with about the same rating until so many battles are played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ladder {
    /// How many battles.
    pub budget: u32,
}

fn read(stage: &StageReader) -> Result<StageKind, FormatError> {
    let Some(budget) = stage.count("budget", 1, 1_000_000) else {
        return stage.wrong("a ladder needs budget = BATTLES");
    };
    Ok(StageKind::Ladder(Ladder { budget: budget? }))
}

impl Ladder {
    /// As many rounds as the budget pays for, but one at least.
    fn rounds(&self, teams: usize) -> usize {
        match teams / 2 {
            0 => 0,
            battles => (self.budget as usize / battles).max(1),
        }
    }
}

impl System for Ladder {
    fn word(&self) -> &'static str {
        WORD.word
    }

    fn usual_ties(&self) -> TieBreaks {
        vec![Rung::Rating, Rung::Coin]
    }

    fn derive(&self, derivation: &mut Derivation, setup: &StageSetup) -> Progress {
        let rule = ByElo { elo: SequentialElo::new(derivation.plan), last: QuickSet::default() };
        derivation.rounds(setup, self.rounds(setup.entrants.len()), rule)
    }

    fn extent(&self, teams: usize, _: &[usize], advance: usize) -> Extent {
        Extent::of_one_table(vec![Wave { battles: teams / 2, times: self.rounds(teams) }], teams, advance)
    }

    fn words(&self) -> String {
        format!("{} battles; everybody meets opponents with about the same rating.", self.budget)
    }
}

/// Those with about the same rating meet, nobody twice in a row.
struct ByElo {
    elo: SequentialElo,
    last: QuickSet<(usize, usize)>,
}

impl PairingRule for ByElo {
    fn add(&mut self, round: &[Battle], _: Option<usize>) {
        self.elo.extend(round);
        self.last = round.iter().map(|battle| pair_of(battle.players)).collect();
    }

    fn value(&self, team: usize) -> f64 {
        self.elo.of(team)
    }

    fn avoid(&self) -> &QuickSet<(usize, usize)> {
        &self.last
    }
}
