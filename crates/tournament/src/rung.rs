//! The rungs of a tie ladder.

use std::{fmt, str::FromStr};

use agon_referee::{TimeControl, TimeControlError};
use serde::{Deserialize, Serialize};

use crate::words::UnknownWord;

/// What decides between teams, if everything before it does not.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Rung {
    /// The course's points, the average of all matches.
    Points,
    /// Won matches count 1, drawn ones ½; the average.
    Score,
    /// Won battles count 1, drawn ones ½; the average.
    Battles,
    /// The points of the battles between those that are tied.
    HeadToHead,
    /// Own points less the opponents'; the average.
    Margin,
    /// Turns that the won matches took on average, few are better.
    Moves,
    /// The places in every single game, added: the game against a certain opponent on a certain side, ranked by points.
    Combined,
    /// The points of the house bots against the team, few are better.
    House,
    /// The points of the group stage.
    Group,
    /// The score of an earlier phase.
    Earlier,
    /// The better seed.
    Seed,
    /// The rating over all matches of the stage.
    Rating,
    /// Elo, match after match.
    Elo,
    /// Another battle, or a round robin of those that are tied, with another clock.
    Rematch(TimeControl),
    /// What the organiser decides.
    Decision,
    /// A coin, tossed with the secret whose digest is published at the start.
    Coin,
}

/// The rungs without a parameter.
const PLAIN: [(&str, Rung); 15] = [
    ("points", Rung::Points),
    ("score", Rung::Score),
    ("battles", Rung::Battles),
    ("head-to-head", Rung::HeadToHead),
    ("margin", Rung::Margin),
    ("moves", Rung::Moves),
    ("combined", Rung::Combined),
    ("house", Rung::House),
    ("group", Rung::Group),
    ("earlier", Rung::Earlier),
    ("seed", Rung::Seed),
    ("rating", Rung::Rating),
    ("elo", Rung::Elo),
    ("decision", Rung::Decision),
    ("coin", Rung::Coin),
];

impl Rung {
    /// Whether nothing is tied after it.
    pub fn always_decides(self) -> bool {
        matches!(self, Rung::Seed | Rung::Decision | Rung::Coin)
    }
}

/// A text that is no rung.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RungError {
    /// There is no rung of this name.
    #[error(transparent)]
    Unknown(#[from] UnknownWord),
    /// The clock of a rematch cannot be read.
    #[error("rematch: {0}")]
    Clock(TimeControlError),
}

impl FromStr for Rung {
    type Err = RungError;

    fn from_str(text: &str) -> Result<Rung, RungError> {
        if let Some(clock) = text.strip_prefix("rematch ") {
            return clock.trim().parse().map(Rung::Rematch).map_err(RungError::Clock);
        }
        let known = PLAIN.iter().find(|(name, _)| *name == text).map(|(_, rung)| *rung);
        known.ok_or_else(|| {
            let names: Vec<&str> = PLAIN.iter().map(|(name, _)| *name).collect();
            let expected = format!("{}, or 'rematch CLOCK'", names.join(", "));
            RungError::Unknown(UnknownWord { expected, found: text.to_owned() })
        })
    }
}

impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Rung::Rematch(clock) = self {
            return write!(f, "rematch {clock}");
        }
        let name = PLAIN.iter().find(|(_, rung)| rung == self).map_or("", |(name, _)| name);
        f.write_str(name)
    }
}

impl TryFrom<String> for Rung {
    type Error = RungError;

    fn try_from(text: String) -> Result<Rung, RungError> {
        text.parse()
    }
}

impl From<Rung> for String {
    fn from(rung: Rung) -> String {
        rung.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip() {
        for (name, rung) in PLAIN {
            assert_eq!(name.parse(), Ok(rung));
            assert_eq!(rung.to_string(), name);
        }
        assert_eq!("rematch 60".parse::<Rung>().unwrap().to_string(), "rematch 60");
        assert!("rematch soon".parse::<Rung>().unwrap_err().to_string().contains("time control"));
        assert!("luck".parse::<Rung>().unwrap_err().to_string().contains("expected one of points"));
    }
}
