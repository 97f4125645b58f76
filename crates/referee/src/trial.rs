//! Whether both bots can play.
//!
//! A bot that is gone or silent before it has said anything has not started. Then its opponent wins only if it has started itself: it
//! is begun too, and if it has made no turn either, it is asked for one. One from which nothing comes loses as well. The turn that it
//! gives is part of nothing, and need not be legal: whoever says something has started, and what it says is judged in its own matches.

use std::time::Duration;

use agon_rules::{BySide, Random, Side};
use agon_wire::{Ask, Bot, BotFailure, Fault, GameSetup, HostError};

use crate::{
    Termination,
    judge::{Table, explain_timeout, late},
};

/// How long a bot is asked for, where it has no clock. Then silence proves nothing.
const PATIENCE: Duration = Duration::from_secs(10);

impl Table {
    /// Begins both bots: the fault of one does not spare the other. `Some` is how that ended the match.
    pub(crate) fn begin(
        &mut self,
        setup: &GameSetup,
        bots: &mut BySide<&mut dyn Bot>,
    ) -> Result<Option<Termination>, HostError> {
        let mut begun = |side: Side| match bots[side].begin(setup, side, self.clocks.budget(side)) {
            Ok(()) => Ok(None),
            Err(BotFailure::Fault(fault)) => Ok(Some(fault)),
            Err(BotFailure::Host(error)) => Err(error),
        };
        let (first, second) = (begun(Side::First)?, begun(Side::Second)?);
        match (first, second) {
            (None, None) => Ok(None),
            (Some(first), Some(second)) => Ok(Some(Termination::DoubleFault(BySide::new(first, second)))),
            (Some(fault), None) => self.blame(Side::First, fault.into(), Some(bots.second)).map(Some),
            (None, Some(fault)) => self.blame(Side::Second, fault.into(), Some(bots.first)).map(Some),
        }
    }

    /// Says who is to blame for a failure of `side`. `other` is the opponent, if it is a bot that was begun.
    pub(crate) fn blame(
        &self,
        side: Side,
        failure: BotFailure,
        other: Option<&mut dyn Bot>,
    ) -> Result<Termination, HostError> {
        let fault = match failure {
            BotFailure::Fault(fault) => fault,
            BotFailure::Host(error) => return Err(error),
        };
        let nobody_moved = !self.has_moved.first && !self.has_moved.second;
        let other = other.filter(|bot| nobody_moved && is_silence(&fault) && !bot.is_house());
        let found = other.map_or(Ok(None), |bot| self.trial(side.other(), bot))?;
        Ok(match (side, found) {
            (side, None) => Termination::Fault { side, fault },
            (Side::First, Some(found)) => Termination::DoubleFault(BySide::new(fault, found)),
            (Side::Second, Some(found)) => Termination::DoubleFault(BySide::new(found, fault)),
        })
    }

    /// Asks a bot for its first turn. If the opponent is to move, any turn stands in for the one that did not come.
    fn trial(&self, side: Side, bot: &mut dyn Bot) -> Result<Option<Fault>, HostError> {
        let (mut position, mut turns) = (self.position.boxed(), self.turns.clone());
        if position.turn() != side {
            let turn = position.random_turn(&mut Random::new(0));
            let Some(text) = turn.and_then(|turn| position.play(&turn).ok()) else { return Ok(None) };
            turns.push(text);
        }
        if position.turn() != side || position.outcome().is_some() {
            return Ok(None);
        }
        let patience = self.clocks.patience(side);
        let ask = Ask {
            side,
            position: &*position,
            turns: &turns,
            budget: self.clocks.budget(side),
            patience: Some(patience.unwrap_or(PATIENCE)),
        };
        let allowed = self.clocks.allowed(side).unwrap_or_default();
        match bot.awake_turn(&ask, false).map_err(|failure| explain_timeout(failure, allowed)) {
            Err(BotFailure::Host(error)) => Err(error),
            Err(BotFailure::Fault(Fault::Timeout(_))) if patience.is_none() => Ok(None),
            Err(BotFailure::Fault(fault)) => Ok(Some(fault).filter(is_silence)),
            Ok(reply) if patience.is_some_and(|patience| reply.wall > patience) => {
                Ok(Some(Fault::Timeout(late(reply.wall, reply.stalled, allowed))))
            }
            Ok(_) => Ok(None),
        }
    }
}

/// Whether a bot that failed like this has said nothing.
fn is_silence(fault: &Fault) -> bool {
    match fault {
        Fault::WouldNotStart(_)
        | Fault::Timeout(_)
        | Fault::Crash(_)
        | Fault::SilentExit(_)
        | Fault::ClosedOutput(_)
        | Fault::OutOfMemory(_) => true,
        Fault::IllegalTurn { .. } | Fault::OutputFlood(_) | Fault::ProtocolViolation(_) | Fault::OverLimit(_) => false,
    }
}
