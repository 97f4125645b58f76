//! How a match was decided.

use std::{fmt, str::FromStr};

use crate::{Outcome, Side};

/// What came of a match. That nobody won is two things: a draw, and a match that both sides lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// This side won, the other one lost.
    Won(Side),
    /// Nobody won and nobody lost.
    Drawn,
    /// Nobody won, because neither side could play: a loss for both.
    BothLost,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Verdict; 4] =
        [Verdict::Won(Side::First), Verdict::Won(Side::Second), Verdict::Drawn, Verdict::BothLost];

    /// As chess programs write it: `1-0`, `0-1`, `1/2-1/2`, and `0-0` for a loss of both.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Won(Side::First) => "1-0",
            Verdict::Won(Side::Second) => "0-1",
            Verdict::Drawn => "1/2-1/2",
            Verdict::BothLost => "0-0",
        }
    }

    /// All of them, as a sentence names them.
    pub fn every_name() -> String {
        let [first, second, drawn, lost] = Verdict::ALL.map(Verdict::name);
        format!("{first}, {second}, {drawn} or {lost}")
    }

    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Verdict::Won(side) => Some(side),
            Verdict::Drawn | Verdict::BothLost => None,
        }
    }

    /// Whether `side` lost.
    pub fn lost_by(self, side: Side) -> bool {
        match self {
            Verdict::Won(winner) => winner != side,
            Verdict::Drawn => false,
            Verdict::BothLost => true,
        }
    }
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Verdict {
        outcome.winner.map_or(Verdict::Drawn, Verdict::Won)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that is no verdict.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {}, found {}", Verdict::every_name(), crate::quote(.0))]
pub struct NoVerdict(String);

impl FromStr for Verdict {
    type Err = NoVerdict;

    fn from_str(text: &str) -> Result<Verdict, NoVerdict> {
        let found = Verdict::ALL.into_iter().find(|verdict| verdict.name() == text);
        found.ok_or_else(|| NoVerdict(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_is_read_as_it_is_written() {
        for verdict in Verdict::ALL {
            assert_eq!(verdict.name().parse(), Ok(verdict));
            let losers = Side::BOTH.into_iter().filter(|side| verdict.lost_by(*side)).count();
            let expected = match verdict {
                Verdict::Won(_) => 1,
                Verdict::Drawn => 0,
                Verdict::BothLost => 2,
            };
            assert_eq!(losers, expected, "{verdict}");
        }
        assert_eq!("*".parse::<Verdict>().unwrap_err().to_string(), "expected 1-0, 0-1, 1/2-1/2 or 0-0, found '*'");
    }
}
