//! Finding results.

use std::{collections::btree_map::Range, iter::Peekable};

use crate::battle::{Outcome, Results};

/// So many results are passed by before it is faster to search again.
const MOST_STEPS: usize = 8;

/// Finds results. Most are asked for one after another in the order in which they are kept, so it goes along with the questions.
pub(super) struct Cursor<'a> {
    results: &'a Results,
    /// All results from a key on.
    ahead: Peekable<Range<'a, (u32, u8), Outcome>>,
    from: (u32, u8),
}

impl<'a> Cursor<'a> {
    pub(super) fn new(results: &'a Results) -> Cursor<'a> {
        Cursor { results, ahead: results.range(..).peekable(), from: (0, 0) }
    }

    /// The result of a match.
    pub(super) fn get(&mut self, key: (u32, u8)) -> Option<Outcome> {
        let near = key >= self.from && self.pass_by(key);
        if !near {
            self.ahead = self.results.range(key..).peekable();
        }
        self.from = key;
        self.ahead.peek().filter(|(found, _)| **found == key).map(|(_, outcome)| **outcome)
    }

    /// Passes by what comes before a key; says whether that was possible in a few steps.
    fn pass_by(&mut self, key: (u32, u8)) -> bool {
        for _ in 0..MOST_STEPS {
            if self.ahead.next_if(|(found, _)| **found < key).is_none() {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_what_the_map_finds() {
        let outcome = |turns: u32| Outcome {
            verdict: agon_rules::Verdict::Drawn,
            points: [0.5; 2],
            turns,
            margins: None,
            forfeit: false,
        };
        let results: Results = (0..200).map(|i| ((i * i % 997, (i % 2) as u8), outcome(i))).collect();
        let mut cursor = Cursor::new(&results);
        let forward = (0..1000).map(|number| (number, 0));
        let wild = (0..3000).map(|i: u32| (i.wrapping_mul(2_654_435_761) % 1000, (i % 2) as u8));
        let backward = (0..1000).rev().map(|number| (number, 1));
        for key in forward.chain(wild).chain(backward) {
            assert_eq!(cursor.get(key), results.get(&key).copied(), "{key:?}");
        }
    }
}
