//! Rounds in which everybody meets an opponent with about the same score, nobody twice.

use serde::{Deserialize, Serialize};

use super::{ROUNDS, StageKind, System, Word};
use crate::{
    battle::Battle,
    derive::{Derivation, PairingRule, Progress, StageSetup, Tallies, measure, pair_of},
    forecast::{Extent, Wave},
    format::TieBreaks,
    quick::{QuickMap, QuickSet},
    rung::Rung,
    source::{FormatError, StageReader},
};

pub(super) const WORD: Word = Word { word: "swiss", keys: &[ROUNDS], read };

/// What a round without an opponent is worth: as much as a won battle.
const BYE: f64 = 1.0;

/// Everybody meets opponents with about the same score, nobody twice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Swiss {
    /// How many rounds.
    pub rounds: u32,
}

fn read(stage: &StageReader) -> Result<StageKind, FormatError> {
    let Some(rounds) = stage.count("rounds", 1, 1000) else {
        return stage.wrong("a swiss stage needs rounds = N");
    };
    Ok(StageKind::Swiss(Swiss { rounds: rounds? }))
}

impl System for Swiss {
    fn word(&self) -> &'static str {
        WORD.word
    }

    fn usual_ties(&self) -> TieBreaks {
        vec![Rung::Battles, Rung::Points, Rung::Margin, Rung::Coin]
    }

    fn derive(&self, derivation: &mut Derivation, setup: &StageSetup) -> Progress {
        let tallies = Tallies::new(measure(&setup.stage.ties));
        let rule = ByScore { tallies, byes: QuickMap::default(), met: QuickSet::default() };
        derivation.rounds(setup, self.rounds as usize, rule)
    }

    fn extent(&self, teams: usize, _: &[usize], advance: usize) -> Extent {
        Extent::of_one_table(vec![Wave { battles: teams / 2, times: self.rounds as usize }], teams, advance)
    }

    fn words(&self) -> String {
        format!("{} rounds; everybody meets opponents with about the same score, nobody twice.", self.rounds)
    }
}

/// Those with about the same score meet, nobody twice.
struct ByScore {
    tallies: Tallies,
    byes: QuickMap<usize, u32>,
    met: QuickSet<(usize, usize)>,
}

impl PairingRule for ByScore {
    fn add(&mut self, round: &[Battle], bye: Option<usize>) {
        self.tallies.extend(round);
        self.met.extend(round.iter().map(|battle| pair_of(battle.players)));
        bye.into_iter().for_each(|team| *self.byes.entry(team).or_default() += 1);
    }

    fn value(&self, team: usize) -> f64 {
        self.tallies.of(team).battle_score + BYE * f64::from(self.byes.get(&team).copied().unwrap_or(0))
    }

    fn avoid(&self) -> &QuickSet<(usize, usize)> {
        &self.met
    }
}
