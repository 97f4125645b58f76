//! What a match is worth to each side.

use agon_rules::{BySide, Ending, Outcome, Side};

use crate::{Kind, RollerballPosition};

/// What both sides get for a draw, besides their margins.
const DRAW: f64 = 40.0;

/// Victory score plus margin. A fault counts as a loss.
pub(crate) fn points(position: &RollerballPosition, ending: Ending, made: BySide<u32>) -> BySide<f64> {
    let winner = match ending {
        Ending::Over(Outcome { winner, .. }) => winner,
        Ending::Fault(side) => Some(side.other()),
    };
    let victory = |side: Side| match winner {
        None => DRAW,
        Some(winner) if winner == side => 100.0 - penalty(made[winner]),
        Some(winner) => penalty(made[winner]),
    };
    BySide::from_fn(|side| victory(side) + f64::from(margin(position, side)))
}

/// What a win loses, and the loser gets, when the winner needed `n` moves.
fn penalty(n: u32) -> f64 {
    5.0 * f64::from(n / 20) + f64::from(n.min(10))
}

/// The worth of the men that a side has left.
pub(crate) fn margin(position: &RollerballPosition, side: Side) -> u32 {
    let worth = |kind: Kind| match kind {
        Kind::Bishop => 5,
        Kind::Rook | Kind::Knight => 3,
        Kind::Pawn => 1,
        Kind::King => 0,
    };
    Kind::ALL.into_iter().map(|kind| worth(kind) * position.men(side, kind).count_ones()).sum()
}
