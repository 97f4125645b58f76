//! The picture of a position: nine local boards a little apart, the active one marked.

use agon_picture::{
    Label, Look, Mark, MarkKind, Picture, Piece, Point, Region, Shape, Spot, SpotShape, Symbol, Tint, Tone,
};
use agon_rules::{Game, Position, Side};

use crate::{
    Cell, ConnectX, ConnectXPosition,
    grid::{SIZE, bits, fours},
};

/// The space between two local boards.
const GAP: f32 = 0.5;
/// The space around the grid, for the coordinates.
const MARGIN: f32 = 1.0;

/// The index of a cell's spot.
pub(crate) fn spot(cell: Cell) -> usize {
    cell.row() * SIZE + cell.column()
}

/// The middle of a row or column.
fn coordinate(index: usize) -> f32 {
    MARGIN + index as f32 + 0.5 + (index / 3) as f32 * GAP
}

fn centre(cell: Cell) -> Point {
    (coordinate(cell.column()), coordinate(cell.row()))
}

pub(crate) fn picture(position: &ConnectXPosition, last: &[Cell]) -> Picture {
    let side = coordinate(SIZE - 1) + 0.5 + MARGIN * 0.5;
    let over = position.generate(&mut Vec::new());
    let playing = over.is_none();
    let mut picture = Picture {
        size: (side, side),
        grid: (0.25, 0.5),
        looks: Look::pair(ConnectX::SIDES, [Tint::White, Tint::Black]),
        ..Picture::default()
    };
    for board in 0..9 {
        let corner = Cell::new(board / 3 * 3, board % 3 * 3);
        let (x, y) = centre(corner);
        let square = |tone| Region::rectangle((x - 0.5, y - 0.5), (3.0, 3.0), tone);
        picture.regions.push(square(Tone::Board));
        if playing && board == position.active_board() {
            picture.regions.push(square(Tone::Active));
        }
    }
    for cell in Cell::all() {
        let active = playing && cell.board() == position.active_board();
        picture.spots.push(Spot {
            name: format!("{} {}", cell.row(), cell.column()),
            at: centre(cell),
            shape: SpotShape::Cell,
            empty: if active { Symbol::new('□', '_') } else { Symbol::new('·', '.') },
        });
        if let Some(side) = position.stone(cell) {
            picture.pieces.push(stone(cell, side));
        }
    }
    for i in 0..SIZE {
        picture.labels.push(Label { at: (coordinate(i), MARGIN * 0.5), text: i.to_string() });
        picture.labels.push(Label { at: (MARGIN * 0.5, coordinate(i)), text: i.to_string() });
    }
    for side in 0..2 {
        let winning = bits(fours(&position.stones[side])).map(Cell::from_bit);
        picture.marks.extend(winning.map(|cell| Mark { spot: spot(cell), kind: MarkKind::Winning }));
    }
    picture.marks.extend(last.iter().map(|&cell| Mark { spot: spot(cell), kind: MarkKind::LastTo }));
    picture.caption = caption(position);
    picture
}

fn stone(cell: Cell, side: Side) -> Piece {
    let symbol = match side {
        Side::First => Symbol::new('○', '1'),
        Side::Second => Symbol::new('●', '2'),
    };
    Piece { spot: spot(cell), side, shape: Shape::Stone, name: "stone", symbol }
}

fn caption(position: &ConnectXPosition) -> String {
    let name = |side: Side| ConnectX::SIDES[side.index()];
    match position.generate(&mut Vec::new()) {
        None => format!("The {} side is to move in local board {}.", name(position.turn), position.active),
        Some(outcome) => match outcome.winner {
            Some(winner) => format!("The {} side has connected four and wins.", name(winner)),
            None => "The grid is full: a draw.".to_owned(),
        },
    }
}
