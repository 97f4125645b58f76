//! A probe line always gets one JSON object with all keys.
#![no_main]

#[path = "../properties/probe.rs"]
mod probe;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| probe::holds(data));
