//! The bench that proves what a change to the search is worth.
//!
//! Two [`Contender`]s play pairs of games in this process, from balanced random [`Openings`], each opening once from either side. A pair
//! depends on nothing but its number, so a contest can be stopped and gone on with, on any number of cores, and ends in the same
//! table.

mod bench;
mod book;
mod contender;
mod contest;
mod duel;
mod error;
mod fit;
mod kept;
pub mod ladder;
mod openings;
mod report;
mod sample_file;
mod selfplay;
mod shortest;
mod start;
mod suite;
mod suites;
mod tune;
mod tuning;

pub use bench::bench;
pub use book::MakeBook;
pub use contender::{Contender, Design, Effort};
pub use contest::{Contest, Progress, Setting};
pub use duel::{Duel, Pair, play_pair};
pub use error::{ContenderError, EffortError, LabError, ProblemError, SuiteError};
pub use fit::{Fit, FittedWeight, Losses, fit};
pub use kept::write_openings;
pub use openings::{Opening, Openings, Wanted, make_openings};
pub use selfplay::{Games, Harvest, Sample, SelfPlay};
pub use shortest::{ShortestWin, Win};
pub use start::Start;
pub use suite::{Attempt, MakeProblems, Problem, Try};
pub use suites::WantedSuite;
pub use tune::{Spsa, Step};
pub use tuning::Tuning;
