//! The state of a game and how a stone changes it.

use agon_picture::{Click, Picture};
use agon_rules::{BySide, Ending, Outcome, PlaneShape, Position, PositionError, Side, TurnError, keys};

use crate::{
    Cell, draw,
    grid::{BITS, BOARDS, GRID, STRIDE, bits, has_four, makes_four},
    moves, points, text,
};

/// The board the game starts in.
pub(crate) const FIRST_BOARD: u8 = 4;

static STONE_KEYS: [[u64; BITS]; 2] = [keys::table(0xc0_4e_c7_01), keys::table(0xc0_4e_c7_02)];
static BOARD_KEYS: [u64; 9] = keys::table(0xc0_4e_c7_03);
const SECOND_TO_MOVE: u64 = keys::mix(0xc0_4e_c7_04);

/// Stones, the active local board, and who is to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConnectXPosition {
    pub(crate) stones: [u128; 2],
    key: u64,
    /// The local board that the side to move must play in. It has an empty cell unless the whole grid is full.
    pub(crate) active: u8,
    pub(crate) turn: Side,
    /// The side that has connected four.
    pub(crate) winner: Option<Side>,
}

impl ConnectXPosition {
    /// An empty grid; the first side plays in local board 4.
    pub fn start() -> ConnectXPosition {
        ConnectXPosition::from_parts([0, 0], FIRST_BOARD, Side::First)
    }

    pub(crate) fn from_parts(stones: [u128; 2], active: u8, turn: Side) -> ConnectXPosition {
        // Where a set-up position has a four of both, the side that moved last has won.
        let winner = [turn.other(), turn].into_iter().find(|side| has_four(&stones[side.index()]));
        let mut position = ConnectXPosition { stones, key: 0, active, turn, winner };
        position.key = position.recompute_key();
        position
    }

    /// The local board that the side to move must play in.
    pub fn active_board(&self) -> usize {
        usize::from(self.active)
    }

    /// The owner of the stone on `cell`.
    pub fn stone(&self, cell: Cell) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.stones[side.index()] >> cell.bit() & 1 == 1)
    }

    #[inline]
    pub(crate) fn empty(&self) -> u128 {
        GRID & !(self.stones[0] | self.stones[1])
    }

    /// The local board that a stone with this target leads to: itself, or if it is full the lowest one with space.
    #[inline]
    pub(crate) fn board_after(empty: &u128, target: usize) -> u8 {
        if empty & BOARDS[target] != 0 {
            return target as u8;
        }
        (0..9).find(|&board| empty & BOARDS[board] != 0).unwrap_or(target) as u8
    }
}

impl Position for ConnectXPosition {
    type Move = Cell;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    fn generate(&self, moves: &mut Vec<Cell>) -> Option<Outcome> {
        moves::generate(self, moves)
    }

    #[inline]
    fn count(&self) -> u64 {
        moves::count(self)
    }

    #[inline]
    fn play(&mut self, cell: Cell) {
        let side = self.turn.index();
        let bit = cell.bit();
        self.stones[side] |= 1 << bit;
        if makes_four(&self.stones[side], bit) {
            self.winner = Some(self.turn);
        }
        self.key ^= STONE_KEYS[side][bit] ^ SECOND_TO_MOVE ^ BOARD_KEYS[usize::from(self.active)];
        self.active = Self::board_after(&self.empty(), cell.target());
        self.key ^= BOARD_KEYS[usize::from(self.active)];
        self.turn = self.turn.other();
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn recompute_key(&self) -> u64 {
        let mut key = BOARD_KEYS[usize::from(self.active)];
        if self.turn == Side::Second {
            key ^= SECOND_TO_MOVE;
        }
        for (stones, keys) in self.stones.iter().zip(&STONE_KEYS) {
            key = bits(*stones).fold(key, |key, bit| key ^ keys[bit]);
        }
        key
    }

    fn points(&self, ending: Ending, _made: BySide<u32>) -> BySide<f64> {
        points::points(ending)
    }

    fn plane_shape(&self) -> PlaneShape {
        PlaneShape { planes: 3, cells: BITS }
    }

    fn write_planes(&self, words: &mut [u64]) {
        let planes = [self.stones[0], self.stones[1], BOARDS[self.active_board()]];
        for (pair, plane) in words.chunks_exact_mut(2).zip(planes) {
            pair[0] = plane as u64;
            pair[1] = (plane >> 64) as u64;
        }
    }

    /// Swapping the sides always holds. The eight symmetries of the square hold as long as no local board can be full,
    /// because the board to fall back to then has the lowest number, which no symmetry but the identity respects.
    fn symmetries(&self, plies: u32) -> usize {
        let empty = self.empty();
        let roomy = BOARDS.iter().all(|board| (empty & board).count_ones() > plies);
        if roomy { 16 } else { 2 }
    }

    /// Bit 0 of the number swaps the sides; the other three are transpose, flip rows and flip columns.
    fn transform(&self, symmetry: usize) -> Self {
        let map = |cell: Cell| {
            let (mut row, mut column) = (cell.row(), cell.column());
            if symmetry & 2 != 0 {
                (row, column) = (column, row);
            }
            if symmetry & 4 != 0 {
                row = 8 - row;
            }
            if symmetry & 8 != 0 {
                column = 8 - column;
            }
            Cell::new(row, column)
        };
        let mut stones =
            self.stones.map(|set| bits(set).fold(0, |to, bit| to | 1u128 << map(Cell::from_bit(bit)).bit()));
        let middle = BOARDS[self.active_board()].trailing_zeros() as usize + STRIDE + 1;
        let active = map(Cell::from_bit(middle)).board() as u8;
        let mut turn = self.turn;
        if symmetry & 1 != 0 {
            stones.swap(0, 1);
            turn = turn.other();
        }
        ConnectXPosition::from_parts(stones, active, turn)
    }

    fn text(&self) -> String {
        text::position_text(self)
    }

    fn parse(&self, text: &str) -> Result<Self, PositionError> {
        text::parse_position(text)
    }

    fn move_text(&self, cell: Cell) -> String {
        format!("{} {}", cell.row(), cell.column())
    }

    fn parse_turn(&self, text: &str) -> Result<Vec<Cell>, TurnError> {
        text::parse_turn(self, text).map(|cell| vec![cell])
    }

    fn picture(&self, last: &[Cell]) -> Picture {
        draw::picture(self, last)
    }

    fn clicks(&self, cell: Cell) -> Vec<Click> {
        vec![Click::Spot(draw::spot(cell))]
    }
}
