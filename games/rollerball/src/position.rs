//! The state of a game and how a move changes it.

use std::fmt;

use agon_picture::{Click, Picture};
use agon_rules::{
    BySide, Ending, Outcome, PlaneShape, Position, PositionError, Reason, RuleSet, Side, TurnError, keys,
};

use crate::THREEFOLD;
use crate::{
    Move, Square, Variant,
    board::{LANE, squares},
    draw, moves, points,
    tables::{Tables, Threefold},
    text,
};

/// The kind of a man.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// One step clockwise, straight or diagonally.
    Pawn,
    /// Slides clockwise and round the corners.
    Rook,
    /// Slides clockwise on diagonals and bounces off the walls.
    Bishop,
    /// One step in any direction.
    King,
    /// Leaps as in chess.
    Knight,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Kind; 5] = [Kind::Pawn, Kind::Rook, Kind::Bishop, Kind::King, Kind::Knight];

    /// What the man is called.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Pawn => "pawn",
            Kind::Rook => "rook",
            Kind::Bishop => "bishop",
            Kind::King => "king",
            Kind::Knight => "knight",
        }
    }
}

static MAN_KEYS: [[[u64; 64]; 5]; 2] = [
    [
        keys::table(0x0170_0011),
        keys::table(0x0170_0012),
        keys::table(0x0170_0013),
        keys::table(0x0170_0014),
        keys::table(0x0170_0015),
    ],
    [
        keys::table(0x0170_0021),
        keys::table(0x0170_0022),
        keys::table(0x0170_0023),
        keys::table(0x0170_0024),
        keys::table(0x0170_0025),
    ],
];
const SECOND_TO_MOVE: u64 = keys::mix(0x0170_0031);

/// The rotations and exchanges that may be symmetries: quarter turns clockwise, and whether the sides are swapped. The
/// first two hold always, the others where no pawn is left, because only promotion tells the sectors and sides apart.
const SYMMETRIES: [(u32, bool); 8] =
    [(0, false), (2, true), (1, false), (2, false), (3, false), (0, true), (1, true), (3, true)];

/// The men on the board and who is to move.
#[derive(Clone)]
pub struct RollerballPosition {
    /// Squares by kind of man.
    kinds: [u64; 5],
    /// Squares by owner.
    sides: [u64; 2],
    key: u64,
    tables: &'static Tables,
    turn: Side,
}

impl RollerballPosition {
    /// The start position of a board under a rule set.
    pub fn start(variant: Variant, rules: RuleSet) -> RollerballPosition {
        text::parse_position(Tables::of(variant, rules), variant.start_text()).expect("the start position is sound")
    }

    /// A position from sets of squares by side and kind.
    pub(crate) fn from_parts(tables: &'static Tables, men: [[u64; 5]; 2], turn: Side) -> RollerballPosition {
        let kinds = std::array::from_fn(|kind| men[0][kind] | men[1][kind]);
        let sides = men.map(|kinds| kinds.iter().fold(0, |all, set| all | set));
        let mut position = RollerballPosition { kinds, sides, key: 0, tables, turn };
        position.key = position.recompute_key();
        position
    }

    /// The board.
    pub fn variant(&self) -> Variant {
        self.tables.variant
    }

    /// The rule set.
    pub fn rules(&self) -> RuleSet {
        self.tables.rules
    }

    /// Whether the king of the side to move is attacked.
    pub fn in_check(&self) -> bool {
        moves::in_check(self)
    }

    #[inline]
    pub(crate) fn tables(&self) -> &'static Tables {
        self.tables
    }

    /// The squares of a side's men.
    #[inline]
    pub(crate) fn side(&self, side: Side) -> u64 {
        self.sides[side.index()]
    }

    /// The squares of a side's men of one kind.
    #[inline]
    pub(crate) fn men(&self, side: Side, kind: Kind) -> u64 {
        self.sides[side.index()] & self.kinds[kind as usize]
    }

    #[inline]
    pub(crate) fn occupied(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    /// The man on a square.
    pub(crate) fn man(&self, square: Square) -> Option<(Side, Kind)> {
        let side = Side::BOTH.into_iter().find(|&side| self.side(side) & square.bit() != 0)?;
        Kind::ALL.into_iter().find(|&kind| self.men(side, kind) & square.bit() != 0).map(|kind| (side, kind))
    }

    /// Takes the man of the side not to move off `square`.
    #[inline]
    fn capture(&mut self, square: Square) {
        let them = self.turn.other().index();
        self.sides[them] ^= square.bit();
        for (set, keys) in self.kinds.iter_mut().zip(&MAN_KEYS[them]) {
            if *set & square.bit() != 0 {
                *set ^= square.bit();
                self.key ^= keys[square.index()];
            }
        }
    }
}

