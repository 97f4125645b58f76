//! A bot, as the referee sees it.

use std::{fmt, time::Duration};

use agon_rules::{AnyGame, AnyPosition, BySide, Clock, RuleSet, Side};

use crate::process::BotProcess;

/// Which game is played.
#[derive(Clone)]
pub struct GameSetup {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The variant.
    pub variant: String,
    /// The rule set.
    pub rules: RuleSet,
    /// Where the game begins: a position's text, or the start position.
    pub position: Option<String>,
    /// Whether this is the second match of a battle, in which the bots have changed sides. Some originals number the players by
    /// their seats, not by who starts.
    pub swapped: bool,
}

impl fmt::Debug for GameSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.game.name(), self.variant, self.rules)
    }
}

/// How long a bot may think about one turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// Clocks that run on from turn to turn.
    Clocks {
        /// What is left on each.
        left: BySide<Duration>,
        /// What each side gets after every turn that it makes.
        increment: BySide<Duration>,
    },
    /// So long for this turn.
    Turn(Duration),
    /// So many nodes of its search, however long that takes.
    Nodes(u64),
    /// A search so many moves deep, however long that takes.
    Depth(u32),
    /// As long as it likes.
    Unlimited,
}

impl Budget {
    /// Clocks without increments, as the originals know them.
    pub fn clocks(left: BySide<Duration>) -> Budget {
        Budget::Clocks { left, increment: BySide::default() }
    }
}

/// A request for a turn.
pub struct Ask<'a> {
    /// The side that the bot plays.
    pub side: Side,
    /// The position, with its history.
    pub position: &'a dyn AnyPosition,
    /// The turns played since the beginning, by both sides.
    pub turns: &'a [String],
    /// How long it may think, as the bot is told.
    pub budget: Budget,
    /// When the referee stops waiting; `None` is never.
    pub patience: Option<Duration>,
}

/// A turn, and what it cost.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reply {
    /// The turn's text as it was sent.
    pub turn: String,
    /// From asking to the arrival of the answer, by this machine's monotonic clock.
    pub wall: Duration,
    /// How much longer it was because the machine stood still: nobody's fault, and not counted in `wall`.
    pub stalled: Duration,
    /// Processor time that the bot used meanwhile, where it can be measured.
    pub cpu: Option<Duration>,
    /// How much longer than the bot itself says it took the answer to arrive.
    pub latency: Option<Duration>,
    /// What the bot did since its last turn, while it was not asked, if it could do anything.
    pub idle: Option<Idle>,
    /// What it consisted of when it answered, if that was asked for and can be seen.
    pub tasks: Option<Tasks>,
    /// Output that the protocol has no use for, where a bot may write such.
    pub stray: Vec<String>,
    /// What it wrote to stderr since the last turn, cut if it was much.
    pub stderr: String,
    /// The last evaluation it reported, as it was sent.
    pub info: Option<String>,
}

/// A bot that is not asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Idle {
    /// How long it was not asked.
    pub wall: Duration,
    /// Processor time that it used meanwhile.
    pub cpu: Duration,
}

/// What a bot consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tasks {
    /// Processes.
    pub processes: usize,
    /// Threads of all of them together.
    pub threads: usize,
}

/// A bot that can play matches, one after the other.
pub trait Bot: Send {
    /// What it calls itself.
    fn name(&self) -> String;

    /// Prepares for a new game on `side`, with `budget` at its beginning.
    fn begin(&mut self, setup: &GameSetup, side: Side, budget: Budget) -> Result<(), BotFailure>;

