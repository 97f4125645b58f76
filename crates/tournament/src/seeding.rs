//! Groups from seeds, and brackets from seeds or groups.

use crate::words::word_enum;

word_enum! {
    /// How teams are dealt to groups.
    Seeding {
        /// Seed 1 to group 1, seed 2 to group 2, and after the last group again the first.
        Modulo = "modulo",
        /// The same, but every other row backwards.
        Serpentine = "serpentine",
        /// The bracket of a tennis tournament, cut into equal pieces.
        #[serde(rename = "tennis-teams")]
        Tennis = "tennis",
        /// The same, but it is the places that are cut evenly, taken or not: some groups may be larger. Tournaments of older
        /// versions have it under the name that it has when it is stored.
        #[serde(rename = "tennis")]
        Slots = "tennis-slots",
    }
}

/// The order of seeds (from 1) in a bracket of `size` places, a power of two: the best meets the worst, and the two best can only
/// meet in the final.
pub fn bracket_order(size: usize) -> Vec<usize> {
    let mut order = vec![1];
    while order.len() < size {
        let sum = 2 * order.len() + 1;
        // Whoever is in the upper half stays above his opponent in it, and below in the lower half, as on printed brackets.
        order = order.iter().flat_map(|&seed| [seed, sum - seed]).collect();
    }
    order
}

/// Deals seeds `0..teams` to `groups` groups, each in the order of seeds.
pub fn deal(teams: usize, groups: usize, seeding: Seeding) -> Vec<Vec<usize>> {
    let groups = groups.clamp(1, teams.max(1));
    let mut dealt = vec![Vec::new(); groups];
    match seeding {
        Seeding::Modulo => (0..teams).for_each(|seed| dealt[seed % groups].push(seed)),
        Seeding::Serpentine => {
            for seed in 0..teams {
                let (row, column) = (seed / groups, seed % groups);
                let group = if row % 2 == 0 { column } else { groups - 1 - column };
                dealt[group].push(seed);
            }
        }
        // The pieces are even only if there are as many as a power of two; else what matters is that the groups are.
        Seeding::Tennis if !groups.is_power_of_two() => {
            let order = bracket_order(teams.next_power_of_two()).into_iter().filter(|seed| *seed <= teams);
            for (slot, seed) in order.enumerate() {
                dealt[slot * groups / teams].push(seed - 1);
            }
        }
        Seeding::Tennis | Seeding::Slots => {
            let size = teams.max(groups).next_power_of_two();
            for (slot, seed) in bracket_order(size).into_iter().enumerate() {
                if seed <= teams {
                    dealt[slot * groups / size].push(seed - 1);
                }
            }
            dealt.retain(|group| !group.is_empty());
        }
    }
    dealt.iter_mut().for_each(|group| group.sort_unstable());
    dealt
}

/// The first round of a knockout of seeds: places in the bracket, empty ones give their neighbour a bye.
pub fn seeded_bracket<T: Copy>(seeds: &[T]) -> Vec<Option<T>> {
    let size = seeds.len().next_power_of_two();
    bracket_order(size).into_iter().map(|seed| seeds.get(seed - 1).copied()).collect()
}

/// The first round of a knockout of groups as older tournaments had it: the first of a group meets the last that advances of the
/// group after it, and teams of both stay together. `groups` holds those that advance, the best first; each has at most `advance`, which is 1, 2 or 4.
pub fn neighbours_bracket<T: Copy>(groups: &[Vec<T>], advance: usize) -> Vec<Option<T>> {
    // Which of the two groups, and which place in it.
    let pattern: &[(usize, usize)] = match advance {
        1 => &[(0, 0), (1, 0)],
        2 => &[(0, 0), (1, 1), (1, 0), (0, 1)],
        _ => &[(0, 0), (1, 3), (0, 2), (1, 1), (1, 0), (0, 3), (1, 2), (0, 1)],
    };
    let pairs: Vec<&[Vec<T>]> = groups.chunks(2).collect();
    let size = pairs.len().next_power_of_two();
    let mut pairs = pairs.into_iter();
    let mut places = Vec::new();
    // Where there are too few pairs for a full bracket, the gaps are spread over it as byes are.
    for rank in bracket_order(size) {
        let pair = if rank <= groups.len().div_ceil(2) { pairs.next() } else { None };
        for &(group, place) in pattern {
            places.push(pair.and_then(|pair| pair.get(group)?.get(place).copied()));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bracket_of_eight() {
        assert_eq!(bracket_order(8), [1, 8, 4, 5, 2, 7, 3, 6]);
        assert_eq!(bracket_order(1), [1]);
    }

    #[test]
    fn groups_as_a_course_dealt_them() {
        // The script of one course deals 128 teams like this.
        let one_based = |group: &[usize]| group.iter().map(|seed| seed + 1).collect::<Vec<_>>();
        let groups = deal(128, 16, Seeding::Tennis);
        assert_eq!(one_based(&groups[0]), [1, 32, 33, 64, 65, 96, 97, 128]);
        assert_eq!(one_based(&groups[1]), [16, 17, 48, 49, 80, 81, 112, 113]);
        let sizes: Vec<usize> = deal(100, 16, Seeding::Tennis).iter().map(Vec::len).collect();
        assert!(sizes.iter().all(|size| [6, 7].contains(size)), "{sizes:?}");
    }

    #[test]
    fn modulo_and_serpentine() {
        assert_eq!(deal(7, 3, Seeding::Modulo), [vec![0, 3, 6], vec![1, 4], vec![2, 5]]);
        assert_eq!(deal(7, 3, Seeding::Serpentine), [vec![0, 5, 6], vec![1, 4], vec![2, 3]]);
        assert_eq!(deal(2, 16, Seeding::Modulo), [vec![0], vec![1]]);
    }

    #[test]
    fn every_team_is_dealt_once() {
        for seeding in [Seeding::Modulo, Seeding::Serpentine, Seeding::Tennis] {
            for teams in [1, 2, 3, 15, 17, 33, 100, 130] {
                for groups in [1, 2, 3, 7, 16] {
                    let mut all: Vec<usize> = deal(teams, groups, seeding).concat();
                    all.sort_unstable();
                    assert_eq!(all, (0..teams).collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn neighbours_cross() {
        let groups: Vec<Vec<String>> = (1..=4).map(|g| (1..=2).map(|p| format!("{p}/{g}")).collect()).collect();
        let borrowed: Vec<Vec<&str>> = groups.iter().map(|g| g.iter().map(String::as_str).collect()).collect();
        let bracket: Vec<&str> = neighbours_bracket(&borrowed, 2).into_iter().flatten().collect();
        assert_eq!(bracket, ["1/1", "2/2", "1/2", "2/1", "1/3", "2/4", "1/4", "2/3"]);
    }

    #[test]
    fn nobody_is_lost_in_a_bracket() {
        for groups in 1..20 {
            for advance in [1, 2, 4] {
                let all: Vec<Vec<usize>> = (0..groups).map(|g| (0..advance).map(|p| g * 10 + p).collect()).collect();
                let bracket = neighbours_bracket(&all, advance);
                assert!(bracket.len().is_power_of_two());
                let mut found: Vec<usize> = bracket.into_iter().flatten().collect();
                found.sort_unstable();
                assert_eq!(found, all.concat());
            }
        }
    }
}
