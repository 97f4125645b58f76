//! The house bots: those that live in this program, for every game.

mod brain;
mod names;

pub use brain::{hint, think};
pub use names::{Aim, LADDER, LEVELS, NAMES, RIVALS, STYLES, UnknownAim, pace, title};
