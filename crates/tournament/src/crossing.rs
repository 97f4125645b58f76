//! The first round of a knockout after groups: winners far apart, and teams of one group far from each other.

use std::collections::HashMap;

use crate::seeding::bracket_order;

/// A place is found by trying swaps only up to so many that are free; beyond, the first that fits is taken.
const MOST_SWAPS: usize = 256;

/// A team by its group and its place there, both from 0.
type GroupPlace = (usize, usize);

/// The first round of a knockout of groups. `groups` are those that advance, the best first; `best_seeds` is the best seed of each
/// group. The winners are seeded by the best seeds of their groups, and byes go to them first; then come the second, and so on.
/// The first of the group with the best seed meets the last that advances of the group with the worst, and so inwards, so that the
/// first two of the two groups with the best seeds are in different halves. Nobody meets a team of its own group at first if that can
/// be avoided.
pub fn crossed_bracket<T: Copy>(groups: &[Vec<T>], best_seeds: &[usize]) -> Vec<Option<T>> {
    let ranked = ranked(groups, best_seeds);
    let teams: usize = groups.iter().map(Vec::len).sum();
    let mut draw = Draw::new(teams.next_power_of_two(), ranked.len());
    let deepest = groups.iter().map(Vec::len).max().unwrap_or(0);
    for place in 0..deepest {
        let here: Vec<usize> = (0..ranked.len()).filter(|&group| groups[ranked[group]].len() > place).collect();
        draw.place_all(place, here);
    }
    draw.separate_group_mates();
    let mut bracket = vec![None; draw.size];
    for (slot, &(group, place)) in &draw.taken {
        bracket[*slot] = groups[ranked[group]].get(place).copied();
    }
    bracket
}

/// The groups from which anybody advances, that with the best seed first.
fn ranked<T>(groups: &[Vec<T>], best_seeds: &[usize]) -> Vec<usize> {
    let mut ranked: Vec<usize> = (0..groups.len()).filter(|&group| !groups[group].is_empty()).collect();
    ranked.sort_by_key(|&group| (best_seeds.get(group).copied().unwrap_or(usize::MAX), group));
    ranked
}

/// A bracket that is being filled; groups are known by their rank.
struct Draw {
    size: usize,
    groups: usize,
    /// The slot of each seed.
    slots: Vec<usize>,
    /// Seeds that have a seat already.
    seeds: usize,
    taken: HashMap<usize, GroupPlace>,
    /// The slots of each group.
    mates: HashMap<usize, Vec<usize>>,
}

impl Draw {
    fn new(size: usize, groups: usize) -> Draw {
        let mut slots = vec![0; size];
        for (slot, seed) in bracket_order(size).into_iter().enumerate() {
            slots[seed - 1] = slot;
        }
        Draw { size, groups, slots, seeds: 0, taken: HashMap::new(), mates: HashMap::new() }
    }

    /// Gives places of the bracket to those at one place of their groups.
    fn place_all(&mut self, place: usize, mut groups: Vec<usize>) {
        let slots: Vec<usize> = self.slots[self.seeds..self.seeds + groups.len()].to_vec();
        self.seeds += groups.len();
        let mut free = Vec::new();
        for slot in slots {
            // The first come by the seeds of their groups, the others to whom their partner's group sits already.
            let wanted = match (place, self.taken.get(&(slot ^ 1))) {
                (0, _) => groups.first().copied(),
                (_, Some((opponent, _))) => {
                    Some(self.groups - 1 - opponent).filter(|group| self.cost(slot, (*group, place)) < APART)
                }
                (_, None) => None,
            };
            match wanted.and_then(|group| groups.iter().position(|&here| here == group)) {
                Some(index) => self.take(slot, (groups.remove(index), place)),
                None => free.push(slot),
            }
        }
        self.improve(&free, &mut groups, place);
        for (slot, group) in free.into_iter().zip(groups) {
            self.take(slot, (group, place));
        }
    }

    fn take(&mut self, slot: usize, team: GroupPlace) {
        self.taken.insert(slot, team);
        self.mates.entry(team.0).or_default().push(slot);
    }

    /// Swaps groups between free slots as long as that makes anything better.
    fn improve(&self, free: &[usize], groups: &mut [usize], place: usize) {
        if free.len() > MOST_SWAPS {
            return;
        }
        let mut better = true;
        while better {
            better = false;
            for one in 0..free.len() {
                for other in one + 1..free.len() {
                    let costs = |groups: &[usize]| {
                        self.cost(free[one], (groups[one], place)) + self.cost(free[other], (groups[other], place))
                    };
                    let before = costs(groups);
                    groups.swap(one, other);
                    if costs(groups) < before {
                        better = true;
                    } else {
                        groups.swap(one, other);
                    }
                }
            }
        }
    }

