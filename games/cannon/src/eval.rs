//! What a position is worth, for the search.

use agon_rules::{Outcome, Position, Side};
use agon_search::Searchable;

use crate::{
    Move,
    board::{Board, Squares},
    moves::attacked,
    position::CannonPosition,
};

const SOLDIER: i32 = 100;
const HALL: i32 = 350;
/// A hall that the side not to move could take.
const HALL_UNDER_FIRE: i32 = 60;
/// Three soldiers in line.
const CANNON: i32 = 12;

const LINES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl<B: Board> CannonPosition<B> {
    fn worth(&self, side: Side) -> i32 {
        let own = self.soldiers(side);
        let board = self.board();
        let middles = |(dx, dy): (i32, i32)| (own & board.shift(own, dx, dy) & board.shift(own, -dx, -dy)).len() as i32;
        let cannons: i32 = LINES.into_iter().map(middles).sum();
        own.len() as i32 * SOLDIER + self.halls(side).len() as i32 * HALL + cannons * CANNON
    }

    /// What a man on `square` is worth to whoever takes it.
    fn prize(&self, square: u8) -> i32 {
        let them = self.turn().other();
        if self.halls(them).contains(square) {
            HALL
        } else if self.soldiers(them).contains(square) {
            SOLDIER
        } else {
            0
        }
    }
}

impl<B: Board> Searchable for CannonPosition<B> {
    const USUAL_TURNS: u32 = 50;

    fn evaluate(&self) -> i32 {
        let (us, them) = (self.turn(), self.turn().other());
        let under_fire = (attacked(self, them) & self.halls(us)).len() as i32;
        self.worth(us) - self.worth(them) - under_fire * HALL_UNDER_FIRE
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
        if self.goal().is_none() && self.count() > 0 { None } else { self.generate(scratch) }
    }

    /// One more hall lost is the game, and it can be taken at once.
    fn threatened(&self) -> bool {
        let us = self.turn();
        self.halls_lost(us) == 1 && !(attacked(self, us.other()) & self.halls(us)).is_empty()
    }

    /// A blank shot is a pass, so passing tells the truth here.
    fn pass(&self) -> Option<Self> {
        let mut next = self.clone();
        next.pass_turn();
        Some(next)
    }
}
