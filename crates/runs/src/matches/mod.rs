//! Matches between two bots: battles from openings, counted, stored, and gone on with where they were stopped.

pub mod cutechess;
mod openings;
mod plan;
mod run;
mod silence;
mod sprt;
mod stored;
mod tally;
pub mod text;

pub use cutechess::CutechessError;
pub use openings::{LineError, Opening, Openings, OpeningsError};
pub use plan::{Plan, PlanError, Settings};
pub use run::{Counts, End, News, RunError, run};
pub use sprt::{SprtTextError, parse_sprt};
pub use tally::Tally;
