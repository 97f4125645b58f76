//! Generating and counting moves.

use agon_rules::{Outcome, Reason, Side};

use crate::{
    board::beside,
    flow::Water,
    position::{Axis, Move, RiversPosition},
    set::{Cell, CellSet, Direction},
};

impl<const W: usize> RiversPosition<W> {
    /// How the game ended by what stands on the board.
    #[inline]
    pub(crate) fn board_outcome(&self) -> Option<Outcome> {
        // The original tests circle first. Only a position that was set up can have both areas full.
        if let Some(winner) = Side::BOTH.into_iter().find(|&side| self.has_filled(side)) {
            return Some(Outcome::win(winner, Reason::GOAL));
        }
        // Any piece can be flipped, so only a side without pieces has no move.
        self.pieces[self.turn].is_empty().then(|| Outcome::draw(Reason::STALEMATE))
    }

    /// Appends every legal move: piece by piece its moves, its pushes, and what turns it over.
    pub(crate) fn list_moves(&self, moves: &mut Vec<Move>) {
        let side = self.turn;
        for from in self.pieces[side] {
            self.targets(side, from).for_each(|to| moves.push(Move::Go { from, to }));
            for to in self.pushable(side, from) {
                self.push_targets(from, to).for_each(|pushed_to| moves.push(Move::Push { from, to, pushed_to }));
            }
            if self.rivers.contains(from) {
                moves.extend([Move::ToStone { at: from }, Move::Rotate { at: from }]);
            } else {
                let flip = |axis| Move::ToRiver { at: from, axis };
                moves.extend([Axis::Horizontal, Axis::Vertical].map(flip));
            }
        }
    }

    /// The cells that the piece of `side` on `from` can move to.
    #[inline]
    pub(crate) fn targets(&self, side: Side, from: Cell) -> CellSet<W> {
        let near = self.board.neighbours[from.index()].without(self.board.walls[side]);
        near.without(self.occupied()) | self.carried(side, from, near & self.rivers)
    }

    /// The cells that the piece of `side` on `from` can be carried to by the neighbouring rivers `entered`.
    #[inline]
    fn carried(&self, side: Side, from: Cell, entered: CellSet<W>) -> CellSet<W> {
        if entered.is_empty() {
            return CellSet::EMPTY;
        }
        Water::new(self, side, from).through_rivers(entered)
    }

    /// The stones next to `from` whose cells a piece of `side` may enter.
    #[inline]
    pub(crate) fn pushable(&self, side: Side, from: Cell) -> CellSet<W> {
        let stones = self.occupied().without(self.rivers);
        (self.board.neighbours[from.index()] & stones).without(self.board.walls[side])
    }

    /// The cells that the piece on `from` can push the stone on the neighbouring cell `to` to.
    #[inline]
    pub(crate) fn push_targets(&self, from: Cell, to: Cell) -> CellSet<W> {
        let Some(owner) = self.owner(to) else { return CellSet::EMPTY };
        if self.rivers.contains(from) {
            return Water::new(self, owner, from).through_cell(to, self.axis(from));
        }
        let mut targets = CellSet::EMPTY;
        if let Some(behind) = self.board.behind(from, to) {
            targets.insert(behind);
        }
        targets.without(self.occupied() | self.board.walls[owner])
    }

    /// The number of legal moves.
    pub(crate) fn count_moves(&self) -> u64 {
        let side = self.turn;
        let pieces = self.pieces[side];
        let mut count = 2 * pieces.len() + self.count_steps_and_stone_pushes();
        if !self.rivers.is_empty() {
            count += self.count_carried() + self.count_river_pushes();
        }
        u64::from(count)
    }

    /// Steps of all pieces and pushes of all stones, direction by direction.
    #[inline]
    fn count_steps_and_stone_pushes(&self) -> u32 {
        let side = self.turn;
        let (own, other) = (self.pieces[side], self.pieces[side.other()]);
        let walls = self.board.walls[side];
        let empty = !(own | other);
        let own_landing = empty.without(walls);
        let other_landing = empty.without(self.board.walls[side.other()]);
        let enterable = !(walls | self.rivers);
        let stones = own.without(self.rivers);
        let mut count = 0;
        for direction in Direction::ALL {
            count += (own.shifted(direction) & own_landing).len();
            let met = stones.shifted(direction) & enterable;
            let pushed_own = (met & own).shifted(direction) & own_landing;
            let pushed_other = (met & other).shifted(direction) & other_landing;
            count += (pushed_own | pushed_other).len();
        }
        count
    }

    /// Moves along rivers that are not also steps.
    #[inline]
    fn count_carried(&self) -> u32 {
        let side = self.turn;
        let walls = self.board.walls[side];
        let open = self.rivers.without(walls);
        let mut count = 0;
        for from in beside(open) & self.pieces[side] {
            let near = self.board.neighbours[from.index()];
            // A neighbour that the water reaches is empty and may be entered, so it is a step too.
            count += self.carried(side, from, near & open).without(near).len();
        }
        count
    }

    #[inline]
    fn count_river_pushes(&self) -> u32 {
        let side = self.turn;
        let stones = self.occupied().without(self.rivers).without(self.board.walls[side]);
        let mut count = 0;
        for from in beside(stones) & self.pieces[side] & self.rivers {
            for to in stones & self.board.neighbours[from.index()] {
                count += self.push_targets(from, to).len();
            }
        }
        count
    }
}
