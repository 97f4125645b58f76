//! One match, judged: clocks, legality, terminations with evidence, points, and the record of it.
//!
//! [`play_match`] asks two [`agon_wire::Bot`]s for turns until the game is over or one of them fails. What a bot does wrong is a
//! [`Termination`]; only a failure of this machine is an error, and then the match is void. [`Record`] writes a match
//! down and reads it back.

mod cores;
mod judge;
mod open_match;
mod record;
mod tags;
mod time;
mod trial;
pub mod words;

pub use agon_wire::Language;
pub use cores::{Conduct, CoreRule, UnknownCoreRule};
pub use judge::{DOUBLE_FAULT, MatchSpec, NoWatch, Played, Termination, TurnMade, Watch, play_match};
pub use open_match::{OpenMatch, Question};
pub use record::{Record, RecordError, RecordedTurn};
pub use time::{TimeControl, TimeControlError};
pub use trial::Trial;
