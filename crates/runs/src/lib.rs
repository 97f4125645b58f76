//! Many matches: whoever directs a run hands them out, the slots of a [`Pool`] play them, and what comes back is stored exactly once.
//!
//! A [`Battle`] is written down with everything that is needed to play it, here or on another machine. A [`Fixture`] is one match of
//! it, played and written down as it is stored; what the host spoils is played again there. A run can be stopped at any instant:
//! matches in progress are abandoned, and whoever goes on with the run hands them out again. [`mod@matches`] are the runs of two bots;
//! tournaments direct their own. A [`table`] is where people play too.

pub mod as_text;
mod battle;
mod boards;
mod fixture;
pub mod lock;
pub mod matches;
mod pool;
mod record_file;
mod sandbox_options;
pub mod table;

pub use battle::{Battle, BattleError, Half, Player, Program, seats};
pub use boards::Boards;
pub use fixture::{Contestant, Fixture, FixtureError, now_ms};
pub use matches::{Opening, Openings, OpeningsError};
pub use pool::{Heard, Key, News, Pool, Slot, on_this_machine};
pub use record_file::{RecordFileError, one_record};
pub use sandbox_options::{
    AmountError, ByLanguage, MEMORY, OLDER_MEMORY, SCRATCH, SandboxError, SandboxOptions, TASKS, workshop,
};
