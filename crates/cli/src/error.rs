//! What can go wrong, and the exit code that says so.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use agon_entrants::{ManifestError, RosterError};

/// A failed command.
#[derive(Debug)]
pub(crate) enum CliError {
    /// The thing asked for is false.
    Failed(String),
    /// Bad usage or bad input.
    Input(String),
    /// The host failed: a file could not be written, say.
    Host(String),
    /// The reader of our output went away, as `head` does. Not an error.
    ReaderGone,
}

impl CliError {
    /// Bad input, explained by `error`.
    pub(crate) fn input(error: impl ToString) -> CliError {
        CliError::Input(error.to_string())
    }

    /// Bad input that was looked for in two places: what the first one said comes before what this one says.
    pub(crate) fn after(self, first: CliError) -> CliError {
        match (first, self) {
            (CliError::Input(first), CliError::Input(second)) => CliError::Input(format!("{first}; and {second}")),
            (_, error) => error,
        }
    }

    /// Says what happened on stderr and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let (message, code) = match self {
            CliError::Failed(message) => (message, 1),
            CliError::Input(message) => (message, 2),
            CliError::Host(message) => (message, 3),
            CliError::ReaderGone => return ExitCode::SUCCESS,
        };
        // Messages quote names, and what compilers said. Nobody may be there to read them, as after `2>&1 | head`; the exit code still
        // says how it went.
        let _ = writeln!(io::stderr(), "agon: {}", agon_rules::inert_lines(message));
        ExitCode::from(code)
    }
}

/// A bot that cannot be found is bad input; one that does not build has failed.
impl From<RosterError> for CliError {
    fn from(error: RosterError) -> CliError {
        let message = error.to_string();
        match error {
            RosterError::Unknown(_) | RosterError::Manifest(ManifestError::Manifest(_)) => CliError::Input(message),
            RosterError::Manifest(ManifestError::Build(_)) => CliError::Failed(message),
            RosterError::Manifest(ManifestError::Host(_)) => CliError::Host(message),
        }
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> CliError {
        match error.kind() {
            io::ErrorKind::BrokenPipe => CliError::ReaderGone,
            _ => CliError::Host(format!("cannot write the output: {error}")),
        }
    }
}
