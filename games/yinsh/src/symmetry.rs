//! The symmetries of the game, and its planes.

use agon_rules::PlaneShape;

use crate::{
    bits::Bits,
    geometry::{Geometry, Point},
    position::{Phase, YinshPosition},
};

/// Turns and reflections of the hexagon.
const OF_THE_BOARD: usize = 12;
/// The same again with the sides exchanged: the rules treat both alike.
pub(crate) const SYMMETRIES: usize = 2 * OF_THE_BOARD;

/// Rings and markers of both sides, and a plane of facts: who is to move, the phase, the rings out.
const PLANES: usize = 5;
/// In the plane of facts the phase follows the side to move.
const FACT_PHASE: usize = 1;
/// Then one bit for each ring that a side has taken.
const FACT_OUT: [usize; 2] = [FACT_PHASE + Phase::ALL.len(), FACT_PHASE + Phase::ALL.len() + 10];

/// Where the board symmetry `number` takes `(x, y)`: first perhaps a reflection, then turns by a sixth.
fn moved(number: usize, (x, y): (i32, i32)) -> (i32, i32) {
    let start = if number % 2 == 1 { (y, x) } else { (x, y) };
    (0..number / 2).fold(start, |(x, y), _| (y, y - x))
}

impl<const N: usize, const W: usize> YinshPosition<N, W> {
    pub(crate) fn transformed(&self, symmetry: usize) -> Self {
        debug_assert!(symmetry < SYMMETRIES);
        let place = |index: u8| {
            let at = moved(symmetry % OF_THE_BOARD, Geometry::<N, W>::axial(Point(index)));
            Geometry::<N, W>::point_at(at).expect("a symmetry keeps the board")
        };
        let swap = symmetry >= OF_THE_BOARD;
        let mut image = YinshPosition::new(self.rules);
        for side in agon_rules::Side::BOTH {
            let new_side = if swap { side.other() } else { side };
            for index in self.rings[side.index()].iter() {
                image.toggle_ring(new_side, place(index));
            }
            for index in self.markers[side.index()].iter() {
                image.toggle_marker(new_side, place(index));
            }
            image.out[new_side.index()] = self.out[side.index()];
        }
        image.turn = if swap { self.turn.other() } else { self.turn };
        image.phase = self.phase;
        image.key = image.key_from_scratch();
        image
    }

    pub(crate) fn shape_of_planes(&self) -> PlaneShape {
        PlaneShape { planes: PLANES, cells: Geometry::<N, W>::INDICES }
    }

    pub(crate) fn write_all_planes(&self, words: &mut [u64]) {
        let facts = self.facts();
        let planes = [&self.rings[0], &self.rings[1], &self.markers[0], &self.markers[1], &facts];
        for (to, plane) in words.chunks_exact_mut(W).zip(planes) {
            to.copy_from_slice(plane.words());
        }
    }

    fn facts(&self) -> Bits<W> {
        let phase = Phase::ALL.iter().position(|&phase| phase == self.phase).unwrap_or_default();
        let mut facts = Bits::EMPTY.with(FACT_PHASE + phase);
        if self.turn == agon_rules::Side::Second {
            facts = facts.with(0);
        }
        for (start, out) in FACT_OUT.into_iter().zip(self.out) {
            facts = (0..usize::from(out)).fold(facts, |facts, i| facts.with(start + i));
        }
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_keep_the_board_and_differ() {
        let board = |at| Geometry::<5, 2>::on_board(at);
        let square: Vec<(i32, i32)> = (-6..=6).flat_map(|x| (-6..=6).map(move |y| (x, y))).collect();
        for number in 0..OF_THE_BOARD {
            assert!(square.iter().all(|&at| board(at) == board(moved(number, at))), "symmetry {number}");
            let images = |number| square.iter().map(move |&at| moved(number, at));
            assert!((0..number).all(|other| !images(other).eq(images(number))), "symmetry {number} is not new");
        }
    }
}
