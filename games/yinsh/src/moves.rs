//! Which moves there are.
//!
//! Rings slide by addition. Lay the board out so that the lines of one axis run along neighbouring bits, and call the
//! empty points E. Adding the points right above the rings to E sends a carry through each run of empty points
//! above a ring: the run's bits turn to 0 and the bit behind it turns to 1. The same addition on the markers, begun where
//! the runs end, jumps over the blocks of markers and lands behind them. Rings block each other, so the ways of all rings
//! of a side in one direction never overlap, and one addition serves them all.
//! The opposite direction is the same with all bits reversed.

use agon_rules::{Outcome, Reason, RuleSet, Side};

use crate::{
    bits::Bits,
    geometry::{Axis, Direction, Geometry, Point},
    position::{Move, Phase, Row, YinshPosition},
};

/// What stands on the board, seen by rings that move up the indices of one axis.
struct Layout<const W: usize> {
    empty: Bits<W>,
    markers: Bits<W>,
    /// The rings of one side.
    rings: Bits<W>,
}

/// Ways to move rings.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ways {
    /// Over empty points only.
    pub(crate) slides: u32,
    /// Over markers.
    pub(crate) jumps: u32,
}

impl std::ops::AddAssign for Ways {
    #[inline]
    fn add_assign(&mut self, other: Ways) {
        self.slides += other.slides;
        self.jumps += other.jumps;
    }
}

impl<const W: usize> Layout<W> {
    /// Where the rings can go.
    #[inline]
    fn destinations(&self) -> Bits<W> {
        let above = self.rings << 1;
        let slid = self.empty.plus(above & self.empty);
        let jumps = (above | slid.without(self.empty)) & self.markers;
        let jumped = self.markers.plus(jumps);
        self.empty & (!slid | jumped)
    }

    /// How many ways there are to slide, and how many to jump.
    #[inline]
    fn count_ways(&self) -> Ways {
        let above = self.rings << 1;
        let slid = self.empty.plus(above & self.empty);
        let jumps = (above | slid.without(self.empty)) & self.markers;
        let jumped = self.markers.plus(jumps);
        Ways { slides: self.empty.without(slid).len(), jumps: (self.empty & jumped).len() }
    }

    #[inline]
    fn reversed(&self) -> Self {
        Layout { empty: self.empty.reversed(), markers: self.markers.reversed(), rings: self.rings.reversed() }
    }
}

impl<const N: usize, const W: usize> YinshPosition<N, W> {
    /// The board laid out for each axis, for the rings of `side`.
    #[inline]
    fn layouts(&self, side: Side) -> [Layout<W>; 3] {
        let layout = |rings: Bits<W>, blocking_rings: Bits<W>, markers: Bits<W>| Layout {
            empty: Geometry::<N, W>::TABLES.board.without(rings | blocking_rings | markers),
            markers,
            rings,
        };
        let (us, them) = (side.index(), side.other().index());
        let turned = |i: usize| layout(self.turned_rings[us][i], self.turned_rings[them][i], self.turned_markers[i]);
        [layout(self.rings[us], self.rings[them], self.all_markers()), turned(0), turned(1)]
    }

    /// How many ways to move a ring there are.
    #[inline]
    pub(crate) fn count_ring_moves(&self) -> u32 {
        let both_ways = |layout: &Layout<W>| layout.destinations().len() + layout.reversed().destinations().len();
        self.layouts(self.turn).iter().map(both_ways).sum()
    }

    /// How many ways to move a ring each side has. What blocks them is the same for both.
    #[inline]
    pub(crate) fn count_ways(&self) -> [Ways; 2] {
        let mut ways = [Ways::default(); 2];
        for (layout, axis) in self.layouts(Side::First).into_iter().zip(Axis::ALL) {
            let reversed = layout.reversed();
            let others = match axis.0 {
                0 => self.rings[1],
                turned => self.turned_rings[1][usize::from(turned) - 1],
            };
            ways[0] += layout.count_ways();
            ways[0] += reversed.count_ways();
            ways[1] += Layout { rings: others, ..layout }.count_ways();
            ways[1] += Layout { rings: others.reversed(), ..reversed }.count_ways();
        }
        ways
    }

    /// Whether there is a move; `false` when the game is won.
    pub(crate) fn has_move(&self) -> bool {
        let rings = self.rings[self.turn.index()];
        let beside = (rings << 1 | rings >> 1) & self.empty_points();
        // Nearly always a ring can go to a neighbouring point.
        self.phase == Phase::Move && !beside.is_empty() || self.count_moves() > 0
    }

    pub(crate) fn count_moves(&self) -> u32 {
        match self.phase {
            Phase::Place => self.empty_points().len(),
            Phase::Move => self.count_ring_moves(),
            Phase::Row | Phase::GivenRow => Axis::ALL.map(|axis| self.takeable_rows(axis).len()).iter().sum(),
            Phase::Ring | Phase::GivenRing => self.rings[self.turn.index()].len(),
            Phase::Won => 0,
        }
    }