    /// Those that were placed first may leave the last ones only slots beside their own group: then somebody swaps slots with
    /// another at the same place of its group.
    fn separate_group_mates(&mut self) {
        let slots = (0..self.size).filter(|slot| self.beside_group_mate(*slot) && self.taken[slot].1 > 0);
        for slot in slots.collect::<Vec<_>>() {
            let place = self.taken[&slot].1;
            let others = (0..self.size).filter(|other| self.taken.get(other).is_some_and(|team| team.1 == place));
            for other in others.collect::<Vec<_>>() {
                if !self.beside_group_mate(slot) {
                    break;
                }
                self.swap(slot, other);
                let right = |slot: usize| !self.beside_group_mate(slot) && !self.in_wrong_half(slot, self.taken[&slot]);
                if !(right(slot) && right(other)) {
                    self.swap(slot, other);
                }
            }
        }
    }

    fn beside_group_mate(&self, slot: usize) -> bool {
        self.taken.get(&slot).zip(self.taken.get(&(slot ^ 1))).is_some_and(|(one, other)| one.0 == other.0)
    }

    fn swap(&mut self, one: usize, other: usize) {
        let (first, second) = (self.taken[&one], self.taken[&other]);
        self.taken.insert(one, second);
        self.taken.insert(other, first);
    }

    /// The first two of the two groups with the best seeds keep to their halves: then these seeds can only meet in the final.
    fn in_wrong_half(&self, slot: usize, (group, place): GroupPlace) -> bool {
        group < 2 && place < 2 && self.groups > 2 && usize::from(slot >= self.size / 2) != group
    }

    /// How bad it is if a team of this group sits here.
    fn cost(&self, slot: usize, (group, place): GroupPlace) -> u64 {
        let mates = self.mates.get(&group).into_iter().flatten();
        // Those who are one slot apart meet at once, those in the other half in the final.
        let near = mates.map(|mate| APART >> (2 * (slot ^ mate).max(1).ilog2()).min(20));
        near.sum::<u64>() + if self.in_wrong_half(slot, (group, place)) { 16 * APART } else { 0 }
    }
}

/// The cost of two teams of a group that meet at once; a quarter of it is that of the next round.
const APART: u64 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    /// `groups` groups of which `advance` go on, as 100 times the group and the place, both from 1.
    fn groups(count: usize, advance: usize) -> Vec<Vec<usize>> {
        (1..=count).map(|group| (1..=advance).map(|place| 100 * group + place).collect()).collect()
    }

    /// In which round two slots meet, the first round being 1.
    fn meets(one: usize, other: usize) -> u32 {
        (one ^ other).max(1).ilog2() + 1
    }

    #[test]
    fn two_and_four_groups() {
        let best_seeds: Vec<usize> = (0..16).collect();
        let places =
            |groups: &[Vec<usize>]| crossed_bracket(groups, &best_seeds).into_iter().flatten().collect::<Vec<_>>();
        assert_eq!(places(&groups(2, 2)), [101, 202, 201, 102]);
        assert_eq!(places(&groups(4, 2)), [101, 402, 401, 102, 201, 302, 301, 202]);
        assert_eq!(places(&groups(4, 1)), [101, 401, 201, 301]);
        // As a course's script had it: dealt as in tennis, the first of a group meets the second of its neighbour.
        let dealt = [0, 3, 1, 2];
        assert_eq!(
            crossed_bracket(&groups(4, 2), &dealt).into_iter().flatten().collect::<Vec<_>>(),
            [101, 202, 201, 102, 301, 402, 401, 302]
        );
    }

    #[test]
    fn any_number_of_groups() {
        for count in 1..=40 {
            for advance in [1, 2, 4] {
                let groups = groups(count, advance);
                let best_seeds: Vec<usize> = (0..count).collect();
                let bracket = crossed_bracket(&groups, &best_seeds);
                let (teams, size) = (count * advance, bracket.len());
                assert_eq!(size, teams.next_power_of_two());
                let mut found: Vec<usize> = bracket.iter().flatten().copied().collect();
                found.sort_unstable();
                assert_eq!(found, groups.concat(), "everybody is there once");
                let slot = |team: usize| bracket.iter().position(|found| *found == Some(team)).expect("a slot");
                let bye = |team: usize| bracket.get(slot(team) ^ 1).copied().flatten().is_none();
                if size > 1 {
                    // Byes go to winners, the best seeds first, and to others only if every winner has one.
                    let winners: Vec<bool> = (1..=count).map(|group| bye(100 * group + 1)).collect();
                    assert_eq!(winners, (0..count).map(|group| group < size - teams).collect::<Vec<_>>());
                }
                if count > 2 {
                    let (one, other) = (&groups[0], &groups[1]);
                    let half = |team: &usize| slot(*team) / (size / 2);
                    assert!(
                        one.iter().take(2).all(|team| half(team) == 0),
                        "{count} groups of which {advance} advance"
                    );
                    assert!(
                        other.iter().take(2).all(|team| half(team) == 1),
                        "{count} groups of which {advance} advance"
                    );
                }
                if count > 1 {
                    for group in &groups {
                        for (i, &one) in group.iter().enumerate() {
                            let at_once = group[i + 1..].iter().any(|&other| meets(slot(one), slot(other)) == 1);
                            assert!(
                                !at_once,
                                "{count} groups of which {advance} advance: a group's teams meet at once"
                            );
                        }
                    }
                }
            }
        }
    }
}
