//! A position's text is refused, or round trips and can be played on.
#![no_main]

#[path = "../properties/positions.rs"]
mod positions;
#[path = "../properties/setup.rs"]
mod setup;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| positions::holds(data));
