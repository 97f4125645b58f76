//! The bots of a match: asked for turns, and ended.

use std::sync::{PoisonError, TryLockError, atomic::Ordering};

use agon_referee::{Termination, Trial};
use agon_rules::{BySide, Side};
use agon_wire::{Ask, Bot, BotFailure, Budget, Fault, GameSetup, HostError, Reply};

use super::{LiveMatch, Save};
use crate::{
    seat::{self, Seat},
    state::State,
};

fn end_all(bots: &mut BySide<Option<Box<dyn Bot>>>) {
    for side in Side::BOTH {
        if let Some(mut bot) = bots[side].take() {
            bot.end();
        }
    }
}

impl LiveMatch {
    /// Lets bots move until a person is to move, the match is over, or a turn cannot be stored. `announce` is called after every turn.
    pub(crate) fn drive(&self, save: Save, announce: &dyn Fn(&LiveMatch)) {
        while self.awaits_bot() {
            if self.driven.swap(true, Ordering::AcqRel) {
                return;
            }
            let changed = self.ask_bot(save);
            self.driven.store(false, Ordering::Release);
            if changed {
                announce(self);
            } else {
                return;
            }
        }
    }

    /// Asks the bot that is to move; says whether the match changed.
    fn ask_bot(&self, save: Save) -> bool {
        let (question, revision, spec, setup, seed) = {
            let state = self.state();
            let side = state.open.position().turn();
            let Seat::Bot { spec, .. } = &state.setting.seats[side.index()] else { return false };
            let seed = state.setting.seed.wrapping_add(state.open.turns().len() as u64);
            (state.open.question(), state.revision, spec.clone(), state.open.spec().setup.clone(), seed)
        };
        let answer = self.answer_of(&spec, seed, &setup, &question.ask());
        self.answered(save, revision, answer, seed)
    }

    /// Takes a bot's answer to how the match stood; says whether the match changed.
    fn answered(&self, save: Save, revision: u64, answer: Result<Reply, BotFailure>, seed: u64) -> bool {
        // Somebody may resign or take back a turn meanwhile: then the answer is for a position that is gone.
        let is_gone = |state: &State| state.revision != revision || state.ended.is_some();
        let mut changing = self.begin_change();
        let mut next = self.state().clone();
        if is_gone(&next) {
            return true;
        }
        let Ok(mut ended) = next.open.answered(answer) else { return false };
        if let Some((termination, trial, other)) = ended.as_ref().and_then(|ended| next.trial_of_other(ended)) {
            // It may take as long as a turn: nobody waits for it.
            drop(changing);
            let setup = next.open.spec().setup.clone();
            let Ok(found) = self.try_out(&other, seed, &setup, &trial) else { return false };
            ended = Some(termination.with_fault_of_other(found));
            changing = self.begin_change();
            if is_gone(&self.state()) {
                return true;
            }
        }
        next.ended = ended;
        next.begin_turn();
        let refused = self.commit(save, next).err();
        let changed = refused.is_none();
        if let Some(refused) = refused {
            *self.unsaved() = Some(refused.0);
        }
        drop(changing);
        changed
    }

    /// Ends the bots' programs.
    pub(crate) fn dismiss_bots(&self) {
        end_all(&mut self.bots.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Ends the bots' programs, unless one of them is just being asked: then it is not waiting any more.
    pub(crate) fn dismiss_waiting_bots(&self) {
        let mut bots = match self.bots.try_lock() {
            Ok(bots) => bots,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        end_all(&mut bots);
    }

    /// Asks a bot, which is begun before its first turn.
    fn answer_of(&self, spec: &str, seed: u64, setup: &GameSetup, ask: &Ask<'_>) -> Result<Reply, BotFailure> {
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
    fn try_out(&self, spec: &str, seed: u64, setup: &GameSetup, trial: &Trial) -> Result<Option<Fault>, HostError> {
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
    fn trial_of_other(&self, ended: &Termination) -> Option<(Termination, Trial, String)> {
        let trial = self.open.trial(ended)?;
        match &self.setting.seats[trial.side().index()] {
            Seat::Bot { spec, .. } => Some((ended.clone(), trial, spec.clone())),
            Seat::Person { .. } => None,
        }
    }
}
