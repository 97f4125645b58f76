//! What stands on the board, and what a move does to it.

use std::fmt;

use agon_rules::{BySide, RuleSet, Side, keys};

use crate::{
    board::{Board, CELLS, LARGE, MEDIUM, SMALL},
    set::{Cell, CellSet},
};

/// The line along which a river flows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Axis {
    /// Left and right.
    Horizontal,
    /// Up and down.
    Vertical,
}

impl Axis {
    /// `horizontal` or `vertical`.
    pub const fn name(self) -> &'static str {
        match self {
            Axis::Horizontal => "horizontal",
            Axis::Vertical => "vertical",
        }
    }
}

/// Which side of a piece is up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Face {
    /// The side that scores.
    Stone,
    /// The side that carries pieces along its line.
    River(Axis),
}

impl Face {
    /// `stone` or `river`.
    pub const fn name(self) -> &'static str {
        match self {
            Face::Stone => "stone",
            Face::River(_) => "river",
        }
    }
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Whose piece it is.
    pub owner: Side,
    /// The side that is up.
    pub face: Face,
    /// The orientation that the original program shows: a river's axis, `horizontal` for a stone that has never been
    /// a river, nothing for a stone that has.
    pub orientation: Option<Axis>,
}

/// One turn. All cells are those of the position it was generated for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A piece goes to an empty cell: a neighbour, or any that rivers carry it to.
    Go {
        /// Where it stands.
        from: Cell,
        /// Where it comes to rest.
        to: Cell,
    },
    /// A piece takes the place of a stone, which goes elsewhere. A river that pushes becomes a stone.
    Push {
        /// Where the pusher stands.
        from: Cell,
        /// Where the stone stands and the pusher ends.
        to: Cell,
        /// Where the stone ends.
        pushed_to: Cell,
    },
    /// A stone becomes a river along this axis.
    ToRiver {
        /// The stone.
        at: Cell,
        /// Its axis from now on.
        axis: Axis,
    },
    /// A river becomes a stone.
    ToStone {
        /// The river.
        at: Cell,
    },
    /// A river takes the other axis.
    Rotate {
        /// The river.
        at: Cell,
    },
}

/// A position of Rivers and Stones; `W` is the number of words in a set of its board's cells.
#[derive(Clone)]
pub struct RiversPosition<const W: usize> {
    pub(crate) board: &'static Board<W>,
    pub(crate) rules: RuleSet,
    pub(crate) turn: Side,
    /// All pieces of each side.
    pub(crate) pieces: BySide<CellSet<W>>,
    /// Those that lie river side up.
    pub(crate) rivers: CellSet<W>,
    /// For a river: it is vertical. For a stone: it has been a river, which only the original's repetition rule can see.
    pub(crate) marks: CellSet<W>,
    pub(crate) key: u64,
}

static PIECE_KEYS: [u64; CELLS * 6] = keys::table(0x5249_5645_5253_0001);
static WORN_KEYS: [u64; CELLS] = keys::table(0x5249_5645_5253_0002);
const SECOND_TO_MOVE: u64 = keys::mix(0x5249_5645_5253_0003);

fn piece_key(cell: Cell, owner: Side, face: Face) -> u64 {
    let kind = match face {
        Face::Stone => 0,
        Face::River(Axis::Horizontal) => 1,
        Face::River(Axis::Vertical) => 2,
    };
    PIECE_KEYS[cell.index() * 6 + owner.index() * 3 + kind]
}

impl RiversPosition<4> {
    /// The start position of the small board: 13 rows of 12.
    pub fn small(rules: RuleSet) -> RiversPosition<4> {
        RiversPosition::start(&SMALL, rules)
    }

    /// The start position of the medium board: 15 rows of 14.
    pub fn medium(rules: RuleSet) -> RiversPosition<4> {
        RiversPosition::start(&MEDIUM, rules)
    }
}

impl RiversPosition<5> {
    /// The start position of the large board: 17 rows of 16.
    pub fn large(rules: RuleSet) -> RiversPosition<5> {
        RiversPosition::start(&LARGE, rules)
    }
}

impl<const W: usize> RiversPosition<W> {
    /// An empty board, `circle` to move.
    pub(crate) fn empty(board: &'static Board<W>, rules: RuleSet) -> RiversPosition<W> {
        RiversPosition {
            board,
            rules,
            turn: Side::First,
            pieces: BySide::new(CellSet::EMPTY, CellSet::EMPTY),
            rivers: CellSet::EMPTY,
            marks: CellSet::EMPTY,
            key: 0,
        }
    }

    /// The start position.
    fn start(board: &'static Board<W>, rules: RuleSet) -> RiversPosition<W> {
        let mut position = RiversPosition::empty(board, rules);
        position.pieces = BySide::from_fn(|side| board.start(side));
        position.key = position.key_from_scratch();
        position
    }

    /// The piece on `cell`.
    pub fn piece(&self, cell: Cell) -> Option<Piece> {
        let cell = self.board.cell(cell.column().into(), cell.row().into())?;
        let owner = self.owner(cell)?;
        let marked = self.marks.contains(cell);
        if self.rivers.contains(cell) {
            let axis = if marked { Axis::Vertical } else { Axis::Horizontal };
            return Some(Piece { owner, face: Face::River(axis), orientation: Some(axis) });
        }
        Some(Piece { owner, face: Face::Stone, orientation: (!marked).then_some(Axis::Horizontal) })
    }

    /// Rows and columns of the board.
    pub fn size(&self) -> (u16, u16) {
        (self.board.rows, self.board.columns)
    }

    /// The columns of the score areas: the first one, and how many there are.
    pub fn score_columns(&self) -> (u16, u16) {
        (self.board.score_column, self.board.goal)
    }

