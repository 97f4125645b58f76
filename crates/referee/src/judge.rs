//! The match loop.

use std::{
    fmt,
    time::{Duration, Instant, SystemTime},
};

use agon_rules::{AnyPosition, BySide, Ending, Outcome, Reason, Side, Verdict};
use agon_wire::{Ask, Bot, BotFailure, Fault, GameSetup, HostError, Info, Reply};

use crate::{
    Language, TimeControl,
    cores::{Conduct, CoreRule, breach},
    time::Clocks,
};

/// What is to be played.
#[derive(Clone, Debug)]
pub struct MatchSpec {
    /// Game, variant, rule set and beginning.
    pub setup: GameSetup,
    /// How long the bots may think.
    pub time: TimeControl,
    /// How much later than that an answer may come.
    pub grace: Duration,
    /// What the bots are written in; some clocks depend on it.
    pub languages: BySide<Language>,
    /// Turns that are played before the bots are asked.
    pub opening: Vec<String>,
    /// The match is broken off as a draw after so many turns: some rule sets know no end.
    pub most_turns: usize,
    /// What happens to a bot that uses more than one core, or its opponent's time.
    pub cores: CoreRule,
}

/// How a match ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Termination {
    /// By the rules of the game.
    Over(Outcome),
    /// By a bot's fault; the opponent wins.
    Fault {
        /// Who failed.
        side: Side,
        /// How, with the evidence.
        fault: Fault,
    },
    /// Neither bot has started: each was gone or silent before it had made a turn. Both lose.
    DoubleFault(BySide<Fault>),
    /// This side gave up; it counts like a fault.
    Resigned(Side),
    /// Broken off as a draw: it had gone on for too many turns.
    BrokenOff,
}

impl Termination {
    /// The word for programs and records.
    pub fn name(&self) -> &'static str {
        match self {
            Termination::Over(outcome) => outcome.reason.name(),
            Termination::Fault { fault, .. } => fault.name(),
            Termination::DoubleFault(_) => DOUBLE_FAULT,
            Termination::Resigned(_) => "resignation",
            Termination::BrokenOff => "broken off",
        }
    }

    /// What was seen, where somebody is to blame.
    pub fn evidence(&self) -> Option<String> {
        match self {
            Termination::Fault { fault, .. } => Some(fault.evidence()),
            Termination::DoubleFault(faults) => Some(both_faults(faults)),
            Termination::Over(_) | Termination::Resigned(_) | Termination::BrokenOff => None,
        }
    }

    /// Who won, or that nobody did.
    pub fn verdict(&self) -> Verdict {
        match self {
            Termination::Over(outcome) => (*outcome).into(),
            Termination::Fault { side, .. } | Termination::Resigned(side) => Verdict::Won(side.other()),
            Termination::DoubleFault(_) => Verdict::BothLost,
            Termination::BrokenOff => Verdict::Drawn,
        }
    }

    /// Points for both sides if the match ends like this in `position`.
    pub fn points(&self, position: &dyn AnyPosition) -> BySide<f64> {
        match self {
            Termination::Over(outcome) => position.points(Ending::Over(*outcome)),
            Termination::Fault { side, .. } | Termination::Resigned(side) => position.points(Ending::Fault(*side)),
            Termination::DoubleFault(_) => position.points_of_two_losers(),
            Termination::BrokenOff => position.points(Ending::Over(Outcome::draw(Reason::MOVE_LIMIT))),
        }
    }
}

/// The name of a termination that both bots are to blame for.
pub const DOUBLE_FAULT: &str = "double fault";

fn both_faults(faults: &BySide<Fault>) -> String {
    let each = Side::BOTH.map(|side| format!("side {}: {}", side.number(), faults[side]));
    each.join("; ")
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Termination::Fault { side, fault } => write!(f, "side {}: {fault}", side.number()),
            Termination::DoubleFault(faults) => write!(f, "{DOUBLE_FAULT}: {}", both_faults(faults)),
            Termination::Resigned(side) => write!(f, "side {}: {}", side.number(), self.name()),
            Termination::Over(_) | Termination::BrokenOff => f.write_str(self.name()),
        }
    }
}

