//! A tournament's format, with everything filled in: what is stored, echoed into records and verified.

use std::{collections::BTreeMap, fmt, str::FromStr};

use agon_referee::{CoreRule, TimeControl};
use agon_rules::{RuleSet, quote};
use agon_runs::as_text;
use serde::{Deserialize, Serialize};

use crate::{rung::Rung, stage::StageKind, words::word_enum};

/// What decides between teams, each rung only if all before it do not.
pub(crate) type TieBreaks = Vec<Rung>;

/// A tournament, or a series of tournaments.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Format {
    /// What people call it.
    pub title: String,
    /// The short name of the game.
    pub game: String,
    /// The rule set.
    #[serde(with = "as_text")]
    pub rules: RuleSet,
    /// Matches of a battle: 1, or an even number with the sides swapped after each.
    pub matches: u32,
    /// A match is broken off as a draw after so many turns.
    pub max_turns: usize,
    /// Milliseconds that an answer may come late.
    pub grace_ms: u64,
    /// What becomes of a bot that uses more than one core or its opponent's time.
    #[serde(with = "as_text")]
    pub cores: CoreRule,
    /// The tournaments of the series, one after another.
    pub parts: Vec<Part>,
    /// The stages of each of them.
    pub stages: Vec<Stage>,
    /// What teams get.
    pub marks: Option<Marks>,
    /// Whether the winner of a part sits out the rest, and with how many marks in all.
    pub winner_leaves: Option<f64>,
    /// What orders the whole at the end, if not how far a team came.
    pub ranking: Option<Rung>,
    /// What becomes of teams that did not start. Formats from before this was asked place them like all others.
    #[serde(default = "NonStarters::placed", skip_serializing_if = "NonStarters::are_placed")]
    pub non_starters: NonStarters,
    /// Constants of sequential Elo.
    pub elo: Elo,
    /// Ratings that house bots are known to have; those of all others are measured from there.
    pub anchors: BTreeMap<String, f64>,
    /// What was changed against the text because of the number of teams, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One tournament of a series.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Part {
    /// What people call it.
    pub name: String,
    /// The board.
    pub variant: String,
    /// How long bots may think.
    #[serde(with = "as_text")]
    pub clock: TimeControl,
}

/// Constants of sequential Elo.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Elo {
    /// Where everybody begins.
    pub start: f64,
    /// How far one match moves a rating.
    pub k: f64,
}

impl Default for Elo {
    fn default() -> Elo {
        Elo { start: 1500.0, k: 32.0 }
    }
}

/// A stage of a tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Stage {
    /// What people call it.
    pub name: String,
    /// How it is played.
    #[serde(flatten)]
    pub kind: StageKind,
    /// What decides, first rung first: the order of a table, or who wins a battle of a knockout.
    pub ties: TieBreaks,
    /// How many go on to the next stage, of each group where there are groups; absent is everybody.
    pub advance: Option<usize>,
}

word_enum! {
    /// What becomes of teams that did not start: that had no turn of their own in any match.
    NonStarters {
        /// They come after everybody who played, go on nowhere, and get no marks.
        Last = "last",
        /// They are placed, go on and get marks like all others.
        Placed = "placed",
    }
}

impl NonStarters {
    fn placed() -> NonStarters {
        NonStarters::Placed
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
    fn are_placed(&self) -> bool {
        *self == NonStarters::Placed
    }
}

/// What teams get.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Marks {
    /// By how far a team came.
    Reached {
        /// Marks for each.
        table: Vec<(Reached, f64)>,
        /// Marks for everybody else.
        otherwise: f64,
    },
    /// By place.
    Places {
        /// Marks of the first, the second and so on.
        table: Vec<f64>,
        /// Marks for everybody else.
        otherwise: f64,
    },
    /// A share of the marks, by the points that were won.
    Share {
        /// All marks.
        of: f64,
        /// The points that bring them.
        full: f64,
        /// Whether the average of the matches counts, rather than the sum.
        average: bool,
    },
    /// Evenly by place: the first has them all, the last one part in as many as there are teams.
    Rank {
        /// All marks.
        of: f64,
    },
}

/// How far a team came.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Reached {
    /// First.
    Winner,
    /// Second.
    RunnerUp,
    /// Third.
    Third,
    /// Fourth.
    Fourth,
    /// Lost a knockout battle when the bracket had so many places left.
    RoundOf(usize),
    /// This place in a table or in a final ranking.
    Place(usize),
    /// This place in its group, and no further.
    Group(usize),
    /// Nothing: it had no turn of its own in any match.
    DidNotStart,
}

impl fmt::Display for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reached::Winner => f.write_str("winner"),
            Reached::RunnerUp => f.write_str("runner-up"),
            Reached::Third => f.write_str("third"),
            Reached::Fourth => f.write_str("fourth"),
            Reached::RoundOf(4) => f.write_str("semi-final"),
            Reached::RoundOf(8) => f.write_str("quarter-final"),
            Reached::RoundOf(places) => write!(f, "round-of-{places}"),
            Reached::Place(place) => write!(f, "place-{place}"),
            Reached::Group(place) => write!(f, "group-{place}"),
            Reached::DidNotStart => f.write_str("did-not-start"),
        }
    }
}

/// A text that names nothing which a team can reach.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "expected winner, runner-up, third, fourth, semi-final, quarter-final, round-of-16 (32, 64 …), place-N or group-N, \
     found {}",
    quote(.0)
)]
pub struct ReachedError(pub String);

impl FromStr for Reached {
    type Err = ReachedError;

    fn from_str(text: &str) -> Result<Reached, ReachedError> {
        let number = |prefix: &str| text.strip_prefix(prefix)?.parse::<usize>().ok().filter(|&number| number > 0);
        let plain = match text {
            "winner" => Some(Reached::Winner),
            "runner-up" => Some(Reached::RunnerUp),
            "third" => Some(Reached::Third),
            "fourth" => Some(Reached::Fourth),
            "semi-final" => Some(Reached::RoundOf(4)),
            "quarter-final" => Some(Reached::RoundOf(8)),
            "did-not-start" => Some(Reached::DidNotStart),
            _ => None,
        };
        let round = || number("round-of-").filter(|places| places.is_power_of_two() && *places >= 2);
        plain
            .or_else(|| round().map(Reached::RoundOf))
            .or_else(|| number("place-").map(Reached::Place))
            .or_else(|| number("group-").map(Reached::Group))
            .ok_or_else(|| ReachedError(text.to_owned()))
    }
}

impl TryFrom<String> for Reached {
    type Error = ReachedError;

    fn try_from(text: String) -> Result<Reached, ReachedError> {
        text.parse()
    }
}

impl From<Reached> for String {
    fn from(reached: Reached) -> String {
        reached.to_string()
    }
}
