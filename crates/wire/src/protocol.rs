//! How bots are spoken to, and what they are written in.

use std::{fmt, str::FromStr};

use agon_rules::quote;
use serde::Deserialize;

/// How a bot is spoken to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// The native one, for every game.
    #[default]
    Ugi,
    /// A first line that says what is played, then turns alternate, a line each.
    Lines,
    /// A process for every turn: the position on stdin, the turn on stdout.
    Oneshot,
    /// The same words, but the process lives for the whole match.
    Persistent,
    /// The bot is a websocket server.
    Websocket,
    /// A Python class that is asked for each turn.
    PythonClass,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 6] = [
        Protocol::Ugi,
        Protocol::Lines,
        Protocol::Oneshot,
        Protocol::Persistent,
        Protocol::Websocket,
        Protocol::PythonClass,
    ];

    /// The word for records, manifests and command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Ugi => "ugi",
            Protocol::Lines => "lines",
            Protocol::Oneshot => "oneshot",
            Protocol::Persistent => "persistent",
            Protocol::Websocket => "websocket",
            Protocol::PythonClass => "python-class",
        }
    }

    /// Whether it is one that the original programs spoke: the rules are then those of the original server.
    pub const fn is_original(self) -> bool {
        !matches!(self, Protocol::Ugi)
    }

    /// Whether a bot can be put before any position. The others know only games from the start.
    pub const fn knows_positions(self) -> bool {
        matches!(self, Protocol::Ugi | Protocol::Oneshot | Protocol::Persistent | Protocol::PythonClass)
    }

    /// Whether a bot is told how long it has for a turn, where each turn has its time. The others hear nothing of it, or are stopped.
    pub const fn tells_turn_time(self) -> bool {
        matches!(self, Protocol::Ugi | Protocol::PythonClass)
    }

    /// Whether a bot can play with so much time for each turn. The others are told a total at the beginning, and nothing after.
    pub const fn knows_turn_limits(self) -> bool {
        !matches!(self, Protocol::Lines)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Protocol {
    type Err = String;

    fn from_str(text: &str) -> Result<Protocol, String> {
        Protocol::ALL.into_iter().find(|protocol| protocol.name() == text).ok_or_else(|| {
            let known: Vec<&str> = Protocol::ALL.iter().map(|protocol| protocol.name()).collect();
            format!("unknown protocol {}, expected one of {}", quote(text), known.join(", "))
        })
    }
}

/// The language of a bot; some clocks depend on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// C or C++.
    #[serde(alias = "c", alias = "c++")]
    Cpp,
    /// Java, or another language of its virtual machine.
    Java,
    /// Python.
    Python,
    /// Rust.
    Rust,
    /// Anything else, counted as compiled.
    #[default]
    Other,
}

impl Language {
    /// The word for records.
    pub const fn name(self) -> &'static str {
        match self {
            Language::Cpp => "cpp",
            Language::Java => "java",
            Language::Python => "python",
            Language::Rust => "rust",
            Language::Other => "other",
        }
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(text: &str) -> Result<Language, String> {
        match text {
            "cpp" | "c" | "c++" => Ok(Language::Cpp),
            "java" => Ok(Language::Java),
            "python" => Ok(Language::Python),
            "rust" => Ok(Language::Rust),
            "other" => Ok(Language::Other),
            _ => {
                let known = "expected 'cpp', 'java', 'python', 'rust' or 'other'";
                Err(format!("unknown language {}, {known}", quote(text)))
            }
        }
    }
}
