//! Where the men of the side to move may go, and whether the game is over.

use agon_rules::{Outcome, Reason, Side};

use crate::{
    BreakthroughPosition, Move, NO_MEN,
    board::{Step, squares},
};

/// How the game has ended, if it has.
///
/// Nothing else can end it: a side that has men has a move. No man of the side stands in the row before its foremost man, which is not in
/// the last row, or the game would be over. So a square diagonally ahead of that man (one at least is on the board) is empty, or an
/// opponent's who can be captured.
#[inline]
pub(crate) fn outcome(position: &BreakthroughPosition) -> Option<Outcome> {
    let arrived = |side: Side| position.men[side.index()] & position.board.goal(side);
    let all_there = position.men[0] != 0 && position.men[1] != 0;
    if all_there && arrived(Side::First) | arrived(Side::Second) == 0 {
        return None;
    }
    // In positions that were set up, several things may be true at once: then the side that moved last has won.
    let sides = [position.turn.other(), position.turn];
    let by_goal = sides.into_iter().find(|&side| arrived(side) != 0).map(|side| Outcome::win(side, Reason::GOAL));
    let without_men = |side: Side| position.men[side.index()] == 0;
    by_goal.or_else(|| sides.into_iter().find(|side| without_men(side.other())).map(|side| Outcome::win(side, NO_MEN)))
}

/// The squares to which the side to move may take this step.
#[inline]
pub(crate) fn targets(position: &BreakthroughPosition, step: Step) -> u64 {
    let (us, them) = (position.turn.index(), position.turn.other().index());
    let allowed = match step {
        Step::Straight => position.empty(),
        Step::Left | Step::Right => position.empty() | position.men[them],
    };
    step.of(position.men[us], position.turn) & allowed
}

/// Appends the moves of this step that end in `within`.
#[inline]
pub(crate) fn push_within(position: &BreakthroughPosition, step: Step, within: u64, moves: &mut Vec<Move>) {
    let side = position.turn;
    moves.extend(squares(targets(position, step) & within).map(|to| Move { from: step.origin(to, side), to }));
}

/// Appends all legal moves; or says how the game ended.
pub(crate) fn generate(position: &BreakthroughPosition, moves: &mut Vec<Move>) -> Option<Outcome> {
    let outcome = outcome(position);
    if outcome.is_none() {
        Step::ALL.into_iter().for_each(|step| push_within(position, step, u64::MAX, moves));
    }
    outcome
}

/// The number of moves that [`generate`] lists.
#[inline]
pub(crate) fn count(position: &BreakthroughPosition) -> u64 {
    if outcome(position).is_some() {
        return 0;
    }
    Step::ALL.into_iter().map(|step| u64::from(targets(position, step).count_ones())).sum()
}
