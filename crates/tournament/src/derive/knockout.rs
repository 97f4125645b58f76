//! Knockouts.

use std::collections::HashMap;

use super::{Course, Ended, Outgoing, Scene, StageState, order::Contest};
use crate::{
    battle::Spot,
    crossing::crossed_bracket,
    format::{self, Reached},
    quick::QuickMap,
    seeding::{neighbours_bracket, seeded_bracket},
};

/// A knockout, from the first round to the last.
#[derive(Clone, PartialEq, Debug)]
pub struct Bracket {
    /// The rounds.
    pub rounds: Vec<Vec<Match>>,
    /// The battle for the third place, if there is one.
    pub third_place: Option<Match>,
    /// Who is left.
    pub left: Vec<Slot>,
}

/// Who has a place in a bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// This team.
    Team(usize),
    /// Nobody: the neighbour has a bye.
    Nobody,
    /// Somebody, later.
    Open,
}

/// A battle of a bracket, or a bye.
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// Who meets.
    pub slots: [Slot; 2],
    /// Who goes on.
    pub winner: Slot,
    /// Its battles in [`State::battles`](super::State::battles), rematches after the first.
    pub battles: Vec<usize>,
}

impl Match {
    fn loser(&self) -> Slot {
        match (self.slots, self.winner) {
            ([Slot::Team(one), other], Slot::Team(winner)) if winner == one => other,
            ([one, Slot::Team(other)], Slot::Team(winner)) if winner == other => one,
            (_, Slot::Nobody) => Slot::Nobody,
            _ => Slot::Open,
        }
    }

    /// Whether two teams met of which neither could play.
    pub fn is_won_by_nobody(&self) -> bool {
        matches!(self.slots, [Slot::Team(_), Slot::Team(_)]) && self.winner == Slot::Nobody
    }

    /// Who is out by it: two if neither could play.
    fn losers(&self) -> Vec<usize> {
        match (self.slots, self.winner) {
            ([Slot::Team(one), Slot::Team(other)], Slot::Nobody) => vec![one, other],
            _ => team(self.loser()).into_iter().collect(),
        }
    }
}

impl Course<'_> {
    pub(super) fn knockout(
        &mut self,
        scene: &Scene,
        bracket: format::Bracket,
        until: usize,
        third_place: bool,
    ) -> Outgoing {
        let begin = self.battles.len();
        let first = match bracket {
            format::Bracket::Seeds => seeded_bracket(&scene.entrants),
            format::Bracket::Crossing => crossed_bracket(&scene.groups, &scene.heads),
            format::Bracket::Neighbours => {
                let advance = scene.groups.iter().map(Vec::len).max().unwrap_or(1);
                neighbours_bracket(&scene.groups, advance.next_power_of_two())
            }
        };
        let size = first.len();
        let mut slots: Vec<Slot> = first.into_iter().map(|team| team.map_or(Slot::Nobody, Slot::Team)).collect();
        let (mut rounds, mut used) = (Vec::new(), 0);
        while slots.len() > until.max(1) {
            let of = slots.len();
            let mut round = Vec::new();
            for (battle, pair) in slots.chunks(2).enumerate() {
                let spot = Spot::Bracket { of, battle };
                round.push(self.meet(scene, [pair[0], pair[1]], used + battle, spot));
            }
            used += of / 2;
            self.look_who_played();
            slots = round.iter().map(|battle| battle.winner).collect();
            rounds.push(round);
        }
        let third_place = rounds
            .iter()
            .find(|round| third_place && round.len() == 2)
            .map(|semi| [semi[0].loser(), semi[1].loser()])
            .map(|losers| self.meet(scene, losers, used, Spot::ThirdPlace));
        self.numbers = self.numbers.after(size);
        let bracket = Bracket { rounds, third_place, left: slots };
        let ended = ended(&bracket, scene, until);
        let state = StageState {
            entrants: scene.entrants.clone(),
            tables: Vec::new(),
            bracket: Some(bracket),
            battles: (begin, self.battles.len()),
            over: ended.is_some(),
        };
        Outgoing { state, ended }
    }

    fn meet(&mut self, scene: &Scene, slots: [Slot; 2], slot: usize, spot: Spot) -> Match {
        let begin = self.battles.len();
        let winner = match slots {
            [Slot::Open, _] | [_, Slot::Open] => Slot::Open,
            [one, Slot::Nobody] => one,
            [Slot::Nobody, other] => other,
            [Slot::Team(one), Slot::Team(other)] => self.duel(scene, [one, other], slot, spot),
        };
        Match { slots, winner, battles: (begin..self.battles.len()).collect() }
    }

    fn duel(&mut self, scene: &Scene, teams: [usize; 2], slot: usize, spot: Spot) -> Slot {
        let place = self.place(scene, spot, 0);
        let battle = self.battle(place, slot, teams, scene.clock);
        if !self.battles[battle].is_over() {
            return Slot::Open;
        }
        let occasion = match spot {
            Spot::Bracket { of, battle } => self.occasion(scene, &format!("round of {of}, battle {}", battle + 1)),
            _ => self.occasion(scene, "third place"),
        };
        let meeting = |_: usize, _: usize| Some((slot, spot));
        let contest = Contest::new(scene, occasion, (battle, battle + 1), &meeting);
        let tallies = self.tallies(&contest);
        if self.is_forfeited_by_both(battle) {
            return Slot::Nobody;
        }
        // Whoever did not start does not go on by a tie, a seed or a coin; if neither did, nobody goes on.
        match teams.map(|team| self.did_not_start(team, &tallies.of(team))) {
            [true, true] => return Slot::Nobody,
            [true, false] => return Slot::Team(teams[1]),
            [false, true] => return Slot::Team(teams[0]),
            [false, false] => {}
        }
        match self.order(&contest, teams.to_vec(), &tallies) {
            // The ladder of a knockout always decides.
            Some(order) => order.first().map_or(Slot::Open, |class| Slot::Team(class[0])),
            None => Slot::Open,
        }
    }
}

