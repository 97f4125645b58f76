//! What a position is worth, for the search.

use agon_rules::{Outcome, Position, Side};
use agon_search::{Parameters, Searchable, Weight};

use crate::{
    Move,
    board::{Board, Squares},
    moves::{self, attacked},
    position::CannonPosition,
};

agon_search::weights! {
    soldier: 100, "a soldier";
    hall: 350, "a town hall";
    cannon: 12, "three soldiers in line";
    hall_under_fire: 60, "a hall of the side to move that can be taken next turn, counted below zero";
}

const LINES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl<B: Board> CannonPosition<B> {
    /// What `side` has.
    fn holdings(&self, side: Side) -> Terms {
        let own = self.soldiers(side);
        let board = self.board();
        let middles = |(dx, dy): (i32, i32)| (own & board.shift(own, dx, dy) & board.shift(own, -dx, -dy)).len() as i32;
        Terms {
            soldier: own.len() as i32,
            hall: self.halls(side).len() as i32,
            cannon: LINES.into_iter().map(middles).sum(),
            hall_under_fire: 0,
        }
    }

    /// What the side to move has more than the other one.
    fn terms(&self) -> Terms {
        let (us, them) = (self.turn(), self.turn().other());
        let under_fire = (attacked(self, them) & self.halls(us)).len() as i32;
        Terms { hall_under_fire: -under_fire, ..self.holdings(us) - self.holdings(them) }
    }

    /// What a man on `square` is worth to whoever takes it.
    fn prize(&self, square: u8) -> i32 {
        let them = self.turn().other();
        if self.halls(them).contains(square) {
            WEIGHTS.hall
        } else if self.soldiers(them).contains(square) {
            WEIGHTS.soldier
        } else {
            0
        }
    }
}

impl<B: Board> Searchable for CannonPosition<B> {
    const USUAL_TURNS: u32 = 50;

    /// Measured in `bench/search.md`: killers and threat extensions do not pay.
    fn parameters() -> Parameters {
        Parameters { killers: 0, threat_extension: 0, ..Parameters::default() }
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
        match m {
            Move::March { from, to } => 1 + (u16::from(from) << 7 | u16::from(to)),
            Move::Shot(target) => 0x8000 | u16::from(target),
            Move::Pass => 0xc000,
        }
    }

    fn gain(&self, m: Move) -> i32 {
        match m {
            Move::March { to, .. } => self.prize(to),
            Move::Shot(target) => self.prize(target),
            Move::Pass => 0,
        }
    }

    fn over(&self, scratch: &mut Vec<Move>) -> Option<Outcome> {
        if self.goal().is_none() && moves::any(self) { None } else { self.generate(scratch) }
    }

    fn noisy(&self, moves: &mut Vec<Move>) {
        moves::captures(self, moves);
    }

    /// One more hall lost is the game, and it can be taken at once.
    fn threatened(&self) -> bool {
        let us = self.turn();
        self.halls_lost(us) == 1 && !(attacked(self, us.other()) & self.halls(us)).is_empty()
    }
}
