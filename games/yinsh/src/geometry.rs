//! The board: a hexagon of points without its six corners, and how it lies in a bit set.
//!
//! A point has two names. In texts it is *hexagon, position*: position 0 of each hexagon is straight up, and positions
//! count clockwise. For computing it is *axial*, `(x, y)` with x to the right and y up, so that the lines of the board run along
//! (1, 0), (0, 1) and (1, 1). Its index in a bit set is `(y + N) * (2N + 1) + (x + N)`.
//!
//! The shape of the hexagon does two favours. Wherever a line along x ends, the next bit is off the board,
//! so neither a carry nor a shift by 1, 2N + 1 or 2N + 2 gets from one line into another. And exchanging axes
//! maps the board onto itself, so the same bits can be laid out with the lines along y, or along (1, 1), side by side.

use crate::bits::Bits;

/// The most indices a board has: 15 times 15, for hexagons of size 7.
pub(crate) const MOST_INDICES: usize = 225;
/// The most points a board has.
const MOST_POINTS: usize = 163;
/// What the tables say about an index that is not on the board.
const OFF_BOARD: u8 = u8::MAX;

/// A point of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Point(pub(crate) u8);

/// One of the three directions that lines run in: x, y and both together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Axis(pub(crate) u8);

impl Axis {
    pub(crate) const ALL: [Axis; 3] = [Axis(0), Axis(1), Axis(2)];

    /// The axial step.
    pub(crate) const fn step(self) -> (i32, i32) {
        [(1, 0), (0, 1), (1, 1)][self.0 as usize]
    }

    /// How far apart neighbours on a line are in a bit set.
    #[inline]
    pub(crate) const fn shift(self, size: usize) -> usize {
        match self.0 {
            0 => 1,
            1 => 2 * size + 1,
            _ => 2 * size + 2,
        }
    }

    /// `(x, y)` with the axes exchanged so that this one runs along x; doing it twice changes nothing.
    const fn turn(self, (x, y): (i32, i32)) -> (i32, i32) {
        match self.0 {
            0 => (x, y),
            1 => (y, x),
            _ => (x, x - y),
        }
    }
}

/// One of the six ways along the lines: an axis, up or down its indices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Direction(pub(crate) u8);

impl Direction {
    pub(crate) const ALL: [Direction; 6] =
        [Direction(0), Direction(1), Direction(2), Direction(3), Direction(4), Direction(5)];

    #[inline]
    pub(crate) const fn new(axis: Axis, down: bool) -> Direction {
        Direction(axis.0 * 2 + down as u8)
    }

    /// The lines that it runs along.
    #[inline]
    pub(crate) const fn axis(self) -> Axis {
        Axis(self.0 / 2)
    }

    /// Whether it runs down the indices.
    #[inline]
    pub(crate) const fn is_down(self) -> bool {
        self.0 & 1 == 1
    }

    /// The way back.
    #[inline]
    pub(crate) const fn opposite(self) -> Direction {
        Direction(self.0 ^ 1)
    }

    /// The axial step.
    pub(crate) const fn step(self) -> (i32, i32) {
        let (x, y) = self.axis().step();
        if self.is_down() { (-x, -y) } else { (x, y) }
    }
}

/// Everything about the board of size `N` that is worth computing once.
pub(crate) struct Geometry<const N: usize, const W: usize> {
    /// The points of the board. The same in all three layouts.
    pub(crate) board: Bits<W>,
    /// The points ahead of a point.
    rays: [[Bits<W>; MOST_INDICES]; 6],
    /// How many points the three lines through a point have besides it.
    reach: [u8; MOST_INDICES],
    /// Where a point lies when an axis is turned to x, and back.
    turned: [[u8; MOST_INDICES]; 3],
    /// The points in the order of texts, and how many there are.
    in_order: [u8; MOST_POINTS],
    points: usize,
    /// The place of a point in that order.
    order: [u8; MOST_INDICES],
}

