//! What a position is worth, for the search.

mod race;

use agon_rules::{Outcome, Side};
use agon_search::{Parameters, Searchable, Skill, Weight};

use self::race::Race;
use crate::{
    position::{Move, RiversPosition},
    set::Cell,
};

agon_search::weights! {
    arrived: 120, "a stone that has arrived";
    step: 10, "each step that one of the nearest pieces still has to go on foot, counted below zero";
    near: 70, "each of them that arrives in its next turn, on foot or carried";
    coming: 30, "each of them that arrives in two or three turns";
    door: 0, "an empty cell from which a piece steps into the area: only some styles care";
    river: 4, "a river of one's own";
}

/// No piece of any board has further to go.
const FAR: usize = 40;

impl<const W: usize> RiversPosition<W> {
    /// How many steps `cell` is away from the score area of `side`, if nothing stood in the way.
    fn steps_to_area(&self, side: Side, cell: Cell) -> usize {
        let (first, count) = self.score_columns();
        let (left, right) = (first, first + count - 1);
        let sideways = left.saturating_sub(cell.column()) + cell.column().saturating_sub(right);
        usize::from(cell.row().abs_diff(self.board.score_row(side)) + sideways)
    }

    /// The steps that the nearest pieces of `side` have to go together until `missing` more have arrived.
    fn steps(&self, side: Side, mut missing: i32) -> i32 {
        let mut at_distance = [0; FAR];
        for cell in self.pieces[side].without(self.board.area[side]) {
            at_distance[self.steps_to_area(side, cell).min(FAR - 1)] += 1;
        }
        let mut way = 0;
        for (steps, pieces) in at_distance.into_iter().enumerate() {
            let going = missing.min(pieces);
            way += going * steps as i32;
            missing -= going;
        }
        way
    }

    /// What `side` has.
    fn holdings(&self, side: Side) -> Terms {
        let race = Race::of(self, side);
        let near = race.within(1);
        Terms {
            arrived: i32::from(self.board.goal) - race.missing,
            step: -self.steps(side, race.missing),
            near,
            coming: race.within(3) - near,
            door: race.doors,
            river: (self.pieces[side] & self.rivers).len() as i32,
        }
    }

    /// What the side to move has more than the other one.
    fn terms(&self) -> Terms {
        self.holdings(self.turn) - self.holdings(self.turn.other())
    }
}

impl<const W: usize> Searchable for RiversPosition<W> {
    const USUAL_TURNS: u32 = 50;

    /// Chosen by matches: `bench/strength.md`.
    const SKILLS: [Skill; 9] = [
        Skill::new(1, 0, 60, 10),
        Skill::new(2, 0, 40, 12),
        Skill::new(3, 0, 4, 2),
        Skill::new(0, 4500, 0, 0),
        Skill::new(0, 8000, 0, 0),
        Skill::new(0, 14_000, 0, 0),
        Skill::new(0, 24_000, 0, 0),
        Skill::new(0, 40_000, 0, 0),
        Skill::new(0, 70_000, 0, 0),
    ];

    /// One hurries, the other keeps its doors open and shuts those of the opponent.
    const STYLES: [&'static str; 2] = ["near=150%,coming=150%,step=120%", "door=12,near=80%"];

    /// Measured in `bench/search.md`: without repetition most games never end; reductions and singular extensions do not pay.
    fn parameters() -> Parameters {
        Parameters { repetition: 1, reductions: 0, singular: 0, ..Parameters::default() }
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
        let index = |cell: Cell| cell.index() as u32;
        let folded = match m {
            Move::Go { from, to } => index(from) << 9 | index(to),
            Move::Push { from, to, pushed_to } => 1 << 28 | index(from) << 18 | index(to) << 9 | index(pushed_to),
            Move::ToRiver { at, axis } => 2 << 28 | index(at) << 1 | axis as u32,
            Move::ToStone { at } => 3 << 28 | index(at),
            Move::Rotate { at } => 4 << 28 | index(at),
        };
        (folded.wrapping_mul(0x9e37_79b1) >> 16) as u16 | 1
    }

    fn gain(&self, m: Move) -> i32 {
        let area = self.board.area[self.turn];
        let arrives = |from: Cell, to: Cell| area.contains(to) && !area.contains(from);
        match m {
            Move::Go { from, to } if arrives(from, to) && !self.rivers.contains(from) => WEIGHTS.arrived,
            Move::Push { from, to, .. } if arrives(from, to) => WEIGHTS.arrived,
            Move::Push { to, pushed_to, .. } if self.pieces[self.turn].contains(to) && arrives(to, pushed_to) => {
                WEIGHTS.arrived
            }
            Move::ToStone { at } if area.contains(at) => WEIGHTS.arrived,
            _ => 0,
        }
    }

    /// Stones that arrive on their own feet, and rivers in the area that become stones.
    fn noisy(&self, moves: &mut Vec<Move>) {
        let side = self.turn;
        let area = self.board.area[side];
        moves.extend((area & self.pieces[side] & self.rivers).map(|at| Move::ToStone { at }));
        if area.without(self.occupied()).is_empty() {
            return;
        }
        for from in self.stones(side).without(area) {
            moves.extend((self.targets(side, from) & area).map(|to| Move::Go { from, to }));
        }
    }

    /// The opponent lacks one stone, and it could arrive at once.
    fn threatened(&self) -> bool {
        let them = self.turn.other();
        let gap = self.board.area[them].without(self.stones(them));
        if gap.len() != 1 {
            return false;
        }
        let turns = !(gap & self.pieces[them] & self.rivers).is_empty();
        let mut walkers = self.stones(them).without(self.board.area[them]);
        turns || walkers.any(|from| !(self.targets(them, from) & gap).is_empty())
    }

    fn over(&self, _scratch: &mut Vec<Move>) -> Option<Outcome> {
        self.board_outcome()
    }
}
