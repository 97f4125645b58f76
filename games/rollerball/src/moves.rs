//! Which moves are legal.
//!
//! One look at the enemy's men gives all that is needed: the squares they attack (where the king may not go), the squares
//! on which a move answers every check, and the men that shield the king. Everything else is set arithmetic, so that counting
//! moves is counting bits.

use std::fmt;

use agon_rules::{Outcome, Position, Reason};

use crate::CHECKMATE;
use crate::{
    Kind, RollerballPosition, Square,
    board::{LANE, squares},
    tables::{Slider, Tables},
};

/// One move: origin, target, what moves, and what it becomes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

impl Move {
    /// Codes above those of the kinds: a pawn becomes a rook, a pawn becomes a bishop.
    const TO_ROOK: u16 = 5;
    const TO_BISHOP: u16 = 6;

    #[inline]
    pub(crate) fn new(kind: Kind, from: Square, to: Square) -> Move {
        Move::pack(kind as u16, from, to)
    }

    /// A pawn's move with promotion; `None` if pawns do not become such men.
    pub(crate) fn promoting(becomes: Kind, from: Square, to: Square) -> Option<Move> {
        match becomes {
            Kind::Rook => Some(Move::pack(Move::TO_ROOK, from, to)),
            Kind::Bishop => Some(Move::pack(Move::TO_BISHOP, from, to)),
            Kind::Pawn | Kind::King | Kind::Knight => None,
        }
    }

    #[inline]
    fn pack(code: u16, from: Square, to: Square) -> Move {
        Move(code << 12 | (to.index() as u16) << 6 | from.index() as u16)
    }

    /// Where it starts.
    #[inline]
    pub fn from(self) -> Square {
        Square::new(self.0 as u8 & 63)
    }

    /// Where it ends.
    #[inline]
    pub fn to(self) -> Square {
        Square::new((self.0 >> 6) as u8 & 63)
    }

    /// A number for it; never 0.
    #[inline]
    pub(crate) fn code(self) -> u16 {
        self.0 + 1
    }

    /// What moves.
    #[inline]
    pub fn kind(self) -> Kind {
        match self.0 >> 12 {
            1 => Kind::Rook,
            2 => Kind::Bishop,
            3 => Kind::King,
            4 => Kind::Knight,
            _ => Kind::Pawn,
        }
    }

    /// What a pawn becomes by this move.
    #[inline]
    pub fn promotion(self) -> Option<Kind> {
        match self.0 >> 12 {
            Move::TO_ROOK => Some(Kind::Rook),
            Move::TO_BISHOP => Some(Kind::Bishop),
            _ => None,
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?} to {:?}", self.kind(), self.from(), self.to())?;
        self.promotion().map_or(Ok(()), |kind| write!(f, " becomes {kind:?}"))
    }
}

/// What the enemy's men do to the side to move.
struct Threats {
    /// Squares they attack when the king is lifted off the board: a ray goes on behind it.
    attacked: u64,
    /// Squares where a move of another man than the king answers every check; all where there is none.
    answers: u64,
    /// Own men that stand alone between an enemy rook or bishop and the king on some way.
    pinned: u64,
}

const NOTHING_TO_ANSWER: u64 = u64::MAX;

impl Threats {
    #[inline]
    fn of(position: &RollerballPosition) -> Threats {
        let (us, them) = (position.turn(), position.turn().other());
        let tables = position.tables();
        let king = position.men(us, Kind::King);
        let at = Square::lowest(king).index();
        let pawns = position.men(them, Kind::Pawn);
        let knights = position.men(them, Kind::Knight);
        let their_king = position.men(them, Kind::King);
        let mut threats = Threats {
            attacked: tables.king[Square::lowest(their_king).index()],
            answers: NOTHING_TO_ANSWER,
            pinned: 0,
        };
        for pawn in squares(pawns) {
            threats.attacked |= tables.pawn[pawn.index()];
        }
        for knight in squares(knights) {
            threats.attacked |= tables.knight[knight.index()];
        }
        let near = pawns & tables.pawn_from[at] | knights & tables.knight[at] | their_king & tables.king[at];
        for checker in squares(near) {
            threats.answers &= checker.bit();
        }
        for rook in squares(position.men(them, Kind::Rook)) {
            threats.add_slider(position, &tables.rook, rook, king);
        }
        for bishop in squares(position.men(them, Kind::Bishop)) {
            threats.add_slider(position, &tables.bishop, bishop, king);
        }
        threats
    }

    #[inline]
    fn add_slider(&mut self, position: &RollerballPosition, table: &[Slider; LANE as usize], from: Square, king: u64) {
        let slider = &table[from.slot()];
        let turn = from.turn();
        let others = (position.occupied() ^ king).rotate_right(turn);
        self.attacked |= slider.attacks(others).rotate_left(turn);
        let king = king.rotate_right(turn);
        if (slider.paths[0] | slider.paths[1] | slider.steps) & king != 0 {
            self.aim_at_king(position, slider, from);
        }
    }

    /// A slider that would attack the king if nothing stood in between. Bent ways can lead to the same square twice, so each
    /// is looked at by itself.
    fn aim_at_king(&mut self, position: &RollerballPosition, slider: &Slider, from: Square) {
        let us = position.turn();
        for between in ways_to_king(position, slider, from) {
            let blockers = between & position.occupied();
            if blockers == 0 {
                self.answers &= between | from.bit();
            } else if blockers.is_power_of_two() {
                self.pinned |= blockers & position.side(us);
            }
        }
    }

