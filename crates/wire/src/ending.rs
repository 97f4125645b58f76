//! The end of this program. No bot can hold it up: whoever waits for one stops waiting, and what it was part of counts for nothing.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::bot::HostError;

static ENDING: AtomicBool = AtomicBool::new(false);

/// Set once this program is asked to end.
pub fn ending() -> &'static AtomicBool {
    &ENDING
}

/// An error once this program is asked to end.
///
/// # Errors
/// That it was.
pub fn not_ending() -> Result<(), HostError> {
    if ENDING.load(Ordering::Relaxed) { Err(HostError("agon was asked to end".to_owned())) } else { Ok(()) }
}