/// A turn that was played, and what it cost.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TurnMade {
    /// The turn as the game prints it.
    pub text: String,
    /// Thinking time by the referee's clock; `None` for the opening.
    pub wall: Option<Duration>,
    /// How long the machine stood still meanwhile; that is not counted in `wall`.
    pub stalled: Option<Duration>,
    /// Processor time.
    pub cpu: Option<Duration>,
    /// How much longer than the bot says it took.
    pub latency: Option<Duration>,
    /// Processor time that it used on its opponent's time before this turn.
    pub idle: Option<Duration>,
    /// What was left on a total clock afterwards.
    pub left: Option<Duration>,
    /// What the bot wrote to stderr.
    pub stderr: String,
    /// The last evaluation that it reported.
    pub info: Option<String>,
}

impl TurnMade {
    /// What the bot thought of the position, from the point of view of whoever made the turn; `None` if it reported no score and no depth.
    pub fn belief(&self) -> Option<Info> {
        let info = Info::read(self.info.as_deref()?);
        (info.score.is_some() || info.depth.is_some()).then_some(info)
    }

    /// The chance of the first side by what the bot reported; `mover` made the turn.
    pub fn first_chance(&self, mover: Side) -> Option<f64> {
        let own = self.belief()?.score?.chance();
        Some(if mover == Side::First { own } else { 1.0 - own })
    }
}

/// A finished match.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Every turn from the beginning.
    pub turns: Vec<TurnMade>,
    /// How many of them were the opening.
    pub opening: usize,
    /// How it ended.
    pub termination: Termination,
    /// The points by the rule set's formula.
    pub points: BySide<f64>,
    /// The position at the end.
    pub position: String,
    /// What each bot wrote to stderr after its last turn.
    pub last_stderr: BySide<String>,
    /// How each bot behaved, as far as the rule about cores has it counted.
    pub conduct: BySide<Conduct>,
    /// When it began.
    pub started: SystemTime,
    /// How long it took.
    pub duration: Duration,
}

/// Somebody who looks on while a match is played.
pub trait Watch {
    /// The game is set up, or a turn was made.
    fn position(&mut self, position: &dyn AnyPosition, turns: &[TurnMade]);

    /// Whether to stop now; the match is then void.
    fn stop(&self) -> bool {
        false
    }
}

/// Nobody looks on.
pub struct NoWatch;

impl Watch for NoWatch {
    fn position(&mut self, _position: &dyn AnyPosition, _turns: &[TurnMade]) {}
}

/// Plays a match to its end. An error means that nobody is to blame and the match does not count.
pub fn play_match(
    spec: &MatchSpec,
    first: &mut dyn Bot,
    second: &mut dyn Bot,
    watch: &mut dyn Watch,
) -> Result<Played, HostError> {
    let mut table = Table::set_up(spec)?;
    let begun = (Instant::now(), SystemTime::now());
    watch.position(&*table.position, &table.made);
    let mut bots: BySide<&mut dyn Bot> = BySide { first, second };
    let ended = table.play(spec, &mut bots, watch);
    let last_stderr = table.last_stderr(BySide::from_fn(|side| bots[side].end()));
    let termination = ended?;
    Ok(Played {
        points: termination.points(&*table.position),
        position: table.position.text(),
        opening: spec.opening.len(),
        turns: table.made,
        conduct: table.conduct,
        termination,
        last_stderr,
        started: begun.1,
        duration: begun.0.elapsed(),
    })
}

/// A match in progress.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) position: Box<dyn AnyPosition>,
    pub(crate) clocks: Clocks,
    /// The texts of `made`, as bots are told them.
    pub(crate) turns: Vec<String>,
    pub(crate) made: Vec<TurnMade>,
    /// Which bots have made a turn.
    pub(crate) has_moved: BySide<bool>,
    /// What came on stderr with an answer that did not count.
    refused_stderr: BySide<String>,
    cores: CoreRule,
    pub(crate) conduct: BySide<Conduct>,
}

impl Table {
    pub(crate) fn set_up(spec: &MatchSpec) -> Result<Table, HostError> {
        let setup = &spec.setup;
        let wrong = |problem: &dyn fmt::Display| HostError(format!("cannot set up the match: {problem}"));
        let mut position = setup.game.open(&setup.variant, setup.rules).map_err(|e| wrong(&e))?;
        if let Some(text) = &setup.position {
            position.set_up(text).map_err(|e| wrong(&e))?;
        }
        let (mut turns, mut made) = (Vec::new(), Vec::new());
        for turn in &spec.opening {
            // Bots and records get it as the game prints it, whoever wrote it in another way.
            let text = position.play(turn);
            let text = text.map_err(|e| wrong(&format!("opening turn {}: {e}", agon_rules::quote(turn))))?;
            turns.push(text.clone());
            made.push(TurnMade { text, ..TurnMade::default() });
        }
        let clocks = Clocks::new(spec.time, spec.languages, spec.grace);
        Ok(Table {
            position,
            clocks,
            turns,
            made,
            has_moved: BySide::default(),
            refused_stderr: BySide::default(),
            cores: spec.cores,
            conduct: BySide::default(),
        })
    }

