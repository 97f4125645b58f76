//! Runs, bots and matches in one SQLite file.
//!
//! The file is the truth: whatever is stopped, at any instant, goes on from what stands here. A match is saved in one
//! transaction and is unique by its id, so a battle is neither lost nor counted twice. Several processes share one file
//! (a run in the terminal, a web server): each opens its own [`Store`].
//!
//! | call | does |
//! |---|---|
//! | [`Store::open`], [`Store::open_existing`], [`Store::open_read_only`], [`Store::in_memory`] | open, create, upgrade |
//! | [`Store::create_or_resume_run`] | begin a run, or go on with it if its configuration is the same |
//! | [`Store::save_match`] | store one finished match, exactly once |
//! | [`Store::finish`] | the same for a match that was in progress, with everything that belongs to it |
//! | [`Store::finished_battles`] | what a resumed run need not play again |
//! | [`Store::tally`] | wins, draws, losses, terminations and battle scores of one bot |
//! | [`Store::enter`], [`Store::entered`] | browsers that gave the arena's token |
//! | [`Store::change_counter`] | is there news from another process? |
//!
//! Each row has a digest of its columns, which is checked whenever it is read: a byte that a disk has changed is reported.
//! Text is stored byte for byte as it came; times are milliseconds since 1970 (UTC).
//!
//! ```
//! use agon_store::{Resume, Run, Store};
//!
//! let mut store = Store::in_memory()?;
//! let run = Run {
//!     id: "evening".into(),
//!     created_ms: 1_760_000_000_000,
//!     kind: "match".into(),
//!     configuration: r#"{"battles": 100}"#.into(),
//! };
//! assert_eq!(store.create_or_resume_run(&run)?, Resume::New);
//! assert_eq!(store.create_or_resume_run(&run)?, Resume::Resumed);
//!
//! let changed = Run { configuration: r#"{"battles": 200}"#.into(), ..run };
//! let refusal = store.create_or_resume_run(&changed).expect_err("the battles differ");
//! assert!(refusal.to_string().contains("battles was 100, now 200"));
//! # Ok::<(), agon_store::StoreError>(())
//! ```

mod bot;
mod configuration;
mod digest;
mod entered;
mod error;
mod live;
mod log;
mod matches;
mod migration;
mod readable;
mod run;
mod store;
mod tally;
mod usual;

pub use bot::Bot;
pub use error::StoreError;
pub use live::Live;
pub use log::{Logged, Seen};
pub use matches::{BotRef, Brief, Match, Saved, Wanted};
pub use readable::Readable;
pub use run::{Progress, Resume, Run};
pub use store::{ChangeMark, Store};
pub use tally::Tally;
pub use usual::usual_path;

#[cfg(test)]
mod tests;
