//! What an organiser can do to a tournament; everything goes to its log.

use std::io::Write;

use agon_tournament::Event;
use clap::Args;

use super::{Database, lock, problem};
use crate::error::CliError;

/// The tournament, and why.
#[derive(Args)]
struct Act {
    /// Why; kept in the log and published
    #[arg(long, value_name = "TEXT", default_value = "")]
    reason: String,
    #[command(flatten)]
    database: Database,
}

fn done(text: &str) -> Result<(), CliError> {
    Ok(writeln!(std::io::stdout(), "{text}")?)
}

/// Begin no further matches; those in progress end
#[derive(Args)]
pub(crate) struct Pause {
    /// The name of the tournament
    name: String,
    #[command(flatten)]
    act: Act,
}

impl Pause {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut held = self.act.database.open(&self.name)?;
        if held.interventions().paused {
            return Err(CliError::Input(format!("'{}' is paused already", self.name)));
        }
        held.add(Event::Paused { reason: self.act.reason.clone() }).map_err(problem)?;
        done(&format!(
            "'{}' pauses when the matches in progress are over; go on with `agon tournament resume {}`.",
            self.name, self.name
        ))
    }
}

/// Take a team out: what it has not played is forfeited
#[derive(Args)]
pub(crate) struct Withdraw {
    /// The name of the tournament
    name: String,
    /// The team
    team: String,
    #[command(flatten)]
    act: Act,
}

impl Withdraw {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut held = self.act.database.open(&self.name)?;
        held.take_out(&self.team, &self.act.reason, false).map_err(problem)?;
        done(&format!("'{}' is out: what it has not played is forfeited.", self.team))
    }
}

/// Take a team out for a reason, without marks
#[derive(Args)]
pub(crate) struct Disqualify {
    /// The name of the tournament
    name: String,
    /// The team
    team: String,
    #[command(flatten)]
    act: Act,
}

impl Disqualify {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut held = self.act.database.open(&self.name)?;
        held.take_out(&self.team, &self.act.reason, true).map_err(problem)?;
        done(&format!("'{}' is disqualified: what it has not played is forfeited, and it gets no marks.", self.team))
    }
}

/// Declare a match void, so that it is played again
#[derive(Args)]
pub(crate) struct Replay {
    /// The name of the tournament
    name: String,
    /// The match, as results and records name it: 1.2.r16.b3.1
    #[arg(value_name = "MATCH")]
    played: String,
    #[command(flatten)]
    act: Act,
}

impl Replay {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut held = self.act.database.open(&self.name)?;
        let lock = lock::take(&self.act.database.path()?, &self.name)?;
        if lock.is_none() && !held.interventions().paused {
            let problem = "matches are being played; pause the tournament first, so that nothing is paired meanwhile";
            return Err(CliError::Failed(problem.to_owned()));
        }
        let id = match self.played.starts_with(&format!("{}/", self.name)) {
            true => self.played.clone(),
            false => format!("{}/{}", self.name, self.played),
        };
        held.declare_void(&id, &self.act.reason).map_err(problem)?;
        done(&format!("match {} is void and will be played again.", self.played))
    }
}

/// Decide a tie that the format leaves to the organiser
#[derive(Args)]
pub(crate) struct Decide {
    /// The name of the tournament
    name: String,
    /// The teams that are tied, the best first
    #[arg(value_name = "TEAM", num_args = 2.., required = true)]
    order: Vec<String>,
    #[command(flatten)]
    act: Act,
}

impl Decide {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut held = self.act.database.open(&self.name)?;
        held.decide(&self.order, &self.act.reason).map_err(problem)?;
        done(&format!("decided: {}.", self.order.join(" before ")))
    }
}
