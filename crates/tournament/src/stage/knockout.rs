//! Whoever loses a battle is out.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{Key, StageKind, System, Takes, Word};
use crate::{
    battle::Spot,
    crossing::crossed_bracket,
    derive::{Bracket, Contest, Derivation, Occupant, Pairing, Progress, StageEnd, StageSetup, StageState},
    forecast::{Extent, Wave},
    format::{Reached, Stage, TieBreaks},
    quick::QuickMap,
    rung::Rung,
    seeding::{neighbours_bracket, seeded_bracket},
    source::{FormatError, StageReader},
    words::word_enum,
};

pub(super) const WORD: Word = Word {
    word: "knockout",
    keys: &[
        Key { name: "bracket", takes: Takes::Word },
        Key { name: "until", takes: Takes::Size },
        Key { name: "third_place", takes: Takes::Flag },
    ],
    read,
};

/// Whoever loses a battle is out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Knockout {
    /// Who meets whom at first.
    pub bracket: FirstRound,
    /// It ends when so many are left; 1 is to the end.
    pub until: usize,
    /// Whether the losers of the semi-finals play for the third place.
    pub third_place: bool,
}

word_enum! {
    /// Who meets whom at first in a knockout.
    FirstRound {
        /// The best seed meets the worst, and the two best can only meet in the final.
        Seeds = "seeds",
        /// The first of the group with the best seed meets the last that advances of the group with the worst, and so inwards.
        #[serde(rename = "crossed")]
        Crossing = "crossing",
        /// The first of a group meets the second of the next: groups 1 and 2, 3 and 4, and so on. Tournaments of older versions
        /// have it under the name that it has when it is stored.
        #[serde(rename = "crossing")]
        Neighbours = "neighbours",
    }
}

fn read(stage: &StageReader) -> Result<StageKind, FormatError> {
    let bracket = stage.word("bracket").unwrap_or(Ok(FirstRound::Seeds))?;
    let until = stage.size("until", 1, 1 << 16).unwrap_or(Ok(1))?;
    if !until.is_power_of_two() {
        return stage.wrong_at("until", format!("until: expected 1, 2, 4, 8 …, found {until}"));
    }
    let third_place = stage.flag("third_place");
    if third_place && until > 1 {
        let problem = "third_place: a knockout that ends before the final has no third place";
        return stage.wrong_at("third_place", problem);
    }
    Ok(StageKind::Knockout(Knockout { bracket, until, third_place }))
}

