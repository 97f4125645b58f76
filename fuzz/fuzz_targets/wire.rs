//! Whatever arrives over a wire is read or refused: relay messages, first lines, HTTP requests, questions to house bots.
#![no_main]

#[path = "../properties/wire.rs"]
mod wire;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| wire::holds(data));