    /// The rule set in force.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    #[inline]
    pub(crate) fn owner(&self, cell: Cell) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.pieces[side].contains(cell))
    }

    #[inline]
    pub(crate) fn occupied(&self) -> CellSet<W> {
        self.pieces.first | self.pieces.second
    }

    #[inline]
    pub(crate) fn stones(&self, side: Side) -> CellSet<W> {
        self.pieces[side].without(self.rivers)
    }

    /// The axis of a river; meaningless for a stone.
    #[inline]
    pub(crate) fn axis(&self, river: Cell) -> Axis {
        if self.marks.contains(river) { Axis::Vertical } else { Axis::Horizontal }
    }

    #[inline]
    fn face(&self, cell: Cell) -> Face {
        if self.rivers.contains(cell) { Face::River(self.axis(cell)) } else { Face::Stone }
    }

    /// Whether `side` has filled its score area with stones.
    #[inline]
    pub(crate) fn has_filled(&self, side: Side) -> bool {
        self.board.area[side].without(self.stones(side)).is_empty()
    }

    /// Puts a piece on an empty cell. The key is left to the caller.
    pub(crate) fn put(&mut self, cell: Cell, owner: Side, face: Face) {
        self.pieces[owner].insert(cell);
        if let Face::River(axis) = face {
            self.rivers.insert(cell);
            if axis == Axis::Vertical {
                self.marks.insert(cell);
            }
        }
    }

    #[inline]
    pub(crate) fn make(&mut self, m: Move) {
        let side = self.turn;
        match m {
            Move::Go { from, to } => self.relocate(side, from, to),
            Move::Push { from, to, pushed_to } => {
                let owner = if self.pieces[side].contains(to) { side } else { side.other() };
                self.relocate(owner, to, pushed_to);
                if self.rivers.contains(from) {
                    self.turn_to_stone(side, from);
                }
                self.relocate(side, from, to);
            }
            Move::ToRiver { at, axis } => {
                self.key ^= piece_key(at, side, Face::Stone) ^ piece_key(at, side, Face::River(axis));
                self.rivers.insert(at);
                match axis {
                    Axis::Horizontal => self.marks.remove(at),
                    Axis::Vertical => self.marks.insert(at),
                }
            }
            Move::ToStone { at } => self.turn_to_stone(side, at),
            Move::Rotate { at } => {
                self.key ^= piece_key(at, side, Face::River(Axis::Horizontal))
                    ^ piece_key(at, side, Face::River(Axis::Vertical));
                self.marks.toggle(at);
            }
        }
        self.turn = side.other();
        self.key ^= SECOND_TO_MOVE;
    }

    /// Moves the piece of `owner` on `from` to the empty cell `to` as it is.
    #[inline]
    fn relocate(&mut self, owner: Side, from: Cell, to: Cell) {
        let face = self.face(from);
        self.key ^= piece_key(from, owner, face) ^ piece_key(to, owner, face);
        let pieces = &mut self.pieces[owner];
        pieces.remove(from);
        pieces.insert(to);
        for set in [&mut self.rivers, &mut self.marks] {
            if set.contains(from) {
                set.remove(from);
                set.insert(to);
            }
        }
    }

    #[inline]
    fn turn_to_stone(&mut self, owner: Side, river: Cell) {
        self.key ^= piece_key(river, owner, self.face(river)) ^ piece_key(river, owner, Face::Stone);
        self.rivers.remove(river);
        self.marks.insert(river);
    }

    pub(crate) fn key_from_scratch(&self) -> u64 {
        let turn = if self.turn == Side::Second { SECOND_TO_MOVE } else { 0 };
        let of_side = |side: Side| self.pieces[side].map(move |cell| piece_key(cell, side, self.face(cell)));
        Side::BOTH.into_iter().flat_map(of_side).fold(turn, |key, piece| key ^ piece)
    }

    /// The key, and under the server's rules also which stones have been rivers.
    pub(crate) fn repetition_key(&self) -> u64 {
        match self.rules {
            RuleSet::Text => self.key,
            RuleSet::Server => {
                self.marks.without(self.rivers).fold(self.key, |key, stone| key ^ WORN_KEYS[stone.index()])
            }
        }
    }

    /// The position with columns mirrored, if `mirror`, and rows mirrored and the sides swapped, if `swap`.
    pub(crate) fn mirrored(&self, mirror: bool, swap: bool) -> RiversPosition<W> {
        let (rows, columns) = self.size();
        let map = |cell: Cell| {
            let column = if mirror { columns - 1 - cell.column() } else { cell.column() };
            let row = if swap { rows - 1 - cell.row() } else { cell.row() };
            Cell::new(column, row)
        };
        let image = |cells: CellSet<W>| {
            let mut image = CellSet::EMPTY;
            for cell in cells {
                image.insert(map(cell));
            }
            image
        };
        let pieces = self.pieces.map(image);
        let mut position = RiversPosition {
            turn: if swap { self.turn.other() } else { self.turn },
            pieces: if swap { pieces.swapped() } else { pieces },
            rivers: image(self.rivers),
            marks: image(self.marks),
            ..*self
        };
        position.key = position.key_from_scratch();
        position
    }
}

/// Positions are equal when their texts are: a stone that has been a river equals one that has not.
impl<const W: usize> PartialEq for RiversPosition<W> {
    fn eq(&self, other: &RiversPosition<W>) -> bool {
        (self.board.rows, self.rules, self.turn) == (other.board.rows, other.rules, other.turn)
            && self.pieces == other.pieces
            && self.rivers == other.rivers
            && self.marks & self.rivers == other.marks & other.rivers
    }
}

impl<const W: usize> fmt::Debug for RiversPosition<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RiversPosition").field(&self.board_text()).field(&self.rules).finish()
    }
}
