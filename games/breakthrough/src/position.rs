//! The state of a game and how a move changes it.

use agon_picture::{Click, Picture};
use agon_rules::{BySide, Ending, Outcome, PlaneShape, Position, PositionError, Side, TurnError, keys};

use crate::{
    Square,
    board::{Board, STRIDE, squares},
    draw, moves, points, text,
};

static MAN_KEYS: [[u64; 64]; 2] = [keys::table(0xb2_ea_c7_01), keys::table(0xb2_ea_c7_02)];
const SECOND_TO_MOVE: u64 = keys::mix(0xb2_ea_c7_03);

/// A man goes from here to there; who stands there is captured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// Where the man stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

/// Men, and who is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BreakthroughPosition {
    pub(crate) men: [u64; 2],
    key: u64,
    pub(crate) board: Board,
    pub(crate) turn: Side,
}

impl BreakthroughPosition {
    /// Two rows of men each; white moves.
    pub(crate) fn start(board: Board) -> BreakthroughPosition {
        BreakthroughPosition::from_parts(board, Side::BOTH.map(|side| board.camp(side)), Side::First)
    }

    pub(crate) fn from_parts(board: Board, men: [u64; 2], turn: Side) -> BreakthroughPosition {
        let mut position = BreakthroughPosition { men, key: 0, board, turn };
        position.key = position.recompute_key();
        position
    }

    /// The owner of the man on a square.
    pub fn man(&self, square: Square) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.men[side.index()] & square.bit() != 0)
    }

    /// The squares without a man.
    #[inline]
    pub(crate) fn empty(&self) -> u64 {
        self.board.squares() & !(self.men[0] | self.men[1])
    }
}

impl Position for BreakthroughPosition {
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
        let (us, them) = (self.turn.index(), self.turn.other().index());
        self.men[us] ^= m.from.bit() | m.to.bit();
        self.key ^= MAN_KEYS[us][m.from.index()] ^ MAN_KEYS[us][m.to.index()] ^ SECOND_TO_MOVE;
        if self.men[them] & m.to.bit() != 0 {
            self.men[them] ^= m.to.bit();
            self.key ^= MAN_KEYS[them][m.to.index()];
        }
        self.turn = self.turn.other();
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn recompute_key(&self) -> u64 {
        let turn = if self.turn == Side::Second { SECOND_TO_MOVE } else { 0 };
        self.men
            .iter()
            .zip(&MAN_KEYS)
            .fold(turn, |key, (&men, keys)| squares(men).fold(key, |key, square| key ^ keys[square.index()]))
    }

    fn points(&self, ending: Ending, _made: BySide<u32>) -> BySide<f64> {
        points::points(ending)
    }

    fn plane_shape(&self) -> PlaneShape {
        PlaneShape { planes: 2, cells: STRIDE * STRIDE }
    }

    fn write_planes(&self, words: &mut [u64]) {
        words.copy_from_slice(&self.men);
    }

    /// The rules know neither left nor right, nor which side is which.
    fn symmetries(&self, _plies: u32) -> usize {
        4
    }

    /// Bit 0 of the number turns the board upside down and swaps the sides; bit 1 swaps left and right.
    fn transform(&self, symmetry: usize) -> Self {
        let last = self.board.size() - 1;
        let swaps = symmetry & 1 != 0;
        let map = |square: Square| {
            let file = if symmetry & 2 != 0 { last - square.file() } else { square.file() };
            let rank = if swaps { last - square.rank() } else { square.rank() };
            Square::new(file, rank)
        };
        let mut men = self.men.map(|men| squares(men).fold(0, |to, square| to | map(square).bit()));
        let mut turn = self.turn;
        if swaps {
            men.swap(0, 1);
            turn = turn.other();
        }
        BreakthroughPosition::from_parts(self.board, men, turn)
    }

    fn text(&self) -> String {
        text::position_text(self)
    }

    fn parse(&self, text: &str) -> Result<Self, PositionError> {
        text::parse_position(self.board, text)
    }

    fn move_text(&self, m: Move) -> String {
        m.from.name() + &m.to.name()
    }

    fn parse_turn(&self, text: &str) -> Result<Vec<Move>, TurnError> {
        text::parse_turn(self, text).map(|m| vec![m])
    }

    fn picture(&self, last: &[Move]) -> Picture {
        draw::picture(self, last)
    }

    fn clicks(&self, m: Move) -> Vec<Click> {
        [m.from, m.to].map(|square| Click::Spot(self.board.reading_index(square))).to_vec()
    }
}
