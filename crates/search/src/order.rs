//! What a search learns about moves while it runs, so that it tries the good ones first.

/// Quiet moves are known by their codes, folded into so many slots.
const SLOTS: usize = 4096;
/// Moves before them, likewise.
const BEFORE: usize = 512;
/// Scores of moves stay within.
const MOST: i32 = 16_384;

/// History tables for both sides.
pub(crate) struct Memory {
    /// How well a quiet move did, by side.
    quiet: Vec<i16>,
    /// How well a quiet move did after the move before it.
    continuation: Vec<i16>,
    /// The quiet move that refuted a move.
    counter: Vec<u16>,
}

fn fold(code: u16, slots: usize) -> usize {
    // Fibonacci hashing: neighbouring codes end far apart.
    ((u32::from(code).wrapping_mul(0x9e37_79b1) >> 16) as usize) % slots
}

impl Memory {
    pub(crate) fn new() -> Memory {
        Memory { quiet: vec![0; 2 * SLOTS], continuation: vec![0; BEFORE * SLOTS], counter: vec![0; 2 * SLOTS] }
    }

    /// A new search of the same game: what was learnt is still half true.
    pub(crate) fn fade(&mut self) {
        self.quiet.iter_mut().chain(&mut self.continuation).for_each(|value| *value /= 2);
    }

    pub(crate) fn clear(&mut self) {
        self.quiet.fill(0);
        self.continuation.fill(0);
        self.counter.fill(0);
    }

    pub(crate) fn quiet(&self, side: usize, code: u16) -> i32 {
        i32::from(self.quiet[side * SLOTS + fold(code, SLOTS)])
    }

    pub(crate) fn continuation(&self, before: u16, code: u16) -> i32 {
        i32::from(self.continuation[fold(before, BEFORE) * SLOTS + fold(code, SLOTS)])
    }

    pub(crate) fn counter(&self, side: usize, before: u16) -> u16 {
        self.counter[side * SLOTS + fold(before, SLOTS)]
    }

    pub(crate) fn set_counter(&mut self, side: usize, before: u16, code: u16) {
        self.counter[side * SLOTS + fold(before, SLOTS)] = code;
    }

    /// Praises (or blames, with a negative bonus) a quiet move.
    pub(crate) fn learn(&mut self, side: usize, before: u16, code: u16, bonus: i32) {
        pull(&mut self.quiet[side * SLOTS + fold(code, SLOTS)], bonus);
        if before != 0 {
            pull(&mut self.continuation[fold(before, BEFORE) * SLOTS + fold(code, SLOTS)], bonus);
        }
    }
}

/// Moves a value towards its bound: the closer it is, the less it moves.
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
    let mut best = at;
    for other in at + 1..ranks.len() {
        if ranks[other] > ranks[best] {
            best = other;
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
        assert!((MOST / 2..=MOST).contains(&memory.quiet(0, 99)) && memory.continuation(7, 99) > 0);
        assert_eq!((memory.quiet(1, 99), memory.continuation(8, 99)), (0, 0));
        for _ in 0..1000 {
            memory.learn(0, 7, 99, -bonus(12));
        }
        assert!((-MOST..=-MOST / 2).contains(&memory.quiet(0, 99)));
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
