//! The two sides, and pairs of things that belong to them.

use std::ops::{Index, IndexMut, Not};

/// One of the two players. Each game has its own names for them (`Game::SIDES`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The side that moves first in a game from the start position.
    First,
    /// The other one.
    Second,
}

impl Side {
    /// Both sides, first one first.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[inline]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 or 1.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// 1 or 2, as the wire texts count.
    #[inline]
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The side that wire texts call `number`.
    pub const fn from_number(number: u64) -> Option<Side> {
        match number {
            1 => Some(Side::First),
            2 => Some(Side::Second),
            _ => None,
        }
    }
}

impl Not for Side {
    type Output = Side;

    #[inline]
    fn not(self) -> Side {
        self.other()
    }
}

/// Two values, one for each side; indexed by [`Side`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct BySide<T> {
    /// The first side's value.
    pub first: T,
    /// The second side's value.
    pub second: T,
}

impl<T> BySide<T> {
    /// Pairs the first side's value with the second side's.
    #[inline]
    pub const fn new(first: T, second: T) -> Self {
        BySide { first, second }
    }

    /// Asks `value` for each side.
    pub fn from_fn(mut value: impl FnMut(Side) -> T) -> Self {
        BySide { first: value(Side::First), second: value(Side::Second) }
    }

    /// The same pair seen from the other side.
    pub fn swapped(self) -> Self {
        BySide { first: self.second, second: self.first }
    }

    /// Applies `f` to both values.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> BySide<U> {
        BySide { first: f(self.first), second: f(self.second) }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    #[inline]
    fn index(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }
}
