//! A record is refused, or its own text gives the same record again, and it can be replayed or the fault is named.

use agon_referee::Record;

/// What is to hold for any input.
pub(crate) fn holds(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(record) = Record::parse(text) else { return };
    let again = Record::parse(&record.text()).expect("own text");
    assert_eq!(again, record);
    let _ = record.replay(agon_all::rules);
}
