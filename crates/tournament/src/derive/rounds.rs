//! Stages of rounds: swiss and ladder.

use std::collections::{HashMap, HashSet};

use super::{
    Course, Outgoing, Scene,
    order::{Contest, grain_of, measure, tallies},
};
use crate::battle::{Battle, Spot};

/// A battle that nobody lost because there was no opponent.
const BYE: f64 = 1.0;

impl Course<'_> {
    pub(super) fn swiss(&mut self, scene: &Scene, rounds: u32) -> Outgoing {
        let mut met: HashSet<(usize, usize)> = HashSet::new();
        self.rounds(scene, rounds as usize, |course, begin, byes, standing: &mut Vec<usize>| {
            let tallies = tallies(&course.battles[begin..], measure(&scene.stage.ties));
            let score = |team: &usize| {
                let battles = tallies.get(team).map_or(0.0, |tally| tally.battle_score);
                battles + BYE * f64::from(byes.get(team).copied().unwrap_or(0))
            };
            standing.sort_by_cached_key(|team| std::cmp::Reverse(grain_of(score(team))));
            for battle in &course.battles[begin..] {
                met.insert(pair_of(battle.players));
            }
            met.clone()
        })
    }

    pub(super) fn ladder(&mut self, scene: &Scene, budget: u32) -> Outgoing {
        let battles = (scene.entrants.len() / 2).max(1);
        let rounds = (budget as usize / battles).max(1);
        let mut round = 0;
        self.rounds(scene, rounds, |course, begin, _, standing: &mut Vec<usize>| {
            let elo = course.elo(&course.battles[begin..]);
            let start = course.plan.format.elo.start;
            standing.sort_by_cached_key(|team| std::cmp::Reverse(grain_of(elo.get(team).copied().unwrap_or(start))));
            // Nobody meets the same opponent twice in a row.
            let last = course.battles.len().saturating_sub(if round == 0 { 0 } else { battles }).max(begin);
            round += 1;
            course.battles[last..].iter().map(|battle| pair_of(battle.players)).collect()
        })
    }

    /// Plays rounds, each paired by what `prepare` finds after those before it: it sorts the teams and says who shall not meet.
    fn rounds(
        &mut self,
        scene: &Scene,
        rounds: usize,
        mut prepare: impl FnMut(&Self, usize, &HashMap<usize, u32>, &mut Vec<usize>) -> HashSet<(usize, usize)>,
    ) -> Outgoing {
        let begin = self.battles.len();
        let each = scene.entrants.len() / 2;
        let mut byes: HashMap<usize, u32> = HashMap::new();
        let mut complete = true;
        for round in 0..rounds {
            let mut standing = scene.entrants.clone();
            let avoid = prepare(self, begin, &byes, &mut standing);
            if standing.len() % 2 == 1 {
                // The last of those that had the fewest.
                let fewest = standing.iter().map(|team| byes.get(team).copied().unwrap_or(0)).min().unwrap_or(0);
                let last = standing.iter().rposition(|team| byes.get(team).copied().unwrap_or(0) == fewest);
                *byes.entry(standing.remove(last.unwrap_or(0))).or_default() += 1;
            }
            let first = self.battles.len();
            for (battle, (one, other)) in pair(&standing, &avoid).into_iter().enumerate() {
                let players = if round % 2 == 0 { [one, other] } else { [other, one] };
                let place = self.place(scene, Spot::Round { round, battle }, 0);
                self.battle(place, round * each + battle, players, scene.clock);
            }
            if !self.battles[first..].iter().all(Battle::is_over) {
                complete = false;
                break;
            }
        }
        let battles = (begin, self.battles.len());
        let contest = Contest { scene, occasion: self.occasion(scene, "table"), battles, meeting: &|_, _| None };
        let (mut table, order) = self.table(&contest, &scene.entrants);
        table.decided &= complete;
        self.numbers = self.numbers.after(rounds * each);
        let order = order.filter(|_| complete).map(|order| vec![order]);
        self.close(scene, begin, vec![table], order, HashMap::new())
    }
}

fn pair_of(players: [usize; 2]) -> (usize, usize) {
    (players[0].min(players[1]), players[0].max(players[1]))
}

/// Pairs neighbours of an even list, from the top, avoiding certain pairs as long as that is possible.
fn pair(standing: &[usize], avoid: &HashSet<(usize, usize)>) -> Vec<(usize, usize)> {
    let bad = |one: usize, other: usize| avoid.contains(&pair_of([one, other]));
    let mut left: Vec<usize> = standing.to_vec();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut stuck: Vec<usize> = Vec::new();
    while !left.is_empty() {
        let one = left.remove(0);
        match left.iter().position(|&other| !bad(one, other)) {
            Some(other) => pairs.push((one, left.remove(other))),
            None => stuck.push(one),
        }
    }
    // Those that have met everybody who was left trade opponents with a pair from further up, the nearest first.
    while let [one, other, ..] = stuck[..] {
        stuck.drain(..2);
        let trade = pairs.iter().enumerate().rev().find_map(|(i, &(a, b))| {
            [((one, a), (other, b)), ((one, b), (other, a))]
                .into_iter()
                .find(|&((a, b), (c, d))| !bad(a, b) && !bad(c, d))
                .map(|new| (i, new))
        });
        match trade {
            Some((i, (first, second))) => {
                pairs[i] = first;
                pairs.push(second);
            }
            // There is no other way: they meet again.
            None => pairs.push((one, other)),
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_meets_twice_while_that_is_possible() {
        for teams in [2, 4, 6, 8, 10, 16, 50] {
            let standing: Vec<usize> = (0..teams).collect();
            let mut met = HashSet::new();
            for round in 0..teams / 2 {
                let pairs = pair(&standing, &met);
                assert_eq!(pairs.len(), teams / 2);
                let mut all: Vec<usize> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
                all.sort_unstable();
                assert_eq!(all, standing, "everybody plays once");
                for (a, b) in pairs {
                    assert!(met.insert(pair_of([a, b])), "{a} and {b} met before round {round} of {teams}");
                }
            }
        }
    }
}
