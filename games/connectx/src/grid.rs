//! The 9x9 grid, its local boards and its lines.

/// Cells in a row, and rows.
pub(crate) const SIZE: usize = 9;
/// Cells of the grid.
pub(crate) const CELLS: usize = SIZE * SIZE;
/// Bits of a row: one more than the cells, so that a shift along a row or diagonal never meets the next row's stones.
pub(crate) const STRIDE: usize = SIZE + 1;
/// Bits of the whole grid.
pub(crate) const BITS: usize = SIZE * STRIDE;
/// The distance, in bits, of neighbours in a row, a column and the two diagonals.
pub(crate) const DIRECTIONS: [usize; 4] = [1, STRIDE, STRIDE - 1, STRIDE + 1];

/// A cell of the grid, by row and column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell(u8);

impl Cell {
    /// The cell in `row` and `column`, both 0 to 8.
    pub fn new(row: usize, column: usize) -> Cell {
        assert!(row < SIZE && column < SIZE, "no cell {row} {column}");
        Cell((row * STRIDE + column) as u8)
    }

    /// All cells, row by row.
    pub(crate) fn all() -> impl Iterator<Item = Cell> {
        (0..CELLS).map(|i| Cell::new(i / SIZE, i % SIZE))
    }

    #[inline]
    pub(crate) fn from_bit(bit: usize) -> Cell {
        debug_assert!(bit < BITS && bit % STRIDE < SIZE);
        Cell(bit as u8)
    }

    /// Its place in the bit sets.
    #[inline]
    pub(crate) fn bit(self) -> usize {
        self.0 as usize
    }

    /// The row, from the top.
    pub fn row(self) -> usize {
        self.bit() / STRIDE
    }

    /// The column, from the left.
    pub fn column(self) -> usize {
        self.bit() % STRIDE
    }

    /// The local board that it lies in.
    pub fn board(self) -> usize {
        self.row() / 3 * 3 + self.column() / 3
    }

    /// The local board that a stone here sends the opponent to.
    #[inline]
    pub fn target(self) -> usize {
        usize::from(TARGET[self.bit()])
    }
}

const TARGET: [u8; BITS] = {
    let mut table = [0; BITS];
    let mut bit = 0;
    while bit < BITS {
        table[bit] = (bit / STRIDE % 3 * 3 + bit % STRIDE % 3) as u8;
        bit += 1;
    }
    table
};

/// The cells of each local board.
pub(crate) const BOARDS: [u128; 9] = {
    let mut boards = [0; 9];
    let mut board = 0;
    while board < 9 {
        let corner = board / 3 * 3 * STRIDE + board % 3 * 3;
        boards[board] = (0b111 | 0b111 << STRIDE | 0b111 << (2 * STRIDE)) << corner;
        board += 1;
    }
    boards
};

/// All cells.
pub(crate) const GRID: u128 = {
    let mut grid = 0;
    let mut board = 0;
    while board < 9 {
        grid |= BOARDS[board];
        board += 1;
    }
    grid
};

/// For each cell and direction, the cells that can be in a four with it: up to three steps either way.
static REACH: [[u128; 4]; BITS] = {
    let mut reach = [[0; 4]; BITS];
    let mut bit = 0;
    while bit < BITS {
        let (row, column) = ((bit / STRIDE) as i32, (bit % STRIDE) as i32);
        let mut step = -3;
        while step <= 3 {
            if step != 0 {
                reach[bit][0] |= cell_mask(row, column + step);
                reach[bit][1] |= cell_mask(row + step, column);
                reach[bit][2] |= cell_mask(row + step, column - step);
                reach[bit][3] |= cell_mask(row + step, column + step);
            }
            step += 1;
        }
        bit += 1;
    }
    reach
};

/// Whether the stone on `bit` is part of four or more in line. Few stones have three friends in one line; counting them in all
/// four without a branch is cheaper than guessing where to look.
#[inline]
pub(crate) fn makes_four(stones: &u128, bit: usize) -> bool {
    let friends = REACH[bit].map(|reach| (stones & reach).count_ones());
    let promising = friends.into_iter().fold(false, |any, count| any | (count >= 3));
    promising && has_four(stones)
}

const fn cell_mask(row: i32, column: i32) -> u128 {
    let size = SIZE as i32;
    if row < 0 || row >= size || column < 0 || column >= size { 0 } else { 1 << (row * STRIDE as i32 + column) }
}

/// The stones of `stones` that are part of four or more in line.
pub(crate) fn fours(stones: &u128) -> u128 {
    let mut found = 0;
    for step in DIRECTIONS {
        let pairs = stones & (stones >> step);
        let starts = pairs & (pairs >> (2 * step));
        found |= starts | starts << step | starts << (2 * step) | starts << (3 * step);
    }
    found
}

/// Whether `stones` has four or more in line.
pub(crate) fn has_four(stones: &u128) -> bool {
    DIRECTIONS.iter().any(|step| {
        let pairs = stones & (stones >> step);
        pairs & (pairs >> (2 * step)) != 0
    })
}

/// The bits of a set, lowest first.
#[inline]
pub(crate) fn bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let bit = set.trailing_zeros() as usize;
            set &= set - 1;
            bit
        })
    })
}
