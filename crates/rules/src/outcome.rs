//! How a game ends.

use std::fmt;

use crate::Side;

/// The result of a finished game and the rule that ended it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
    /// The rule that ended the game.
    pub reason: Reason,
}

impl Outcome {
    /// `side` wins by `reason`.
    pub const fn win(side: Side, reason: Reason) -> Outcome {
        Outcome { winner: Some(side), reason }
    }

    /// Nobody wins, by `reason`.
    pub const fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason }
    }
}

/// Why a game is over: a word, and what kind of end it is. A game has constants of its own; those that several share are here. A
/// bot's fault is no reason of the game's: see [`Ending::Fault`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Reason(&'static ReasonInfo);

/// What there is to say of a [`Reason`]. Searches hand reasons around: they get no larger than this is far away.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct ReasonInfo {
    /// The word for programs and records.
    pub name: &'static str,
    /// What kind of end it is.
    pub kind: EndKind,
}

/// What kind of end it is, for those who know nothing of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EndKind {
    /// Somebody reached the object of the game.
    Win,
    /// The side to move cannot move. Who wins then is the game's affair.
    Stalemate,
    /// Play leads nowhere: positions come back, or the board is full.
    Rule,
    /// Both sides made all the moves that the rules allow.
    Limit,
    /// Nobody reached the end in time.
    Fault,
}

impl Reason {
    /// The object of the game was reached.
    pub const GOAL: Reason = Reason(&ReasonInfo { name: "win", kind: EndKind::Win });
    /// The side to move has no legal turn.
    pub const STALEMATE: Reason = Reason(&ReasonInfo { name: "stalemate", kind: EndKind::Stalemate });
    /// Both sides made all the moves that the rules allow.
    pub const MOVE_LIMIT: Reason = Reason(&ReasonInfo { name: "move limit", kind: EndKind::Limit });
    /// Both clocks ran out.
    pub const BOTH_CLOCKS: Reason = Reason(&ReasonInfo { name: "both clocks", kind: EndKind::Fault });

    /// A reason of a game's own.
    pub const fn new(end: &'static ReasonInfo) -> Reason {
        Reason(end)
    }

    /// The word for programs and records.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// What kind of end it is.
    pub const fn kind(self) -> EndKind {
        self.0.kind
    }
}

impl fmt::Debug for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a match ended, as far as points are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// By the rules of the game.
    Over(Outcome),
    /// This side failed: time, an illegal turn, a crash.
    Fault(Side),
}
