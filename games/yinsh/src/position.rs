//! The state of a game: what stands where, whose decision is next, and what a move does to it.

use agon_rules::{BySide, RuleSet, Side, keys};

use crate::{
    bits::Bits,
    geometry::{Axis, Direction, Geometry, MOST_INDICES, Point},
};

/// A position on a board of size `N`, whose points fit into `W` words.
///
/// A turn is one or more moves of the same side; the position in between knows what is due (`phase`).
#[derive(Clone, PartialEq, Debug)]
pub struct YinshPosition<const N: usize, const W: usize> {
    pub(crate) rings: [Bits<W>; 2],
    pub(crate) markers: [Bits<W>; 2],
    /// Rings and all markers once more, laid out with the lines along y, and along (1, 1), side by side:
    /// a third of the time of counting moves went into doing that afresh.
    pub(crate) turned_rings: [[Bits<W>; 2]; 2],
    pub(crate) turned_markers: [Bits<W>; 2],
    pub(crate) key: u64,
    pub(crate) out: [u8; 2],
    pub(crate) turn: Side,
    pub(crate) phase: Phase,
    pub(crate) rules: Rules,
}

/// What a variant and a rule set fix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rules {
    /// Rings that each side places.
    pub(crate) rings: u8,
    /// Markers in a row.
    pub(crate) row: u8,
    /// Rings to take off the board to win.
    pub(crate) goal: u8,
    pub(crate) set: RuleSet,
}

/// What the side to move must do; the numbers are those of position texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// Place a ring.
    Place = 0,
    /// Move a ring.
    Move = 1,
    /// Take a row after the ring move.
    Row = 3,
    /// Take a ring for that row.
    Ring = 4,
    /// Nothing: the game is won.
    Won = 5,
    /// Take a row that the opponent's turn has left, before the ring move.
    GivenRow = 6,
    /// Take a ring for that row.
    GivenRing = 7,
}

impl Phase {
    pub(crate) const ALL: [Phase; 7] =
        [Phase::Place, Phase::Move, Phase::Row, Phase::Ring, Phase::Won, Phase::GivenRow, Phase::GivenRing];

    pub(crate) const fn number(self) -> u8 {
        self as u8
    }
}

/// One decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A new ring on an empty point.
    Place(Point),
    /// A ring leaves a marker behind, slides, jumps, and turns what it jumps over.
    Ring {
        /// Where the ring stands.
        from: Point,
        /// Where it goes.
        to: Point,
        /// The way from one to the other; it follows from both, and saves looking for it.
        along: Direction,
    },
    /// A row of markers is taken off the board.
    TakeRow(Row),
    /// A ring is taken off the board.
    TakeRing(Point),
}

/// As many markers in a line as the variant asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Row {
    /// The end with the lowest index.
    pub(crate) start: Point,
    /// The way to the other end.
    pub(crate) axis: Axis,
}

static RING_KEYS: [[u64; MOST_INDICES]; 2] = [keys::table(0x7901), keys::table(0x7902)];
static MARKER_KEYS: [[u64; MOST_INDICES]; 2] = [keys::table(0x7903), keys::table(0x7904)];
static OUT_KEYS: [[u64; 11]; 2] = [keys::table(0x7905), keys::table(0x7906)];
static PHASE_KEYS: [[u64; 8]; 2] = [keys::table(0x7907), keys::table(0x7908)];

impl<const N: usize, const W: usize> YinshPosition<N, W> {
    /// The empty board, the first side to place.
    pub(crate) fn new(rules: Rules) -> Self {
        let mut start = YinshPosition {
            rings: [Bits::EMPTY; 2],
            markers: [Bits::EMPTY; 2],
            turned_rings: [[Bits::EMPTY; 2]; 2],
            turned_markers: [Bits::EMPTY; 2],
            key: 0,
            out: [0; 2],
            turn: Side::First,
            phase: Phase::Place,
            rules,
        };
        start.key = start.key_from_scratch();
        start
    }

    /// Puts a ring on a point, or takes it away, without regard to the key.
    #[inline]
    pub(crate) fn toggle_ring(&mut self, side: Side, point: Point) {
        self.rings[side.index()] ^= Bits::bit(point.0);
        for (axis, bit) in turned_bits::<N, W>(point).into_iter().enumerate() {
            self.turned_rings[side.index()][axis] ^= bit;
        }
    }

    /// Puts a marker on a point, or takes it away, without regard to the key.
    #[inline]
    pub(crate) fn toggle_marker(&mut self, side: Side, point: Point) {
        self.markers[side.index()] ^= Bits::bit(point.0);
        for (axis, bit) in turned_bits::<N, W>(point).into_iter().enumerate() {
            self.turned_markers[axis] ^= bit;
        }
    }

