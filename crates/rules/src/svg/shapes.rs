//! The men.

use std::fmt::{self, Write};

use super::{Escaped, Pair, is_dark};
use crate::picture::{Picture, Shape};

/// Two circles, the inner one the other way round so that it is a hole.
const RING: &str = "M43 0A43 43 0 1 1-43 0A43 43 0 1 1 43 0ZM28 0A28 28 0 1 0-28 0A28 28 0 1 0 28 0Z";

/// Draws every man, later ones above earlier ones.
pub(super) fn write_pieces(out: &mut String, picture: &Picture) -> fmt::Result {
    out.write_str("<g class=\"ag-men\">")?;
    for piece in &picture.pieces {
        let Some(spot) = picture.spots.get(piece.spot) else { continue };
        let dark = is_dark(picture, piece.side);
        let class = if dark { "ag-black" } else { "ag-white" };
        write!(out, "<g class=\"{class}\" data-on=\"{}\" transform=\"translate({})\">", piece.spot, Pair(spot.at))?;
        write_shape(out, piece.shape, dark)?;
        out.write_str("</g>")?;
    }
    out.write_str("</g>")
}

/// Draws a man around the origin. Solid dark men also carry a fine inner line.
fn write_shape(out: &mut String, shape: Shape, dark: bool) -> fmt::Result {
    match shape {
        Shape::Ring => write!(out, "<path d=\"{RING}\"/>")?,
        Shape::Disc => {
            out.write_str("<circle r=\"22\"/>")?;
            if dark {
                out.write_str("<circle class=\"ag-line ag-fine\" r=\"13\"/>")?;
            }
        }
        Shape::Stone => {
            out.write_str("<circle r=\"40\"/>")?;
            if dark {
                out.write_str("<circle class=\"ag-line ag-fine\" r=\"30\"/>")?;
            }
        }
        Shape::Block => {
            out.write_str("<path d=\"M-37-37H37V37H-37Z\"/>")?;
            if dark {
                out.write_str("<path class=\"ag-line ag-fine\" d=\"M-25-25H25V25H-25Z\"/>")?;
            }
        }
        Shape::BarAcross => out.write_str("<circle r=\"38\"/><path class=\"ag-bar\" d=\"M-40 0H40\"/>")?,
        Shape::BarDown => out.write_str("<circle r=\"38\"/><path class=\"ag-bar\" d=\"M0-40V40\"/>")?,
        Shape::Figure(path) => write!(out, "<path d=\"{}\"/>", Escaped(path))?,
    }
    Ok(())
}
