//! What a position is worth, for the search.

use agon_rules::{Outcome, Position, Side};
use agon_search::{Parameters, Searchable, Weight};

use crate::{
    Kind, Move, RollerballPosition,
    board::squares,
    moves::{self, attacks},
};

agon_search::weights! {
    pawn: 100, "a pawn";
    rook: 350, "a rook";
    bishop: 450, "a bishop";
    knight: 320, "a knight";
    mobility: 4, "each square that a rook, bishop or knight attacks";
}

/// By the numbers of [`Kind`]: pawn, rook, bishop, king, knight.
const WORTH: [i32; 5] = [WEIGHTS.pawn, WEIGHTS.rook, WEIGHTS.bishop, 0, WEIGHTS.knight];

impl RollerballPosition {
    /// What `side` has.
    fn holdings(&self, side: Side) -> Terms {
        let (tables, occupied) = (self.tables(), self.occupied());
        let count = |kind| self.men(side, kind).count_ones() as i32;
        let reach = |kind| -> u32 {
            squares(self.men(side, kind)).map(|from| attacks(tables, kind, from, occupied).count_ones()).sum()
        };
        Terms {
            pawn: count(Kind::Pawn),
            rook: count(Kind::Rook),
            bishop: count(Kind::Bishop),
            knight: count(Kind::Knight),
            mobility: (reach(Kind::Rook) + reach(Kind::Bishop) + reach(Kind::Knight)) as i32,
        }
    }

    /// What the side to move has more than the other one.
    fn terms(&self) -> Terms {
        self.holdings(self.turn()) - self.holdings(self.turn().other())
    }
}

impl Searchable for RollerballPosition {
    const USUAL_TURNS: u32 = 45;

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
