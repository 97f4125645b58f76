//! What the bots of a match are asked.

use std::sync::PoisonError;

use agon_referee::{Termination, Trial};
use agon_rules::Side;
use agon_wire::{Ask, Bot, BotFailure, Budget, Fault, GameSetup, HostError, Reply};

use super::LiveMatch;
use crate::{
    seat::{self, Seat},
    state::State,
};

impl LiveMatch {
    /// Asks a bot, which is begun before its first turn.
    pub(super) fn answer_of(
        &self,
        spec: &str,
        seed: u64,
        setup: &GameSetup,
        ask: &Ask<'_>,
    ) -> Result<Reply, BotFailure> {
        let mut bots = self.bots.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = &mut bots[ask.side];
        if let Some(bot) = slot {
            return bot.awake_turn(ask, false);
        }
        let bot = slot.insert(self.begun(spec, seed, setup, ask.side, ask.budget)?);
        bot.awake_turn(ask, false)
    }

    /// A bot that has heard what is played.
    fn begun(
        &self,
        spec: &str,
        seed: u64,
        setup: &GameSetup,
        side: Side,
        budget: Budget,
    ) -> Result<Box<dyn Bot>, BotFailure> {
        let bot = seat::bot(spec, self.game, seed, &self.containment);
        let mut bot = bot.map_err(|error| Fault::WouldNotStart(error.to_string()))?;
        bot.begin(setup, side, budget)?;
        Ok(bot)
    }

    /// Whether the opponent of a bot that failed can play. `Some` is why not.
    pub(super) fn try_out(
        &self,
        spec: &str,
        seed: u64,
        setup: &GameSetup,
        trial: &Trial,
    ) -> Result<Option<Fault>, HostError> {
        let mut bots = self.bots.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = &mut bots[trial.side()];
        let bot = match slot {
            Some(bot) => bot,
            None => match self.begun(spec, seed, setup, trial.side(), trial.budget()) {
                Ok(bot) => slot.insert(bot),
                Err(BotFailure::Fault(fault)) => return Ok(Some(fault)),
                Err(BotFailure::Host(error)) => return Err(error),
            },
        };
        trial.hold(&mut **bot)
    }
}

impl State {
    /// What the opponent of the one that failed has to show before it wins, and which bot it is; people can always play.
    pub(super) fn trial_of_other(&self, ended: &Termination) -> Option<(Termination, Trial, String)> {
        let trial = self.open.trial(ended)?;
        match &self.setting.seats[trial.side().index()] {
            Seat::Bot { spec, .. } => Some((ended.clone(), trial, spec.clone())),
            Seat::Person { .. } => None,
        }
    }
}