impl<const N: usize, const W: usize> Geometry<N, W> {
    /// The tables, computed by the compiler.
    pub(crate) const TABLES: &'static Geometry<N, W> = &Geometry::new();
    /// The mean of [`Geometry::reach`], rounded down.
    pub(crate) const MEAN_REACH: i32 = Self::mean_reach();
    /// Indices in a line of the bounding square.
    const SIDE: usize = 2 * N + 1;
    /// Indices in use, points off the board included.
    pub(crate) const INDICES: usize = Self::SIDE * Self::SIDE;

    const fn new() -> Self {
        // The highest index is a corner, hence never on the board: a carry out of the last point has a bit to go to.
        assert!(Self::INDICES <= 64 * W && Self::INDICES <= MOST_INDICES);
        let mut tables = Geometry {
            board: Bits::EMPTY,
            rays: [[Bits::EMPTY; MOST_INDICES]; 6],
            reach: [0; MOST_INDICES],
            turned: [[OFF_BOARD; MOST_INDICES]; 3],
            in_order: [OFF_BOARD; MOST_POINTS],
            points: 0,
            order: [OFF_BOARD; MOST_INDICES],
        };
        let mut hexagon = 0;
        while hexagon <= N {
            let mut position = 0;
            while position < 6 * hexagon || (hexagon == 0 && position == 0) {
                let at = axial_of(hexagon as i32, position as i32);
                if Self::on_board(at) {
                    let index = Self::index(at);
                    tables.board = tables.board.with(index);
                    tables.in_order[tables.points] = index as u8;
                    tables.order[index] = tables.points as u8;
                    tables.points += 1;
                    tables.fill_in(at);
                }
                position += 1;
            }
            hexagon += 1;
        }
        tables
    }

    /// The tables' entries for the point at `at`.
    const fn fill_in(&mut self, at: (i32, i32)) {
        let index = Self::index(at);
        let mut axis = 0;
        while axis < 3 {
            self.turned[axis][index] = Self::index(Axis(axis as u8).turn(at)) as u8;
            axis += 1;
        }
        let mut direction = 0;
        while direction < 6 {
            let (dx, dy) = Direction(direction as u8).step();
            let mut next = (at.0 + dx, at.1 + dy);
            while Self::on_board(next) {
                self.rays[direction][index] = self.rays[direction][index].with(Self::index(next));
                self.reach[index] += 1;
                next = (next.0 + dx, next.1 + dy);
            }
            direction += 1;
        }
    }

    const fn mean_reach() -> i32 {
        let (mut sum, mut index) = (0, 0);
        while index < MOST_INDICES {
            sum += Self::TABLES.reach[index] as i32;
            index += 1;
        }
        sum / Self::TABLES.points as i32
    }

    const fn index((x, y): (i32, i32)) -> usize {
        (y + N as i32) as usize * Self::SIDE + (x + N as i32) as usize
    }

    /// Whether there is a point at `(x, y)`: the corners of the hexagon are missing.
    pub(crate) const fn on_board((x, y): (i32, i32)) -> bool {
        let (size, hexagon) = (N as i32, hexagon_of((x, y)));
        let corner = hexagon == size && (x == 0 || y == 0 || x == y);
        hexagon <= size && !corner
    }

    /// The point at `(x, y)`.
    pub(crate) const fn point_at(at: (i32, i32)) -> Option<Point> {
        if Self::on_board(at) { Some(Point(Self::index(at) as u8)) } else { None }
    }

    /// The axial name of `point`.
    pub(crate) const fn axial(point: Point) -> (i32, i32) {
        let index = point.0 as usize;
        ((index % Self::SIDE) as i32 - N as i32, (index / Self::SIDE) as i32 - N as i32)
    }

    /// The points ahead of `point`.
    #[inline]
    pub(crate) fn ray(direction: Direction, point: Point) -> Bits<W> {
        Self::TABLES.rays[usize::from(direction.0)][usize::from(point.0)]
    }

    /// How many points the three lines through a point have besides it.
    #[inline]
    pub(crate) fn reach(point: Point) -> u8 {
        Self::TABLES.reach[usize::from(point.0)]
    }

    /// The point's index when `axis` is turned to x. Turning that back gives the point again.
    #[inline]
    pub(crate) fn turned(axis: Axis, index: u8) -> u8 {
        Self::TABLES.turned[usize::from(axis.0)][usize::from(index)]
    }

