//! What a position is worth, for the search.
//!
//! Fitted to 1,200 games of self-play on each board, then rounded; the three boards agree on all but the smallest terms. A pawn is
//! worth what it may become: little at home, as much as a rook just before its promotion. Against material and plain mobility:
//! +228 ± 85 Elo on 7-3 with 0.01 s a move (40 pairs), +512 ± 224 on 8-4 and +436 ± 309 on 8-2 with 1,000 nodes (20 pairs each).
//! Squares around the own king and defended men were tried and said nothing.

use agon_rules::{Outcome, Position, Side};
use agon_search::{Parameters, Searchable, Skill, Weight};

use crate::{
    Kind, Move, RollerballPosition, Square,
    board::squares,
    moves::{self, attacks},
};

agon_search::weights! {
    turn: 35, "to be on the move";
    pawn: 10, "a pawn";
    rook: 470, "a rook";
    bishop: 300, "a bishop";
    knight: 270, "a knight";
    pawn_step: 52, "each move that a pawn has come nearer to promotion, of the last ten";
    pawn_near: 70, "a pawn that can be promoted in one or two moves";
    rook_reach: 15, "each square that a rook can go to without being taken by a pawn";
    bishop_reach: 3, "likewise for a bishop";
    knight_reach: 8, "likewise for a knight";
    king_attack: 15, "each attack of a man on the enemy king's square or one beside it";
    hanging: -95, "a man that is attacked and not defended";
    harassed: -110, "a rook, bishop or knight that a pawn attacks";
}

/// By the numbers of [`Kind`]: pawn, rook, bishop, king, knight. What a pawn is worth depends on its way; this is a usual one.
const WORTH: [i32; 5] = [120, WEIGHTS.rook, WEIGHTS.bishop, 0, WEIGHTS.knight];
/// A pawn that is further away than this from promotion is just a pawn.
const LONG_WAY: u8 = 10;

/// What the men of one side attack.
#[derive(Clone, Copy, Default)]
struct Attacks {
    all: u64,
    by_pawns: u64,
    /// By rooks, bishops and knights, each square as often as it is attacked.
    reach: [u32; 3],
    /// Attacks on the enemy king and the squares beside it.
    on_king: u32,
}

/// The men that go far, in the order of [`Attacks::reach`].
const FAR: [Kind; 3] = [Kind::Rook, Kind::Bishop, Kind::Knight];

impl RollerballPosition {
    fn king(&self, side: Side) -> Square {
        Square::lowest(self.men(side, Kind::King))
    }

    /// What the men of `side` attack, where `shunned` squares do not count as reached.
    fn attacks_of(&self, side: Side, by_pawns: u64, shunned: u64) -> Attacks {
        let (tables, occupied, own) = (self.tables(), self.occupied(), self.side(side));
        let their_king = self.king(side.other());
        let zone = tables.king[their_king.index()] | their_king.bit();
        let mut found =
            Attacks { all: by_pawns | tables.king[self.king(side).index()], by_pawns, ..Attacks::default() };
        found.on_king =
            squares(self.men(side, Kind::Pawn)).map(|at| (tables.pawn[at.index()] & zone).count_ones()).sum();
        for (number, kind) in FAR.into_iter().enumerate() {
            for from in squares(self.men(side, kind)) {
                let attacked = attacks(tables, kind, from, occupied);
                found.all |= attacked;
                found.on_king += (attacked & zone).count_ones();
                found.reach[number] += (attacked & !own & !shunned).count_ones();
            }
        }
        found
    }

    fn attacked_by_pawns(&self, side: Side) -> u64 {
        squares(self.men(side, Kind::Pawn)).fold(0, |all, at| all | self.tables().pawn[at.index()])
    }

    /// What `side` has.
    fn holdings(&self, side: Side, ours: &Attacks, theirs: &Attacks) -> Terms {
        let tables = self.tables();
        let count = |kind| self.men(side, kind).count_ones() as i32;
        let men = self.side(side) & !self.men(side, Kind::King);
        let way = |at: Square| tables.pawn_way[side.index()][at.index()].min(LONG_WAY);
        let ways = || squares(self.men(side, Kind::Pawn)).map(way);
        Terms {
            turn: 0,
            pawn: count(Kind::Pawn),
            rook: count(Kind::Rook),
            bishop: count(Kind::Bishop),
            knight: count(Kind::Knight),
            pawn_step: ways().map(|way| i32::from(LONG_WAY - way)).sum(),
            pawn_near: ways().filter(|&way| way <= 2).count() as i32,
            rook_reach: ours.reach[0] as i32,
            bishop_reach: ours.reach[1] as i32,
            knight_reach: ours.reach[2] as i32,
            king_attack: ours.on_king as i32,
            hanging: (men & theirs.all & !ours.all).count_ones() as i32,
            harassed: (men & theirs.by_pawns & !self.men(side, Kind::Pawn)).count_ones() as i32,
        }
    }

    /// What the side to move has more than the other one.
    fn terms(&self) -> Terms {
        let (us, them) = (self.turn(), self.turn().other());
        let [our_pawns, their_pawns] = [us, them].map(|side| self.attacked_by_pawns(side));
        let ours = self.attacks_of(us, our_pawns, their_pawns);
        let theirs = self.attacks_of(them, their_pawns, our_pawns);
        Terms { turn: 1, ..self.holdings(us, &ours, &theirs) - self.holdings(them, &theirs, &ours) }
    }
}

impl Searchable for RollerballPosition {
    const USUAL_TURNS: u32 = 45;

    /// Chosen by matches: `bench/strength.md`.
    const SKILLS: [Skill; 9] = [
        Skill::new(1, 0, 80, 10),
        Skill::new(1, 0, 20, 2),
        Skill::new(2, 0, 30, 4),
        Skill::new(0, 500, 0, 0),
        Skill::new(0, 1000, 0, 0),
        Skill::new(0, 2000, 0, 0),
        Skill::new(0, 6000, 0, 0),
        Skill::new(0, 16_000, 0, 0),
        Skill::new(0, 50_000, 0, 0),
    ];

    /// One goes for the king and runs with its pawns, the other leaves nothing hanging.
    const STYLES: [&'static str; 2] = ["king_attack=250%,pawn_step=120%", "hanging=150%,harassed=150%,king_attack=40%"];

    /// Measured in `bench/search.md`: singular extensions do not pay.
    fn parameters() -> Parameters {
        Parameters { singular: 0, ..Parameters::default() }
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
        m.code()
    }

    /// What it captures and what the pawn becomes; of equal captures the one by the lesser man first.
    fn gain(&self, m: Move) -> i32 {
        let prize = self.man(m.to()).map_or(0, |(_, kind)| 8 * WORTH[kind as usize] - WORTH[m.kind() as usize] / 8);
        let promotion = m.promotion().map_or(0, |kind| 8 * (WORTH[kind as usize] - WORTH[Kind::Pawn as usize]));
        prize + promotion
    }

    fn noisy(&self, moves: &mut Vec<Move>) {
        moves::captures_and_promotions(self, moves);
    }

    fn over(&self, scratch: &mut Vec<Move>) -> Option<Outcome> {
        if moves::any(self) { None } else { self.generate(scratch) }
    }

    fn threatened(&self) -> bool {
        self.in_check()
    }
}