impl System for Knockout {
    fn word(&self) -> &'static str {
        WORD.word
    }

    fn usual_ties(&self) -> TieBreaks {
        vec![Rung::Points, Rung::Group, Rung::Earlier, Rung::Coin]
    }

    fn derive(&self, derivation: &mut Derivation, setup: &StageSetup) -> Progress {
        let begin = derivation.battles.len();
        let first = self.first_round(&setup.entrants, &setup.groups, &setup.best_seeds);
        let size = first.len();
        let mut left: Vec<Occupant> =
            first.into_iter().map(|team| team.map_or(Occupant::Nobody, Occupant::Team)).collect();
        let (mut rounds, mut used) = (Vec::new(), 0);
        while left.len() > self.until.max(1) {
            let of = left.len();
            let mut round = Vec::new();
            for (battle, pair) in left.chunks(2).enumerate() {
                let spot = Spot::Bracket { of, battle };
                round.push(meet(derivation, setup, [pair[0], pair[1]], (used + battle, spot)));
            }
            used += of / 2;
            derivation.note_attendance();
            left = round.iter().map(|pairing| pairing.winner).collect();
            rounds.push(round);
        }
        let semi_finals = rounds.iter().find(|round| self.third_place && round.len() == 2);
        let losers = semi_finals.map(|semi| [semi[0].loser(), semi[1].loser()]);
        let third_place = losers.map(|losers| meet(derivation, setup, losers, (used, Spot::ThirdPlace)));
        derivation.numbers = derivation.numbers.after(size);
        let bracket = Bracket { rounds, third_place, left };
        let end = self.end(&bracket, setup);
        let state = StageState {
            entrants: setup.entrants.clone(),
            tables: Vec::new(),
            bracket: Some(bracket),
            battles: (begin, derivation.battles.len()),
            over: end.is_some(),
        };
        Progress { state, end }
    }

    fn extent(&self, teams: usize, groups: &[usize], _: usize) -> Extent {
        // Which places are taken does not depend on which groups have the best seeds.
        let from_groups: Vec<Vec<()>> = groups.iter().map(|&teams| vec![(); teams]).collect();
        let first = match self.bracket {
            FirstRound::Seeds | FirstRound::Crossing => seeded_bracket(&vec![(); teams]),
            FirstRound::Neighbours => neighbours(&from_groups),
        };
        let mut taken: Vec<bool> = first.iter().map(Option::is_some).collect();
        let mut waves: Vec<Wave> = Vec::new();
        while taken.len() > self.until.max(1) {
            let battles = taken.chunks(2).filter(|pair| pair[0] && pair[1]).count();
            // The third place is played beside the final, if both semi-finals have a loser.
            let two_losers = waves.last().is_some_and(|semi_finals| semi_finals.battles == 2);
            let beside = usize::from(self.third_place && taken.len() == 2 && two_losers);
            waves.push(Wave { battles: battles + beside, times: 1 });
            taken = taken.chunks(2).map(|pair| pair[0] || pair[1]).collect();
        }
        let left = taken.iter().filter(|&&taken| taken).count();
        Extent { waves, advancing: vec![left], winners: left }
    }

    fn words(&self) -> String {
        let first = match self.bracket {
            FirstRound::Seeds => "the best seed meets the worst",
            FirstRound::Crossing => {
                "the first of the group with the best seed meets one of the group with the worst, and so inwards"
            }
            FirstRound::Neighbours => "the first of a group meets the second of its neighbour",
        };
        let end = if self.until > 1 { format!("until {} are left", self.until) } else { "to the end".to_owned() };
        let third = if self.third_place { ", with a battle for the third place" } else { "" };
        format!("whoever loses a battle is out, {end}{third}; at first {first}.")
    }

    fn check_neighbours(&self, stage: &StageReader, before: Option<&Stage>, last: bool) -> Result<(), FormatError> {
        if stage.advances() {
            return stage.wrong_at("advance", "advance: a knockout passes on those that are left; say until = N");
        }
        if self.until == 1 && !last {
            return stage
                .wrong("only one team is left after this knockout; say until = N, or let it be the last stage");
        }
        let from_groups = matches!(self.bracket, FirstRound::Crossing | FirstRound::Neighbours);
        let groups = before.filter(|before| before.kind.system().is_round_robin());
        if from_groups && !groups.is_some_and(|groups| matches!(groups.advance, Some(1 | 2 | 4))) {
            return stage.wrong("bracket = \"crossing\" needs groups before it, of which 1, 2 or 4 advance");
        }
        Ok(())
    }

    fn left(&self, _: usize, _: usize) -> usize {
        self.until
    }

    fn knocks_out(&self) -> bool {
        true
    }

    fn has_rematches(&self) -> bool {
        true
    }
}

impl Knockout {
    /// Who has which place of the bracket at first.
    fn first_round(&self, entrants: &[usize], groups: &[Vec<usize>], best_seeds: &[usize]) -> Vec<Option<usize>> {
        match self.bracket {
            FirstRound::Seeds => seeded_bracket(entrants),
            FirstRound::Crossing => crossed_bracket(groups, best_seeds),
            FirstRound::Neighbours => neighbours(groups),
        }
    }

