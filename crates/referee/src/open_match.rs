//! A match in which people play too: turns can be taken back, and it can be put away unfinished and gone on with later.

use std::time::{Duration, SystemTime};

use agon_rules::{AnyPosition, BySide, Side, TurnError};
use agon_wire::{Ask, Bot, BotFailure, Budget, Fault, HostError, Reply};

use crate::{MatchSpec, Played, Record, Termination, Trial, TurnMade, judge::Table};

/// A match in progress that somebody else drives, turn by turn.
#[derive(Clone)]
pub struct OpenMatch {
    spec: MatchSpec,
    timed: BySide<bool>,
    table: Table,
    movers: Vec<Side>,
    started: SystemTime,
}

impl OpenMatch {
    /// Sets up a match and plays `turns`, which were made on an earlier day. `timed` says for whom the clock runs; it always
    /// does for bots.
    pub fn new(spec: MatchSpec, timed: BySide<bool>, turns: Vec<TurnMade>) -> Result<OpenMatch, HostError> {
        let table = Table::set_up(&spec)?;
        let mut open = OpenMatch { spec, timed, table, movers: Vec::new(), started: SystemTime::now() };
        for turn in turns {
            let again = |e| HostError(format!("cannot play turn {} again: {e}", agon_rules::quote(&turn.text)));
            // A turn whose clock did not run then is not charged now, whoever goes on in its place.
            let charged = turn.left.is_some();
            open.play(turn.clone(), charged).map_err(again)?;
        }
        Ok(open)
    }

    /// What is played.
    pub fn spec(&self) -> &MatchSpec {
        &self.spec
    }

    /// The position.
    pub fn position(&self) -> &dyn AnyPosition {
        &*self.table.position
    }

    /// Every turn from the beginning.
    pub fn turns(&self) -> &[TurnMade] {
        &self.table.made
    }

    /// Who made each turn.
    pub fn movers(&self) -> &[Side] {
        &self.movers
    }

    /// How the match ended, if the rules say so.
    pub fn over(&self) -> Option<Termination> {
        let limit = || (self.table.made.len() >= self.spec.most_turns).then_some(Termination::BrokenOff);
        self.table.position.outcome().map(Termination::Over).or_else(limit)
    }

    /// What a side has for its next turn; `None` is no limit.
    pub fn allowed(&self, side: Side) -> Option<Duration> {
        self.table.clocks.allowed(side).filter(|_| self.timed[side])
    }

    /// How long to wait for a side: the grace comes on top of what it has.
    pub fn patience(&self, side: Side) -> Option<Duration> {
        self.table.clocks.patience(side).filter(|_| self.timed[side])
    }

    /// Tells a bot that it is about to play `side`. `Some` is the fault that ends the match.
    pub fn begin(&self, bot: &mut dyn Bot, side: Side) -> Result<Option<Termination>, HostError> {
        match bot.begin(&self.spec.setup, side, self.table.clocks.budget(side)) {
            Ok(()) => Ok(None),
            Err(failure) => self.table.blame(side, failure, None).map(Some),
        }
    }

    /// Asks the bot that is to move for its turn. `Some` is the fault that ends the match. `other` is the opponent, if it is a
    /// bot: it has to show that it can play if this one cannot.
    pub fn ask(&mut self, bot: &mut dyn Bot, other: Option<&mut dyn Bot>) -> Result<Option<Termination>, HostError> {
        let side = self.table.position.turn();
        match self.table.one_turn(side, bot) {
            Ok(()) => {
                self.movers.push(side);
                Ok(None)
            }
            Err(failure) => self.table.blame(side, failure, other).map(Some),
        }
    }

    /// What the side to move is to be asked, for those who ask a bot elsewhere and come back with its answer.
    pub fn question(&self) -> Question {
        let side = self.table.position.turn();
        Question {
            side,
            position: self.table.position.boxed(),
            turns: self.table.turns.clone(),
            budget: self.table.clocks.budget(side),
            patience: self.table.clocks.patience(side),
        }
    }

    /// Judges what a bot answered to [`question`](OpenMatch::question). `Some` is the fault that ends the match, unless the
    /// opponent cannot play either: see [`trial`](OpenMatch::trial).
    pub fn answered(&mut self, answer: Result<Reply, BotFailure>) -> Result<Option<Termination>, HostError> {
        let side = self.table.position.turn();
        match self.table.judge(side, answer) {
            Ok(()) => {
                self.movers.push(side);
                Ok(None)
            }
            Err(failure) => self.table.blame(side, failure, None).map(Some),
        }
    }

