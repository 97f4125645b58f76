//! Any bytes are refused as an archive and leave nothing behind, or are unpacked within the limits, and nowhere else.
#![no_main]

#[path = "../properties/archives.rs"]
mod archives;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| archives::holds(data));
