//! What a cell is to the pieces of a side: how far from their score area, and which post before the other one's.

use crate::board::CELLS;

/// What a cell is to a piece.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Steps to the score area of the piece's side, if nothing stood in the way.
    pub(crate) steps: u8,
    /// The post that it is.
    pub(crate) posts: Posts,
}

/// How many pieces of a side stand on which posts around the area that the other side has to fill. One number holds three
/// counts, so that a look at a table adds a piece to whichever it belongs to.
#[derive(Clone, Copy)]
pub(crate) struct Posts(u32);

const FRONT: u32 = 1;
const CORNER: u32 = 1 << 10;
const SECOND: u32 = 1 << 20;
/// The bits of a count: no board has more cells.
const COUNT: u32 = (1 << 10) - 1;

impl Posts {
    pub(crate) const NONE: Posts = Posts(0);

    /// The post that lies so far beside the area, and so far from its row towards the other side's pieces (below zero: behind it).
    const fn at(sideways: u16, before: i32) -> Posts {
        Posts(match (sideways, before) {
            (0, 1) => FRONT,
            (1, 1 | -1) => CORNER,
            (0, 2 | -2) | (2, 0) => SECOND,
            _ => 0,
        })
    }

    /// These and those.
    #[inline]
    pub(crate) fn and(self, others: Posts) -> Posts {
        Posts(self.0 + others.0)
    }

    /// Pieces in the row before the area.
    pub(crate) fn front(self) -> i32 {
        (self.0 & COUNT) as i32
    }

    /// Pieces on the four cells that touch the area with a corner only.
    pub(crate) fn corner(self) -> i32 {
        ((self.0 / CORNER) & COUNT) as i32
    }

    /// Pieces two steps away from the area, straight on.
    pub(crate) fn second(self) -> i32 {
        (self.0 / SECOND) as i32
    }
}

/// What each cell is to a side. Both areas begin at the column `left`; the side's own lies in the first of these rows, and the other
/// one's, which its pieces guard, in the second. `front` is the way from there to where the other side comes from.
pub(crate) const fn places(left: u16, width: u16, [own, guarded]: [u16; 2], front: i32) -> [Place; CELLS] {
    let mut table = [Place { steps: 0, posts: Posts::NONE }; CELLS];
    let mut index = 0;
    while index < CELLS {
        let (column, row) = (index as u16 % 16, index as u16 / 16);
        let sideways = left.saturating_sub(column) + column.saturating_sub(left + width - 1);
        let posts = Posts::at(sideways, (row as i32 - guarded as i32) * front);
        table[index] = Place { steps: (row.abs_diff(own) + sideways) as u8, posts };
        index += 1;
    }
    table
}