    /// What the opponent, if it is a bot, has to show before this ending counts: `None` if it has shown already that it can play.
    pub fn trial(&self, ended: &Termination) -> Option<Trial> {
        match ended {
            Termination::Fault { side, .. } => self.table.trial(side.other()),
            _ => None,
        }
    }

    /// A bot's first turn, to see whether it starts at all: it has `at_least` so long for it, whatever its clock says. If it may
    /// think longer than `at_most`, its silence until then proves nothing.
    pub fn first_turn(&self, side: Side, at_least: Duration, at_most: Duration) -> Option<Trial> {
        Some(self.table.trial(side)?.within(at_least, at_most))
    }

    /// Plays the turn of a person who thought for so long. A refused one changes nothing.
    pub fn play_human(&mut self, text: &str, wall: Duration) -> Result<(), TurnError> {
        self.play(TurnMade { text: text.to_owned(), wall: Some(wall), ..TurnMade::default() }, true)
    }

    fn play(&mut self, mut turn: TurnMade, charged: bool) -> Result<(), TurnError> {
        let table = &mut self.table;
        let side = table.position.turn();
        turn.text = table.position.play(&turn.text)?;
        if let Some(wall) = turn.wall.filter(|_| charged && self.timed[side]) {
            table.clocks.charge(side, wall);
            turn.left = table.clocks.left(side);
        }
        table.turns.push(turn.text.clone());
        table.has_moved[side] = true;
        table.made.push(turn);
        self.movers.push(side);
        Ok(())
    }

    /// The side to move has thought for too long.
    pub fn out_of_time(&self, used: Duration) -> Termination {
        let side = self.table.position.turn();
        let allowed = self.allowed(side).unwrap_or_default().as_secs_f64();
        let evidence = format!("no turn after {:.3} s, allowed were {allowed:.3} s", used.as_secs_f64());
        Termination::Fault { side, fault: Fault::Timeout(evidence) }
    }

    /// Takes back the last turns, with the time that they cost, so that `count` are left.
    pub fn take_back(&mut self, count: usize) -> Result<(), HostError> {
        let turns = self.table.made[..count].to_vec();
        let started = self.started;
        *self = OpenMatch { started, ..OpenMatch::new(self.spec.clone(), self.timed, turns)? };
        Ok(())
    }

    /// Points for both sides if the match ends like this.
    pub fn points(&self, ending: &Termination) -> BySide<f64> {
        ending.points(&*self.table.position)
    }

    /// What each bot wrote to stderr after its last turn; `at_end` is what [`Bot::end`] gave.
    pub fn last_stderr(&self, at_end: BySide<String>) -> BySide<String> {
        self.table.last_stderr(at_end)
    }

    /// Writes the match down. While nothing has ended it, its result is `*`.
    pub fn record(
        &self,
        ended: Option<&Termination>,
        names: &BySide<String>,
        last_stderr: BySide<String>,
        more: &[(&str, String)],
    ) -> Record {
        let termination = ended.cloned().unwrap_or(Termination::BrokenOff);
        let played = Played {
            points: self.points(&termination),
            turns: self.table.made.clone(),
            opening: self.spec.opening.len(),
            position: self.table.position.text(),
            last_stderr,
            conduct: self.table.conduct.clone(),
            started: self.started,
            duration: self.started.elapsed().unwrap_or_default(),
            termination,
        };
        let mut record = Record::of(&self.spec, &played, names, more);
        if ended.is_none() {
            record.leave_open();
        }
        record
    }
}

/// What a bot is asked: see [`OpenMatch::question`].
pub struct Question {
    pub(crate) side: Side,
    pub(crate) position: Box<dyn AnyPosition>,
    pub(crate) turns: Vec<String>,
    pub(crate) budget: Budget,
    pub(crate) patience: Option<Duration>,
}

impl Question {
    /// As bots take it.
    pub fn ask(&self) -> Ask<'_> {
        Ask {
            side: self.side,
            position: &*self.position,
            turns: &self.turns,
            budget: self.budget,
            patience: self.patience,
        }
    }
}
