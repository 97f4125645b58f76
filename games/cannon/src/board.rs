//! Sets of squares and the shapes of boards.
//!
//! A set is one machine word: 64 bits for the 8x8 board, whose geometry is known when the code is compiled, and 128 bits for
//! all others. Everything else in this crate is written once for both.

use std::{
    fmt::Debug,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr},
};

/// A set of squares. The square in column `x` and row `y` (from the top) is bit `y * STRIDE + x` of its [`Board`].
pub trait Squares:
    Copy
    + Eq
    + Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// No square.
    const NONE: Self;

    /// The set of one square.
    fn only(square: u8) -> Self;

    /// How many squares there are.
    fn len(self) -> u32;

    /// The first square; meaningless for an empty set.
    fn first(self) -> u8;

    /// The set without its first square.
    fn without_first(self) -> Self;

    /// Whether there is no square.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// Whether `square` is in the set.
    #[inline(always)]
    fn contains(self, square: u8) -> bool {
        !(self & Self::only(square)).is_empty()
    }

    /// The squares in order.
    fn squares(mut self) -> impl Iterator<Item = u8> {
        std::iter::from_fn(move || {
            let first = (!self.is_empty()).then(|| self.first());
            if first.is_some() {
                self = self.without_first();
            }
            first
        })
    }
}

macro_rules! squares {
    ($word:ty) => {
        impl Squares for $word {
            const NONE: Self = 0;

            #[inline(always)]
            fn only(square: u8) -> Self {
                1 << square
            }

            #[inline(always)]
            fn len(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn first(self) -> u8 {
                self.trailing_zeros() as u8
            }

            #[inline(always)]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    };
}
squares!(u64);
squares!(u128);

/// The shape of a board.
pub trait Board: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// Its sets of squares.
    type Set: Squares;
    /// How many bits apart two squares of a column are. A constant, so that shifts are cheap on every board.
    const STRIDE: u32;

    /// Number of rows.
    fn rows(self) -> usize;
    /// Number of columns; even.
    fn columns(self) -> usize;
    /// All squares.
    fn all(self) -> Self::Set;
    /// All squares but those of the leftmost column.
    fn not_left(self) -> Self::Set;
    /// All squares but those of the rightmost column.
    fn not_right(self) -> Self::Set;

    /// The halls of each side at the start.
    #[inline(always)]
    fn halls(self) -> u32 {
        self.columns() as u32 / 2
    }

    /// The square in column `x` and row `y`.
    #[inline]
    fn square(self, x: usize, y: usize) -> u8 {
        debug_assert!(x < self.columns() && y < self.rows());
        (y * Self::STRIDE as usize + x) as u8
    }

    /// Column and row of a square.
    #[inline]
    fn place(self, square: u8) -> (usize, usize) {
        (usize::from(square) % Self::STRIDE as usize, usize::from(square) / Self::STRIDE as usize)
    }

    /// Every square of `set` moved by one in direction (`dx`, `dy`). What leaves at the left or right is dropped; what leaves at the
    /// top or bottom is dropped or ends on no square, so the result means something only together with a set of real squares.
    #[inline(always)]
    fn shift(self, set: Self::Set, dx: i32, dy: i32) -> Self::Set {
        let inside = match dx {
            0 => set,
            1.. => set & self.not_right(),
            _ => set & self.not_left(),
        };
        let distance = bits_apart::<Self>(dx, dy);
        if distance >= 0 { inside << distance as u32 } else { inside >> distance.unsigned_abs() }
    }
}

/// By how many bits a step in direction (`dx`, `dy`) moves a square.
#[inline(always)]
pub(crate) const fn bits_apart<B: Board>(dx: i32, dy: i32) -> i32 {
    dy * B::STRIDE as i32 + dx
}

/// The 8x8 board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Eight;

impl Board for Eight {
    type Set = u64;
    const STRIDE: u32 = 8;

    #[inline(always)]
    fn rows(self) -> usize {
        8
    }

    #[inline(always)]
    fn columns(self) -> usize {
        8
    }

    #[inline(always)]
    fn all(self) -> u64 {
        u64::MAX
    }

    #[inline(always)]
    fn not_left(self) -> u64 {
        0xfefe_fefe_fefe_fefe
    }

    #[inline(always)]
    fn not_right(self) -> u64 {
        0x7f7f_7f7f_7f7f_7f7f
    }
}

/// Numbers of rows that a board may have.
pub(crate) const ROWS: std::ops::RangeInclusive<usize> = 6..=12;
/// Numbers of columns that a board may have, if they are even.
pub(crate) const COLUMNS: std::ops::RangeInclusive<usize> = 4..=10;

/// A board of any other size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnySize(&'static Size);

/// Size and masks of a board.
#[derive(PartialEq, Eq, Debug)]
struct Size {
    rows: usize,
    columns: usize,
    all: u128,
    not_left: u128,
    not_right: u128,
}

const KINDS_OF_ROWS: usize = *ROWS.end() - *ROWS.start() + 1;
const KINDS_OF_COLUMNS: usize = (*COLUMNS.end() - *COLUMNS.start()) / 2 + 1;

static SIZES: [[Size; KINDS_OF_COLUMNS]; KINDS_OF_ROWS] = {
    let mut sizes = [const { [const { Size::new(0, 0) }; KINDS_OF_COLUMNS] }; KINDS_OF_ROWS];
    let mut i = 0;
    while i < KINDS_OF_ROWS {
        let mut j = 0;
        while j < KINDS_OF_COLUMNS {
            sizes[i][j] = Size::new(*ROWS.start() + i, *COLUMNS.start() + 2 * j);
            j += 1;
        }
        i += 1;
    }
    sizes
};

impl Size {
    const fn new(rows: usize, columns: usize) -> Size {
        let mut size = Size { rows, columns, all: 0, not_left: 0, not_right: 0 };
        let mut square = 0;
        while square < rows * columns {
            let (x, y) = (square % columns, square / columns);
            let bit = 1 << (y * AnySize::STRIDE as usize + x);
            size.all |= bit;
            if x > 0 {
                size.not_left |= bit;
            }
            if x + 1 < columns {
                size.not_right |= bit;
            }
            square += 1;
        }
        size
    }
}

impl AnySize {
    /// The board of this size; `None` if the game is not played on it.
    pub fn new(rows: usize, columns: usize) -> Option<AnySize> {
        if !ROWS.contains(&rows) || !COLUMNS.contains(&columns) || !columns.is_multiple_of(2) {
            return None;
        }
        Some(AnySize(&SIZES[rows - ROWS.start()][(columns - COLUMNS.start()) / 2]))
    }
}

impl Board for AnySize {
    type Set = u128;
    const STRIDE: u32 = 10;

    #[inline(always)]
    fn rows(self) -> usize {
        self.0.rows
    }

    #[inline(always)]
    fn columns(self) -> usize {
        self.0.columns
    }

    #[inline(always)]
    fn all(self) -> u128 {
        self.0.all
    }

    #[inline(always)]
    fn not_left(self) -> u128 {
        self.0.not_left
    }

    #[inline(always)]
    fn not_right(self) -> u128 {
        self.0.not_right
    }
}
