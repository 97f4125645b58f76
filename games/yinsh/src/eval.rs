//! What a position is worth, for the search.

use agon_rules::{Outcome, Position, Side};
use agon_search::{Parameters, Searchable, Skill, Weight};

use crate::{
    bits::Bits,
    geometry::{Axis, Geometry, Point},
    position::{Move, Phase, YinshPosition},
};

mod windows;

// Fitted to self-play, then changed by play, because the fit alone tells little: its loss is 0.654, and knowing nothing costs 0.693.
// Against the evaluation of threes and fours that was here before: +402 Elo (from +310 to +570) at 0.01 s a move, 50 pairs, with 0.63
// times the nodes a second; on 6-6-6-3 at 0.005 s +382 (from +263 to +676), 25 pairs.
// What single terms are worth, with 1,000 nodes and 400 pairs: reach 251 ± 32, rings out 243 ± 29, row_ready 212 ± 29, slide 114 ± 26
// (perhaps because rings that slide freely are far from the markers), jump 9 ± 24, row_threat 8 ± 24, hole −17 ± 25.
// Windows that lack three markers, and whether a hole is empty, were worth nothing in the fit.
agon_search::weights! {
    ring_out: 260, "a ring that is out, or about to be taken out";
    last_ring: 90, "one ring more wins";
    marker: 5, "a marker";
    short_by_two: 6, "a window with two markers less than a row";
    hole: 16, "a point where one marker would complete a row";
    row_ready: 180, "the side that moves next can complete a row";
    row_threat: 62, "a row that the other side could complete in its next turn";
    slide: -6, "a way to move a ring over empty points";
    jump: 7, "a way to jump over markers";
    reach: 11, "a point on a line through a ring, compared with the board's mean";
    pending_row: 250, "a row that is about to be taken";
}

// The larger board, with rows of five and of six: tuned by play from the weights above (`agon lab tune yinsh --variant V weights --rate
// 0.2`, 8,000 games of 400 nodes a move). Against those, with 1,500 nodes, on openings that were not seen before, 150 pairs each: +42 ± 39 with
// rows of five, +75 ± 39 with rows of six. Fits to 1,500 games each had lost 14 ± 45 and 24 ± 53.
const ROWS_OF_FIVE_ON_SIX: Terms = Terms {
    ring_out: 273,
    last_ring: 126,
    marker: 1,
    short_by_two: 7,
    hole: 14,
    row_ready: 254,
    row_threat: 60,
    slide: -4,
    jump: 9,
    reach: 12,
    pending_row: 192,
};
const ROWS_OF_SIX: Terms = Terms {
    ring_out: 297,
    last_ring: 55,
    marker: 6,
    short_by_two: 6,
    hole: 13,
    row_ready: 232,
    row_threat: 65,
    slide: -4,
    jump: 9,
    reach: 8,
    pending_row: 157,
};

impl<const N: usize, const W: usize> YinshPosition<N, W> {
    /// What one side has, and how many rows it could complete if it moved now.
    fn holdings(&self, side: Side) -> (Terms, i32) {
        let at = side.index();
        let mut terms = Terms {
            ring_out: i32::from(self.out[at]),
            last_ring: i32::from(self.out[at] + 1 == self.rules.goal),
            marker: self.markers[at].len() as i32,
            ..Terms::default()
        };
        let mut ready = 0;
        for axis in Axis::ALL {
            let windows = self.windows(at, axis);
            terms.short_by_two += windows.short_by_two.len() as i32;
            if !windows.holes.is_empty() {
                terms.hole += windows.holes.len() as i32;
                ready += self.ready_holes(at, axis, windows.holes) as i32;
            }
        }
        for ring in self.rings[at].iter() {
            terms.reach += i32::from(Geometry::<N, W>::reach(Point(ring))) - Geometry::<N, W>::MEAN_REACH;
        }
        (terms, ready)
    }

    /// What each is worth on this board. Sizes that nobody has tuned have those of the nearest one.
    #[inline]
    fn own_weights(&self) -> &'static Terms {
        match (N, self.rules.row) {
            (..=5, _) => &WEIGHTS,
            (_, ..=5) => &ROWS_OF_FIVE_ON_SIX,
            _ => &ROWS_OF_SIX,
        }
    }

    /// What the side to move has more than the other one.
    fn terms(&self) -> Terms {
        let (us, them) = (self.turn, self.turn.other());
        let ((our_terms, our_ready), (their_terms, their_ready)) = (self.holdings(us), self.holdings(them));
        let mut terms = our_terms - their_terms;
        match self.phase {
            Phase::Row | Phase::GivenRow => terms.pending_row = 1,
            Phase::Ring | Phase::GivenRing => terms.ring_out += 1,
            Phase::Place | Phase::Move | Phase::Won => {}
        }
        if self.phase != Phase::Place {
            let ways = self.count_ways();
            terms.slide = ways[us.index()].slides as i32 - ways[them.index()].slides as i32;
            terms.jump = ways[us.index()].jumps as i32 - ways[them.index()].jumps as i32;
        }
        if matches!(self.phase, Phase::Row | Phase::Ring) {
            terms.row_ready = -i32::from(their_ready > 0);
            terms.row_threat = our_ready;
        } else {
            terms.row_ready = i32::from(our_ready > 0);
            terms.row_threat = -their_ready;
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
    /// Chosen by matches: `bench/strength.md`.
    const SKILLS: [Skill; 9] = [
        Skill::new(1, 0, 12, 7),
        Skill::new(2, 0, 34, 4),
        Skill::new(0, 480, 0, 0),
        Skill::new(0, 1080, 0, 0),
        Skill::new(0, 2150, 0, 0),
        Skill::new(0, 3950, 0, 0),
        Skill::new(0, 7700, 0, 0),
        Skill::new(0, 15_500, 0, 0),
        Skill::new(0, 32_000, 0, 0),
    ];

    /// From what a beginner can beat to what the search finds in a tenth of a second there are more steps than nine.
    const LADDER_MILLISECONDS: u64 = 35;

    /// One builds rows wherever it can, the other watches those of the opponent.
    const STYLES: [&'static str; 2] =
        ["row_ready=130%,hole=150%,short_by_two=200%", "row_threat=180%,reach=150%,marker=200%"];

    /// Measured in `bench/search.md`: singular and threat extensions do not pay.
    fn parameters() -> Parameters {
        Parameters { singular: 0, threat_extension: 0, ..Parameters::default() }
    }

    fn evaluate(&self) -> i32 {
        self.terms().worth(self.own_weights())
    }

    /// The longer a row must be, the longer a game: 27 and 37 turns for rows of five and six in games of 3,000 nodes a move, of which the last
    /// few are decided.
    fn usual_turns(&self) -> u32 {
        5 * u32::from(self.rules.row) + 3
    }

    fn weights(&self) -> Vec<Weight> {
        self.own_weights().list()
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

    /// Taking rows and rings must be done anyway. To put ring moves that complete a row, or turn many markers, before others was worth
    /// 0 ± 45 and −6 ± 62 Elo: history and the estimate find them.
    fn gain(&self, m: Move) -> i32 {
        match m {
            Move::TakeRow(_) | Move::TakeRing(_) => self.own_weights().ring_out,
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
