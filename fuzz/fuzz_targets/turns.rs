//! Turns, separated by line ends, are refused and change nothing, or lead where a legal turn leads.
#![no_main]

#[path = "../properties/setup.rs"]
mod setup;
#[path = "../properties/turns.rs"]
mod turns;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| turns::holds(data));
