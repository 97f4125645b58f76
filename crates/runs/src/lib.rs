//! Many matches: whoever directs a run hands them out, the slots of a [`Pool`] play them, and what comes back is stored exactly once.
//!
//! A [`Fixture`] is one match, played and written down as it is stored; what the host spoils is played again there. A run can be
//! stopped at any instant: matches in progress are abandoned, and whoever goes on with the run hands them out again.

mod boards;
mod fixture;
mod pool;

pub use boards::Boards;
pub use fixture::{Contestant, Fixture, now_ms};
pub use pool::{Heard, Key, News, Pool, Slot, on_this_machine};
