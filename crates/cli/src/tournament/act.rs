//! What an organiser can do to a tournament; everything goes to its log.

use std::io::Write;

use agon_rules::{inert, quote};
use agon_tournament::{Reinstated, StoredTournament};
use clap::Args;

use super::{Database, screen::prepare_on_screen};
use crate::{contain::Contain, error::CliError, interrupt};

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
    Ok(writeln!(std::io::stdout(), "{}", inert(text))?)
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
        self.act.database.open(&self.name)?.pause(&self.act.reason)?;
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
        self.act.database.open(&self.name)?.take_out(&self.team, &self.act.reason, false)?;
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
        self.act.database.open(&self.name)?.take_out(&self.team, &self.act.reason, true)?;
        done(&format!("'{}' is disqualified: what it has not played is forfeited, and it gets no marks.", self.team))
    }
}

/// Bring a team back that was taken out: what it forfeited is played, unless later matches were paired by it
#[derive(Args)]
pub(crate) struct Reinstate {
    /// The name of the tournament
    name: String,
    /// The team
    team: String,
    #[command(flatten)]
    act: Act,
    #[command(flatten)]
    contain: Contain,
}

impl Reinstate {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut held = self.act.database.open(&self.name)?;
        let Reinstated { stands, plays, over } = held.reinstate(&self.team, &self.act.reason)?;
        let what = match (over, plays) {
            (true, _) => "the tournament is over, and nothing is left to play",
            (false, true) => "what it forfeited will be played",
            (false, false) => "it has no match to play now",
        };
        let stays = match stands {
            0 => String::new(),
            1 => "1 forfeited match stays so, because later ones were paired by it; ".to_owned(),
            n => format!("{n} forfeited matches stay so, because later ones were paired by them; "),
        };
        done(&format!("'{}' is back: {stays}{what}.", self.team))?;
        if over { Ok(()) } else { self.try_bot(&held) }
    }

    /// Whoever comes back with a bot that does not start should know it now.
    fn try_bot(&self, held: &StoredTournament) -> Result<(), CliError> {
        let (sandbox, stop) = (self.contain.options(), interrupt::listen());
        let why = held.trouble_of_bot(&self.team, &sandbox, stop, &mut prepare_on_screen)?;
        let Some(why) = why else { return Ok(()) };
        let (why, name) = (inert(why.lines().next().unwrap_or_default()), &held.name);
        let team = quote(&self.team);
        Ok(writeln!(
            std::io::stderr(),
            "agon: the bot of {team} cannot play: {why}; give it another one with `agon tournament replace {name} {team} BOT`"
        )?)
    }
}

/// Let a team play with another bot, from its next match on
#[derive(Args)]
pub(crate) struct Replace {
    /// The name of the tournament
    name: String,
    /// The team
    team: String,
    /// The new bot: a folder, an archive, a manifest, a house bot, a command
    bot: String,
    #[command(flatten)]
    act: Act,
    #[command(flatten)]
    contain: Contain,
}

impl Replace {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut held = self.act.database.open(&self.name)?;
        let (sandbox, stop) = (self.contain.options(), interrupt::listen());
        let number =
            held.replace_bot(&self.team, &self.bot, &self.act.reason, &sandbox, stop, &mut prepare_on_screen)?;
        done(&format!("'{}' plays with version {number} of its bot from its next match on.", self.team))
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
        held.replay(&self.act.database.place(), &self.played, &self.act.reason)?;
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
        held.decide(&self.order, &self.act.reason)?;
        done(&format!("decided: {}.", self.order.join(" before ")))
    }
}
