//! Records, read once.

use std::collections::BTreeMap;

use agon_referee::Record;

/// What is known of each match, by the number of its battle and half.
pub(super) type Records = BTreeMap<(u32, u8), Record>;

/// Reads all records; one that cannot be read is left out, and its match cannot be replayed.
pub(super) fn parsed(records: &BTreeMap<(u32, u8), String>) -> Records {
    records.iter().filter_map(|(key, text)| Some((*key, Record::parse(text).ok()?))).collect()
}