    fn play(
        &mut self,
        spec: &MatchSpec,
        bots: &mut BySide<&mut dyn Bot>,
        watch: &mut dyn Watch,
    ) -> Result<Termination, HostError> {
        if let Some(ended) = self.begin(&spec.setup, bots)? {
            return Ok(ended);
        }
        loop {
            if let Some(outcome) = self.position.outcome() {
                return Ok(Termination::Over(outcome));
            }
            if self.made.len() >= spec.most_turns {
                return Ok(Termination::BrokenOff);
            }
            if watch.stop() {
                return Err(HostError("the match was stopped".to_owned()));
            }
            let side = self.position.turn();
            match self.one_turn(side, bots[side]) {
                Ok(()) => watch.position(&*self.position, &self.made),
                Err(failure) => return self.blame(side, failure, Some(bots[side.other()])),
            }
        }
    }

    /// What each bot wrote after its last turn that counted; `at_end` is what was left when it ended.
    pub(crate) fn last_stderr(&self, at_end: BySide<String>) -> BySide<String> {
        BySide::from_fn(|side| format!("{}{}", self.refused_stderr[side], at_end[side]))
    }

    pub(crate) fn one_turn(&mut self, side: Side, bot: &mut dyn Bot) -> Result<(), BotFailure> {
        let ask = Ask {
            side,
            position: &*self.position,
            turns: &self.turns,
            budget: self.clocks.budget(side),
            patience: self.clocks.patience(side),
        };
        let answer = bot.awake_turn(&ask, self.cores != CoreRule::Allow);
        self.judge(side, answer)
    }

    pub(crate) fn judge(&mut self, side: Side, answer: Result<Reply, BotFailure>) -> Result<(), BotFailure> {
        let allowed = self.clocks.allowed(side).unwrap_or_default();
        let reply = answer.map_err(|failure| explain_timeout(failure, allowed))?;
        if !self.clocks.charge(side, reply.wall) {
            self.refused_stderr[side] = reply.stderr;
            return Err(Fault::Timeout(late(reply.wall, reply.stalled, allowed)).into());
        }
        if let Err(fault) = self.watch_cores(side, &reply) {
            self.refused_stderr[side] = reply.stderr;
            return Err(fault.into());
        }
        let text = match self.position.play(&reply.turn) {
            Ok(text) => text,
            Err(error) => {
                self.refused_stderr[side] = reply.stderr;
                return Err(Fault::IllegalTurn { turn: reply.turn, rule: error.to_string() }.into());
            }
        };
        self.turns.push(text.clone());
        self.has_moved[side] = true;
        self.made.push(TurnMade {
            text,
            wall: Some(reply.wall),
            stalled: Some(reply.stalled).filter(|stalled| !stalled.is_zero()),
            cpu: reply.cpu,
            latency: reply.latency,
            idle: reply.idle.map(|idle| idle.cpu).filter(|cpu| !cpu.is_zero()),
            left: self.clocks.left(side),
            stderr: reply.stderr,
            info: reply.info,
        });
        Ok(())
    }
}

impl Table {
    /// Keeps the rule about cores.
    fn watch_cores(&mut self, side: Side, reply: &Reply) -> Result<(), Fault> {
        if self.cores == CoreRule::Allow {
            return Ok(());
        }
        let breach = breach(reply);
        self.conduct[side].note(self.made.len() + 1, reply, breach.as_ref());
        match breach {
            Some(breach) if self.cores == CoreRule::Forfeit => Err(Fault::OverLimit(breach)),
            _ => Ok(()),
        }
    }
}

pub(crate) fn late(used: Duration, stalled: Duration, allowed: Duration) -> String {
    let mut text = format!("answered after {:.3} s, allowed were {:.3} s", used.as_secs_f64(), allowed.as_secs_f64());
    if !stalled.is_zero() {
        text += &format!(" ({:.3} s in which the machine stood still are not counted)", stalled.as_secs_f64());
    }
    text
}

pub(crate) fn explain_timeout(failure: BotFailure, allowed: Duration) -> BotFailure {
    match failure {
        BotFailure::Fault(Fault::Timeout(what)) => {
            Fault::Timeout(format!("{what}: allowed were {:.3} s", allowed.as_secs_f64())).into()
        }
        other => other,
    }
}