    fn in_check(&self) -> bool {
        self.answers != NOTHING_TO_ANSWER
    }
}

/// The squares between an enemy slider and the king of the side to move, for each way from one to the other.
#[inline]
fn ways_to_king(position: &RollerballPosition, slider: &Slider, from: Square) -> impl Iterator<Item = u64> {
    let turn = from.turn();
    let king = position.men(position.turn(), Kind::King).rotate_right(turn);
    let ways = [slider.paths[0], slider.paths[1], slider.steps & king];
    // Squares ascend along a way: those before the king are the lower bits.
    ways.into_iter().filter(move |way| way & king != 0).map(move |way| (way & (king - 1)).rotate_left(turn))
}

/// Where a pinned man may go: it must go on standing in every way that it alone blocks, or capture at its end.
#[cold]
fn pin(position: &RollerballPosition, man: u64) -> u64 {
    let tables = position.tables();
    let them = position.turn().other();
    let mut allowed = u64::MAX;
    for (kind, table) in [(Kind::Rook, &tables.rook), (Kind::Bishop, &tables.bishop)] {
        for from in squares(position.men(them, kind)) {
            for between in ways_to_king(position, &table[from.slot()], from) {
                if between & position.occupied() == man {
                    allowed &= between | from.bit();
                }
            }
        }
    }
    allowed
}

/// Calls `visit` with each man of the side to move and the squares it may go to; says whether the king is in check.
#[inline]
fn each_man(position: &RollerballPosition, mut visit: impl FnMut(Kind, Square, u64)) -> bool {
    let us = position.turn();
    let tables = position.tables();
    let threats = Threats::of(position);
    // In a position that was set up, the other king may stand under attack. It is never captured.
    let free = !(position.side(us) | position.men(us.other(), Kind::King));
    let king = Square::lowest(position.men(us, Kind::King));
    visit(Kind::King, king, tables.king[king.index()] & free & !threats.attacked);
    let targets = free & threats.answers;
    if targets == 0 {
        return threats.in_check();
    }
    let occupied = position.occupied();
    for kind in [Kind::Rook, Kind::Bishop, Kind::Pawn, Kind::Knight] {
        for from in squares(position.men(us, kind)) {
            let mut allowed = attacks(tables, kind, from, occupied) & targets;
            if threats.pinned & from.bit() != 0 {
                allowed &= pin(position, from.bit());
            }
            visit(kind, from, allowed);
        }
    }
    threats.in_check()
}

/// Appends the moves to squares of `wanted` and all promotions; says whether the king is in check.
#[inline(always)]
fn list(position: &RollerballPosition, wanted: u64, moves: &mut Vec<Move>) -> bool {
    let promotions = &position.tables().promotions[position.turn().index()];
    each_man(position, |kind, from, targets| {
        let promoting = if kind == Kind::Pawn { targets & promotions[from.index()] } else { 0 };
        moves.extend(squares(targets & wanted & !promoting).map(|to| Move::new(kind, from, to)));
        for to in squares(promoting) {
            moves.extend([Kind::Rook, Kind::Bishop].iter().filter_map(|&becomes| Move::promoting(becomes, from, to)));
        }
    })
}

/// Appends captures and promotions, in the order of [`generate`].
pub(crate) fn captures_and_promotions(position: &RollerballPosition, moves: &mut Vec<Move>) {
    list(position, position.side(position.turn().other()), moves);
}

/// Whether there is a legal move.
pub(crate) fn any(position: &RollerballPosition) -> bool {
    let mut all = 0;
    each_man(position, |_, _, targets| all |= targets);
    all != 0
}

pub(crate) fn generate(position: &RollerballPosition, moves: &mut Vec<Move>) -> Option<Outcome> {
    let before = moves.len();
    let in_check = list(position, u64::MAX, moves);
    if moves.len() > before {
        return None;
    }
    Some(match in_check {
        true => Outcome::win(position.turn().other(), CHECKMATE),
        false => Outcome::draw(Reason::STALEMATE),
    })
}

#[inline]
pub(crate) fn count(position: &RollerballPosition) -> u64 {
    let promotions = &position.tables().promotions[position.turn().index()];
    let mut total = 0;
    each_man(position, |kind, from, targets| {
        total += targets.count_ones();
        if kind == Kind::Pawn {
            total += (targets & promotions[from.index()]).count_ones();
        }
    });
    u64::from(total)
}

pub(crate) fn in_check(position: &RollerballPosition) -> bool {
    Threats::of(position).in_check()
}

/// The squares that a man attacks, whether or not a move there is legal.
#[inline]
pub(crate) fn attacks(tables: &Tables, kind: Kind, from: Square, occupied: u64) -> u64 {
    match kind {
        Kind::Pawn => tables.pawn[from.index()],
        Kind::Rook => tables.rook_attacks(from, occupied),
        Kind::Bishop => tables.bishop_attacks(from, occupied),
        Kind::King => tables.king[from.index()],
        Kind::Knight => tables.knight[from.index()],
    }
}
