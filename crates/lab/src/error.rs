//! What goes wrong in the lab.

use std::{io, path::PathBuf};

use agon_rules::{PositionError, SetupError, TurnError, quote};
use agon_search::{FollowError, ParameterError, SkillError, WeightError};
use thiserror::Error;

/// Why there is no result.
#[derive(Debug, Error)]
pub enum LabError {
    /// There is no such game, variant or rule set.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A contender cannot play.
    #[error(transparent)]
    Contender(#[from] ContenderError),
    /// The engine cannot follow a game.
    #[error(transparent)]
    Follow(#[from] FollowError),
    /// A turn cannot be played.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// The game has no such position.
    #[error("{}: {reason}", quote(.position))]
    Position {
        /// The text.
        position: String,
        /// Why.
        #[source]
        reason: PositionError,
    },
    /// A text is no turn in an opening.
    #[error("line {line}, {}: {reason}", quote(.turn))]
    OpeningTurn {
        /// Where; the first line is 1.
        line: usize,
        /// The text.
        turn: String,
        /// Why.
        #[source]
        reason: TurnError,
    },
    /// A turn of an opening cannot be played.
    #[error("line {line}, {}: not a legal turn here", quote(.turn))]
    IllegalOpening {
        /// Where; the first line is 1.
        line: usize,
        /// The turn.
        turn: String,
    },
    /// There is nothing to begin games with.
    #[error("no openings")]
    NoOpenings,
    /// A suite has something else than problems.
    #[error("{}, {problem}", .file.display())]
    InSuite {
        /// The file.
        file: PathBuf,
        /// What is wrong in it.
        #[source]
        problem: SuiteError,
    },
    /// There is nothing to fit.
    #[error("the evaluation of {0} declares no weights")]
    NoWeights(String),
    /// The games say too little to fit weights to them.
    #[error("expected quiet positions in {wanted} games or more, found {positions} in {games} games: play more")]
    TooFewPositions {
        /// Games that are needed.
        wanted: usize,
        /// Positions that there are.
        positions: usize,
        /// Games that there are.
        games: usize,
    },
    /// A thread ended by a defect.
    #[error("a game has failed")]
    Defect,
    /// A file is of other games.
    #[error("{} does not hold positions for fitting: choose another file", .0.display())]
    NoSamples(PathBuf),
    /// A file is of games that were played otherwise.
    #[error("{} was made with {setting} {found}, not {wanted}: choose another file", .file.display())]
    OtherSamples {
        /// The file.
        file: PathBuf,
        /// What is different.
        setting: String,
        /// What it is in the file.
        found: String,
        /// What it is now.
        wanted: String,
    },
    /// The log of a contest cannot be gone on with.
    #[error("cannot use the log: {0}")]
    Log(#[source] io::Error),
    /// The log of a contest could not be gone on with.
    #[error("cannot write the log")]
    LogLost,
    /// Somebody stopped the making of a book.
    #[error("stopped before the book was done")]
    BookStopped,
    /// Nothing tunes this.
    #[error(
        "unknown parameter or weight {}: `agon lab parameters` and `agon lab weights GAME` list them",
        quote(.0)
    )]
    Parameter(String),
    /// The openings cannot be read.
    #[error("cannot read {}: {reason}; `agon lab openings {game} --out {}` makes openings", .file.display(), .file.display())]
    Openings {
        /// The file.
        file: PathBuf,
        /// The game that they were for.
        game: String,
        /// Why.
        reason: io::Error,
    },
    /// The suite cannot be read.
    #[error(
        "cannot read {}: {reason}; name a suite, or run this at the root of the source tree",
        .file.display()
    )]
    Suite {
        /// The file.
        file: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {reason}", .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        #[source]
        reason: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {reason}", .file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// A folder cannot be made.
    #[error("cannot make the folder {}: {reason}", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// Somebody stopped it.
    #[error("stopped; the same command with --log goes on")]
    Stopped,
    /// There is nothing to rate.
    #[error("nothing was played")]
    NothingPlayed,
}

/// Somebody who cannot play.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ContenderError {
    /// A word says nothing of a contender.
    #[error(
        "contender {}: expected base, mcts, random, alphabetaN, a house bot, skill=DEPTH:NODES:NOISE:SLIPS, points, nodes=N, \
         depth=N, time=SECONDS, PARAMETER=NUMBER or WEIGHT=NUMBER",
        quote(.0)
    )]
    Unknown(String),
    /// It is no effort.
    #[error(transparent)]
    Effort(#[from] EffortError),
    /// It is no skill.
    #[error(transparent)]
    Skill(#[from] SkillError),
    /// The search has no such parameter.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The evaluation has no such weight.
    #[error(transparent)]
    Weight(#[from] WeightError),
}

/// A text that is no effort.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("effort {}: expected nodes=N, depth=N or time=SECONDS", quote(.0))]
pub struct EffortError(pub(crate) String);

/// A line of a suite that is no problem.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct SuiteError {
    /// Where; the first line is 1.
    pub line: usize,
    /// What is wrong there.
    #[source]
    pub problem: ProblemError,
}

/// A text that is no problem.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ProblemError {
    /// It has other fields.
    #[error("expected variant | rule set | moves | position, found {}", quote(.0))]
    Fields(String),
    /// There is no such rule set.
    #[error(transparent)]
    Rules(#[from] SetupError),
    /// The distance is no number of moves.
    #[error("expected a number of moves, found {}", quote(.0))]
    Distance(String),
}
