//! Pictures taken apart, for pages that show hundreds of positions of one board: the ground and the labels once for all positions
//! that share them, men and marks once for all places on which they stand.
//!
//! Everything is the inside of an element of class `ag-picture` with [`super::style_sheet`], in the units of [`scaled`]. Men belong into
//! a group of class `ag-men`, labels into one of class `ag-labels`.

use std::fmt::Write;

use super::{Number, SCALE, shapes, write_cells, write_label_texts, write_lines, write_mark, write_regions};
use crate::{Look, Mark, MarkKind, Picture, Point, Shape, Spot, SpotShape, Symbol};

/// A place as the layers count.
pub fn scaled(point: Point) -> [f32; 2] {
    let tenths = |length: f32| (length * SCALE * 10.0).round() / 10.0;
    [tenths(point.0), tenths(point.1)]
}

/// What lies below men and marks.
pub fn ground(picture: &Picture) -> String {
    let mut out = String::new();
    let (width, height) = (Number(picture.size.0), Number(picture.size.1));
    write!(out, "<rect class=\"ag-paper\" width=\"{width}\" height=\"{height}\" rx=\"20\"/>")
        .and_then(|()| write_regions(&mut out, picture))
        .and_then(|()| write_cells(&mut out, &picture.spots))
        .and_then(|()| write_lines(&mut out, &picture.lines))
        .expect("writing to a string never fails");
    out
}

/// Coordinates and other small text.
pub fn labels(picture: &Picture) -> String {
    let mut out = String::new();
    write_label_texts(&mut out, picture).expect("writing to a string never fails");
    out
}

/// A man, around the origin.
pub fn man(shape: Shape, look: Look) -> String {
    let mut out = String::new();
    shapes::write_man(&mut out, shape, look).expect("writing to a string never fails");
    out
}

/// A mark on a place of this shape, around the origin.
pub fn mark(kind: MarkKind, shape: SpotShape) -> String {
    let spot = Spot { name: String::new(), at: (0.0, 0.0), shape, empty: Symbol::new(' ', ' ') };
    let mut out = String::new();
    write_mark(&mut out, Mark { spot: 0, kind }, &spot).expect("writing to a string never fails");
    out
}
