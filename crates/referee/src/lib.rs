//! One match, judged: clocks, legality, terminations with evidence, points, and the record of it.
//!
//! [`play_match`] asks two [`agon_wire::Bot`]s for turns until the game is over or one of them fails. What a bot does wrong is a
//! [`Termination`]; only a failure of this machine is an error, and then the match is void. [`Record`] writes a match
//! down and reads it back.

mod judge;
mod manifest;
mod open_match;
mod record;
mod roster;
mod tags;
mod time;

pub use agon_wire::{Language, Protocol};
pub use judge::{MatchSpec, NoWatch, Played, Termination, TurnMade, Watch, play_match};
pub use manifest::{Built, Manifest, ManifestError, build_cache};
pub use open_match::{OpenMatch, Question};
pub use record::{Record, RecordError, RecordedTurn};
pub use roster::{BotSpec, Entrant, RosterError};
pub use time::{TimeControl, TimeControlError};
