//! Outcomes and points.

use std::cmp::Ordering;

use agon_rules::{BySide, Ending, Outcome, Reason, RuleSet, Side};

use crate::{ANNIHILATION, STAGNANT};
use crate::{
    board::{Board, Squares},
    position::CannonPosition,
};

/// How the game ends when the side to move has no legal move.
pub(crate) fn stuck<B: Board>(position: &CannonPosition<B>) -> Outcome {
    let reason = if position.soldiers(position.turn).is_empty() { ANNIHILATION } else { Reason::STALEMATE };
    by_halls(position, reason)
}

/// How the game ends by repetition.
pub(crate) fn stagnant<B: Board>(position: &CannonPosition<B>) -> Outcome {
    by_halls(position, STAGNANT)
}

/// The winner of a game that ended although both sides still have enough halls.
fn by_halls<B: Board>(position: &CannonPosition<B>, reason: Reason) -> Outcome {
    let order = match position.rules {
        RuleSet::Text => position.halls(Side::First).len().cmp(&position.halls(Side::Second).len()),
        RuleSet::Server => {
            let score = server_score(position, reason);
            score.first.cmp(&score.second)
        }
    };
    match order {
        Ordering::Greater => Outcome::win(Side::First, reason),
        Ordering::Less => Outcome::win(Side::Second, reason),
        Ordering::Equal => Outcome::draw(reason),
    }
}

/// Points for both sides: the hall score, and a hundredth for each soldier left.
pub(crate) fn points<B: Board>(position: &CannonPosition<B>, ending: Ending) -> BySide<f64> {
    let score = match ending {
        Ending::Fault(side) => defeat(position, side),
        Ending::Over(Outcome { winner: Some(winner), reason: Reason::GOAL }) => defeat(position, winner.other()),
        Ending::Over(Outcome { reason, .. }) => match position.rules {
            RuleSet::Text => text_score(position),
            RuleSet::Server => server_score(position, reason),
        },
    };
    let total = |side: Side| f64::from(score[side]) + f64::from(position.soldiers(side).len()) / 100.0;
    BySide::from_fn(total)
}

/// The same in both rule sets: the loser counts as having lost two halls, the winner keeps what stands (and has lost one at most).
fn defeat<B: Board>(position: &CannonPosition<B>, loser: Side) -> BySide<i32> {
    let winner_score = if position.halls_lost(loser.other()) == 0 { 10 } else { 8 };
    let mut score = BySide::new(winner_score, 10 - winner_score);
    if loser == Side::First {
        score = score.swapped();
    }
    score
}

/// By how many halls more the second side has lost than the first: -1, 0 or 1, because two would be a defeat.
fn margin<B: Board>(position: &CannonPosition<B>) -> i32 {
    let lost = |side| position.halls_lost(side).min(1) as i32;
    lost(Side::Second) - lost(Side::First)
}

/// The table of the text: (0,1) 7, equal 5, (1,0) 3.
fn text_score<B: Board>(position: &CannonPosition<B>) -> BySide<i32> {
    let first = 5 + 2 * margin(position);
    BySide::new(first, 10 - first)
}

/// The table of the server: as the text's, and the side that is not stuck gets 1 more, 3 if the other has no soldiers.
fn server_score<B: Board>(position: &CannonPosition<B>, reason: Reason) -> BySide<i32> {
    let bonus = match reason {
        Reason::STALEMATE => 1,
        ANNIHILATION => 3,
        _ => 0,
    };
    let first = 5 + 2 * margin(position) + if position.turn == Side::Second { bonus } else { -bonus };
    BySide::new(first, 10 - first)
}
