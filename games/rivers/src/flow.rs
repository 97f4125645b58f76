//! How water carries a piece.

use agon_rules::Side;

use crate::{
    position::{Axis, RiversPosition},
    set::{Cell, CellSet},
};

/// The place behind the last column of the widest board. Columns need no such mark: every board leaves rows of its set unused.
const RIGHT_EDGE: u32 = 1 << 16;

/// The board as a drifting piece sees it: the cell that the moving piece came from is empty, and the cells that the
/// drifting piece may not enter are blocked.
pub(crate) struct Water<'a, const W: usize> {
    /// The cell that the piece has left, but may not come back to.
    origin: Option<Cell>,
    /// Where a scan ends.
    blocked: CellSet<W>,
    /// Blocked cells from which the flow goes on. The origin may be among them, but no scan ends there.
    rivers: CellSet<W>,
    vertical: &'a CellSet<W>,
}

impl<'a, const W: usize> Water<'a, W> {
    /// The water for a piece of `drifter`, when a piece at `origin` has set out.
    #[inline]
    pub(crate) fn new(position: &'a RiversPosition<W>, drifter: Side, origin: Cell) -> Self {
        let walls = position.board.walls[drifter];
        let mut pieces = position.occupied();
        pieces.remove(origin);
        Water {
            origin: Some(origin),
            blocked: pieces | walls,
            rivers: position.rivers.without(walls),
            vertical: &position.marks,
        }
    }

    /// The water for a piece of `drifter` that comes from somewhere else.
    #[inline]
    pub(crate) fn still(position: &'a RiversPosition<W>, drifter: Side) -> Self {
        let walls = position.board.walls[drifter];
        Water {
            origin: None,
            blocked: position.occupied() | walls,
            rivers: position.rivers.without(walls),
            vertical: &position.marks,
        }
    }

    /// Every cell where a piece can come to rest that enters any of the rivers in `entered`.
    #[inline]
    pub(crate) fn through_rivers(&self, entered: CellSet<W>) -> CellSet<W> {
        self.spread(CellSet::EMPTY, entered, entered)
    }

    /// Every cell where a piece can come to rest that stands on `start`, if a river along `axis` lay there.
    #[inline]
    pub(crate) fn through_cell(&self, start: Cell, axis: Axis) -> CellSet<W> {
        let mut reached = CellSet::EMPTY;
        let mut pending = CellSet::EMPTY;
        self.scan(start, axis, &mut reached, &mut pending);
        self.spread(reached, pending, pending)
    }

    /// Where `river` carries a piece by itself, and the rivers at the two ends that carry it on; where there is none, `river` again.
    #[inline]
    pub(crate) fn stream(&self, river: Cell) -> (CellSet<W>, [Cell; 2]) {
        let (column, row) = (river.column(), river.row());
        let mut reached = CellSet::EMPTY;
        let ends = if self.vertical.contains(river) {
            let (free, ends) = look_both_ways(self.blocked.column(usize::from(column)), usize::from(row));
            reached.insert_column(usize::from(column), free);
            places(ends, row).map(|row| Cell::new(column, row))
        } else {
            let blocked = self.blocked.row(usize::from(row)) | RIGHT_EDGE;
            let (free, ends) = look_both_ways(blocked, usize::from(column));
            reached.insert_row(usize::from(row), free);
            places(ends, column).map(|column| Cell::new(column.min(15), row))
        };
        (reached, ends.map(|end| if self.rivers.contains(end) { end } else { river }))
    }

    /// Expands each river once. `seen` holds all rivers that are or were in `pending`.
    #[inline]
    fn spread(&self, mut reached: CellSet<W>, mut pending: CellSet<W>, mut seen: CellSet<W>) -> CellSet<W> {
        while let Some(river) = pending.pop() {
            let mut met = CellSet::EMPTY;
            let axis = if self.vertical.contains(river) { Axis::Vertical } else { Axis::Horizontal };
            self.scan(river, axis, &mut reached, &mut met);
            let new = met.without(seen);
            seen |= new;
            pending |= new;
        }
        if let Some(origin) = self.origin {
            reached.remove(origin);
        }
        reached
    }

    /// Adds the empty cells that can be seen from `from` along `axis` to `reached`, and the rivers behind them to `met`.
    #[inline]
    fn scan(&self, from: Cell, axis: Axis, reached: &mut CellSet<W>, met: &mut CellSet<W>) {
        let (column, row) = (usize::from(from.column()), usize::from(from.row()));
        match axis {
            Axis::Horizontal => {
                let (free, ends) = look_both_ways(self.blocked.row(row) | RIGHT_EDGE, column);
                reached.insert_row(row, free);
                met.insert_row(row, ends & self.rivers.row(row));
            }
            Axis::Vertical => {
                let (free, ends) = look_both_ways(self.blocked.column(column), row);
                reached.insert_column(column, free);
                met.insert_column(column, ends & self.rivers.column(column));
            }
        }
    }
}

/// The free places on both sides of `at` up to the nearest blocked ones, and those blocked ones. The place before the
/// first one counts as blocked; behind `at` there must be a blocked one.
#[inline]
fn look_both_ways(blocked: u32, at: usize) -> (u32, u32) {
    // One bit to the left, to make room for the place before the first one.
    let fenced = blocked << 1 | 1;
    let here = 2 << at;
    let before = 1 << (31 - (fenced & (here - 1)).leading_zeros());
    let after = 1 << (fenced & !(here | (here - 1))).trailing_zeros();
    let free = (after - 1) & !(2 * before - 1) & !here;
    (free >> 1, (before | after) >> 1)
}

/// The lowest and the highest of one or two places; `none` if there is no other one.
#[inline]
fn places(ends: u32, none: u16) -> [u16; 2] {
    if ends == 0 { [none; 2] } else { [ends.trailing_zeros() as u16, 31 - ends.leading_zeros() as u16] }
}
