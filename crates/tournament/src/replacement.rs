//! Another bot for a team, tried before anything is changed.

use std::{path::Path, sync::atomic::AtomicBool};

use agon_rules::{SetupError, quote};
use agon_runs::{Contestant, SandboxError, SandboxOptions, workshop};
use agon_wire::HostError;

use crate::{
    create::{ClockError, Listener, Stopped, fits, try_out},
    plan::Version,
    stored::{StoredTournament, TournamentError},
    teams::{BotError, Entered, located, prepare},
};

/// The bot of a team was not tried, or is no replacement.
#[derive(Debug, thiserror::Error)]
pub enum ReplaceError {
    /// There is no such bot.
    #[error(transparent)]
    Bot(#[from] BotError),
    /// It cannot be told its time.
    #[error(transparent)]
    Clock(#[from] ClockError),
    /// It cannot be built or does not start, so nothing was changed.
    #[error("nothing is changed: the new bot of {} cannot play: {why}", quote(.team))]
    CannotPlay {
        /// The team.
        team: String,
        /// Why.
        why: String,
    },
    /// This agon does not know the game.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The bot cannot be contained as somebody wants it.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// It was stopped before it was done.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The host failed to build the bot.
    #[error("{}", .0.0)]
    Host(HostError),
    /// The tournament or its database does not allow it.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
}

impl StoredTournament {
    /// Lets a team play with another bot from its next match on, if that can be built and gives a first turn. The bot is named as in
    /// a list of teams. Gives the number of the bot: the one that the team entered is 1.
    ///
    /// # Errors
    /// If there is no such team or bot, it cannot play, or the team plays with it already.
    pub fn replace_bot(
        &mut self,
        team: &str,
        bot: &str,
        reason: &str,
        sandbox: &SandboxOptions,
        stop: &AtomicBool,
        tell: &mut Listener,
    ) -> Result<usize, ReplaceError> {
        let index = self.team(team)?;
        let game = agon_all::find(&self.plan.format.game)?;
        let bot = located(bot, Path::new(""))?;
        let name = self.plan.teams[index].name.clone();
        let entered = Entered { name, bot: bot.clone(), ..Entered::default() };
        let containment = sandbox.containment()?;
        let (built, contestant) = prepare(&entered, game, &workshop(&containment)).map_err(ReplaceError::Host)?;
        fits(&contestant, &self.plan.format)?;
        let contestants = std::slice::from_ref(&contestant);
        let tried = try_out(&self.plan.format, game, contestants, &containment, stop, tell)?.pop().flatten();
        if let Some(why) = built.broken.or(tried) {
            return Err(ReplaceError::CannotPlay { team: team.to_owned(), why });
        }
        let version = Version { bot: Some(bot), hash: built.hash, language: built.language };
        self.replace(team, version, reason)?;
        Ok(self.interventions().version(index))
    }

    /// Why the bot that a team plays with now cannot play, if it cannot.
    ///
    /// # Errors
    /// If there is no such team, or its bot cannot be tried.
    pub fn trouble_of_bot(
        &self,
        team: &str,
        sandbox: &SandboxOptions,
        stop: &AtomicBool,
        tell: &mut Listener,
    ) -> Result<Option<String>, ReplaceError> {
        let index = self.team(team)?;
        let game = agon_all::find(&self.plan.format.game)?;
        let containment = sandbox.containment()?;
        match self.contestant(index, game, &workshop(&containment)) {
            Ok(Contestant { bot: Err(why), .. }) => Ok(Some(why)),
            Ok(contestant) => {
                Ok(try_out(&self.plan.format, game, &[contestant], &containment, stop, tell)?.pop().flatten())
            }
            Err(error) => Ok(Some(error.to_string())),
        }
    }
}
