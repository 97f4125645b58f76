//! One search for every game.
//!
//! [`Searcher`] looks for the best move: iterative deepening, principal variation search, a transposition table, and pruning that each
//! game switches on where matches have shown that it pays. It knows games only through [`agon_rules::Position`] and
//! [`Searchable`]; it is compiled for each game, so nothing of that costs time. Sides need not alternate.
//!
//! Scores are plain integers: see [`score`].

mod book;
mod character;
mod clock;
mod engine;
mod game;
mod horizon;
mod judgement;
pub mod minimax;
mod node;
mod order;
mod parameters;
mod proof;
mod proof_table;
mod prune;
mod quiescence;
mod richest;
mod root_proof;
mod sampling;
pub mod score;
mod searcher;
mod table;
mod threats;
mod weights;

pub use book::Book;
pub use character::{Character, Skill};
pub use clock::{Pace, TotalClock, thread_time};
pub use engine::{
    AnyEngine, End, EngineOptions, MOST_CENTS, MakeEngine, RIVAL, Thought, ThoughtLine, leaves_for_depth, turns_of,
};
pub use game::{Foreseen, Outlook, RulesOnly, SearchGame, SearchVisitor, Searchable};
pub use judgement::Judgement;
pub use parameters::{Parameter, ParameterError, Parameters};
pub use proof::{Proof, Prover};
pub use sampling::Sampler;
pub use searcher::{Limits, Line, Objective, Report, Searcher};
pub use table::{Bound, Entry, Table};
pub use weights::Weight;
