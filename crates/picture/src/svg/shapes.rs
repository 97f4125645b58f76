//! The men.

use std::fmt::{self, Write};

use super::{Escaped, Pair};
use crate::{Look, Picture, Shape, Tint};

/// Two circles, the inner one the other way round so that it is a hole.
const RING: &str = "M43 0A43 43 0 1 1-43 0A43 43 0 1 1 43 0ZM28 0A28 28 0 1 0-28 0A28 28 0 1 0 28 0Z";

/// Draws every man, later ones above earlier ones.
pub(super) fn write_pieces(out: &mut String, picture: &Picture) -> fmt::Result {
    out.write_str("<g class=\"ag-men\">")?;
    for piece in &picture.pieces {
        let Some(spot) = picture.spots.get(piece.spot) else { continue };
        let look = picture.looks[piece.side.index()];
        let (class, on, at) = (class(look.tint), piece.spot, Pair(spot.at));
        write!(out, "<g class=\"{class}\" data-on=\"{on}\" transform=\"translate({at})\">")?;
        write_shape(out, piece.shape, look)?;
        out.write_str("</g>")?;
    }
    out.write_str("</g>")
}

/// Draws a man around the origin, in the colours of its side.
pub(super) fn write_man(out: &mut String, shape: Shape, look: Look) -> fmt::Result {
    write!(out, "<g class=\"{}\">", class(look.tint))?;
    write_shape(out, shape, look)?;
    out.write_str("</g>")
}

/// The classes that give men their colours.
fn class(tint: Tint) -> &'static str {
    match tint {
        Tint::White => "ag-white",
        Tint::Black => "ag-black",
        Tint::Orange => "ag-white ag-orange",
        Tint::Blue => "ag-black ag-blue",
    }
}

/// Draws a man around the origin.
fn write_shape(out: &mut String, shape: Shape, look: Look) -> fmt::Result {
    match shape {
        Shape::Ring => write!(out, "<path d=\"{RING}\"/>"),
        Shape::Disc => write_solid(out, Body::Round(22), look),
        Shape::Stone => write_solid(out, Body::stone(look), look),
        Shape::Block => write_solid(out, Body::Square(37), look),
        Shape::BarAcross => write!(out, "{}<path class=\"ag-bar\" d=\"M-41 0H41\"/>", Body::stone(look).element("")),
        Shape::BarDown => write!(out, "{}<path class=\"ag-bar\" d=\"M0-41V41\"/>", Body::stone(look).element("")),
        Shape::Figure(path) => write!(out, "<path d=\"{}\"/>", Escaped(path)),
    }
}

fn write_solid(out: &mut String, body: Body, look: Look) -> fmt::Result {
    out.write_str(&body.element(""))?;
    // Dark solid men carry a fine inner line.
    if look.tint.is_dark() {
        out.write_str(&body.inner().element(" class=\"ag-inner\""))?;
    }
    Ok(())
}

/// An outline around the origin: a circle with this radius or a square twice as wide.
#[derive(Clone, Copy)]
enum Body {
    Round(u32),
    Square(u32),
}

impl Body {
    /// A square looks as large as a circle that is a little wider.
    fn stone(look: Look) -> Body {
        if look.square { Body::Square(36) } else { Body::Round(39) }
    }

    /// The same, smaller.
    fn inner(self) -> Body {
        match self {
            Body::Round(radius) => Body::Round(radius * 3 / 4),
            Body::Square(half) => Body::Square(half * 3 / 4),
        }
    }

    fn element(self, attributes: &str) -> String {
        match self {
            Body::Round(radius) => format!("<circle{attributes} r=\"{radius}\"/>"),
            Body::Square(half) => format!("<path{attributes} d=\"M-{half}-{half}H{half}V{half}H-{half}Z\"/>"),
        }
    }
}
