//! The three boards: which squares they have and how a square becomes a bit.
//!
//! The four sides of the ring are rotations of each other, so a set of squares is a `u64` of four lanes of 16 bits, one
//! for each sector in clockwise order: bottom, left, top, right. Turning the board clockwise by a quarter is
//! `rotate_left(16)`, and whatever holds in the bottom sector holds in all.
//!
//! Within a lane the squares are numbered so that every long way a man can go from the bottom sector, bends
//! included, visits squares in **ascending** order. The first obstacle on the way is then the lowest bit, and what the
//! man reaches takes three operations (see [`crate::tables`]).

use std::fmt;

use agon_rules::{SetupError, quote};

/// Bits of one sector.
pub(crate) const LANE: u32 = 16;

/// Which board is played on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// 7x7 squares with a hole of 3x3: the original game.
    SevenThree,
    /// 8x8 squares with a hole of 4x4.
    EightFour,
    /// 8x8 squares with a hole of 2x2, with knights.
    EightTwo,
}

impl Variant {
    /// All boards, the original one first.
    pub const ALL: [Variant; 3] = [Variant::SevenThree, Variant::EightFour, Variant::EightTwo];

    /// `7-3`, `8-4` or `8-2`.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::SevenThree => "7-3",
            Variant::EightFour => "8-4",
            Variant::EightTwo => "8-2",
        }
    }

    /// The board of this name.
    pub fn from_name(name: &str) -> Result<Variant, SetupError> {
        let unknown = || SetupError::new(format!("unknown board {}, expected '7-3', '8-4' or '8-2'", quote(name)));
        Variant::ALL.into_iter().find(|variant| variant.name() == name).ok_or_else(unknown)
    }

    /// Squares along one edge.
    pub const fn size(self) -> usize {
        match self {
            Variant::SevenThree => 7,
            Variant::EightFour | Variant::EightTwo => 8,
        }
    }

    /// How many rings lie around the hole.
    pub const fn rings(self) -> usize {
        match self {
            Variant::SevenThree | Variant::EightFour => 2,
            Variant::EightTwo => 3,
        }
    }

    /// The text of the start position.
    pub(crate) const fn start_text(self) -> &'static str {
        match self {
            Variant::SevenThree => "..rbp../..rkp../..___../..___../..___../..PKR../..PBR.. w",
            Variant::EightFour => "..prbp../..prkp../..____../..____../..____../..____../..PKRP../..PBRP.. w",
            Variant::EightTwo => "..r..p../..rknp../..pbnp../...__.../...__.../..PNBP../..PNKR../..P..R.. w",
        }
    }
}

/// A square of the board: its sector and its number there.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Square(u8);

impl Square {
    /// The square of the lowest bit of a set that is not empty.
    #[inline]
    pub(crate) fn lowest(set: u64) -> Square {
        debug_assert_ne!(set, 0, "an empty set has no lowest square");
        Square::new(set.trailing_zeros() as u8)
    }

    #[inline]
    pub(crate) fn new(index: u8) -> Square {
        Square(index & 63)
    }

    /// A number below 64: 16 times the sector plus the number of the square within the sector.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0 & 63)
    }

    /// The set that holds only this square.
    #[inline]
    pub(crate) fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// How far a set is turned clockwise to bring the bottom sector to this square's.
    #[inline]
    pub(crate) fn turn(self) -> u32 {
        u32::from(self.0 & 0x30)
    }

    /// The number within the sector.
    #[inline]
    pub(crate) fn slot(self) -> usize {
        usize::from(self.0 & 0x0f)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", ["bottom", "left", "top", "right"][self.index() / LANE as usize], self.slot())
    }
}

/// The squares of a set.
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = Square::lowest(set);
        set &= set - 1;
        Some(square)
    })
}

/// File and rank, counted from 0 at a1.
pub(crate) type Place = (i8, i8);

/// Where the squares of a board lie.
pub(crate) struct Geometry {
    pub(crate) size: usize,
    /// By rank, then file; `None` in the hole and outside.
    squares: [[Option<Square>; 8]; 8],
    places: [Place; 64],
    /// Every square, row by row from the top.
    pub(crate) reading_order: Vec<Square>,
    /// The index of each square in `reading_order`.
    pub(crate) reading_index: [u8; 64],
    /// The set of all squares.
    pub(crate) all: u64,
}

impl Geometry {
    pub(crate) fn new(variant: Variant) -> Geometry {
        let size = variant.size();
        let mut geometry = Geometry {
            size,
            squares: [[None; 8]; 8],
            places: [(0, 0); 64],
            reading_order: Vec::new(),
            reading_index: [0; 64],
            all: 0,
        };
        for (slot, bottom) in bottom_sector(variant).into_iter().enumerate() {
            let mut place = bottom;
            for sector in 0..4 {
                let square = Square::new((sector * LANE) as u8 + slot as u8);
                geometry.squares[place.1 as usize][place.0 as usize] = Some(square);
                geometry.places[square.index()] = place;
                geometry.all |= square.bit();
                place = (place.1, size as i8 - 1 - place.0);
            }
        }
        let rows_down = (0..size as i8).rev().flat_map(|y| (0..size as i8).map(move |x| (x, y)));
        geometry.reading_order = rows_down.filter_map(|place| geometry.square(place)).collect();
        for (index, square) in geometry.reading_order.iter().enumerate() {
            geometry.reading_index[square.index()] = index as u8;
        }
        geometry
    }

    /// The square at a place; `None` in the hole and off the board.
    pub(crate) fn square(&self, (x, y): Place) -> Option<Square> {
        let row = self.squares.get(usize::try_from(y).ok()?)?;
        *row.get(usize::try_from(x).ok()?)?
    }

    /// Whether a place lies in the hole.
    pub(crate) fn is_hole(&self, place: Place) -> bool {
        let inside = |i: i8| (0..self.size as i8).contains(&i);
        inside(place.0) && inside(place.1) && self.square(place).is_none()
    }

    pub(crate) fn place(&self, square: Square) -> Place {
        self.places[square.index()]
    }

    /// `a1` and the like.
    pub(crate) fn name(&self, square: Square) -> String {
        place_name(self.place(square))
    }
}

/// `a1` for (0, 0).
pub(crate) fn place_name((x, y): Place) -> String {
    format!("{}{}", char::from(b'a' + x as u8), y + 1)
}

/// The squares of the bottom sector in the order of their numbers. A corner belongs to the sector it leads into.
///
/// Everything long runs west there, so files come in descending order. Within a file the order matters twice: near
/// the start of the sector, where men that come from the sector before slide outwards; and elsewhere for
/// rooks that move inwards.
fn bottom_sector(variant: Variant) -> Vec<Place> {
    let (size, rings) = (variant.size() as i8, variant.rings() as i8);
    let mut places = Vec::new();
    for x in (1..size).rev() {
        let mut file: Vec<Place> = (0..rings).filter(|y| (y + 1..=size - 1 - y).contains(&x)).map(|y| (x, y)).collect();
        if x >= size - rings {
            file.reverse();
        }
        places.extend(file);
    }
    places
}
