//! The picture of a position: the ring with its hole, an arrow for the direction of play, and the men.

use std::f32::consts::TAU;

use agon_picture::{
    Click, Label, Line, Look, Mark, MarkKind, Picture, Piece, Point, Region, Shape, Spot, SpotShape, Stroke, Symbol,
    Tint, Tone,
};
use agon_rules::{Game, Outcome, Position, Side};

use crate::{
    Kind, Move, Rollerball, RollerballPosition, Square,
    board::{Geometry, Place},
    figures::outline,
    points::margin,
    text::letter,
};

/// The space around the board, for the coordinates.
const MARGIN: f32 = 0.5;

/// The middle of a place.
fn centre(geometry: &Geometry, (x, y): Place) -> Point {
    (MARGIN + f32::from(x) + 0.5, MARGIN + geometry.size as f32 - f32::from(y) - 0.5)
}

fn spot(geometry: &Geometry, square: Square) -> usize {
    usize::from(geometry.reading_index[square.index()])
}

pub(crate) fn picture(position: &RollerballPosition, last: &[Move]) -> Picture {
    let geometry = &position.tables().geometry;
    let side = geometry.size as f32 + 2.0 * MARGIN;
    let mut picture = Picture {
        size: (side, side),
        grid: (0.5, 1.0),
        looks: Look::pair(Rollerball::SIDES, [Tint::White, Tint::Black]),
        ..Picture::default()
    };
    draw_board(&mut picture, position);
    draw_coordinates(&mut picture, geometry);
    for &square in &geometry.reading_order {
        picture.spots.push(Spot {
            name: geometry.name(square),
            at: centre(geometry, geometry.place(square)),
            shape: SpotShape::Cell,
            empty: Symbol::new('·', '.'),
        });
        if let Some((side, kind)) = position.man(square) {
            picture.pieces.push(piece(spot(geometry, square), side, kind));
        }
    }
    for m in last {
        picture.marks.push(Mark { spot: spot(geometry, m.from()), kind: MarkKind::LastFrom });
        picture.marks.push(Mark { spot: spot(geometry, m.to()), kind: MarkKind::LastTo });
    }
    if position.in_check() {
        let king = Square::lowest(position.men(position.turn(), Kind::King));
        picture.marks.push(Mark { spot: spot(geometry, king), kind: MarkKind::Danger });
    }
    picture.caption = caption(position);
    picture
}

/// The checkered ring, the hole with its arrow, and their borders.
fn draw_board(picture: &mut Picture, position: &RollerballPosition) {
    let variant = position.variant();
    let geometry = &position.tables().geometry;
    let size = variant.size() as f32;
    picture.regions.push(Region::rectangle((MARGIN, MARGIN), (size, size), Tone::Board));
    for &square in &geometry.reading_order {
        let place = geometry.place(square);
        if (place.0 + place.1) % 2 == 0 {
            let (x, y) = centre(geometry, place);
            picture.regions.push(Region::rectangle((x - 0.5, y - 0.5), (1.0, 1.0), Tone::Shaded));
        }
    }
    let rings = variant.rings() as f32;
    let hole = size - 2.0 * rings;
    picture.regions.push(Region::rectangle((MARGIN + rings, MARGIN + rings), (hole, hole), Tone::Hole));
    let middle = MARGIN + size / 2.0;
    picture.regions.push(Region { corners: clockwise_arrow((middle, middle), hole * 0.3), tone: Tone::Shaded });
    draw_frame(picture, MARGIN, size);
    draw_frame(picture, MARGIN + rings, hole);
}

/// The four sides of a square whose top left corner lies at (`start`, `start`).
fn draw_frame(picture: &mut Picture, start: f32, size: f32) {
    let end = start + size;
    let corners = [(start, start), (end, start), (end, end), (start, end)];
    for (i, &from) in corners.iter().enumerate() {
        picture.lines.push(Line { from, to: corners[(i + 1) % 4], stroke: Stroke::Thick });
    }
}

/// Three quarters of a ring that end in an arrow head.
fn clockwise_arrow(middle: Point, radius: f32) -> Vec<Point> {
    const STEPS: usize = 24;
    let half_width = radius * 0.11;
    // y grows downwards, so growing angles run clockwise.
    let at = |turns: f32, radius: f32| {
        let angle = turns * TAU;
        (middle.0 + radius * angle.cos(), middle.1 + radius * angle.sin())
    };
    let (start, end) = (0.32, 1.06);
    let arc = |radius: f32| (0..=STEPS).map(move |i| at(start + (end - start) * i as f32 / STEPS as f32, radius));
    let mut corners: Vec<Point> = arc(radius - half_width).collect();
    corners.extend([at(end, radius * 0.7), at(end + 0.08, radius * 1.14), at(end, radius * 1.3)]);
    let outer: Vec<Point> = arc(radius + half_width).collect();
    corners.extend(outer.into_iter().rev());
    corners
}

/// Files below the board, ranks left of it.
fn draw_coordinates(picture: &mut Picture, geometry: &Geometry) {
    let size = geometry.size;
    for i in 0..size {
        let (x, y) = centre(geometry, (i as i8, i as i8));
        let file = char::from(b'a' + i as u8).to_string();
        picture.labels.push(Label { at: (x, MARGIN * 1.5 + size as f32), text: file });
        picture.labels.push(Label { at: (MARGIN * 0.45, y), text: (i + 1).to_string() });
    }
}

fn piece(spot: usize, side: Side, kind: Kind) -> Piece {
    let unicode = match (side, kind) {
        (Side::First, Kind::Pawn) => '♙',
        (Side::First, Kind::Rook) => '♖',
        (Side::First, Kind::Bishop) => '♗',
        (Side::First, Kind::King) => '♔',
        (Side::First, Kind::Knight) => '♘',
        (Side::Second, Kind::Pawn) => '♟',
        (Side::Second, Kind::Rook) => '♜',
        (Side::Second, Kind::Bishop) => '♝',
        (Side::Second, Kind::King) => '♚',
        (Side::Second, Kind::Knight) => '♞',
    };
    let symbol = Symbol::new(unicode, letter(side, kind));
    Piece { spot, side, shape: Shape::Figure(outline(kind)), name: kind.name(), symbol }
}

/// Who is to move or how it ended, and what the men that are left are worth.
fn caption(position: &RollerballPosition) -> String {
    let name = |side: Side| Rollerball::SIDES[side.index()];
    let mover = name(position.turn());
    let state = match position.generate(&mut Vec::new()) {
        None if position.in_check() => format!("The {mover} king is in check and {mover} is to move."),
        None => format!("The {mover} side is to move; men run clockwise."),
        Some(Outcome { winner: Some(winner), .. }) => {
            format!("The {mover} king is checkmated: the {} side wins.", name(winner))
        }
        Some(Outcome { winner: None, .. }) => {
            format!("The {mover} side has no legal move and is not in check: stalemate, a draw.")
        }
    };
    let [white, black] = Side::BOTH.map(|side| margin(position, side));
    format!("{state} Men left: {white} points of white, {black} of black.")
}

/// The man, its target, and what a pawn becomes.
pub(crate) fn clicks(position: &RollerballPosition, m: Move) -> Vec<Click> {
    let geometry = &position.tables().geometry;
    let mut clicks = vec![Click::Spot(spot(geometry, m.from())), Click::Spot(spot(geometry, m.to()))];
    clicks.extend(m.promotion().map(|kind| Click::Choice(kind.name())));
    clicks
}