fn team(slot: Slot) -> Option<usize> {
    match slot {
        Slot::Team(team) => Some(team),
        Slot::Nobody | Slot::Open => None,
    }
}

/// Who is left and who is out, if everything is decided.
fn ended(bracket: &Bracket, scene: &Scene, until: usize) -> Option<Ended> {
    let all = bracket.rounds.iter().flatten().chain(&bracket.third_place);
    if all.clone().any(|battle| battle.winner == Slot::Open) {
        return None;
    }
    let left: Vec<usize> = bracket.left.iter().copied().filter_map(team).collect();
    let seeds: QuickMap<usize, usize> = scene.entrants.iter().enumerate().map(|(seed, &team)| (team, seed)).collect();
    let by_seed = |teams: &mut Vec<usize>| teams.sort_by_key(|team| seeds.get(team).copied());
    let mut out: Vec<(Reached, Vec<usize>)> = Vec::new();
    if scene.last {
        // Those that are left share what they reached, however many places of the bracket are empty.
        let reached = if left.len() == 1 { Reached::Winner } else { Reached::RoundOf(until) };
        out.push((reached, left.clone()));
    }
    for round in bracket.rounds.iter().rev() {
        let mut losers: Vec<usize> = round.iter().flat_map(Match::losers).collect();
        by_seed(&mut losers);
        match (round.len(), &bracket.third_place) {
            (1, _) => out.push((Reached::RunnerUp, losers)),
            (2, Some(third)) => {
                losers.retain(|loser| !third.slots.contains(&Slot::Team(*loser)));
                out.push((Reached::Third, team(third.winner).into_iter().collect()));
                out.push((Reached::Fourth, third.losers()));
                out.push((Reached::RoundOf(4), losers));
            }
            (battles, _) => out.push((Reached::RoundOf(2 * battles), losers)),
        }
    }
    out.retain(|(_, teams)| !teams.is_empty());
    let mut on = if scene.last { Vec::new() } else { left };
    by_seed(&mut on);
    Some(Ended { on, groups: Vec::new(), heads: Vec::new(), out, points: HashMap::new(), house: HashMap::new() })
}
