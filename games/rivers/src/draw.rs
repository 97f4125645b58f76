//! What a position looks like, and how a move is clicked.

use agon_picture::{
    Click, Label, Line, Look, Mark, MarkKind, Picture, Piece, Point, Region, Shape, Spot, SpotShape, Stroke, Symbol,
    Tint, Tone,
};
use agon_rules::{Game, Outcome, Side};

use crate::{
    Rivers,
    position::{Axis, Face, Move, RiversPosition},
    set::Cell,
    text::{letter, side_name},
};

/// Where the top left crossing lies: room for numbers and letters, and half a unit of board around it.
const CORNER: Point = (1.5, 1.0);

fn place(cell: Cell) -> Point {
    (CORNER.0 + f32::from(cell.column()), CORNER.1 + f32::from(cell.row()))
}

impl<const W: usize> RiversPosition<W> {
    pub(crate) fn draw(&self, last: &[Move]) -> Picture {
        let (rows, columns) = (f32::from(self.board.rows), f32::from(self.board.columns));
        let outcome = self.board_outcome();
        let mut looks = Look::pair(Rivers::SIDES, [Tint::Black, Tint::White]);
        looks[Side::Second.index()].square = true;
        Picture {
            size: (columns + 1.25, rows + 0.75),
            grid: (0.5, 1.0),
            looks,
            regions: self.regions(),
            lines: self.lines(),
            spots: self.cells().map(|cell| self.spot_at(cell)).collect(),
            pieces: self.drawn_pieces(),
            labels: self.labels(),
            marks: self.marks_for(last, outcome),
            caption: self.caption(outcome),
        }
    }

    /// The cells in the order of the picture's spots.
    fn cells(&self) -> impl Iterator<Item = Cell> {
        let (rows, columns) = self.size();
        (0..rows).flat_map(move |row| (0..columns).map(move |column| Cell::new(column, row)))
    }

    /// The picture's index of a cell.
    fn spot(&self, cell: Cell) -> usize {
        usize::from(cell.row() * self.board.columns + cell.column())
    }

    fn regions(&self) -> Vec<Region> {
        let (rows, columns) = (f32::from(self.board.rows), f32::from(self.board.columns));
        let corner = |cell| (place(cell).0 - 0.5, place(cell).1 - 0.5);
        let area = |side| {
            let left = Cell::new(self.board.score_column, self.board.score_row(side));
            Region::rectangle(corner(left), (f32::from(self.board.goal), 1.0), Tone::Camp(side))
        };
        let board = Region::rectangle(corner(Cell::new(0, 0)), (columns, rows), Tone::Board);
        vec![board, area(Side::First), area(Side::Second)]
    }

    fn lines(&self) -> Vec<Line> {
        let (last_row, last_column) = (self.board.rows - 1, self.board.columns - 1);
        let line = |from, to| Line { from: place(from), to: place(to), stroke: Stroke::Thin };
        let across = (0..=last_row).map(|row| line(Cell::new(0, row), Cell::new(last_column, row)));
        let down = (0..=last_column).map(|column| line(Cell::new(column, 0), Cell::new(column, last_row)));
        across.chain(down).collect()
    }

    fn spot_at(&self, cell: Cell) -> Spot {
        let empty = if self.board.area.first.contains(cell) {
            Symbol::new('○', 'o')
        } else if self.board.area.second.contains(cell) {
            Symbol::new('□', '#')
        } else {
            Symbol::new('·', '.')
        };
        Spot { name: cell.to_string(), at: place(cell), shape: SpotShape::Crossing, empty }
    }

    fn drawn_pieces(&self) -> Vec<Piece> {
        let drawn = |cell: Cell| {
            let piece = self.piece(cell)?;
            let (shape, name, [circle, square]) = match piece.face {
                Face::Stone => (Shape::Stone, "stone", ['●', '■']),
                Face::River(Axis::Horizontal) => (Shape::BarAcross, "river from left to right", ['⊖', '⊟']),
                Face::River(Axis::Vertical) => (Shape::BarDown, "river from top to bottom", ['⦶', '◫']),
            };
            let unicode = if piece.owner == Side::First { circle } else { square };
            let symbol = Symbol::new(unicode, letter(piece.owner, piece.face));
            Some(Piece { spot: self.spot(cell), side: piece.owner, shape, name, symbol })
        };
        self.cells().filter_map(drawn).collect()
    }

    fn labels(&self) -> Vec<Label> {
        let number = |row| Label { at: (0.5, place(Cell::new(0, row)).1), text: row.to_string() };
        let letter = |column: u16| {
            let text = char::from(b'a' + column as u8).to_string();
            Label { at: (place(Cell::new(column, 0)).0, 0.25), text }
        };
        (0..self.board.rows).map(number).chain((0..self.board.columns).map(letter)).collect()
    }

    fn marks_for(&self, last: &[Move], outcome: Option<Outcome>) -> Vec<Mark> {
        let mut marks = Vec::new();
        let mut mark = |cell, kind| marks.push(Mark { spot: self.spot(cell), kind });
        for &m in last {
            match m {
                Move::Go { from, to } => {
                    mark(from, MarkKind::LastFrom);
                    mark(to, MarkKind::LastTo);
                }
                Move::Push { from, to, pushed_to } => {
                    mark(from, MarkKind::LastFrom);
                    mark(to, MarkKind::LastTo);
                    mark(pushed_to, MarkKind::LastTo);
                }
                Move::ToRiver { at, .. } | Move::ToStone { at } | Move::Rotate { at } => mark(at, MarkKind::LastTo),
            }
        }
        if let Some(Outcome { winner: Some(winner), .. }) = outcome {
            self.board.area[winner].for_each(|cell| mark(cell, MarkKind::Winning));
        }
        marks
    }

    fn caption(&self, outcome: Option<Outcome>) -> String {
        let score = |side| format!("{} {} of {}", side_name(side), self.home(side), self.board.goal);
        let home = format!("Stones home: {}, {}.", score(Side::First), score(Side::Second));
        let turn = capital(side_name(self.turn));
        match outcome {
            None => format!("{turn} to move. {home}"),
            Some(Outcome { winner: Some(winner), .. }) => {
                format!("{} has filled its area and wins. {home}", capital(side_name(winner)))
            }
            Some(Outcome { winner: None, .. }) => format!("{turn} has no pieces to move: a draw. {home}"),
        }
    }

    pub(crate) fn click_path(&self, m: Move) -> Vec<Click> {
        let spot = |cell| Click::Spot(self.spot(cell));
        match m {
            Move::Go { from, to } => vec![spot(from), spot(to)],
            Move::Push { from, to, pushed_to } => vec![spot(from), spot(to), spot(pushed_to)],
            Move::ToRiver { at, axis: Axis::Horizontal } => vec![spot(at), Click::Choice("river —")],
            Move::ToRiver { at, axis: Axis::Vertical } => vec![spot(at), Click::Choice("river |")],
            Move::ToStone { at } => vec![spot(at), Click::Choice("stone")],
            Move::Rotate { at } => vec![spot(at), Click::Choice("rotate")],
        }
    }
}

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}
