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

/// Why a game is over. A bot's fault is no reason of the game's: see [`Ending::Fault`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The object of the game was reached.
    Goal,
    /// The king is attacked and cannot be saved.
    Checkmate,
    /// The side to move has no legal turn.
    Stalemate,
    /// The side to move has no men left that could move.
    Annihilation,
    /// The same position came up a third time after moves of the same side.
    Stagnant,
    /// The same position came up a third time.
    Threefold,
    /// The same position stood at three sampled moments in a row.
    Repetition,
    /// Both sides made all the moves that the rules allow.
    MoveLimit,
    /// No empty place is left.
    FullBoard,
    /// Both clocks ran out.
    BothClocks,
}

impl Reason {
    /// The word for programs and records.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Goal => "win",
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::Annihilation => "annihilation",
            Reason::Stagnant => "stagnant",
            Reason::Threefold => "threefold",
            Reason::Repetition => "repetition",
            Reason::MoveLimit => "move limit",
            Reason::FullBoard => "full board",
            Reason::BothClocks => "both clocks",
        }
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
