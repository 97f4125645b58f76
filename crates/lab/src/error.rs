//! What goes wrong in the lab.

use std::{io, path::PathBuf};

use agon_rules::{SetupError, quote};
use thiserror::Error;

/// Why there is no result.
#[derive(Debug, Error)]
pub enum LabError {
    /// There is no such game, variant or rule set.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A contender, an opening, a position or a log makes no sense.
    #[error("{0}")]
    Refused(String),
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
