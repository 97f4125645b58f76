//! What can go wrong, and the exit code that says so.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use agon_entrants::{ManifestError, RosterError};
use agon_lab::LabError;
use agon_originals::relay::{ClientError, CommandError, ServerError};
use agon_runs::{
    SandboxError,
    lock::LockError,
    matches::{PlanError, RunError},
    table::{self, SeatError, TableError},
};
use agon_store::StoreError;
use agon_tournament::{CreateError, FindFormatError, PlayError, ReplaceError, Stopped, SubjectError, TournamentError};

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

/// A host that does not offer a sandbox is at fault, not whoever asks for it.
impl From<SandboxError> for CliError {
    fn from(error: SandboxError) -> CliError {
        match error {
            SandboxError::Memory(_) => CliError::input(error),
            SandboxError::NotOffered(_) | SandboxError::Weaker { .. } => CliError::Host(error.to_string()),
        }
    }
}

impl From<LockError> for CliError {
    fn from(error: LockError) -> CliError {
        CliError::Host(error.to_string())
    }
}

/// A run that was begun with other settings is the user's mistake; everything else is the host's trouble.
impl From<StoreError> for CliError {
    fn from(error: StoreError) -> CliError {
        match error {
            StoreError::RunDiffers { .. } => CliError::input(error),
            _ => CliError::Host(error.to_string()),
        }
    }
}

impl From<PlanError> for CliError {
    fn from(error: PlanError) -> CliError {
        match error {
            PlanError::Sandbox(error) => error.into(),
            PlanError::Bot(error) => error.into(),
            other => CliError::input(other),
        }
    }
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> CliError {
        match error {
            RunError::Store(error) => error.into(),
            RunError::Lock(error) => error.into(),
            RunError::Sandbox(error) => error.into(),
            RunError::Busy { .. } | RunError::Openings(_) => CliError::input(error),
            RunError::Match(_) | RunError::Records { .. } => CliError::Host(error.to_string()),
        }
    }
}

impl From<LabError> for CliError {
    fn from(error: LabError) -> CliError {
        match error {
            LabError::Write { .. } | LabError::Folder { .. } => CliError::Host(error.to_string()),
            other => CliError::input(other),
        }
    }
}

impl From<SeatError> for CliError {
    fn from(error: SeatError) -> CliError {
        match error {
            SeatError::Unknown(_) => CliError::input(error),
            SeatError::Bot(error) => error.into(),
        }
    }
}

impl From<table::PlanError> for CliError {
    fn from(error: table::PlanError) -> CliError {
        match error {
            table::PlanError::Sandbox(error) => error.into(),
            table::PlanError::Seat(error) => error.into(),
            other => CliError::input(other),
        }
    }
}

impl From<TableError> for CliError {
    fn from(error: TableError) -> CliError {
        match error {
            TableError::Seat(error) => error.into(),
            TableError::Host(_) => CliError::Host(error.to_string()),
            TableError::Fault { .. } => CliError::Failed(error.to_string()),
        }
    }
}

impl From<CommandError> for CliError {
    fn from(error: CommandError) -> CliError {
        CliError::input(error)
    }
}

impl From<ServerError> for CliError {
    fn from(error: ServerError) -> CliError {
        match error {
            ServerError::NoSuchBoard | ServerError::Setup(_) => CliError::input(error),
            other => CliError::Host(other.to_string()),
        }
    }
}

impl From<ClientError> for CliError {
    fn from(error: ClientError) -> CliError {
        match error {
            ClientError::Bot(_) | ClientError::Start { .. } => CliError::input(error),
            other => CliError::Host(other.to_string()),
        }
    }
}

/// What was refused is the user's mistake; the rest is the host's trouble.
impl From<TournamentError> for CliError {
    fn from(error: TournamentError) -> CliError {
        match error {
            TournamentError::Refused(problem) => CliError::Input(problem),
            TournamentError::Changed(problem) | TournamentError::Busy(problem) => CliError::Failed(problem),
            TournamentError::Store(problem) => CliError::Host(problem),
        }
    }
}

impl From<FindFormatError> for CliError {
    fn from(error: FindFormatError) -> CliError {
        CliError::input(error)
    }
}

impl From<Stopped> for CliError {
    fn from(error: Stopped) -> CliError {
        CliError::Failed(error.to_string())
    }
}

impl From<CreateError> for CliError {
    fn from(error: CreateError) -> CliError {
        match error {
            CreateError::Sandbox(error) => error.into(),
            CreateError::Tournament(error) => error.into(),
            CreateError::Stopped(error) => error.into(),
            CreateError::Host(_) | CreateError::NoRandomNumbers(_) => CliError::Host(error.to_string()),
            other => CliError::input(other),
        }
    }
}

impl From<PlayError> for CliError {
    fn from(error: PlayError) -> CliError {
        match error {
            PlayError::Sandbox(error) => error.into(),
            PlayError::House(error) => error.into(),
            PlayError::Tournament(error) => error.into(),
            PlayError::Busy { .. } => CliError::Failed(error.to_string()),
            PlayError::OtherMemory { .. } | PlayError::Setup(_) => CliError::input(error),
        }
    }
}

impl From<ReplaceError> for CliError {
    fn from(error: ReplaceError) -> CliError {
        match error {
            ReplaceError::Sandbox(error) => error.into(),
            ReplaceError::Tournament(error) => error.into(),
            ReplaceError::Stopped(error) => error.into(),
            ReplaceError::CannotPlay { .. } => CliError::Failed(error.to_string()),
            ReplaceError::Host(_) => CliError::Host(error.to_string()),
            other => CliError::input(other),
        }
    }
}

impl From<SubjectError> for CliError {
    fn from(error: SubjectError) -> CliError {
        CliError::input(error)
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
