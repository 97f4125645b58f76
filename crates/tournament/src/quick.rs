//! Maps by small numbers, which nobody from outside chooses.

use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasherDefault, Hasher},
};

/// A map by player or by number.
pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;

/// A set of players or of pairs of them.
pub(crate) type QuickSet<K> = HashSet<K, BuildHasherDefault<QuickHasher>>;

/// Multiplies and turns: the usual hasher guards against chosen keys, and costs more than all the rest of a derivation.
#[derive(Clone, Copy, Default)]
pub(crate) struct QuickHasher(u64);

impl QuickHasher {
    fn mix(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
}

impl Hasher for QuickHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.mix(u64::from(byte)));
    }

    fn write_u32(&mut self, value: u32) {
        self.mix(u64::from(value));
    }

    fn write_u8(&mut self, value: u8) {
        self.mix(u64::from(value));
    }

    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }
}
