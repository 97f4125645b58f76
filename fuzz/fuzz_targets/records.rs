//! A record is refused, or its own text gives the same record again, and it can be replayed or the fault is named.
#![no_main]

use agon_referee::Record;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(record) = Record::parse(text) else { return };
    let again = Record::parse(&record.text()).expect("own text");
    assert_eq!(again, record);
    let _ = record.replay(agon_all::rules);
});
