//! What a position is worth, for the search.

use agon_rules::{Outcome, Position};
use agon_search::{Searchable, Weight};

use crate::{
    Cell, ConnectXPosition,
    grid::{BOARDS, DIRECTIONS, GRID, bits, makes_four},
};

agon_search::weights! {
    hot_board: 40, "a local board with a cell that wins for its owner: the opponent may not send him there";
    winning_cell: 8, "each such cell";
}

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

/// What one side has, whose winning cells these are.
fn holdings(cells: &u128) -> Terms {
    let hot = BOARDS.iter().filter(|&board| cells & board != 0).count();
    Terms { hot_board: hot as i32, winning_cell: cells.count_ones() as i32 }
}

impl ConnectXPosition {
    /// What the side to move has more than the other one.
    fn terms(&self) -> Terms {
        let empty = self.empty();
        let cells = self.stones.map(|stones| winning_cells(&stones, &empty));
        let (us, them) = (self.turn.index(), self.turn.other().index());
        holdings(&cells[us]) - holdings(&cells[them])
    }
}

impl Searchable for ConnectXPosition {
    const USUAL_TURNS: u32 = 22;
    /// Then the board is full.
    const LONGEST_TURNS: u32 = 41;

    fn evaluate(&self) -> i32 {
        self.terms().worth()
    }

    fn weights() -> &'static [Weight] {
        Terms::LIST
    }

    fn features(&self) -> Vec<i32> {
        self.terms().values()
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

    fn over(&self, scratch: &mut Vec<Cell>) -> Option<Outcome> {
        if self.winner.is_none() && self.empty() != 0 { None } else { self.generate(scratch) }
    }
}
