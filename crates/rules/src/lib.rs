//! The vocabulary that every part of Agon shares, and the traits that a game implements.
//!
//! A game has two faces:
//!
//! * [`Position`] is the **static face**, for search and self-play: monomorphised, no strings in the hot
//!   path, copy-make. [`Game`] names the game, its variants and rule sets, and makes start positions.
//! * [`AnyGame`] and [`AnyPosition`] are the **open face**, for referee, pages and command line: trait objects
//!   that speak text. They are implemented once, here, for every [`Game`] and [`Position`].
//!
//! A *move* is one decision, the search's ply. A *turn* is what a player sends at once: one or more moves
//! of the same side. How a position looks is described in the words of [`agon_picture`].

mod error;
mod game;
pub mod keys;
mod open;
mod outcome;
mod perft;
mod planes;
pub mod playthrough;
mod position;
mod random;
mod verdict;

#[cfg(feature = "conformance")]
pub mod conformance;

pub use agon_picture::{BySide, Side};
pub use error::{PositionError, SetupError, TurnError, inert, inert_lines, quote, quote_within};
pub use game::{Clock, Game, RuleSet, Visitor};
pub use open::{AnyGame, AnyPosition, LegalTurn, Open, TooManyTurns};
pub use outcome::{EndKind, Ending, Outcome, Reason, ReasonInfo};
pub use perft::{perft, perft_turns};
pub use planes::{PlaneShape, Planes};
pub use position::Position;
pub use random::Random;
pub use verdict::{NoVerdict, Verdict};