    /// Asks for a turn and waits for it.
    fn turn(&mut self, ask: &Ask<'_>) -> Result<Reply, BotFailure>;

    /// Whether it is part of this program: such a bot can play whatever happens.
    fn is_house(&self) -> bool {
        false
    }

    /// The clock that its program was written for, if it shows that and it is not the one that the game usually has. Known once
    /// [`begin`](Bot::begin) has succeeded.
    fn clock(&self) -> Option<Clock> {
        None
    }

    /// The process that it is, if it is one.
    fn process(&mut self) -> Option<&mut BotProcess> {
        None
    }

    /// How its program ended, if it has ended and says that something went wrong: then what it answered was its last words.
    fn failure(&mut self) -> Option<Fault> {
        self.process().and_then(BotProcess::failure)
    }

    /// Wakes the bot, asks for a turn, and lets it rest again: it is not to think on its opponent's time. If asked to, it also
    /// counts what the bot consists of.
    fn awake_turn(&mut self, ask: &Ask<'_>, count: bool) -> Result<Reply, BotFailure> {
        let idle = self.process().and_then(BotProcess::wake);
        let reply = self.turn(ask);
        let mut tasks = None;
        if let Some(process) = self.process() {
            tasks = if count { process.tasks() } else { None };
            process.rest();
        }
        reply.map(|reply| Reply { idle, tasks, ..reply })
    }

    /// The game is over. Nothing of the bot goes on running after this. Gives what was left on stderr.
    fn end(&mut self) -> String {
        String::new()
    }
}

/// Why a bot gave no turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BotFailure {
    /// It is the bot's doing.
    Fault(Fault),
    /// It is this machine's doing: nobody is to blame, and the match is void.
    Host(HostError),
}

impl BotFailure {
    /// A bot that fails before its first turn would not start, whatever it did. `allowed` is what it had for that.
    pub fn before_the_first_turn(self, allowed: Duration) -> BotFailure {
        match self {
            BotFailure::Fault(Fault::Timeout(what)) => {
                Fault::WouldNotStart(format!("{what}: allowed were {:.3} s", allowed.as_secs_f64())).into()
            }
            BotFailure::Fault(fault) => Fault::WouldNotStart(fault.evidence()).into(),
            BotFailure::Host(error) => error.into(),
        }
    }
}

impl From<Fault> for BotFailure {
    fn from(fault: Fault) -> BotFailure {
        BotFailure::Fault(fault)
    }
}

impl From<HostError> for BotFailure {
    fn from(error: HostError) -> BotFailure {
        BotFailure::Host(error)
    }
}

/// This machine could not do its part.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct HostError(pub String);

/// What a bot did wrong, with the evidence. Each kind ends a match in its own way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The program could not be started, or was gone before it was ready.
    WouldNotStart(String),
    /// No answer in time.
    Timeout(String),
    /// A turn that the rules do not allow.
    IllegalTurn {
        /// What was sent.
        turn: String,
        /// The rule that it breaks.
        rule: String,
    },
    /// It was ended by a signal, or by itself with an exit code that says failure.
    Crash(String),
    /// It ended as if all were well, but the game was not over.
    SilentExit(String),
    /// It closed its output and lives on.
    ClosedOutput(String),
    /// More output than anyone could mean.
    OutputFlood(String),
    /// It broke the protocol: answered twice or unasked, or wrote what is no text.
    ProtocolViolation(String),
    /// It used more memory than allowed.
    OutOfMemory(String),
    /// It used more of something else than allowed: disk, files, processes, or the processor while it was not its turn.
    OverLimit(String),
}

impl Fault {
    /// The word for programs and records.
    pub const fn name(&self) -> &'static str {
        match self {
            Fault::WouldNotStart(_) => "would not start",
            Fault::Timeout(_) => "timeout",
            Fault::IllegalTurn { .. } => "illegal turn",
            Fault::Crash(_) => "crash",
            Fault::SilentExit(_) => "silent exit",
            Fault::ClosedOutput(_) => "closed output",
            Fault::OutputFlood(_) => "output flood",
            Fault::ProtocolViolation(_) => "protocol violation",
            Fault::OutOfMemory(_) => "out of memory",
            Fault::OverLimit(_) => "over limit",
        }
    }

    /// What was seen, in a sentence.
    pub fn evidence(&self) -> String {
        match self {
            Fault::IllegalTurn { turn, rule } => format!("{}: {rule}", agon_rules::quote(turn)),
            Fault::WouldNotStart(text)
            | Fault::Timeout(text)
            | Fault::Crash(text)
            | Fault::SilentExit(text)
            | Fault::ClosedOutput(text)
            | Fault::OutputFlood(text)
            | Fault::ProtocolViolation(text)
            | Fault::OutOfMemory(text)
            | Fault::OverLimit(text) => text.clone(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name(), self.evidence())
    }
}
