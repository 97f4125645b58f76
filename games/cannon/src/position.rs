//! The state of a game and how a move changes it.

use agon_picture::{Click, Picture};
use agon_rules::{
    BySide, Ending, Outcome, PlaneShape, Position, PositionError, Reason, RuleSet, Side, TurnError, keys,
};

use crate::{
    board::{Board, Squares},
    draw,
    moves::{self, Move},
    points, text,
};

/// A man on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Man {
    /// Moves, captures, and shoots in a line of three.
    Soldier,
    /// Stands still; two lost are a defeat.
    Hall,
}

const SQUARES: usize = u128::BITS as usize;
static SOLDIER_KEYS: [[u64; SQUARES]; 2] = [keys::table(0xca_44_04_01), keys::table(0xca_44_04_02)];
static HALL_KEYS: [[u64; SQUARES]; 2] = [keys::table(0xca_44_04_03), keys::table(0xca_44_04_04)];
const SECOND_TO_MOVE: u64 = keys::mix(0xca_44_04_05);

/// Soldiers and halls of both sides, and who is to move.
#[derive(Clone, PartialEq, Debug)]
pub struct CannonPosition<B: Board> {
    pub(crate) soldiers: [B::Set; 2],
    pub(crate) halls: [B::Set; 2],
    key: u64,
    pub(crate) board: B,
    pub(crate) rules: RuleSet,
    pub(crate) turn: Side,
}

impl<B: Board> CannonPosition<B> {
    /// The start of a game: in even columns black soldiers face a white hall, in odd ones white soldiers a black hall.
    pub fn start(board: B, rules: RuleSet) -> CannonPosition<B> {
        let mut position = CannonPosition::empty(board, rules);
        let bottom = board.rows() - 1;
        for x in 0..board.columns() {
            let (side, rows, hall) = if x % 2 == 0 {
                (Side::First, bottom - 2..=bottom, board.square(x, 0))
            } else {
                (Side::Second, 0..=2, board.square(x, bottom))
            };
            for y in rows {
                position.put(side, Man::Soldier, board.square(x, y));
            }
            position.put(side.other(), Man::Hall, hall);
        }
        position
    }

    /// No men, the first side to move.
    pub(crate) fn empty(board: B, rules: RuleSet) -> CannonPosition<B> {
        let none = [B::Set::NONE; 2];
        CannonPosition { soldiers: none, halls: none, key: 0, board, rules, turn: Side::First }
    }

    /// Puts a man on an empty square.
    pub(crate) fn put(&mut self, side: Side, man: Man, square: u8) {
        let (men, keys) = match man {
            Man::Soldier => (&mut self.soldiers, &SOLDIER_KEYS),
            Man::Hall => (&mut self.halls, &HALL_KEYS),
        };
        men[side.index()] |= B::Set::only(square);
        self.key ^= keys[side.index()][usize::from(square)];
    }

    /// Gives the turn to the other side.
    #[inline(always)]
    pub(crate) fn pass_turn(&mut self) {
        self.turn = self.turn.other();
        self.key ^= SECOND_TO_MOVE;
    }

    /// The shape of the board.
    pub fn board(&self) -> B {
        self.board
    }

    /// The squares of a side's soldiers.
    pub fn soldiers(&self, side: Side) -> B::Set {
        self.soldiers[side.index()]
    }

    /// The squares of a side's halls.
    pub fn halls(&self, side: Side) -> B::Set {
        self.halls[side.index()]
    }

    /// How many of the halls that it had at the start a side has lost.
    #[inline(always)]
    pub fn halls_lost(&self, side: Side) -> u32 {
        self.board.halls().saturating_sub(self.halls[side.index()].len())
    }

    /// What stands on `square`.
    pub fn man(&self, square: u8) -> Option<(Side, Man)> {
        let find = |side: Side| {
            if self.soldiers(side).contains(square) {
                Some((side, Man::Soldier))
            } else {
                self.halls(side).contains(square).then_some((side, Man::Hall))
            }
        };
        Side::BOTH.into_iter().find_map(find)
    }

    /// The side that has destroyed two halls. Where a set-up position has both, it is the side that moved last.
    #[inline(always)]
    pub(crate) fn goal(&self) -> Option<Side> {
        if self.halls_lost(self.turn) >= 2 {
            Some(self.turn.other())
        } else if self.halls_lost(self.turn.other()) >= 2 {
            Some(self.turn)
        } else {
            None
        }
    }

