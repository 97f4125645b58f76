//! One search for every game.
//!
//! [`Searcher`] looks for the best move: iterative deepening, principal variation search, a transposition table, and pruning that each
//! game switches on where matches have shown that it pays. It knows games only through [`agon_rules::Position`] and
//! [`Searchable`]; it is compiled for each game, so nothing of that costs time. Sides need not alternate.
//!
//! [`Dfpn`] proves forced wins, [`Mcts`] is a rival of another design, and [`AnyEngine`] is what programs use that learn the game only at
//! run time. Scores are plain integers: see [`score`].

mod book;
mod clock;
mod dfpn;
mod engine;
mod error;
mod evaluator;
mod game;
mod limits;
mod mcts;
pub mod minimax;
mod objective;
mod parameters;
mod personality;
mod report;
pub mod score;
mod searcher;
mod stopwatch;
mod threats;
mod transposition;
mod weights;

pub use book::Book;
pub use clock::{Progress, TotalClock};
pub use dfpn::{Dfpn, Proof};
pub use engine::{
    AnyEngine, EngineOptions, MCTS, MOST_CENTS, MakeEngine, ProvenEnd, Thought, ThoughtLine, leaves_for_depth, turns_of,
};
pub use error::{BookError, BookProblem, EngineError, FollowError, SkillError, WeightError};
pub use evaluator::Evaluator;
pub use game::{DfpnLeaf, ForcedEnd, RulesOnly, SearchGame, SearchVisitor, Searchable};
pub use limits::Limits;
pub use mcts::Mcts;
pub use objective::Objective;
pub use parameters::{Parameter, ParameterError, Parameters};
pub use personality::{Personality, Skill};
pub use report::{Report, Variation};
pub use searcher::Searcher;
pub use stopwatch::thread_time;
pub use transposition::{Bound, Entry, TranspositionTable};
pub use weights::Weight;