    pub(crate) fn key_from_scratch(&self) -> u64 {
        let mut key = PHASE_KEYS[self.turn.index()][usize::from(self.phase.number())];
        for side in [0, 1] {
            key ^= OUT_KEYS[side][usize::from(self.out[side])];
            key = self.rings[side].iter().fold(key, |key, i| key ^ RING_KEYS[side][usize::from(i)]);
            key = self.markers[side].iter().fold(key, |key, i| key ^ MARKER_KEYS[side][usize::from(i)]);
        }
        key
    }

    /// All markers.
    #[inline]
    pub(crate) fn all_markers(&self) -> Bits<W> {
        self.markers[0] | self.markers[1]
    }

    /// The points with nothing on them.
    #[inline]
    pub(crate) fn empty_points(&self) -> Bits<W> {
        Geometry::<N, W>::TABLES.board.without(self.rings[0] | self.rings[1] | self.all_markers())
    }

    /// Rings that `side` has still to place.
    pub(crate) fn rings_to_place(&self, side: Side) -> u32 {
        let used = self.rings[side.index()].len() + u32::from(self.out[side.index()]);
        u32::from(self.rules.rings).saturating_sub(used)
    }

    /// Markers of both sides.
    pub(crate) fn marker_counts(&self) -> BySide<u32> {
        BySide::from_fn(|side| self.markers[side.index()].len())
    }

    #[inline]
    pub(crate) fn play_move(&mut self, m: Move) {
        match m {
            Move::Place(point) => self.place(point),
            Move::Ring { from, to, along } => self.move_ring(from, to, along),
            Move::TakeRow(row) => self.take_row(row),
            Move::TakeRing(point) => self.take_ring(point),
        }
    }

    fn place(&mut self, point: Point) {
        self.change_ring(point);
        let next = self.turn.other();
        if self.rings_to_place(next) > 0 {
            self.turn_to(next, Phase::Place);
        } else {
            self.pass();
        }
    }

    #[inline]
    fn move_ring(&mut self, from: Point, to: Point, along: Direction) {
        let crossed = (Geometry::<N, W>::ray(along, from) ^ Geometry::<N, W>::ray(along, to)) & self.all_markers();
        self.markers[0] ^= crossed;
        self.markers[1] ^= crossed;
        for i in crossed.iter() {
            self.key ^= MARKER_KEYS[0][usize::from(i)] ^ MARKER_KEYS[1][usize::from(i)];
        }
        self.change_ring(from);
        self.change_ring(to);
        self.change_marker(from);
        if self.has_row(self.turn) {
            self.turn_to(self.turn, Phase::Row);
        } else {
            self.pass();
        }
    }

    fn take_row(&mut self, row: Row) {
        for point in self.row_points(row) {
            self.change_marker(point);
        }
        let due = if self.phase == Phase::GivenRow { Phase::GivenRing } else { Phase::Ring };
        self.turn_to(self.turn, due);
    }

    fn take_ring(&mut self, point: Point) {
        self.change_ring(point);
        let out = &mut self.out[self.turn.index()];
        let keys = &OUT_KEYS[self.turn.index()];
        self.key ^= keys[usize::from(*out)] ^ keys[usize::from(*out + 1)];
        *out += 1;
        if *out == self.rules.goal {
            // The server passes the turn before it looks for a winner.
            self.turn_to(self.turn.other(), Phase::Won);
        } else if self.has_row(self.turn) {
            // The server forgets that the row was given, and with it the ring move.
            let forgets = self.phase == Phase::Ring || self.rules.set == RuleSet::Server;
            self.turn_to(self.turn, if forgets { Phase::Row } else { Phase::GivenRow });
        } else if self.phase == Phase::GivenRing {
            self.turn_to(self.turn, Phase::Move);
        } else {
            self.pass();
        }
    }

    /// The turn goes to the opponent, who first takes the rows that it finds.
    #[inline]
    fn pass(&mut self) {
        let next = self.turn.other();
        self.turn_to(next, if self.has_row(next) { Phase::GivenRow } else { Phase::Move });
    }

    #[inline]
    fn turn_to(&mut self, turn: Side, phase: Phase) {
        let key = |turn: Side, phase: Phase| PHASE_KEYS[turn.index()][usize::from(phase.number())];
        self.key ^= key(self.turn, self.phase) ^ key(turn, phase);
        self.turn = turn;
        self.phase = phase;
    }

    /// Puts a ring of the side to move on `point`, or takes it away.
    #[inline]
    fn change_ring(&mut self, point: Point) {
        self.toggle_ring(self.turn, point);
        self.key ^= RING_KEYS[self.turn.index()][usize::from(point.0)];
    }

    /// Puts a marker of the side to move on `point`, or takes it away.
    #[inline]
    fn change_marker(&mut self, point: Point) {
        self.toggle_marker(self.turn, point);
        self.key ^= MARKER_KEYS[self.turn.index()][usize::from(point.0)];
    }
}

/// `point` in the layouts of the second and the third axis.
#[inline]
fn turned_bits<const N: usize, const W: usize>(point: Point) -> [Bits<W>; 2] {
    [Axis(1), Axis(2)].map(|axis| Bits::bit(Geometry::<N, W>::turned(axis, point.0)))
}