    /// The points in the order of texts.
    pub(crate) fn points() -> impl ExactSizeIterator<Item = Point> {
        Self::TABLES.in_order[..Self::TABLES.points].iter().map(|&index| Point(index))
    }

    /// The place of `point` in the order of texts.
    pub(crate) fn order(point: Point) -> usize {
        usize::from(Self::TABLES.order[usize::from(point.0)])
    }
}

/// The smallest hexagon around the centre that holds `(x, y)`.
pub(crate) const fn hexagon_of((x, y): (i32, i32)) -> i32 {
    let (a, b, c) = (x.abs(), y.abs(), (x - y).abs());
    let most = if a > b { a } else { b };
    if most > c { most } else { c }
}

/// The axial name of position `position` on hexagon `hexagon`.
pub(crate) const fn axial_of(hexagon: i32, position: i32) -> (i32, i32) {
    if hexagon == 0 {
        return (0, 0);
    }
    // From each corner the way to the next one.
    const CORNERS: [(i32, i32); 6] = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)];
    let (corner, along) = (position / hexagon, position % hexagon);
    let (here, next) = (CORNERS[(corner % 6) as usize], CORNERS[((corner + 1) % 6) as usize]);
    (here.0 * (hexagon - along) + next.0 * along, here.1 * (hexagon - along) + next.1 * along)
}

/// Hexagon and position of `(x, y)`.
pub(crate) fn name_of(at: (i32, i32)) -> (i32, i32) {
    let hexagon = hexagon_of(at);
    let position = (0..6 * hexagon).find(|&position| axial_of(hexagon, position) == at).unwrap_or(0);
    (hexagon, position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_the_names_of_the_text() {
        let expected = [((1, 0), (0, 1)), ((1, 1), (1, 1)), ((1, 2), (1, 0)), ((1, 3), (0, -1)), ((1, 4), (-1, -1))];
        let further = [((1, 5), (-1, 0)), ((2, 1), (1, 2)), ((2, 3), (2, 1)), ((2, 5), (1, -1)), ((2, 7), (-1, -2))];
        for ((hexagon, position), at) in expected.into_iter().chain(further).chain([((2, 9), (-2, -1))]) {
            assert_eq!(axial_of(hexagon, position), at);
            assert_eq!(name_of(at), (hexagon, position));
        }
        assert_eq!(name_of((0, 0)), (0, 0));
    }

    fn check_board<const N: usize, const W: usize>(points: usize) {
        type G<const N: usize, const W: usize> = Geometry<N, W>;
        assert_eq!(G::<N, W>::points().len(), points);
        let board = G::<N, W>::TABLES.board;
        assert_eq!(board.len() as usize, points);
        for (place, point) in G::<N, W>::points().enumerate() {
            let at = G::<N, W>::axial(point);
            assert_eq!(G::<N, W>::point_at(at), Some(point));
            assert_eq!(G::<N, W>::order(point), place);
            for axis in Axis::ALL {
                let turned = G::<N, W>::turned(axis, point.0);
                assert!(board.contains(turned), "turning an axis leaves the board");
                assert_eq!(G::<N, W>::turned(axis, turned), point.0);
                let (dx, dy) = axis.step();
                let next = G::<N, W>::point_at((at.0 + dx, at.1 + dy));
                // A shift never leads to a point that is not the neighbour, and turned lines run along x.
                let shifted = (Bits::<W>::bit(point.0) << axis.shift(N)) & board;
                assert_eq!(shifted, next.map_or(Bits::EMPTY, |next| Bits::bit(next.0)));
                let along_x = (Bits::<W>::bit(turned) << 1) & board;
                assert_eq!(along_x, next.map_or(Bits::EMPTY, |next| Bits::bit(G::<N, W>::turned(axis, next.0))));
            }
        }
    }

    #[test]
    fn lines_do_not_run_into_each_other() {
        check_board::<4, 2>(55);
        check_board::<5, 2>(85);
        check_board::<6, 3>(121);
        check_board::<7, 4>(163);
    }
}
