//! What cannot be set or read.

use agon_rules::{PositionError, TurnError, quote};
use thiserror::Error;

use crate::ParameterError;

/// A weight could not be changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WeightError {
    /// It is no change.
    #[error("{}: expected WEIGHT=NUMBER or WEIGHT=PERCENT%", quote(.0))]
    NoChange(String),
    /// The evaluation has no such weight.
    #[error("unknown weight {}, expected one of {}", quote(.name), .known.join(", "))]
    Unknown {
        /// What was to be changed.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
}

/// A text that is no skill.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("skill {}: expected DEPTH:NODES:NOISE:SLIPS, each 0 or more", quote(.0))]
pub struct SkillError(pub(crate) String);

/// A book that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct BookError {
    /// Where; the first line is 1.
    pub line: usize,
    /// What is wrong there.
    #[source]
    pub problem: BookProblem,
}

/// What is wrong with a line of a book.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BookProblem {
    /// A text is no turn there.
    #[error("{}: {reason}", quote(.turn))]
    Turn {
        /// The text.
        turn: String,
        /// Why.
        #[source]
        reason: TurnError,
    },
    /// A turn cannot be played.
    #[error("{}: not a legal turn there", quote(.0))]
    Illegal(String),
    /// A choice is no weight with a turn.
    #[error("expected a weight and a turn between bars")]
    NoChoice,
    /// A choice has no weight.
    #[error("expected a weight above 0")]
    NoWeight,
    /// There is nothing to choose.
    #[error("expected a turn to play")]
    NothingToPlay,
}

/// An engine that cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EngineError {
    /// Nobody plays like that.
    #[error("there is no player {}", quote(.0))]
    Personality(String),
    /// The search has no such parameter.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The evaluation has no such weight.
    #[error(transparent)]
    Weight(#[from] WeightError),
}

/// A position that an engine cannot go to.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FollowError {
    /// The position to begin with is none.
    #[error(transparent)]
    Start(#[from] PositionError),
    /// A turn cannot be played.
    #[error("{}: {reason}", quote(.turn))]
    Turn {
        /// The turn.
        turn: String,
        /// Why.
        #[source]
        reason: TurnError,
    },
}
