//! What a position is worth, for the search.

use agon_rules::{Outcome, Position};
use agon_search::Searchable;

use crate::{
    bits::Bits,
    geometry::Axis,
    position::{Move, Phase, YinshPosition},
};

const RING_OUT: i32 = 500;
const MARKER: i32 = 6;
/// Three and four markers in a line.
const THREE: i32 = 16;
const FOUR: i32 = 40;
/// A row that is about to be taken.
const PENDING_ROW: i32 = 450;

impl<const N: usize, const W: usize> YinshPosition<N, W> {
    fn worth(&self, side: usize) -> i32 {
        let markers = self.markers[side];
        let mut worth = i32::from(self.out[side]) * RING_OUT + markers.len() as i32 * MARKER;
        for axis in Axis::ALL {
            let shift = axis.shift(N);
            let pairs: Bits<W> = markers & (markers >> shift);
            let threes = pairs & (markers >> (2 * shift));
            let fours = threes & (markers >> (3 * shift));
            worth += threes.len() as i32 * THREE + fours.len() as i32 * FOUR;
        }
        worth
    }
}

/// Whether `length` of the markers stand side by side, each `shift` from the next.
fn has_run<const W: usize>(markers: Bits<W>, shift: usize, length: usize) -> bool {
    let runs = (1..length).fold(markers, |runs, _| markers & (runs >> shift));
    !runs.is_empty()
}

impl<const N: usize, const W: usize> Searchable for YinshPosition<N, W> {
    const USUAL_TURNS: u32 = 35;

    fn evaluate(&self) -> i32 {
        let us = self.turn.index();
        let pending = match self.phase {
            Phase::Row | Phase::GivenRow => PENDING_ROW,
            Phase::Ring | Phase::GivenRing => RING_OUT,
            Phase::Place | Phase::Move | Phase::Won => 0,
        };
        self.worth(us) - self.worth(1 - us) + pending
    }

    fn code(m: Move) -> u16 {
        let folded = match m {
            Move::Place(at) => 0x1_0000 | u32::from(at.0),
            Move::Ring { from, to, .. } => 0x2_0000 | u32::from(from.0) << 8 | u32::from(to.0),
            Move::TakeRow(row) => 0x3_0000 | u32::from(row.start.0) << 2 | u32::from(row.axis.0),
            Move::TakeRing(at) => 0x4_0000 | u32::from(at.0),
        };
        (folded.wrapping_mul(0x9e37_79b1) >> 16) as u16 | 1
    }

    /// Taking rows and rings must be done anyway.
    fn gain(&self, m: Move) -> i32 {
        match m {
            Move::TakeRow(_) | Move::TakeRing(_) => RING_OUT,
            Move::Place(_) | Move::Ring { .. } => 0,
        }
    }

    fn noisy(&self, moves: &mut Vec<Move>) {
        if !matches!(self.phase, Phase::Place | Phase::Move) {
            self.generate(moves);
        }
    }

    /// The opponent needs one more ring, and one more marker for the row.
    fn threatened(&self) -> bool {
        let them = self.turn.other().index();
        let one_short = usize::from(self.rules.row) - 1;
        self.phase == Phase::Move
            && self.out[them] + 1 == self.rules.goal
            && Axis::ALL.into_iter().any(|axis| has_run::<W>(self.markers[them], axis.shift(N), one_short))
    }

    fn pass(&self) -> Option<Self> {
        (self.phase == Phase::Move).then(|| self.passed())
    }

    fn over(&self, scratch: &mut Vec<Move>) -> Option<Outcome> {
        match self.phase {
            Phase::Row | Phase::Ring | Phase::GivenRow | Phase::GivenRing => None,
            _ if self.count() > 0 => None,
            _ => self.generate(scratch),
        }
    }
}
