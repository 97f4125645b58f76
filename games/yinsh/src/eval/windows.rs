//! Stretches of a line as long as a row: how much of a row each side has there, and which jump would complete it.

use crate::{
    bits::Bits,
    geometry::{Axis, Direction, Geometry, Point},
    position::YinshPosition,
};

/// What one side has in the windows of one axis. A window is as many points side by side as a row has, none of which is off the board
/// or under a ring of the opponent. Windows are known by their first points.
pub(super) struct Windows<const W: usize> {
    /// Windows that lack two markers.
    pub(super) short_by_two: Bits<W>,
    /// The points that lack a marker in windows that lack no other.
    pub(super) holes: Bits<W>,
}

/// For each point a number from 0 to 7, as three sets: the points whose number is odd, and so on.
struct Counts<const W: usize>([Bits<W>; 3]);

impl<const W: usize> Counts<W> {
    /// Adds one to the numbers of these points.
    #[inline]
    fn add(&mut self, points: Bits<W>) {
        let [ones, twos, fours] = &mut self.0;
        let carried = *ones & points;
        *ones ^= points;
        let carried_on = *twos & carried;
        *twos ^= carried;
        *fours |= carried_on;
    }

    /// The points whose number is `number`.
    #[inline]
    fn equal(&self, number: usize) -> Bits<W> {
        let plane = |bit: usize| if number >> bit & 1 == 1 { self.0[bit] } else { !self.0[bit] };
        plane(0) & plane(1) & plane(2)
    }
}

impl<const N: usize, const W: usize> YinshPosition<N, W> {
    /// What `side` has in the windows along `axis`.
    #[inline]
    pub(super) fn windows(&self, side: usize, axis: Axis) -> Windows<W> {
        let (markers, shift, row) = (self.markers[side], axis.shift(N), usize::from(self.rules.row));
        let open = self.rows(Geometry::<N, W>::TABLES.board.without(self.rings[1 - side]), axis);
        let mut counts = Counts([Bits::EMPTY; 3]);
        (0..row).for_each(|place| counts.add(markers >> (place * shift)));
        let [short_by_one, short_by_two] = [1, 2].map(|missing| open & counts.equal(row - missing));
        let mut holes = Bits::EMPTY;
        if !short_by_one.is_empty() {
            let hole_at = |place: usize| short_by_one.without(markers >> (place * shift)) << (place * shift);
            holes = (0..row).fold(holes, |holes, place| holes | hole_at(place));
        }
        Windows { short_by_two, holes }
    }

    /// How many of the `holes` in windows along `axis` the side could fill in its next turn: a ring leaves a marker where it
    /// stands, or turns a marker of the opponent by a jump along another line.
    #[inline]
    pub(super) fn ready_holes(&self, side: usize, axis: Axis, holes: Bits<W>) -> u32 {
        let to_turn = (holes & self.markers[1 - side]).iter();
        (holes & self.rings[side]).len() + to_turn.filter(|&at| self.can_turn(side, axis, Point(at))).count() as u32
    }

    /// Whether a ring of `side` can jump over the marker on `point` along another axis than `axis`.
    fn can_turn(&self, side: usize, axis: Axis, point: Point) -> bool {
        let others = Direction::ALL.into_iter().filter(|direction| direction.axis() != axis);
        others.into_iter().any(|direction| self.can_jump(side, point, direction))
    }

    /// Whether a ring of `side` can jump over the marker on `point` in this direction.
    fn can_jump(&self, side: usize, point: Point, direction: Direction) -> bool {
        let (markers, empty) = (self.all_markers(), self.empty_points());
        let first = |from: Point, direction: Direction, skipped: Bits<W>| {
            let rest = Geometry::<N, W>::ray(direction, from).without(skipped);
            if direction.is_down() { rest.highest() } else { rest.lowest() }
        };
        let lands = first(point, direction, markers).is_some_and(|at| empty.contains(at));
        let back = direction.opposite();
        let before = if lands { first(point, back, markers) } else { None };
        match before {
            Some(at) if empty.contains(at) => {
                first(Point(at), back, empty).is_some_and(|at| self.rings[side].contains(at))
            }
            Some(at) => self.rings[side].contains(at),
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_rules::{Position, Random, RuleSet};

    use super::*;
    use crate::position::{Move, Phase, Rules};

    /// The windows of one axis, walked point by point: how many lack two markers, and the holes of those that lack one.
    fn walk<const N: usize, const W: usize>(position: &YinshPosition<N, W>, side: usize, axis: Axis) -> (u32, Bits<W>) {
        let (mut short_by_two, mut holes) = (0, Bits::EMPTY);
        for start in Geometry::<N, W>::points() {
            let ((x, y), (dx, dy)) = (Geometry::<N, W>::axial(start), axis.step());
            let points =
                (0..i32::from(position.rules.row)).map(|i| Geometry::<N, W>::point_at((x + i * dx, y + i * dy)));
            let Some(points) = points.collect::<Option<Vec<Point>>>() else { continue };
            if points.iter().any(|point| position.rings[1 - side].contains(point.0)) {
                continue;
            }
            let lacking: Vec<_> = points.iter().filter(|point| !position.markers[side].contains(point.0)).collect();
            short_by_two += u32::from(lacking.len() == 2);
            if let [hole] = lacking[..] {
                holes |= Bits::bit(hole.0);
            }
        }
        (short_by_two, holes)
    }

    /// The holes that legal moves of the side to move fill: from where a ring leaves, and over what it jumps across the row.
    fn filled<const N: usize, const W: usize>(position: &YinshPosition<N, W>, axis: Axis, holes: Bits<W>) -> Bits<W> {
        let (us, mut moves) = (position.turn.index(), Vec::new());
        position.generate_moves(&mut moves);
        let mut filled = holes & position.rings[us];
        for m in moves {
            if let Move::Ring { from, to, along } = m
                && along.axis() != axis
            {
                let crossed = Geometry::<N, W>::ray(along, from) ^ Geometry::<N, W>::ray(along, to);
                filled |= crossed & holes & position.markers[1 - us];
            }
        }
        filled
    }

    fn check<const N: usize, const W: usize>(row: u8) {
        let rules = Rules { rings: 5, row, goal: 3, set: RuleSet::Text };
        for seed in 0..12 {
            let (mut random, mut position) = (Random::new(seed), YinshPosition::<N, W>::new(rules));
            let mut moves = Vec::new();
            while position.generate(&mut moves).is_none() {
                for axis in Axis::ALL {
                    for side in [0, 1] {
                        let windows = position.windows(side, axis);
                        assert_eq!((windows.short_by_two.len(), windows.holes), walk(&position, side, axis));
                    }
                    if position.phase == Phase::Move {
                        let us = position.turn.index();
                        let holes = position.windows(us, axis).holes;
                        assert_eq!(position.ready_holes(us, axis, holes), filled(&position, axis, holes).len());
                    }
                }
                position.play(random.pick(&moves));
                moves.clear();
            }
        }
    }

    #[test]
    fn windows_are_those_that_a_walk_along_the_lines_finds() {
        check::<4, 2>(4);
        check::<5, 2>(5);
        check::<5, 2>(4);
        check::<6, 3>(6);
        check::<7, 4>(7);
    }
}
