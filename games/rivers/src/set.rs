//! Cells and sets of cells.

use std::{
    fmt,
    ops::{BitAnd, BitOr, BitOrAssign, Not},
};

/// Columns in a row of a set; boards may have fewer.
const STRIDE: u16 = 16;
/// Rows that fit in a word.
const ROWS_PER_WORD: usize = 4;

const FIRST_COLUMN: u64 = 0x0001_0001_0001_0001;

/// A crossing of the board, counted from the top left; 16 numbers to a row on every board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(u16);

impl Cell {
    /// The cell in this column (below 16) and row, both counted from 0.
    pub const fn new(column: u16, row: u16) -> Cell {
        Cell(row * STRIDE + column)
    }

    /// The column, from 0 at the left.
    pub const fn column(self) -> u16 {
        self.0 % STRIDE
    }

    /// The row, from 0 at the top.
    pub const fn row(self) -> u16 {
        self.0 / STRIDE
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    const fn word(self) -> usize {
        self.0 as usize / 64
    }

    const fn bit(self) -> u64 {
        1 << (self.0 % 64)
    }
}

/// As the texts write it: column letter and row number, `d8`.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.column() as u8) as char, self.row())
    }
}

/// A direction on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    pub(crate) const ALL: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];
}

/// A set of cells: four rows of 16 columns to a word, `W` words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CellSet<const W: usize>([u64; W]);

impl<const W: usize> CellSet<W> {
    pub(crate) const EMPTY: CellSet<W> = CellSet([0; W]);

    pub(crate) fn words(&self) -> &[u64; W] {
        &self.0
    }

    #[inline]
    pub(crate) const fn contains(&self, cell: Cell) -> bool {
        self.0[cell.word()] & cell.bit() != 0
    }

    #[inline]
    pub(crate) const fn insert(&mut self, cell: Cell) {
        self.0[cell.word()] |= cell.bit();
    }

    #[inline]
    pub(crate) const fn remove(&mut self, cell: Cell) {
        self.0[cell.word()] &= !cell.bit();
    }

    #[inline]
    pub(crate) const fn toggle(&mut self, cell: Cell) {
        self.0[cell.word()] ^= cell.bit();
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Takes the first cell out of the set.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Cell> {
        for (i, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some(Cell(i as u16 * 64 + bit as u16));
            }
        }
        None
    }

    /// The cells of this set without those of `other`.
    #[inline]
    pub(crate) fn without(self, other: CellSet<W>) -> CellSet<W> {
        CellSet(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Every cell moved one step; what leaves the 16 columns or the words is dropped.
    #[inline]
    pub(crate) fn shifted(self, direction: Direction) -> CellSet<W> {
        let CellSet(words) = self;
        CellSet(match direction {
            Direction::Up => std::array::from_fn(|i| words[i] >> 16 | if i + 1 < W { words[i + 1] << 48 } else { 0 }),
            Direction::Down => std::array::from_fn(|i| words[i] << 16 | if i > 0 { words[i - 1] >> 48 } else { 0 }),
            Direction::Left => std::array::from_fn(|i| words[i] >> 1 & !(FIRST_COLUMN << 15)),
            Direction::Right => std::array::from_fn(|i| words[i] << 1 & !FIRST_COLUMN),
        })
    }

    /// A row as a number, the left column in bit 0.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> u32 {
        (self.0[row / ROWS_PER_WORD] >> (row % ROWS_PER_WORD * 16)) as u32 & 0xffff
    }

    #[inline]
    pub(crate) fn insert_row(&mut self, row: usize, bits: u32) {
        self.0[row / ROWS_PER_WORD] |= u64::from(bits & 0xffff) << (row % ROWS_PER_WORD * 16);
    }

    /// A column as a number, the top row in bit 0.
    #[inline]
    pub(crate) fn column(&self, column: usize) -> u32 {
        // The product brings the four bits of a column next to each other, with no carries in between.
        const GATHER: u64 = 1 << 48 | 1 << 33 | 1 << 18 | 1 << 3;
        let mut bits = 0;
        for (i, word) in self.0.iter().enumerate() {
            let four = (word >> column & FIRST_COLUMN).wrapping_mul(GATHER) >> 48 & 0xf;
            bits |= (four as u32) << (i * ROWS_PER_WORD);
        }
        bits
    }

    #[inline]
    pub(crate) fn insert_column(&mut self, column: usize, bits: u32) {
        for (i, word) in self.0.iter_mut().enumerate() {
            *word |= SPREAD[(bits >> (i * ROWS_PER_WORD) & 0xf) as usize] << column;
        }
    }
}

/// Four bits, one in the first column of each row of a word.
const SPREAD: [u64; 16] = {
    let mut table = [0; 16];
    let mut bits = 0;
    while bits < 16 {
        let b = bits as u64;
        table[bits] = (b & 1) | (b >> 1 & 1) << 16 | (b >> 2 & 1) << 32 | (b >> 3) << 48;
        bits += 1;
    }
    table
};

impl<const W: usize> BitAnd for CellSet<W> {
    type Output = CellSet<W>;

    #[inline]
    fn bitand(self, other: CellSet<W>) -> CellSet<W> {
        CellSet(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl<const W: usize> BitOr for CellSet<W> {
    type Output = CellSet<W>;

    #[inline]
    fn bitor(self, other: CellSet<W>) -> CellSet<W> {
        CellSet(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl<const W: usize> BitOrAssign for CellSet<W> {
    #[inline]
    fn bitor_assign(&mut self, other: CellSet<W>) {
        *self = *self | other;
    }
}

impl<const W: usize> Not for CellSet<W> {
    type Output = CellSet<W>;

    #[inline]
    fn not(self) -> CellSet<W> {
        CellSet(self.0.map(|word| !word))
    }
}

/// The cells from the top left to the bottom right.
impl<const W: usize> Iterator for CellSet<W> {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        self.pop()
    }

    /// Word by word: faster than asking for one cell after the other.
    #[inline]
    fn fold<B, F: FnMut(B, Cell) -> B>(self, start: B, mut add: F) -> B {
        let mut result = start;
        for (i, mut word) in self.0.into_iter().enumerate() {
            while word != 0 {
                result = add(result, Cell(i as u16 * 64 + word.trailing_zeros() as u16));
                word &= word - 1;
            }
        }
        result
    }
}
