//! The house bots: those that live in this program.

use agon_wire::{Brain, RandomBrain};

/// Their names.
pub(crate) const NAMES: &[&str] = &["random"];

/// The mind of a house bot. The same seed gives the same games.
pub(crate) fn think(_name: &str, seed: u64) -> Box<dyn Brain> {
    Box::new(RandomBrain::new(seed))
}
