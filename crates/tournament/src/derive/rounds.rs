//! Stages of rounds, each of which is paired by those before it.

use std::{cmp::Reverse, collections::HashMap};

use super::{
    Derivation, Progress, StageSetup,
    order::{Contest, comparable},
};
use crate::{
    battle::{Battle, Spot},
    quick::{QuickMap, QuickSet},
};

/// What the pairing of a round follows: it is given every round that is over, orders the teams and says who shall not meet.
pub(crate) trait PairingRule {
    fn add(&mut self, round: &[Battle], bye: Option<usize>);

    /// Higher is better.
    fn value(&self, team: usize) -> f64;

    fn avoid(&self) -> &QuickSet<(usize, usize)>;
}

impl Derivation<'_> {
    /// Plays rounds, each paired by those before it.
    pub(crate) fn rounds(&mut self, setup: &StageSetup, rounds: usize, mut rule: impl PairingRule) -> Progress {
        let begin = self.battles.len();
        let each = setup.entrants.len() / 2;
        let mut byes: QuickMap<usize, u32> = QuickMap::default();
        let mut complete = true;
        for round in 0..rounds {
            let mut standing = setup.entrants.clone();
            standing.sort_by_cached_key(|&team| Reverse(comparable(rule.value(team))));
            let bye = (standing.len() % 2 == 1).then(|| standing.remove(sits_out(&standing, &byes)));
            bye.into_iter().for_each(|team| *byes.entry(team).or_default() += 1);
            let first = self.battles.len();
            for (battle, (one, other)) in pair(&standing, rule.avoid()).into_iter().enumerate() {
                let players = if round % 2 == 0 { [one, other] } else { [other, one] };
                let place = self.place(setup, Spot::Round { round, battle }, 0);
                self.battle(place, round * each + battle, players, setup.clock);
            }
            if !self.battles[first..].iter().all(Battle::is_over) {
                complete = false;
                break;
            }
            rule.add(&self.battles[first..], bye);
        }
        let battles = (begin, self.battles.len());
        let contest = Contest::new(setup, self.occasion(setup, "table"), battles, &|_, _| None);
        let (mut table, order) = self.table(&contest, &setup.entrants);
        table.decided &= complete;
        self.numbers = self.numbers.after(rounds * each);
        let order = order.filter(|_| complete).map(|order| vec![order]);
        self.close(setup, begin, vec![table], order, HashMap::new())
    }
}

/// Who has no opponent: the last of those that had the fewest byes.
fn sits_out(standing: &[usize], byes: &QuickMap<usize, u32>) -> usize {
    let had = |team: &usize| byes.get(team).copied().unwrap_or(0);
    let fewest = standing.iter().map(had).min().unwrap_or(0);
    standing.iter().rposition(|team| had(team) == fewest).unwrap_or(0)
}

/// Two players, the lower number first.
pub(crate) fn pair_of(players: [usize; 2]) -> (usize, usize) {
    (players[0].min(players[1]), players[0].max(players[1]))
}

/// Pairs neighbours of an even list, from the top, avoiding certain pairs as long as that is possible.
fn pair(standing: &[usize], avoid: &QuickSet<(usize, usize)>) -> Vec<(usize, usize)> {
    let bad = |one: usize, other: usize| avoid.contains(&pair_of([one, other]));
    let mut paired = vec![false; standing.len()];
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut stuck: Vec<usize> = Vec::new();
    for (i, &one) in standing.iter().enumerate() {
        if paired[i] {
            continue;
        }
        match (i + 1..standing.len()).find(|&j| !paired[j] && !bad(one, standing[j])) {
            Some(j) => {
                paired[j] = true;
                pairs.push((one, standing[j]));
            }
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
            let mut met = QuickSet::default();
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
