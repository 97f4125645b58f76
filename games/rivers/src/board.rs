//! The three boards.

use agon_rules::{BySide, Side};

use crate::{
    places::{Place, places},
    set::{Cell, CellSet, Direction},
};

/// Numbers of cells that a table needs: 17 rows of 16.
pub(crate) const CELLS: usize = 17 * 16;

/// A board: its size, its score areas and what follows from them.
pub(crate) struct Board<const W: usize> {
    pub(crate) rows: u16,
    pub(crate) columns: u16,
    /// The first column of both score areas.
    pub(crate) score_column: u16,
    /// Stones that fill a score area.
    pub(crate) goal: u16,
    /// Pieces of each side at the start.
    pub(crate) pieces: u16,
    /// What a stone in the area is worth in points (the text's W).
    pub(crate) weight: f64,
    /// Where each side scores.
    pub(crate) area: BySide<CellSet<W>>,
    /// Where each side's pieces may not go: the other side's area and everything outside the board.
    pub(crate) walls: BySide<CellSet<W>>,
    /// The cells next to each cell.
    pub(crate) neighbours: [CellSet<W>; CELLS],
    /// What each cell is to the pieces of each side.
    pub(crate) places: BySide<[Place; CELLS]>,
}

/// 13 rows of 12.
pub(crate) static SMALL: Board<4> = Board::new(13, 12, 4, 10.0);
/// 15 rows of 14; its score areas lie one column left of the middle.
pub(crate) static MEDIUM: Board<4> = Board::new(15, 14, 5, 8.0);
/// 17 rows of 16.
pub(crate) static LARGE: Board<5> = Board::new(17, 16, 6, 6.5);

impl<const W: usize> Board<W> {
    const fn new(rows: u16, columns: u16, goal: u16, weight: f64) -> Board<W> {
        let score_column = (columns - goal) / 2;
        let first_area = rectangle(score_column, 2, goal, 1);
        let second_area = rectangle(score_column, rows - 3, goal, 1);
        Board {
            rows,
            columns,
            score_column,
            goal,
            pieces: columns / 2 * 2,
            weight,
            area: BySide::new(first_area, second_area),
            walls: BySide::new(walls(rows, columns, second_area), walls(rows, columns, first_area)),
            neighbours: neighbours(rows, columns),
            places: BySide::new(
                places(score_column, goal, [2, rows - 3], -1),
                places(score_column, goal, [rows - 3, 2], 1),
            ),
        }
    }

    /// The row in which `side` scores.
    pub(crate) fn score_row(&self, side: Side) -> u16 {
        match side {
            Side::First => 2,
            Side::Second => self.rows - 3,
        }
    }

    /// Where the stones of `side` stand at the start.
    pub(crate) fn start(&self, side: Side) -> CellSet<W> {
        let width = self.columns / 2;
        let top = match side {
            Side::First => self.rows - 5,
            Side::Second => 3,
        };
        rectangle((self.columns - width) / 2, top, width, 2)
    }

    /// Whether the left half of the board mirrors the right half.
    pub(crate) fn is_mirrored(&self) -> bool {
        2 * self.score_column + self.goal == self.columns
    }

    /// The cell at these coordinates, if they are on the board.
    pub(crate) fn cell(&self, column: i64, row: i64) -> Option<Cell> {
        let on_board = (0..i64::from(self.columns)).contains(&column) && (0..i64::from(self.rows)).contains(&row);
        on_board.then(|| Cell::new(column as u16, row as u16))
    }

    /// The cell as far behind `over` as `from` is before it.
    pub(crate) fn behind(&self, from: Cell, over: Cell) -> Option<Cell> {
        let beyond = |from: u16, over: u16| 2 * i64::from(over) - i64::from(from);
        self.cell(beyond(from.column(), over.column()), beyond(from.row(), over.row()))
    }
}

const fn rectangle<const W: usize>(left: u16, top: u16, width: u16, height: u16) -> CellSet<W> {
    let mut cells = CellSet::EMPTY;
    let mut row = top;
    while row < top + height {
        let mut column = left;
        while column < left + width {
            cells.insert(Cell::new(column, row));
            column += 1;
        }
        row += 1;
    }
    cells
}

/// Everything that is no cell of the board, and `forbidden`.
const fn walls<const W: usize>(rows: u16, columns: u16, forbidden: CellSet<W>) -> CellSet<W> {
    let mut walls = CellSet::EMPTY;
    let mut row = 0;
    while row < W as u16 * 4 {
        let mut column = 0;
        while column < 16 {
            let cell = Cell::new(column, row);
            if row >= rows || column >= columns || forbidden.contains(cell) {
                walls.insert(cell);
            }
            column += 1;
        }
        row += 1;
    }
    walls
}

const fn neighbours<const W: usize>(rows: u16, columns: u16) -> [CellSet<W>; CELLS] {
    let mut table = [CellSet::EMPTY; CELLS];
    let mut row = 0;
    while row < rows {
        let mut column = 0;
        while column < columns {
            let near = &mut table[Cell::new(column, row).index()];
            if row > 0 {
                near.insert(Cell::new(column, row - 1));
            }
            if row + 1 < rows {
                near.insert(Cell::new(column, row + 1));
            }
            if column > 0 {
                near.insert(Cell::new(column - 1, row));
            }
            if column + 1 < columns {
                near.insert(Cell::new(column + 1, row));
            }
            column += 1;
        }
        row += 1;
    }
    table
}

/// The cells that have one of `cells` next to them.
#[inline]
pub(crate) fn beside<const W: usize>(cells: CellSet<W>) -> CellSet<W> {
    let [up, down, left, right] = Direction::ALL.map(|direction| cells.shifted(direction));
    up | down | left | right
}