    /// Who is left and who is out, if everything is decided.
    fn end(&self, bracket: &Bracket, setup: &StageSetup) -> Option<StageEnd> {
        let mut all = bracket.rounds.iter().flatten().chain(&bracket.third_place);
        if all.any(|pairing| pairing.winner == Occupant::Open) {
            return None;
        }
        let mut left: Vec<usize> = bracket.left.iter().copied().filter_map(Occupant::team).collect();
        let seeds: QuickMap<usize, usize> =
            setup.entrants.iter().enumerate().map(|(seed, &team)| (team, seed)).collect();
        let by_seed = |teams: &mut Vec<usize>| teams.sort_by_key(|team| seeds.get(team).copied());
        let mut out: Vec<(Reached, Vec<usize>)> = Vec::new();
        if setup.last {
            // Those that are left share what they reached, however many places of the bracket are empty.
            let reached = if left.len() == 1 { Reached::Winner } else { Reached::RoundOf(self.until) };
            out.push((reached, std::mem::take(&mut left)));
        }
        for round in bracket.rounds.iter().rev() {
            let mut losers: Vec<usize> = round.iter().flat_map(Pairing::losers).collect();
            by_seed(&mut losers);
            match (round.len(), &bracket.third_place) {
                (1, _) => out.push((Reached::RunnerUp, losers)),
                (2, Some(third)) => {
                    losers.retain(|loser| !third.opponents.contains(&Occupant::Team(*loser)));
                    out.push((Reached::Third, third.winner.team().into_iter().collect()));
                    out.push((Reached::Fourth, third.losers()));
                    out.push((Reached::RoundOf(4), losers));
                }
                (battles, _) => out.push((Reached::RoundOf(2 * battles), losers)),
            }
        }
        out.retain(|(_, teams)| !teams.is_empty());
        by_seed(&mut left);
        Some(StageEnd {
            advancing: left,
            groups: Vec::new(),
            best_seeds: Vec::new(),
            out,
            points: HashMap::new(),
            house: HashMap::new(),
        })
    }
}

/// The first round of older tournaments.
fn neighbours<T: Copy>(groups: &[Vec<T>]) -> Vec<Option<T>> {
    let advance = groups.iter().map(Vec::len).max().unwrap_or(1);
    neighbours_bracket(groups, advance.next_power_of_two())
}

/// A pairing of the bracket: the index of its battle in the stage, and its spot.
fn meet(
    derivation: &mut Derivation,
    setup: &StageSetup,
    opponents: [Occupant; 2],
    (index, spot): (usize, Spot),
) -> Pairing {
    let begin = derivation.battles.len();
    let winner = match opponents {
        [Occupant::Open, _] | [_, Occupant::Open] => Occupant::Open,
        [one, Occupant::Nobody] => one,
        [Occupant::Nobody, other] => other,
        [Occupant::Team(one), Occupant::Team(other)] => duel(derivation, setup, [one, other], (index, spot)),
    };
    Pairing { opponents, winner, battles: (begin..derivation.battles.len()).collect() }
}

/// Plays a battle, and whatever the ties ask for; says who goes on.
fn duel(derivation: &mut Derivation, setup: &StageSetup, teams: [usize; 2], (index, spot): (usize, Spot)) -> Occupant {
    let place = derivation.place(setup, spot, 0);
    let battle = derivation.battle(place, index, teams, setup.clock);
    if !derivation.battles[battle].is_over() {
        return Occupant::Open;
    }
    let occasion = match spot {
        Spot::Bracket { of, battle } => derivation.occasion(setup, &format!("round of {of}, battle {}", battle + 1)),
        _ => derivation.occasion(setup, "third place"),
    };
    let meeting = |_: usize, _: usize| Some((index, spot));
    let contest = Contest::new(setup, occasion, (battle, battle + 1), &meeting);
    let tallies = derivation.tallies(&contest);
    if derivation.is_forfeited_by_both(battle) {
        return Occupant::Nobody;
    }
    // Whoever did not start does not go on by a tie, a seed or a coin; if neither did, nobody goes on.
    match teams.map(|team| derivation.did_not_start(team, &tallies.of(team))) {
        [true, true] => return Occupant::Nobody,
        [true, false] => return Occupant::Team(teams[1]),
        [false, true] => return Occupant::Team(teams[0]),
        [false, false] => {}
    }
    match derivation.order(&contest, teams.to_vec(), &tallies) {
        // The ladder of a knockout always decides.
        Some(order) => order.first().map_or(Occupant::Open, |class| Occupant::Team(class[0])),
        None => Occupant::Open,
    }
}
