//! The transposition table: what was found out about positions before.
//!
//! Several searches may share one. An entry is two words, the first of which is the key XOR the second: an entry that was torn by
//! two writers does not match its key, and is not believed.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// What a score says about the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is at most the score.
    Upper,
    /// It is at least the score.
    Lower,
    /// It is the score.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The code of the best move, 0 if none is known.
    pub code: u16,
    /// The score, with distances counted from this position.
    pub score: i32,
    /// The static estimate.
    pub estimate: i32,
    /// How deep it was searched.
    pub depth: i32,
    /// What the score means.
    pub bound: Bound,
}

const ENTRIES_A_BUCKET: usize = 4;

/// One cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([AtomicU64; 2 * ENTRIES_A_BUCKET]);

/// The transposition table.
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    age: AtomicU8,
}

const AGES: u8 = 64;

impl TranspositionTable {
    /// A table of about this size in mebibytes, at least one.
    pub fn new(mebibytes: usize) -> TranspositionTable {
        let buckets = (mebibytes.max(1) << 20) / size_of::<Bucket>();
        TranspositionTable { buckets: (0..buckets).map(|_| Bucket::default()).collect(), age: AtomicU8::new(0) }
    }

    /// A new search begins: what older ones left is replaced first.
    pub fn grow_older(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for word in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            word.store(0, Relaxed);
        }
        self.age.store(0, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        // The upper half of a 128-bit product: an even share of the keys for every bucket, whatever their number.
        let at = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[at as usize]
    }

    /// Brings a position's bucket closer. A plain load that nobody waits for does what a prefetch would, without unsafe code.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        std::hint::black_box(self.bucket(key).0[0].load(Relaxed));
    }

    /// What is known of a position.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let words = &self.bucket(key).0;
        (0..ENTRIES_A_BUCKET).find_map(|slot| {
            let data = words[2 * slot + 1].load(Relaxed);
            (data != 0 && words[2 * slot].load(Relaxed) ^ data == key).then(|| unpack(data))
        })
    }

    /// Remembers what was found. A shallow result does not drive out a deep one of the same search.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let words = &self.bucket(key).0;
        let age = self.age.load(Relaxed);
        let mut chosen = 0;
        let mut least = i32::MAX;
        for slot in 0..ENTRIES_A_BUCKET {
            let data = words[2 * slot + 1].load(Relaxed);
            if data == 0 {
                chosen = slot;
                break;
            }
            let old = unpack(data);
            if words[2 * slot].load(Relaxed) ^ data == key {
                if entry.code == 0 {
                    entry.code = old.code;
                }
                if entry.bound != Bound::Exact && age_of(data) == age && entry.depth + 3 < old.depth {
                    return;
                }
                chosen = slot;
                break;
            }
            let years = i32::from((AGES + age - age_of(data)) % AGES);
            let worth = old.depth - 8 * years;
            if worth < least {
                least = worth;
                chosen = slot;
            }
        }
        let data = pack(&entry, age);
        words[2 * chosen].store(key ^ data, Relaxed);
        words[2 * chosen + 1].store(data, Relaxed);
    }

    /// How full it is with entries of this search, in thousandths, from a sample.
    pub fn fullness(&self) -> usize {
        let age = self.age.load(Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let fresh = |data: u64| data != 0 && age_of(data) == age;
        let used =
            sample.iter().flat_map(|bucket| bucket.0.chunks_exact(2)).filter(|pair| fresh(pair[1].load(Relaxed)));
        used.count() * 1000 / (sample.len() * ENTRIES_A_BUCKET)
    }
}

/// Bits 0–15 the score, 16–31 the estimate, 32–47 the code, 48–55 the depth, 56–57 the bound (never 0), 58–63 the age.
fn pack(entry: &Entry, age: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.score as i16 as u16)
        | u64::from(entry.estimate as i16 as u16) << 16
        | u64::from(entry.code) << 32
        | u64::from(entry.depth.clamp(0, 255) as u8) << 48
        | bound << 56
        | u64::from(age) << 58
}

#[inline]
fn unpack(data: u64) -> Entry {
    let bound = match data >> 56 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        _ => Bound::Exact,
    };
    Entry {
        score: i32::from(data as u16 as i16),
        estimate: i32::from((data >> 16) as u16 as i16),
        code: (data >> 32) as u16,
        depth: i32::from((data >> 48) as u8),
        bound,
    }
}

fn age_of(data: u64) -> u8 {
    (data >> 58) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32) -> Entry {
        Entry { code: 513, score: -31_990, estimate: 77, depth, bound: Bound::Lower }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = TranspositionTable::new(1);
        for key in 1..2000u64 {
            let key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            table.store(key, entry(5));
            assert_eq!(table.probe(key), Some(entry(5)));
        }
        assert_eq!(table.probe(12345), None);
        table.clear();
        assert_eq!(table.probe(0x9e37_79b9_7f4a_7c15), None);
    }

    #[test]
    fn a_deep_entry_survives_shallow_ones_until_it_is_old() {
        let table = TranspositionTable::new(1);
        let key = |n: u64| n + 1;
        table.store(key(0), entry(20));
        for n in 1..40 {
            table.store(key(n), entry(1));
        }
        assert!(table.probe(key(0)).is_some(), "deep and of this search");
        for _ in 0..4 {
            table.grow_older();
        }
        for n in 40..80 {
            table.store(key(n), entry(1));
        }
        assert!(table.probe(key(0)).is_none(), "deep, but of an old search");
    }

    #[test]
    fn a_move_is_kept_when_a_later_search_finds_none() {
        let table = TranspositionTable::new(1);
        table.store(9, entry(3));
        table.store(9, Entry { code: 0, ..entry(4) });
        assert_eq!(table.probe(9).map(|found| (found.code, found.depth)), Some((513, 4)));
    }
}
