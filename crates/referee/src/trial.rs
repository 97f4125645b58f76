//! Whether both bots can play.
//!
//! Nobody wins only because the opponent failed: a bot that has made no turn of its own by then is begun too, and asked for one. One
//! from which nothing comes loses as well. The turn that it gives is part of nothing, and need not be legal: whoever says something
//! that could be a turn has started, and what it says is judged in its own matches.

use std::time::Duration;

use agon_rules::{AnyPosition, BySide, Random, Side};
use agon_wire::{Bot, BotFailure, Budget, Fault, GameSetup, HostError, Reply};

use crate::{
    Termination,
    judge::{Table, explain_timeout, late},
    open_match::Question,
};

/// How long a bot is asked for, where it has no clock. Then silence proves nothing.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many legal turns are looked at to see what a turn looks like.
const MOST_EXAMPLES: usize = 2000;

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
        let found = match (self.trial(side.other()), other) {
            (Some(trial), Some(bot)) => trial.hold(bot)?,
            _ => None,
        };
        Ok(Termination::Fault { side, fault }.with_fault_of_other(found))
    }

    /// What a bot on `side` is asked before it may win by its opponent's fault: nothing if it has made a turn.
    pub(crate) fn trial(&self, side: Side) -> Option<Trial> {
        if self.has_moved[side] {
            return None;
        }
        let (mut position, mut turns) = (self.position.boxed(), self.turns.clone());
        // If the opponent is to move, any turn stands in for the one that did not come.
        if position.turn() != side {
            let turn = position.random_turn(&mut Random::new(0))?;
            turns.push(position.play(&turn).ok()?);
        }
        if position.turn() != side || position.outcome().is_some() {
            return None;
        }
        let patience = self.clocks.patience(side);
        let budget = self.clocks.budget(side);
        let question = Question { side, position, turns, budget, patience: Some(patience.unwrap_or(PATIENCE)) };
        Some(Trial { question, limit: patience, allowed: self.clocks.allowed(side).unwrap_or_default() })
    }
}

impl Termination {
    /// The same ending if the opponent of the one that failed cannot play either.
    pub fn with_fault_of_other(self, found: Option<Fault>) -> Termination {
        match (self, found) {
            (Termination::Fault { side: Side::First, fault }, Some(found)) => {
                Termination::DoubleFault(BySide::new(fault, found))
            }
            (Termination::Fault { side: Side::Second, fault }, Some(found)) => {
                Termination::DoubleFault(BySide::new(found, fault))
            }
            (ended, _) => ended,
        }
    }
}

/// A bot's first turn, asked for only to see whether one comes.
pub struct Trial {
    question: Question,
    /// When silence is a fault; without a clock it proves nothing.
    limit: Option<Duration>,
    /// What the bot has by its clock.
    allowed: Duration,
}

impl Trial {
    /// Whose trial it is.
    pub fn side(&self) -> Side {
        self.question.side
    }

    /// What the bot has at the beginning of the game.
    pub fn budget(&self) -> Budget {
        self.question.budget
    }

    /// The same with so much patience.
    pub(crate) fn within(self, at_least: Duration, at_most: Duration) -> Trial {
        let wanted = self.limit.map(|limit| limit.max(at_least));
        let patience = wanted.unwrap_or(at_most).min(at_most);
        let question = Question { patience: Some(patience), ..self.question };
        Trial { question, limit: wanted.filter(|wanted| *wanted <= at_most), allowed: patience }
    }

    /// Asks a bot that was begun. `Some` is why it cannot play.
    ///
    /// # Errors
    /// If this host failed.
    pub fn hold(&self, bot: &mut dyn Bot) -> Result<Option<Fault>, HostError> {
        // A bot that is part of this program can always play.
        if bot.is_house() {
            return Ok(None);
        }
        let ask = self.question.ask();
        match bot.awake_turn(&ask, false).map_err(|failure| explain_timeout(failure, self.allowed)) {
            Err(BotFailure::Host(error)) => Err(error),
            Err(BotFailure::Fault(Fault::Timeout(_))) if self.limit.is_none() => Ok(None),
            Err(BotFailure::Fault(Fault::IllegalTurn { turn, .. })) => Ok(self.failure_instead_of(&turn, bot)),
            Err(BotFailure::Fault(Fault::ProtocolViolation(_))) => Ok(bot.failure()),
            Err(BotFailure::Fault(fault)) => Ok(Some(fault)),
            Ok(reply) => Ok(self.too_late(&reply).or_else(|| self.failure_instead_of(&reply.turn, bot))),
        }
    }

    fn too_late(&self, reply: &Reply) -> Option<Fault> {
        let is_late = self.limit.is_some_and(|limit| reply.wall > limit);
        is_late.then(|| Fault::Timeout(late(reply.wall, reply.stalled, self.allowed)))
    }

    /// Last words of a program that failed are no turn, and no sign that it has started.
    fn failure_instead_of(&self, answer: &str, bot: &mut dyn Bot) -> Option<Fault> {
        if looks_like_a_turn(answer, &*self.question.position) { None } else { bot.failure() }
    }
}

/// Whether a text has the words of a turn: as many as one that is legal here, and digits in the same ones. A turn need not be legal
/// to be one, and each game's reader refuses what is no turn and what is not allowed with the same kind of error.
fn looks_like_a_turn(text: &str, position: &dyn AnyPosition) -> bool {
    let shape = |text: &str| -> Vec<bool> {
        text.split_whitespace().map(|word| word.contains(|letter: char| letter.is_ascii_digit())).collect()
    };
    let found = shape(text);
    let legal = position.legal_turns(MOST_EXAMPLES).unwrap_or_default();
    let spelled = legal.iter().flat_map(|turn| &turn.spellings).any(|turn| shape(turn) == found);
    spelled || position.boxed().play(text).is_ok()
}