    /// Appends every legal move, or says how the game ended.
    pub(crate) fn generate_moves(&self, moves: &mut Vec<Move>) -> Option<Outcome> {
        let before = moves.len();
        match self.phase {
            Phase::Place => moves.extend(self.empty_points().iter().map(|i| Move::Place(Point(i)))),
            Phase::Move => self.generate_ring_moves(moves),
            Phase::Row | Phase::GivenRow => {
                for axis in Axis::ALL {
                    let rows = self.takeable_rows(axis).iter();
                    moves.extend(rows.map(|i| Move::TakeRow(Row { start: Point(i), axis })));
                }
            }
            Phase::Ring | Phase::GivenRing => {
                moves.extend(self.rings[self.turn.index()].iter().map(|i| Move::TakeRing(Point(i))));
            }
            Phase::Won => return Some(Outcome::win(self.side_at_goal(), Reason::GOAL)),
        }
        if moves.len() == before { Some(self.stalemate()) } else { None }
    }

    fn generate_ring_moves(&self, moves: &mut Vec<Move>) {
        for (layout, axis) in self.layouts(self.turn).iter().zip(Axis::ALL) {
            let up = |i| Point(Geometry::<N, W>::turned(axis, i));
            list_ring_moves(layout, up, Direction::new(axis, false), moves);
            let down = |i| up((64 * W - 1) as u8 - i);
            list_ring_moves(&layout.reversed(), down, Direction::new(axis, true), moves);
        }
    }

    /// The rows of this axis that the side to move may take, as a set of their first points.
    pub(crate) fn takeable_rows(&self, axis: Axis) -> Bits<W> {
        let markers = self.markers[self.turn.index()];
        let rows = self.rows(markers, axis);
        match self.rules.set {
            RuleSet::Server => rows,
            // Only the rows at either end of the run they lie in.
            RuleSet::Text => {
                let shift = axis.shift(N);
                let one_before = markers << shift;
                let one_behind = markers >> (shift * usize::from(self.rules.row));
                rows.without(one_before & one_behind)
            }
        }
    }

    /// The first points of all rows in `markers` along `axis`.
    #[inline]
    pub(crate) fn rows(&self, markers: Bits<W>, axis: Axis) -> Bits<W> {
        let shift = axis.shift(N);
        let pairs = markers & (markers >> shift);
        let fours = pairs & (pairs >> (2 * shift));
        match self.rules.row {
            4 => fours,
            5 => fours & (fours >> shift),
            6 => fours & (fours >> (2 * shift)),
            _ => fours & (fours >> (3 * shift)),
        }
    }

    /// Whether `side` has a row on the board.
    #[inline]
    pub(crate) fn has_row(&self, side: Side) -> bool {
        let markers = self.markers[side.index()];
        Axis::ALL.iter().any(|&axis| !self.rows(markers, axis).is_empty())
    }

    /// The points of `row`.
    pub(crate) fn row_points(&self, row: Row) -> impl Iterator<Item = Point> + use<N, W> {
        let shift = row.axis.shift(N) as u8;
        (0..self.rules.row).map(move |i| Point(row.start.0 + i * shift))
    }

    /// The two ends of `row`, in the order of texts.
    pub(crate) fn row_ends(&self, row: Row) -> (Point, Point) {
        let start = row.start;
        let end = Point(start.0 + (self.rules.row - 1) * row.axis.shift(N) as u8);
        if Geometry::<N, W>::order(start) < Geometry::<N, W>::order(end) { (start, end) } else { (end, start) }
    }

    /// The winner of a game in phase `Won`.
    fn side_at_goal(&self) -> Side {
        if self.out[0] == self.rules.goal { Side::First } else { Side::Second }
    }

    /// How a game ends whose side to move has no move.
    fn stalemate(&self) -> Outcome {
        match self.out[0].cmp(&self.out[1]) {
            std::cmp::Ordering::Greater => Outcome::win(Side::First, Reason::STALEMATE),
            std::cmp::Ordering::Less => Outcome::win(Side::Second, Reason::STALEMATE),
            std::cmp::Ordering::Equal => Outcome::draw(Reason::STALEMATE),
        }
    }
}

/// Appends the moves of all rings up the indices of `layout`. A destination belongs to the last ring before it.
#[inline]
fn list_ring_moves<const W: usize>(
    layout: &Layout<W>,
    point: impl Fn(u8) -> Point,
    along: Direction,
    moves: &mut Vec<Move>,
) {
    let mut from = Point(0);
    // Not a loop: from within, the iterator is plain loops, one for each word.
    (layout.rings | layout.destinations()).iter().for_each(|i| {
        if layout.rings.contains(i) {
            from = point(i);
        } else {
            moves.push(Move::Ring { from, to: point(i), along });
        }
    });
}
