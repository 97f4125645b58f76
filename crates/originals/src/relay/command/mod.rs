//! The command lines of the relay's server and client: their options, and what these ask for.

mod client;
mod server;

use std::io;

use agon_rules::{SetupError, quote};

use super::{arguments::ArgumentError, player::StartError};

pub use client::ClientCommand;
pub use server::ServerCommand;

/// What a command line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asked<T> {
    /// The text that explains the options.
    Help(String),
    /// To do something.
    Run(T),
}

/// A command line, or the file with its options, cannot be understood.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The command line.
    #[error("{problem}\nTry `agon {program} {game} --help`.")]
    Usage {
        /// What is wrong with it.
        #[source]
        problem: ArgumentError,
        /// Whether it is that of the `server` or of the `client`.
        program: &'static str,
        /// The game's short name.
        game: &'static str,
    },
    /// The file that somebody named.
    #[error("{file}: {problem}")]
    File {
        /// The file.
        file: String,
        /// What is wrong with it.
        #[source]
        problem: ArgumentError,
    },
}

/// The server could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The original's server has no such board, as it has said in its own words.
    #[error("no game was started: the server has no such board")]
    NoSuchBoard,
    /// The game has no such board.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The log cannot be written.
    #[error("cannot write the log {}: {reason}", quote(.file))]
    Log {
        /// Its file.
        file: String,
        /// Why.
        #[source]
        reason: io::Error,
    },
    /// Nobody can listen there.
    #[error("cannot listen on {ip} port {port}: {reason}")]
    Listen {
        /// The address.
        ip: String,
        /// The port.
        port: u16,
        /// Why.
        #[source]
        reason: io::Error,
    },
    /// The host failed.
    #[error(transparent)]
    Host(#[from] io::Error),
}

/// The client could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The bot is no file that can be started.
    #[error(transparent)]
    Bot(#[from] StartError),
    /// The bot does not start.
    #[error("cannot start the bot {}: {reason}", quote(.file))]
    Start {
        /// Its file.
        file: String,
        /// Why.
        #[source]
        reason: io::Error,
    },
    /// Nobody answers there.
    #[error("no server at {host} port {port}: {reason}; is it running? `--wait 10` goes on trying for ten seconds")]
    Unreachable {
        /// The host.
        host: String,
        /// The port.
        port: u16,
        /// Why.
        #[source]
        reason: io::Error,
    },
    /// The host failed.
    #[error("the connection cannot be used: {0}")]
    Host(#[source] io::Error),
}
