//! What the engine thinks: of a position in words, and of every turn of a recorded game.

mod curve;
pub mod json;
mod losing;
mod review;
mod words;

pub use curve::curve;
pub use losing::{LosingTurn, least_budget, losing_turn};
pub use review::{Judged, ReviewError, review};
pub use words::{progress, report, verdict};
