//! What a position is worth, for the search.

use agon_rules::{Outcome, Position};
use agon_search::Searchable;

use crate::{
    Cell, ConnectXPosition,
    grid::{BOARDS, DIRECTIONS, GRID, bits, makes_four},
};

/// A local board with a cell that wins for its owner: the opponent may not send him there.
const HOT_BOARD: i32 = 40;
/// Each such cell.
const WINNING_CELL: i32 = 8;
/// More than anything on the board.
const FOUR: i32 = 10_000;

/// The empty cells that would complete a four.
fn winning_cells(stones: &u128, empty: &u128) -> u128 {
    let mut cells = 0;
    for step in DIRECTIONS {
        let pairs = stones & (stones >> step);
        let threes = pairs & (stones >> (2 * step));
        let gap_third = pairs & (stones >> (3 * step));
        let gap_second = stones & (stones >> (2 * step)) & (stones >> (3 * step));
        cells |= threes << (3 * step) | threes >> step | gap_third << (2 * step) | gap_second << step;
    }
    cells & empty & GRID
}

fn worth(cells: &u128) -> i32 {
    let hot = BOARDS.iter().filter(|&board| cells & board != 0).count() as i32;
    hot * HOT_BOARD + cells.count_ones() as i32 * WINNING_CELL
}

impl Searchable for ConnectXPosition {
    const USUAL_TURNS: u32 = 22;

    fn evaluate(&self) -> i32 {
        let empty = self.empty();
        let cells = self.stones.map(|stones| winning_cells(&stones, &empty));
        let (us, them) = (self.turn.index(), self.turn.other().index());
        worth(&cells[us]) - worth(&cells[them])
    }

    fn code(cell: Cell) -> u16 {
        cell.bit() as u16 + 1
    }

    fn gain(&self, cell: Cell) -> i32 {
        let stones = self.stones[self.turn.index()] | 1 << cell.bit();
        if makes_four(&stones, cell.bit()) { FOUR } else { 0 }
    }

    fn noisy(&self, moves: &mut Vec<Cell>) {
        let empty = self.empty();
        let wins = winning_cells(&self.stones[self.turn.index()], &empty) & BOARDS[self.active_board()];
        if wins != 0 {
            moves.push(Cell::from_bit(wins.trailing_zeros() as usize));
        }
    }

    /// At most one move does not send the opponent to a board where it wins at once.
    fn threatened(&self) -> bool {
        let empty = self.empty();
        let wins = winning_cells(&self.stones[self.turn.other().index()], &empty);
        if wins == 0 {
            return false;
        }
        let here = empty & BOARDS[self.active_board()];
        let safe = |&bit: &usize| {
            let left = empty & !(1 << bit);
            wins & left & BOARDS[usize::from(Self::board_after(&left, Cell::from_bit(bit).target()))] == 0
        };
        bits(here).filter(safe).take(2).count() < 2
    }

    fn pass(&self) -> Option<Self> {
        Some(self.passed())
    }

    fn over(&self, scratch: &mut Vec<Cell>) -> Option<Outcome> {
        if self.winner.is_none() && self.empty() != 0 { None } else { self.generate(scratch) }
    }
}
