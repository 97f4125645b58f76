//! The picture of a position: a checkered board with round men.

use agon_picture::{
    Label, Line, Look, Mark, MarkKind, Picture, Piece, Point, Region, Shape, Spot, SpotShape, Stroke, Symbol, Tint,
    Tone,
};
use agon_rules::{Game, Reason, Side};

use crate::{
    Breakthrough, BreakthroughPosition, Move, Square,
    board::{Board, squares},
    moves,
};

/// The space around the board, for the coordinates.
const MARGIN: f32 = 0.5;

fn centre(board: Board, square: Square) -> Point {
    (MARGIN + square.file() as f32 + 0.5, MARGIN + (board.size() - square.rank()) as f32 - 0.5)
}

pub(crate) fn picture(position: &BreakthroughPosition, last: &[Move]) -> Picture {
    let board = position.board;
    let side = board.size() as f32 + 2.0 * MARGIN;
    let mut picture = Picture {
        size: (side, side),
        grid: (0.5, 1.0),
        looks: Look::pair(Breakthrough::SIDES, [Tint::White, Tint::Black]),
        ..Picture::default()
    };
    draw_board(&mut picture, board);
    for square in board.reading_order() {
        let (name, at) = (square.name(), centre(board, square));
        picture.spots.push(Spot { name, at, shape: SpotShape::Cell, empty: Symbol::new('·', '.') });
        picture.pieces.extend(position.man(square).map(|side| man(board.reading_index(square), side)));
    }
    let mark = |square: Square, kind| Mark { spot: board.reading_index(square), kind };
    for m in last {
        picture.marks.push(mark(m.from, MarkKind::LastFrom));
        picture.marks.push(mark(m.to, MarkKind::LastTo));
    }
    for side in Side::BOTH {
        let arrived = position.men[side.index()] & board.goal(side);
        picture.marks.extend(squares(arrived).map(|square| mark(square, MarkKind::Winning)));
    }
    picture.caption = caption(position);
    picture
}

/// The squares, their border and their names: files below the board, ranks left of it.
fn draw_board(picture: &mut Picture, board: Board) {
    let size = board.size() as f32;
    picture.regions.push(Region::rectangle((MARGIN, MARGIN), (size, size), Tone::Board));
    for square in board.reading_order().filter(|square| (square.file() + square.rank()) % 2 == 0) {
        let (x, y) = centre(board, square);
        picture.regions.push(Region::rectangle((x - 0.5, y - 0.5), (1.0, 1.0), Tone::Shaded));
    }
    let (start, end) = (MARGIN, MARGIN + size);
    let corners = [(start, start), (end, start), (end, end), (start, end)];
    for (i, &from) in corners.iter().enumerate() {
        picture.lines.push(Line { from, to: corners[(i + 1) % 4], stroke: Stroke::Thick });
    }
    for i in 0..board.size() {
        let (x, y) = centre(board, Square::new(i, i));
        let file = char::from(b'a' + i as u8).to_string();
        picture.labels.push(Label { at: (x, MARGIN * 1.5 + size), text: file });
        picture.labels.push(Label { at: (MARGIN * 0.5, y), text: (i + 1).to_string() });
    }
}

fn man(spot: usize, side: Side) -> Piece {
    let symbol = match side {
        Side::First => Symbol::new('○', 'w'),
        Side::Second => Symbol::new('●', 'b'),
    };
    Piece { spot, side, shape: Shape::Stone, name: "man", symbol }
}

fn caption(position: &BreakthroughPosition) -> String {
    let name = |side: Side| Breakthrough::SIDES[side.index()];
    let won = moves::outcome(position).and_then(|outcome| Some((outcome.winner?, outcome.reason == Reason::GOAL)));
    match won {
        None => format!("The {} side is to move.", name(position.turn)),
        Some((winner, true)) => format!("The {} side has reached the far row and wins.", name(winner)),
        Some((winner, false)) => {
            format!("The {} side has lost all its men: {} wins.", name(winner.other()), name(winner))
        }
    }
}
