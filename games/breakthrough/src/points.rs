//! Points.

use agon_rules::{BySide, Ending};

/// Win 1, loss 0; there are no draws. A fault is a loss.
pub(crate) fn points(ending: Ending) -> BySide<f64> {
    let winner = match ending {
        Ending::Over(outcome) => outcome.winner,
        Ending::Fault(offender) => Some(offender.other()),
    };
    BySide::from_fn(|side| f64::from(u8::from(winner == Some(side))))
}
