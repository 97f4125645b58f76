//! The numbers of battles: what a battle is called in the database, known before it is played and whatever is played before it.

/// Rematches that a ladder may ask for.
pub(crate) const MOST_REMATCHES: usize = 7;

/// How often a match may be played again after it was declared void.
pub(crate) const MOST_ATTEMPTS: u32 = 4;

/// Pairs of matches that have a number of their own, whatever is played again.
pub(crate) const MOST_NUMBERS: u32 = u32::MAX / ((MOST_REMATCHES as u32 + 1) * MOST_ATTEMPTS) / 2;

/// Where the battles of a stage begin, and how they follow each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    base: u32,
    /// Pairs of matches of a battle: those with the sides swapped share a number.
    pairs: u32,
}

impl Numbers {
    pub(crate) fn first(matches: u32) -> Numbers {
        Numbers { base: 0, pairs: matches.div_ceil(2) }
    }

    /// The numbers of the stage after one with so many battles.
    pub(crate) fn after(self, battles: usize) -> Numbers {
        Numbers { base: self.of(battles, 0, 0, 0), ..self }
    }

    /// The number of a pair of matches of the battle with this index in the stage.
    pub(crate) fn of(self, index: usize, rematch: usize, attempt: u32, pair: u32) -> u32 {
        let battle = index as u32 * (MOST_REMATCHES as u32 + 1) + rematch as u32;
        self.base + (battle * MOST_ATTEMPTS + attempt) * self.pairs + pair
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_matches_share_a_number() {
        let mut seen = HashSet::new();
        let mut numbers = Numbers::first(4);
        for stage in [3, 1, 7] {
            for index in 0..stage {
                for rematch in 0..=MOST_REMATCHES {
                    for attempt in 0..MOST_ATTEMPTS {
                        for pair in 0..2 {
                            assert!(seen.insert(numbers.of(index, rematch, attempt, pair)));
                        }
                    }
                }
            }
            numbers = numbers.after(stage);
        }
    }
}
