//! Where the side to move may play, and whether the game is over.

use agon_rules::{Outcome, Reason};

use crate::FULL_BOARD;
use crate::{
    Cell, ConnectXPosition,
    grid::{BOARDS, bits},
};

/// Appends the empty cells of the active board, row by row; or says how the game ended.
pub(crate) fn generate(position: &ConnectXPosition, moves: &mut Vec<Cell>) -> Option<Outcome> {
    if let Some(winner) = position.winner {
        return Some(Outcome::win(winner, Reason::GOAL));
    }
    let cells = position.empty() & BOARDS[position.active_board()];
    if cells == 0 {
        // The active board has space unless no board has.
        return Some(Outcome::draw(FULL_BOARD));
    }
    moves.extend(bits(cells).map(Cell::from_bit));
    None
}

/// The number of cells that [`generate`] lists.
#[inline]
pub(crate) fn count(position: &ConnectXPosition) -> u64 {
    if position.winner.is_some() {
        return 0;
    }
    u64::from((position.empty() & BOARDS[position.active_board()]).count_ones())
}
