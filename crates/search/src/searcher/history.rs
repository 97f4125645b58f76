//! History tables: what a search learns about quiet moves while it runs, so that it tries the good ones first.

use crate::{Parameters, score::MOST_PLIES};

/// Quiet moves are known by their codes, folded into this many slots.
const SLOTS: usize = 4096;
/// Moves before them, likewise.
const PREVIOUS_SLOTS: usize = 512;
/// Values stay within.
const MOST: i32 = 16_384;

/// A value for every slot.
type Row = [i16; SLOTS];

/// History, continuation history, counter moves and killers of both sides.
pub(super) struct History {
    /// How well a quiet move did, by side.
    quiet: Vec<Row>,
    /// How well a quiet move did after the move before it.
    continuation: Vec<Row>,
    /// The quiet move that refuted a move.
    counter: Vec<u16>,
    /// The last two quiet moves that cut at each ply.
    killers: Vec<[u16; 2]>,
}

#[inline]
fn fold(code: u16, slots: usize) -> usize {
    // Fibonacci hashing: neighbouring codes end far apart.
    ((u32::from(code).wrapping_mul(0x9e37_79b1) >> 16) as usize) % slots
}

/// The rows for the quiet moves of one position: looked up once, asked for every move.
pub(super) struct HistoryRows<'a> {
    quiet: Option<&'a Row>,
    continuation: Option<&'a Row>,
}

impl HistoryRows<'_> {
    #[inline]
    pub(super) fn of(&self, code: u16) -> i32 {
        let slot = fold(code, SLOTS);
        let value = |row: Option<&Row>| row.map_or(0, |row| i32::from(row[slot]));
        value(self.quiet) + value(self.continuation)
    }
}

impl History {
    pub(super) fn new() -> History {
        History {
            quiet: vec![[0; SLOTS]; 2],
            continuation: vec![[0; SLOTS]; PREVIOUS_SLOTS],
            counter: vec![0; 2 * SLOTS],
            killers: vec![[0; 2]; MOST_PLIES + 2],
        }
    }

    /// A new search of the same game: what was learnt is still half true.
    pub(super) fn fade(&mut self) {
        self.quiet.iter_mut().chain(&mut self.continuation).flatten().for_each(|value| *value /= 2);
    }

    pub(super) fn clear(&mut self) {
        self.quiet.fill([0; SLOTS]);
        self.continuation.fill([0; SLOTS]);
        self.counter.fill(0);
        self.killers.fill([0; 2]);
    }

    /// The rows that count for `side` after the move `previous` (0 if there was none).
    #[inline]
    pub(super) fn rows(&self, side: usize, previous: u16, parameters: &Parameters) -> HistoryRows<'_> {
        let follows = parameters.continuation != 0 && previous != 0;
        HistoryRows {
            quiet: (parameters.history != 0).then(|| &self.quiet[side]),
            continuation: follows.then(|| &self.continuation[fold(previous, PREVIOUS_SLOTS)]),
        }
    }

    #[inline]
    pub(super) fn counter(&self, side: usize, previous: u16) -> u16 {
        self.counter[side * SLOTS + fold(previous, SLOTS)]
    }

    #[inline]
    pub(super) fn killers(&self, ply: usize) -> [u16; 2] {
        self.killers[ply]
    }

    /// A quiet move cut after `previous`: it is tried earlier elsewhere, and those that were tried before it later.
    pub(super) fn learn_cut(&mut self, side: usize, previous: u16, code: u16, tried: &[u16], depth: i32) {
        self.add(side, previous, code, bonus(depth));
        for &other in tried.iter().filter(|&&other| other != code) {
            self.add(side, previous, other, -bonus(depth));
        }
        if previous != 0 {
            self.counter[side * SLOTS + fold(previous, SLOTS)] = code;
        }
    }

    pub(super) fn add_killer(&mut self, ply: usize, code: u16) {
        let killers = &mut self.killers[ply];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
    }

    #[inline]
    fn add(&mut self, side: usize, previous: u16, code: u16, bonus: i32) {
        let slot = fold(code, SLOTS);
        pull(&mut self.quiet[side][slot], bonus);
        if previous != 0 {
            pull(&mut self.continuation[fold(previous, PREVIOUS_SLOTS)][slot], bonus);
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
fn bonus(depth: i32) -> i32 {
    (16 * depth * depth + 32 * depth).clamp(0, 1600)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bonus_and_malus_stay_within_bounds() {
        let mut history = History::new();
        for _ in 0..1000 {
            history.add(0, 7, 99, bonus(12));
        }
        let both = Parameters::default();
        let quiet = Parameters { continuation: 0, ..both };
        let of = |history: &History, side, previous, parameters| history.rows(side, previous, parameters).of(99);
        assert!((MOST / 2..=MOST).contains(&of(&history, 0, 7, &quiet)));
        assert!(of(&history, 0, 7, &both) > of(&history, 0, 7, &quiet));
        assert_eq!((of(&history, 1, 7, &quiet), of(&history, 1, 8, &both)), (0, 0));
        for _ in 0..1000 {
            history.add(0, 7, 99, -bonus(12));
        }
        assert!((-MOST..=-MOST / 2).contains(&of(&history, 0, 7, &quiet)));
    }

    #[test]
    fn a_move_that_cuts_rises_above_those_tried_before_it() {
        let mut history = History::new();
        history.learn_cut(1, 7, 99, &[3, 99, 4], 6);
        let rows = history.rows(1, 7, &Parameters::default());
        assert!(rows.of(99) > 0 && rows.of(3) < 0 && rows.of(3) == rows.of(4));
        assert_eq!(history.counter(1, 7), 99);
        for code in [5, 6, 6] {
            history.add_killer(2, code);
        }
        assert_eq!(history.killers(2), [6, 5]);
    }
}
