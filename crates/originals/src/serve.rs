//! Being a bot in an original's way.

use std::io::{self, BufRead, Write};

use agon_wire::{Brain, GameSetup};

/// A request to be a bot in the original's way.
pub struct HouseCall<'a> {
    /// Which house bot it is.
    pub name: &'a str,
    /// Arguments after the game's name.
    pub arguments: &'a [String],
    /// Makes a new mind for each game.
    pub brain: &'a mut dyn FnMut(&GameSetup) -> Box<dyn Brain>,
    /// What comes from the other end of a pipe.
    pub input: &'a mut dyn BufRead,
    /// What goes there.
    pub output: &'a mut dyn Write,
}

/// Serving went wrong.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The arguments cannot be understood: what was expected.
    #[error("{0}")]
    Usage(String),
    /// The other end said what cannot be understood.
    #[error("{0}")]
    Protocol(String),
    /// The other end is gone, or this machine failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}
