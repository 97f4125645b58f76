//! What a game is, before anything is played.

use std::{fmt, str::FromStr, time::Duration};

use crate::{Position, SetupError};

/// A game: its names, its variants and rule sets, and its start positions.
///
/// Implemented on an empty type. Everything else ([`crate::AnyGame`], the command line, the pages) follows from it.
pub trait Game: Send + Sync + 'static {
    /// The short name used everywhere: lower case, no blanks.
    const NAME: &'static str;
    /// The name people read.
    const TITLE: &'static str;
    /// One sentence: what the players try to do.
    const SUMMARY: &'static str;
    /// What the two sides are called, the one that starts first.
    const SIDES: [&'static str; 2];
    /// The accent colour of the game's pages and pictures, as `#rrggbb`.
    const ACCENT: &'static str;
    /// The rule sets, the default one first.
    const RULE_SETS: &'static [RuleSet];
    /// The variants worth listing, the default one first. Others may exist: see [`Game::VARIANT_FORM`].
    const VARIANTS: &'static [&'static str];
    /// What a variant's name looks like, in words.
    const VARIANT_FORM: &'static str;
    /// The pieces as a position's text writes them, with their names, for setting up positions by hand. The first word of such a text
    /// has a letter for each spot of the picture, in the same order; `.` is an empty one, a number so many of them, `/` and `_` are no spots.
    const PIECES: &'static [(char, &'static str)];
    /// The second word of a position's text: whose turn it is.
    const SIDE_WORDS: [&'static str; 2];
    /// What its pages teach: a text in the few constructs of Markdown that they know, with boards.
    const LESSONS: &'static str;

    /// The time control of a match where nobody chose one.
    fn clock(variant: &str) -> Clock;

    /// How much later than the clock says an answer may come, where the source declares it.
    fn grace(variant: &str) -> Duration {
        let _ = variant;
        Duration::ZERO
    }

    /// Makes the start position and hands it to `visitor`, which learns the position's type.
    fn start<V: Visitor>(variant: &str, rules: RuleSet, visitor: V) -> Result<V::Output, SetupError>;
}

/// Code that works for the positions of any game. See [`Game::start`].
pub trait Visitor {
    /// What the visit yields.
    type Output;

    /// Called once, with the start position.
    fn visit<P: Position>(self, start: P) -> Self::Output;
}

/// Which reading of a game's rules is in force.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RuleSet {
    /// The text, read literally; where it is silent, the server's behaviour.
    Text,
    /// The original server's behaviour.
    Server,
}

impl RuleSet {
    /// `text` or `server`.
    pub const fn name(self) -> &'static str {
        match self {
            RuleSet::Text => "text",
            RuleSet::Server => "server",
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RuleSet {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        match text {
            "text" => Ok(RuleSet::Text),
            "server" => Ok(RuleSet::Server),
            _ => Err(SetupError::new(format!("unknown rule set '{text}', expected 'text' or 'server'"))),
        }
    }
}

/// A time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clock {
    /// Thinking time for the whole match.
    Total(Duration),
    /// Thinking time for each turn.
    PerMove(Duration),
    /// Thinking time for each turn, by the language that the bot is written in.
    PerMoveByLanguage {
        /// Compiled languages.
        native: Duration,
        /// Java.
        java: Duration,
        /// Python.
        python: Duration,
    },
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Clock::Total(time) => write!(f, "{} s total", time.as_secs_f64()),
            Clock::PerMove(time) => write!(f, "{} s a move", time.as_secs_f64()),
            Clock::PerMoveByLanguage { native, java, python } => write!(
                f,
                "{} s a move, {} s Java, {} s Python",
                native.as_secs_f64(),
                java.as_secs_f64(),
                python.as_secs_f64()
            ),
        }
    }
}
