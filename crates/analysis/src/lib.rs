//! What the engine thinks: of a position in words, and of every turn of a recorded game.

mod curve;
pub mod json;
mod review;
mod words;

pub use curve::curve;
pub use review::{Judged, ReviewError, review};
pub use words::{progress, report, verdict};
