//! A record is refused, or its own text gives the same record again, and it can be replayed or the fault is named.
#![no_main]

#[path = "../properties/records.rs"]
mod records;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| records::holds(data));
