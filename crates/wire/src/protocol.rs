//! Ways to speak to bots.

use std::fmt;

use crate::{bot::Bot, program::Program, ugi::UgiBot};

/// A way to speak to bots. Every game has [`UGI`]; the others are registered by the games whose original programs spoke them.
pub struct Protocol {
    /// The word for records, manifests and command lines.
    pub name: &'static str,
    /// Whether it is one that the original programs spoke: the rules are then those of the original server.
    pub is_original: bool,
    /// Whether a bot can be put before any position. The others know only games from the start.
    pub knows_positions: bool,
    /// Whether a bot is told how long it has for a turn, where each turn has its time. The others hear nothing of it, or are stopped.
    pub tells_turn_time: bool,
    /// Whether a bot can play with so much time for each turn. The others are told a total at the beginning, and nothing after.
    pub knows_turn_limits: bool,
    /// Whether a bot may think until it is told to stop, so that it always takes all of its time.
    pub stops_thinking: bool,
    /// Makes a bot that speaks it.
    pub bot: fn(Program) -> Box<dyn Bot>,
    /// What is said of it to the authors of bots.
    pub advice: Advice,
}

/// What a bot must do in a protocol, in words for whoever wrote one that fails.
pub struct Advice {
    /// What it is sent, and how much of that it must read.
    pub input: &'static str,
    /// What a bot that does not answer may be waiting for: a question.
    pub waiting: &'static str,
    /// Until when it must go on, for a bot that has ended too early.
    pub until: &'static str,
    /// Where its turns are taken from.
    pub output: Output,
    /// What other output is to those who read it.
    pub chatter: &'static str,
    /// At what its process should end, if that is its own affair.
    pub ends: Option<&'static str>,
    /// What it must say before a game begins; how to flush it follows.
    pub greeting: Option<&'static str>,
    /// A text that is sent for want of a turn, and what to say of it.
    pub no_turn: Option<(&'static str, &'static str)>,
}

/// Where the turns of a bot are taken from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// From its stdout; the sentence says which lines.
    Stdout(&'static str),
    /// From what it returns to a driver of ours, which has its stdin and stdout.
    Driver,
    /// From a connection.
    Connection,
}

/// Our own protocol, for every game.
pub static UGI: Protocol = Protocol {
    name: "ugi",
    is_original: false,
    knows_positions: true,
    tells_turn_time: true,
    knows_turn_limits: true,
    stops_thinking: false,
    bot: |program| Box::new(UgiBot::new(program)),
    advice: Advice {
        input: "Read a line, do what it says, and read the next; after every `go` line answer with `bestmove`.",
        waiting: "Does it wait for more input? After every `go` line it must answer with a `bestmove` line.",
        until: "A bot must read and answer until `quit` comes. Is the loop around reading and answering missing, or left too \
                early?",
        output: Output::Stdout("whatever follows `bestmove` is taken as a turn."),
        chatter: "UGI ignores lines that it does not know, other referees may not.",
        ends: Some("at `quit`"),
        greeting: Some(
            "In UGI, a bot answers `ugi` with `ugiok` and `isready` with `readyok`, each in a line of its own and flushed",
        ),
        no_turn: None,
    },
};

impl Advice {
    /// Until when most bots must go on.
    pub const UNTIL_INPUT_ENDS: &str = "A bot must read and answer until its input ends. Is the loop around reading and answering missing, or left too early?";
    /// What unexpected output is where nobody knows.
    pub const PERHAPS_AN_ANSWER: &str = "Other referees may take it for an answer.";
    /// For bots that are asked in another way than through their stdin.
    pub const NOTHING_ON_STDIN: &str = "Do not read from stdin (input()): nothing is ever sent there. Everything that the bot may know comes with the question.";
    /// What a bot may be waiting for that needs no input.
    pub const WAITING_ELSEWHERE: &str = "Does it wait for something else, a lock or a socket, say?";
}

impl PartialEq for Protocol {
    fn eq(&self, other: &Protocol) -> bool {
        self.name == other.name
    }
}

impl Eq for Protocol {}

impl fmt::Debug for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
