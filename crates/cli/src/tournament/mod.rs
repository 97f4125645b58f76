//! `agon tournament`: from seeds to marks.

mod act;
mod create;
mod results;
mod screen;
mod simulate;
mod start;
mod verify;

use std::path::PathBuf;

use agon_tournament::StoredTournament;
use clap::{Args, Subcommand};

use crate::error::CliError;

pub(crate) use screen::{Screen, prepare_on_screen};
pub(crate) use verify::Verify;

/// Hold tournaments: groups, knockouts, marks; resumable, and verifiable by anybody
#[derive(Args)]
pub(crate) struct Tournament {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the presets: formats of the courses that the games come from
    Presets(create::Presets),
    /// Set a tournament up: read its format, build the bots of its teams, say how long it will take
    New(create::New),
    /// Play a tournament, or go on with it; a format's file is set up first
    Run(start::Run),
    /// Where a tournament stands; without a name, all of them
    Status(screen::Status),
    /// Begin no further matches; those in progress end
    Pause(act::Pause),
    /// Go on after a pause
    Resume(start::Resume),
    /// Take a team out: what it has not played is forfeited
    Withdraw(act::Withdraw),
    /// Take a team out for a reason, without marks
    Disqualify(act::Disqualify),
    /// Bring a team back that was taken out: what it forfeited is played, unless later matches were paired by it
    Reinstate(act::Reinstate),
    /// Let a team play with another bot, from its next match on
    Replace(act::Replace),
    /// Declare a match void, so that it is played again
    Replay(act::Replay),
    /// Decide a tie that the format leaves to the organiser
    Decide(act::Decide),
    /// Standings, groups, brackets and ratings: as a page, as a table, as a folder that `agon verify` checks
    Results(results::Results),
    /// How much of a tournament is luck: play it many times with results drawn from strengths
    Simulate(Box<simulate::Simulate>),
}

impl Tournament {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match &self.command {
            Command::Presets(command) => command.run(),
            Command::New(command) => command.run(),
            Command::Run(command) => command.run(),
            Command::Status(command) => command.run(),
            Command::Pause(command) => command.run(),
            Command::Resume(command) => command.run(),
            Command::Withdraw(command) => command.run(),
            Command::Disqualify(command) => command.run(),
            Command::Reinstate(command) => command.run(),
            Command::Replace(command) => command.run(),
            Command::Replay(command) => command.run(),
            Command::Decide(command) => command.run(),
            Command::Results(command) => command.run(),
            Command::Simulate(command) => command.run(),
        }
    }
}

/// Where tournaments are kept.
#[derive(Args, Clone)]
pub(crate) struct Database {
    /// The database; that of the web arena, `arena.db` in your data folder, if absent
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
}

impl Database {
    fn place(&self) -> agon_tournament::Database {
        self.db.clone().map_or_else(agon_tournament::Database::usual, agon_tournament::Database::at)
    }

    fn open(&self, name: &str) -> Result<StoredTournament, CliError> {
        Ok(self.place().open(name)?)
    }

    /// To look at it only.
    fn look(&self, name: &str) -> Result<StoredTournament, CliError> {
        Ok(self.place().look(name)?)
    }
}

/// As many as there are cores, if nobody says otherwise.
pub(crate) fn slots(concurrency: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    concurrency.map_or_else(cores, usize::from)
}
