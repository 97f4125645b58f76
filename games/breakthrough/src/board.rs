//! The two boards and their squares, as sets of bits.

use agon_rules::{SetupError, Side, quote};

/// Bits of a row on either board: the small one lies in the corner of the large one, at a1.
pub(crate) const STRIDE: usize = 8;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const RANK_1: u64 = 0xff;
/// The squares of the small board.
const SMALL: u64 = 0x0000_3f3f_3f3f_3f3f;

/// A square: its file and rank, both counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// The square on this file and rank, both 0 to 7.
    pub fn new(file: usize, rank: usize) -> Square {
        assert!(file < STRIDE && rank < STRIDE, "no square {file} {rank}");
        Square((rank * STRIDE + file) as u8)
    }

    #[inline]
    pub(crate) fn from_index(index: usize) -> Square {
        debug_assert!(index < 64);
        Square(index as u8)
    }

    /// Its place in the sets.
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(crate) fn bit(self) -> u64 {
        1 << self.0
    }

    /// From the left, as white sees it.
    pub fn file(self) -> usize {
        self.index() % STRIDE
    }

    /// From white's home row.
    pub fn rank(self) -> usize {
        self.index() / STRIDE
    }

    /// What people call it: `c2`.
    pub fn name(self) -> String {
        format!("{}{}", char::from(b'a' + self.file() as u8), self.rank() + 1)
    }
}

/// Which board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    /// Files, and ranks.
    size: u8,
}

impl Board {
    pub(crate) fn from_name(name: &str) -> Result<Board, SetupError> {
        match name {
            "8x8" => Ok(Board { size: 8 }),
            "6x6" => Ok(Board { size: 6 }),
            _ => Err(SetupError::new(format!("unknown variant {}, expected '8x8' or '6x6'", quote(name)))),
        }
    }

    #[inline]
    pub(crate) fn size(self) -> usize {
        usize::from(self.size)
    }

    /// All squares.
    #[inline]
    pub(crate) fn squares(self) -> u64 {
        if self.size == 6 { SMALL } else { u64::MAX }
    }

    /// The squares of a rank, counted from 0 at `side`'s own end.
    #[inline]
    pub(crate) fn rank(self, side: Side, rank: usize) -> u64 {
        let rank = match side {
            Side::First => rank,
            Side::Second => self.size() - 1 - rank,
        };
        self.squares() & RANK_1 << (rank * STRIDE)
    }

    /// Where `side` wants to go.
    #[inline]
    pub(crate) fn goal(self, side: Side) -> u64 {
        self.rank(side, self.size() - 1)
    }

    /// The men that `side` starts with.
    pub(crate) fn camp(self, side: Side) -> u64 {
        self.rank(side, 0) | self.rank(side, 1)
    }

    /// The squares as people read them: row by row from the top.
    pub(crate) fn reading_order(self) -> impl Iterator<Item = Square> {
        let size = self.size();
        (0..size * size).map(move |i| Square::new(i % size, size - 1 - i / size))
    }

    /// Where in that order a square comes.
    pub(crate) fn reading_index(self, square: Square) -> usize {
        (self.size() - 1 - square.rank()) * self.size() + square.file()
    }
}

/// A step forward: straight, or to a neighbouring file. Left and right are white's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Left,
    Straight,
    Right,
}

impl Step {
    pub(crate) const ALL: [Step; 3] = [Step::Left, Step::Straight, Step::Right];
    pub(crate) const DIAGONAL: [Step; 2] = [Step::Left, Step::Right];

    /// How far in the sets, upwards for white and downwards for black.
    #[inline]
    const fn distance(self, side: Side) -> usize {
        match (self, side) {
            (Step::Left, Side::First) | (Step::Right, Side::Second) => STRIDE - 1,
            (Step::Straight, _) => STRIDE,
            (Step::Right, Side::First) | (Step::Left, Side::Second) => STRIDE + 1,
        }
    }

    /// Where `side`'s men of a set come with this step. Those at the edge of the large board stay on it, so nothing wraps; what leaves the
    /// small one is the caller's to cut off.
    #[inline]
    pub(crate) const fn of(self, men: u64, side: Side) -> u64 {
        let able = match self {
            Step::Left => men & !FILE_A,
            Step::Straight => men,
            Step::Right => men & !FILE_H,
        };
        match side {
            Side::First => able << self.distance(side),
            Side::Second => able >> self.distance(side),
        }
    }

    /// Where a man of `side` came from.
    #[inline]
    pub(crate) fn origin(self, to: Square, side: Side) -> Square {
        let distance = self.distance(side);
        Square::from_index(match side {
            Side::First => to.index() - distance,
            Side::Second => to.index() + distance,
        })
    }
}

/// The squares that `side`'s men attack. On the small board some of them lie beside it.
#[inline]
pub(crate) const fn attacked(men: u64, side: Side) -> u64 {
    Step::Left.of(men, side) | Step::Right.of(men, side)
}

/// All squares that `side`'s men could come to, were nobody else on the board; not those they stand on.
#[inline]
pub(crate) fn ahead(men: u64, side: Side) -> u64 {
    let mut ahead = 0;
    for _ in 1..STRIDE {
        let from = men | ahead;
        ahead = attacked(from, side) | Step::Straight.of(from, side);
    }
    ahead
}

/// The squares of a set, lowest first.
#[inline]
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = Square::from_index(set.trailing_zeros() as usize);
            set &= set - 1;
            square
        })
    })
}
