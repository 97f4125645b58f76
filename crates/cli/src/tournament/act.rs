//! What an organiser can do to a tournament; everything goes to its log.

use std::io::Write;

use agon_rules::{inert, quote};
use agon_runs::{Contestant, lock, workshop};
use agon_tournament::{Entered, Event, StoredTournament, Version, located, prepare};
use clap::Args;

use super::{
    Database,
    create::{fits, try_out},
    problem,
};
use crate::{contain::Contain, error::CliError};

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
        let mut held = self.act.database.open(&self.name)?;
        if held.state().is_over() {
            return Err(CliError::Input(format!("'{}' is over: there is nothing to pause", self.name)));
        }
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
        held.reinstate(&self.team, &self.act.reason).map_err(problem)?;
        let stands = match held.log.last().map(|entry| &entry.event) {
            Some(Event::Reinstated { stands, .. }) => stands.len(),
            _ => 0,
        };
        let state = held.state();
        let plays =
            held.plan.team(&self.team).is_some_and(|team| state.open().any(|battle| battle.players.contains(&team)));
        let what = match (state.is_over(), plays) {
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
        if state.is_over() { Ok(()) } else { self.try_bot(&held) }
    }

    /// Whoever comes back with a bot that does not start should know it now.
    fn try_bot(&self, held: &StoredTournament) -> Result<(), CliError> {
        let index = held.team(&self.team).map_err(problem)?;
        let game = agon_all::find(&held.plan.format.game).map_err(CliError::input)?;
        let containment = self.contain.containment()?;
        let why = match held.contestant(index, game, &workshop(&containment)) {
            Ok(Contestant { bot: Err(why), .. }) => Some(why),
            Ok(contestant) => try_out(&held.plan.format, game, &[contestant], &containment)?.pop().flatten(),
            Err(error) => Some(error.to_string()),
        };
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
        let index = held.team(&self.team).map_err(problem)?;
        let game = agon_all::find(&held.plan.format.game).map_err(CliError::input)?;
        let bot = located(&self.bot, std::path::Path::new("")).map_err(CliError::input)?;
        let named = &held.plan.teams[index];
        let entered = Entered { name: named.name.clone(), bot: bot.clone(), ..Entered::default() };
        let containment = self.contain.containment()?;
        let (built, contestant) =
            prepare(&entered, game, &workshop(&containment)).map_err(|error| CliError::Host(error.0))?;
        fits(&contestant, held.plan.format.parts.iter().map(|part| part.clock))?;
        let tried = try_out(&held.plan.format, game, std::slice::from_ref(&contestant), &containment)?.pop().flatten();
        if let Some(why) = built.broken.or(tried) {
            let team = quote(&self.team);
            return Err(CliError::Failed(format!("nothing is changed: the new bot of {team} cannot play: {why}")));
        }
        let version = Version { bot: Some(bot), hash: built.hash, language: built.language };
        held.replace(&self.team, version, &self.act.reason).map_err(problem)?;
        let number = held.interventions().version(index);
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
        let lock = lock::take(&self.act.database.path()?, &self.name)?;
        if lock.is_err() && !held.interventions().paused {
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