    /// Removes the man of side number `side` on `square`, if there is one.
    #[inline(always)]
    fn remove(&mut self, side: usize, square: u8) {
        let only = B::Set::only(square);
        if ((self.soldiers[side] | self.halls[side]) & only).is_empty() {
            return;
        }
        let (men, keys) = if (self.halls[side] & only).is_empty() {
            (&mut self.soldiers[side], &SOLDIER_KEYS[side])
        } else {
            (&mut self.halls[side], &HALL_KEYS[side])
        };
        *men ^= only;
        self.key ^= keys[usize::from(square)];
    }
}

impl<B: Board> Position for CannonPosition<B> {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    fn generate(&self, moves: &mut Vec<Move>) -> Option<Outcome> {
        if let Some(winner) = self.goal() {
            return Some(Outcome::win(winner, Reason::GOAL));
        }
        let before = moves.len();
        moves::generate(self, moves);
        (moves.len() == before).then(|| points::stuck(self))
    }

    #[inline]
    fn count(&self) -> u64 {
        if self.goal().is_some() { 0 } else { moves::count(self) }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let us = self.turn.index();
        match m {
            Move::March { from, to } => {
                self.soldiers[us] ^= B::Set::only(from) | B::Set::only(to);
                self.key ^= SOLDIER_KEYS[us][usize::from(from)] ^ SOLDIER_KEYS[us][usize::from(to)];
                self.remove(1 - us, to);
            }
            Move::Shot(target) => self.remove(1 - us, target),
            Move::Pass => {}
        }
        self.pass_turn();
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn recompute_key(&self) -> u64 {
        let mut key = if self.turn == Side::Second { SECOND_TO_MOVE } else { 0 };
        for side in 0..2 {
            for (set, keys) in [(self.soldiers[side], &SOLDIER_KEYS[side]), (self.halls[side], &HALL_KEYS[side])] {
                key = set.squares().fold(key, |key, square| key ^ keys[usize::from(square)]);
            }
        }
        key
    }

    /// Stagnant: the board came up a third time after moves of the same side. The position that the game began with came
    /// up after nobody's move. The key tells the sides apart because they take turns.
    fn adjudicate(&self, history: &[u64]) -> Option<Outcome> {
        let moved_to = history.get(1..)?;
        let earlier = moved_to.rchunks_exact(2).filter(|two_moves| two_moves[0] == self.key).count();
        (earlier >= 2).then(|| points::stagnant(self))
    }

    fn points(&self, ending: Ending, _made: BySide<u32>) -> BySide<f64> {
        points::points(self, ending)
    }

    fn plane_shape(&self) -> PlaneShape {
        PlaneShape { planes: 4, cells: self.board.rows() * self.board.columns() }
    }

    /// First side's soldiers and halls, then the second side's; row by row from the top.
    fn write_planes(&self, words: &mut [u64]) {
        words.fill(0);
        let words_each = self.plane_shape().words();
        let sets = [self.soldiers[0], self.halls[0], self.soldiers[1], self.halls[1]];
        for (plane, set) in words.chunks_exact_mut(words_each).zip(sets) {
            for square in set.squares() {
                let (x, y) = self.board.place(square);
                let cell = y * self.board.columns() + x;
                plane[cell / 64] |= 1 << (cell % 64);
            }
        }
    }

    /// Four, for ever: the rules know neither left from right nor, apart from forward and back, one side from the other.
    fn symmetries(&self, _plies: u32) -> usize {
        4
    }

    /// Bit 0 of the number swaps left and right; bit 1 swaps top and bottom together with the sides.
    fn transform(&self, symmetry: usize) -> Self {
        let mut to = CannonPosition::empty(self.board, self.rules);
        let swap = symmetry & 2 != 0;
        for square in self.board.all().squares() {
            let Some((side, man)) = self.man(square) else { continue };
            let (x, y) = self.board.place(square);
            let x = if symmetry & 1 != 0 { self.board.columns() - 1 - x } else { x };
            let y = if swap { self.board.rows() - 1 - y } else { y };
            let side = if swap { side.other() } else { side };
            to.put(side, man, self.board.square(x, y));
        }
        if (self.turn == Side::Second) != swap {
            to.pass_turn();
        }
        to
    }

    fn text(&self) -> String {
        text::position_text(self)
    }

    fn parse(&self, text: &str) -> Result<Self, PositionError> {
        text::parse_position(self, text)
    }

    fn move_text(&self, m: Move) -> String {
        text::move_text(self, m)
    }

    fn spellings(&self, m: Move) -> Vec<String> {
        text::spellings(self, m)
    }

    fn count_spellings(&self, m: Move) -> u64 {
        moves::count_orders(self, m)
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
