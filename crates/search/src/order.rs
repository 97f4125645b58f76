//! What a search learns about moves while it runs, so that it tries the good ones first.

use crate::Parameters;

/// Quiet moves are known by their codes, folded into so many slots.
const SLOTS: usize = 4096;
/// Moves before them, likewise.
const BEFORE: usize = 512;
/// Scores of moves stay within.
const MOST: i32 = 16_384;

/// A value for every slot.
type Row = [i16; SLOTS];

/// History tables for both sides.
pub(crate) struct Memory {
    /// How well a quiet move did, by side.
    quiet: Vec<Row>,
    /// How well a quiet move did after the move before it.
    continuation: Vec<Row>,
    /// The quiet move that refuted a move.
    counter: Vec<u16>,
}

#[inline]
fn fold(code: u16, slots: usize) -> usize {
    // Fibonacci hashing: neighbouring codes end far apart.
    ((u32::from(code).wrapping_mul(0x9e37_79b1) >> 16) as usize) % slots
}

/// What the tables say about the quiet moves of one position: looked up once, asked for every move.
pub(crate) struct Habits<'a> {
    quiet: Option<&'a Row>,
    continuation: Option<&'a Row>,
}

impl Habits<'_> {
    #[inline]
    pub(crate) fn of(&self, code: u16) -> i32 {
        let slot = fold(code, SLOTS);
        let value = |row: Option<&Row>| row.map_or(0, |row| i32::from(row[slot]));
        value(self.quiet) + value(self.continuation)
    }
}

impl Memory {
    pub(crate) fn new() -> Memory {
        Memory { quiet: vec![[0; SLOTS]; 2], continuation: vec![[0; SLOTS]; BEFORE], counter: vec![0; 2 * SLOTS] }
    }

    /// A new search of the same game: what was learnt is still half true.
    pub(crate) fn fade(&mut self) {
        self.quiet.iter_mut().chain(&mut self.continuation).flatten().for_each(|value| *value /= 2);
    }

    pub(crate) fn clear(&mut self) {
        self.quiet.fill([0; SLOTS]);
        self.continuation.fill([0; SLOTS]);
        self.counter.fill(0);
    }

    /// The tables that count for `side` after the move `before` (0 if there was none).
    #[inline]
    pub(crate) fn habits(&self, side: usize, before: u16, parameters: &Parameters) -> Habits<'_> {
        let follows = parameters.continuation != 0 && before != 0;
        Habits {
            quiet: (parameters.history != 0).then(|| &self.quiet[side]),
            continuation: follows.then(|| &self.continuation[fold(before, BEFORE)]),
        }
    }

    #[inline]
    pub(crate) fn counter(&self, side: usize, before: u16) -> u16 {
        self.counter[side * SLOTS + fold(before, SLOTS)]
    }

    pub(crate) fn set_counter(&mut self, side: usize, before: u16, code: u16) {
        self.counter[side * SLOTS + fold(before, SLOTS)] = code;
    }

    /// Praises (or blames, with a negative bonus) a quiet move.
    #[inline]
    pub(crate) fn learn(&mut self, side: usize, before: u16, code: u16, bonus: i32) {
        let slot = fold(code, SLOTS);
        pull(&mut self.quiet[side][slot], bonus);
        if before != 0 {
            pull(&mut self.continuation[fold(before, BEFORE)][slot], bonus);
        }
    }
}

/// Moves a value towards its bound: the closer it is, the less it moves.
#[inline]
fn pull(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / MOST) as i16;
}

/// How much a cut at a depth says.
pub(crate) fn bonus(depth: i32) -> i32 {
    (16 * depth * depth + 32 * depth).clamp(0, 1600)
}

/// Puts the best of the moves from `at` on into place `at`. Most nodes look at few moves, so nobody sorts.
pub(crate) fn pick<M: Copy>(moves: &mut [M], ranks: &mut [i32], at: usize) {
    let (mut best, mut most) = (at, ranks[at]);
    for (other, &rank) in ranks.iter().enumerate().skip(at + 1) {
        if rank > most {
            (best, most) = (other, rank);
        }
    }
    moves.swap(at, best);
    ranks.swap(at, best);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn praise_and_blame_stay_within_bounds() {
        let mut memory = Memory::new();
        for _ in 0..1000 {
            memory.learn(0, 7, 99, bonus(12));
        }
        let both = Parameters::default();
        let quiet = Parameters { continuation: 0, ..both };
        let of = |memory: &Memory, side, before, parameters| memory.habits(side, before, parameters).of(99);
        assert!((MOST / 2..=MOST).contains(&of(&memory, 0, 7, &quiet)));
        assert!(of(&memory, 0, 7, &both) > of(&memory, 0, 7, &quiet));
        assert_eq!((of(&memory, 1, 7, &quiet), of(&memory, 1, 8, &both)), (0, 0));
        for _ in 0..1000 {
            memory.learn(0, 7, 99, -bonus(12));
        }
        assert!((-MOST..=-MOST / 2).contains(&of(&memory, 0, 7, &quiet)));
    }

    #[test]
    fn picking_gives_descending_ranks() {
        let mut moves: Vec<usize> = (0..9).collect();
        let mut ranks = vec![3, 8, -5, 8, 0, 100, 2, 2, 7];
        let before = ranks.clone();
        for at in 0..moves.len() {
            pick(&mut moves, &mut ranks, at);
        }
        assert!(ranks.is_sorted_by(|a, b| a >= b));
        assert!(moves.iter().zip(&ranks).all(|(&m, &rank)| before[m] == rank));
    }
}
