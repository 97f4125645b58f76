//! What a position is worth, for the search.

use agon_rules::{Outcome, Position};
use agon_search::{Parameters, Searchable, Weight};

use crate::{
    bits::Bits,
    geometry::Axis,
    position::{Move, Phase, YinshPosition},
};

agon_search::weights! {
    ring_out: 500, "a ring that is out, or about to be taken out";
    marker: 6, "a marker";
    three: 16, "three markers in a line";
    four: 40, "four markers in a line";
    pending_row: 450, "a row that is about to be taken";
}

impl<const N: usize, const W: usize> YinshPosition<N, W> {
    /// What one side has.
    fn holdings(&self, side: usize) -> Terms {
        let markers = self.markers[side];
        let mut terms = Terms { ring_out: i32::from(self.out[side]), marker: markers.len() as i32, ..Terms::default() };
        for axis in Axis::ALL {
            let shift = axis.shift(N);
            let pairs: Bits<W> = markers & (markers >> shift);
            let threes = pairs & (markers >> (2 * shift));
            let fours = threes & (markers >> (3 * shift));
            terms.three += threes.len() as i32;
            terms.four += fours.len() as i32;
        }
        terms
    }

    /// What the side to move has more than the other one.
    fn terms(&self) -> Terms {
        let us = self.turn.index();
        let mut terms = self.holdings(us) - self.holdings(1 - us);
        match self.phase {
            Phase::Row | Phase::GivenRow => terms.pending_row = 1,
            Phase::Ring | Phase::GivenRing => terms.ring_out += 1,
            Phase::Place | Phase::Move | Phase::Won => {}
        }
        terms
    }
}

/// Whether `length` of the markers stand side by side, each `shift` from the next.
fn has_run<const W: usize>(markers: Bits<W>, shift: usize, length: usize) -> bool {
    let runs = (1..length).fold(markers, |runs, _| markers & (runs >> shift));
    !runs.is_empty()
}

impl<const N: usize, const W: usize> Searchable for YinshPosition<N, W> {
    const USUAL_TURNS: u32 = 35;

    /// Measured in `bench/search.md`: singular and threat extensions do not pay.
    fn parameters() -> Parameters {
        Parameters { singular: 0, threat_extension: 0, ..Parameters::default() }
    }

    fn evaluate(&self) -> i32 {
        self.terms().worth()
    }

    fn weights() -> &'static [Weight] {
        Terms::LIST
    }

    fn features(&self) -> Vec<i32> {
        self.terms().values()
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
            Move::TakeRow(_) | Move::TakeRing(_) => WEIGHTS.ring_out,
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

    fn over(&self, scratch: &mut Vec<Move>) -> Option<Outcome> {
        match self.phase {
            Phase::Row | Phase::Ring | Phase::GivenRow | Phase::GivenRing => None,
            _ if self.has_move() => None,
            _ => self.generate(scratch),
        }
    }
}