/// Positions on different boards or under different rules are different.
impl PartialEq for RollerballPosition {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tables, other.tables)
            && (self.kinds, self.sides, self.turn) == (other.kinds, other.sides, other.turn)
    }
}

impl Eq for RollerballPosition {}

impl fmt::Debug for RollerballPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.variant().name(), self.rules(), self.text())
    }
}

impl Position for RollerballPosition {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    fn generate(&self, moves: &mut Vec<Move>) -> Option<Outcome> {
        moves::generate(self, moves)
    }

    #[inline]
    fn count(&self) -> u64 {
        moves::count(self)
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let (from, to) = (m.from(), m.to());
        let (us, moved) = (self.turn.index(), m.kind());
        let becomes = m.promotion().unwrap_or(moved);
        if self.sides[us ^ 1] & to.bit() != 0 {
            self.capture(to);
        }
        self.sides[us] ^= from.bit() | to.bit();
        self.kinds[moved as usize] ^= from.bit();
        self.kinds[becomes as usize] ^= to.bit();
        self.key ^=
            SECOND_TO_MOVE ^ MAN_KEYS[us][moved as usize][from.index()] ^ MAN_KEYS[us][becomes as usize][to.index()];
        self.turn = self.turn.other();
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn recompute_key(&self) -> u64 {
        let mut key = if self.turn == Side::Second { SECOND_TO_MOVE } else { 0 };
        for side in Side::BOTH {
            for kind in Kind::ALL {
                let keys = &MAN_KEYS[side.index()][kind as usize];
                key = squares(self.men(side, kind)).fold(key, |key, square| key ^ keys[square.index()]);
            }
        }
        key
    }

    /// The key, without the side to move where the rules compare placements only.
    #[inline]
    fn history_key(&self) -> u64 {
        match (self.tables.endings.threefold, self.turn) {
            (Some(Threefold::PlacementOnly), Side::Second) => self.key ^ SECOND_TO_MOVE,
            _ => self.key,
        }
    }

    fn adjudicate(&self, history: &[u64]) -> Option<Outcome> {
        let endings = &self.tables.endings;
        if endings.move_limit.is_some_and(|limit| history.len() >= limit) {
            return Some(Outcome::draw(Reason::MOVE_LIMIT));
        }
        let now = self.history_key();
        let times_before = match endings.threefold? {
            // The same side was to move two moves ago, four moves ago, and so on.
            Threefold::PlacementAndSide => history.rchunks_exact(2).filter(|two_moves| two_moves[0] == now).count(),
            Threefold::PlacementOnly => history.iter().skip(1).filter(|&&key| key == now).count(),
        };
        (times_before >= 2).then_some(Outcome::draw(THREEFOLD))
    }

    fn points(&self, ending: Ending, made: BySide<u32>) -> BySide<f64> {
        points::points(self, ending, made)
    }

    /// White's pawns, rooks, bishops, king, knights, then black's, and one plane whose lowest bit says that black is to move.
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape { planes: 11, cells: 64 }
    }

    fn write_planes(&self, words: &mut [u64]) {
        let men = Side::BOTH.into_iter().flat_map(|side| Kind::ALL.map(|kind| self.men(side, kind)));
        let turn = std::iter::once(u64::from(self.turn == Side::Second));
        for (word, plane) in words.iter_mut().zip(men.chain(turn)) {
            *word = plane;
        }
    }

    fn symmetries(&self, _plies: u32) -> usize {
        if self.kinds[Kind::Pawn as usize] == 0 { SYMMETRIES.len() } else { 2 }
    }

    fn transform(&self, symmetry: usize) -> Self {
        let (quarters, swap) = SYMMETRIES[symmetry];
        let turned = |side: Side| Kind::ALL.map(|kind| self.men(side, kind).rotate_left(quarters * LANE));
        let mut men = Side::BOTH.map(turned);
        let mut turn = self.turn;
        if swap {
            men.swap(0, 1);
            turn = turn.other();
        }
        RollerballPosition::from_parts(self.tables, men, turn)
    }

    fn text(&self) -> String {
        text::position_text(self)
    }

    fn parse(&self, text: &str) -> Result<Self, PositionError> {
        text::parse_position(self.tables, text)
    }

    fn move_text(&self, m: Move) -> String {
        text::move_text(&self.tables.geometry, m)
    }

    fn count_spellings(&self, _m: Move) -> u64 {
        1
    }

    fn parse_turn(&self, text: &str) -> Result<Vec<Move>, TurnError> {
        text::parse_turn(self, text).map(|m| vec![m])
    }

    fn picture(&self, last: &[Move]) -> Picture {
        draw::picture(self, last)
    }

    fn clicks(&self, m: Move) -> Vec<Click> {
        draw::clicks(self, m)
    }
}
