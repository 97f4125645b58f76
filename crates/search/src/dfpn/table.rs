//! What a proof search remembers: a table that grows up to a fixed size, and then gives up what cost least.

use super::Numbers;

/// What is known of a position.
#[derive(Clone, Copy, Default)]
pub(super) struct Cell {
    key: u64,
    pub(super) numbers: Numbers,
    /// Positions that were looked at below it, itself among them; an empty cell has none.
    work: u32,
    /// The number of the proof, if it is proven.
    pub(super) order: u32,
}

impl Cell {
    pub(super) fn new(key: u64, numbers: Numbers, work: u64, order: u32) -> Cell {
        Cell { key, numbers, work: work.clamp(1, u64::from(u32::MAX)) as u32, order }
    }

    fn is_empty(&self) -> bool {
        self.work == 0
    }

    /// What is given up first: what cost little and is not proven. Whoever plays a won game asks for the proofs again.
    fn worth(&self) -> (bool, u32) {
        (self.numbers.proof == 0 && !self.is_empty(), self.work)
    }
}

/// A position may be in any cell of its bucket; they lie side by side and are filled in order.
const BUCKET: usize = 8;
const FIRST_CELLS: usize = 1 << 10;
/// 48 MiB.
const MOST_CELLS: usize = 1 << 21;
/// While it may grow, no more than one cell in four is used: then next to nothing is given up, because hardly a bucket is full.
const ROOM: usize = 4;

pub(super) struct DfpnTable {
    cells: Vec<Cell>,
    used: usize,
}

impl DfpnTable {
    pub(super) fn new() -> DfpnTable {
        DfpnTable { cells: vec![Cell::default(); FIRST_CELLS], used: 0 }
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        key as usize & (self.cells.len() - BUCKET)
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&Cell> {
        let first = self.bucket(key);
        let bucket = &self.cells[first..first + BUCKET];
        bucket.iter().take_while(|cell| !cell.is_empty()).find(|cell| cell.key == key)
    }

    pub(super) fn keep(&mut self, new: Cell) {
        if self.used >= self.cells.len() / ROOM && self.cells.len() < MOST_CELLS {
            self.grow();
        }
        let first = self.bucket(new.key);
        let bucket = &mut self.cells[first..first + BUCKET];
        let same = bucket.iter().position(|cell| cell.key == new.key && !cell.is_empty());
        let cheapest = || (0..BUCKET).min_by_key(|&at| bucket[at].worth()).unwrap_or(0);
        let at = same.unwrap_or_else(cheapest);
        let before = bucket[at];
        self.used += usize::from(before.is_empty());
        // Work adds up over visits, and the first proof is the one that rests on the earliest ones.
        bucket[at] = if same.is_some() {
            let order = if before.order == 0 { new.order } else { before.order };
            Cell { work: before.work.saturating_add(new.work), order, ..new }
        } else {
            new
        };
    }

    fn grow(&mut self) {
        let size = 4 * self.cells.len();
        let old = std::mem::replace(&mut self.cells, vec![Cell::default(); size]);
        self.used = 0;
        for cell in old.into_iter().filter(|cell| !cell.is_empty()) {
            self.keep(cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_rules::keys::mix;

    use super::*;

    fn open(proof: u32) -> Numbers {
        Numbers { proof, disproof: 1 }
    }

    #[test]
    fn what_is_kept_is_found_while_there_is_room() {
        let mut table = DfpnTable::new();
        for number in 1..=100_000 {
            table.keep(Cell::new(mix(number), open(number as u32), 1, 0));
        }
        let found = (1..=100_000)
            .filter(|&number| table.get(mix(number)).is_some_and(|cell| cell.numbers.proof == number as u32));
        // A bucket may be full before the table is.
        assert!(found.count() > 99_900);
        assert!(table.get(mix(100_001)).is_none());
    }

    #[test]
    fn nothing_is_given_up_while_a_bucket_has_room() {
        let mut table = DfpnTable::new();
        let same_bucket = |number: u64| 8 + (number << 40);
        (0..BUCKET as u64).for_each(|number| table.keep(Cell::new(same_bucket(number), open(1), 1, 0)));
        assert!((0..BUCKET as u64).all(|number| table.get(same_bucket(number)).is_some()));
    }

    #[test]
    fn proofs_outlive_what_cost_more_and_keep_their_first_number() {
        let mut table = DfpnTable::new();
        table.keep(Cell::new(8, Numbers::WON, 1, 5));
        table.keep(Cell::new(8, Numbers::WON, 1, 9));
        // All of them belong into the same bucket, however far the table has grown.
        for number in 1..20 {
            table.keep(Cell::new(8 + (number << 40), open(1), 1000 * number, 0));
        }
        assert_eq!(table.get(8).map(|cell| cell.order), Some(5));
        assert!(table.get(8 + (19 << 40)).is_some() && table.get(8 + (1 << 40)).is_none());
    }
}
