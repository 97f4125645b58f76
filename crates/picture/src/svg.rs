//! Pictures as SVG.
//!
//! [`render`] makes a document that stands alone: no scripts, no references to anything outside, colours for light
//! and dark pages built in. It works as an `<img>` and inlined in a page, many times on the same page.
//!
//! # For pages
//!
//! * Every spot is an element of class `spot` with its index in `data-spot`; nothing that is drawn above it takes
//!   part in pointer events, so clicks always arrive there. What stands on a spot carries its index in `data-on`.
//! * All other classes begin with `ag-`. Colours are custom properties (`--ag-board`, `--ag-white` …) that the
//!   document sets with no specificity at all: any rule of the page that matches `.ag-picture` wins.

pub mod layers;
mod shapes;
mod style;
#[cfg(test)]
mod tests;

use std::fmt::{self, Write};

use crate::{Line, Mark, MarkKind, Picture, Point, Spot, SpotShape, Stroke, Tone};

/// How many units of the drawing make one unit of the picture.
const SCALE: f32 = 100.0;

/// Draws `picture` as a self-contained SVG document with `accent` (a CSS colour) for what is active, was played last
/// or won. The same picture always gives the same text. An `accent` that is not plainly a colour is replaced by a
/// calm blue.
pub fn render(picture: &Picture, accent: &str) -> String {
    let accent = style::checked_accent(accent);
    let mut out = String::new();
    write_document(&mut out, picture, Some(accent), true).expect("writing to a string never fails");
    out
}

/// Draws `picture` for a page that has [`style_sheet`] and sets `--ag-accent` itself: no style inside, so that a page may forbid them.
pub fn render_bare(picture: &Picture) -> String {
    let mut out = String::new();
    write_document(&mut out, picture, None, true).expect("writing to a string never fails");
    out
}

/// Draws `picture` as [`render_bare`] does, only to be looked at: without the spots that a pointer or a screen reader finds.
pub fn render_still(picture: &Picture) -> String {
    let mut out = String::new();
    write_document(&mut out, picture, None, false).expect("writing to a string never fails");
    out
}

/// The style sheet of [`render_bare`].
pub fn style_sheet() -> String {
    let mut out = String::new();
    style::write_rules(&mut out, style::CALM_BLUE).expect("writing to a string never fails");
    out
}

fn write_document(out: &mut String, picture: &Picture, accent: Option<&str>, spots: bool) -> fmt::Result {
    let (width, height) = (Number(picture.size.0), Number(picture.size.1));
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" class=\"ag-picture\""
    )?;
    match accent {
        Some(accent) => write!(out, " style=\"--ag-accent:{accent}\">")?,
        None => out.write_str(">")?,
    }
    write!(out, "<title>{}</title>", Escaped(headline(&picture.caption)))?;
    write!(out, "<desc>{}</desc>", Escaped(&picture.caption))?;
    if let Some(accent) = accent {
        style::write_sheet(out, accent)?;
    }
    write!(out, "<rect class=\"ag-paper\" width=\"{width}\" height=\"{height}\" rx=\"20\"/>")?;
    write_regions(out, picture)?;
    write_cells(out, &picture.spots)?;
    write_lines(out, &picture.lines)?;
    if spots {
        write_spots(out, picture)?;
    }
    write_marks(out, picture)?;
    shapes::write_pieces(out, picture)?;
    write_labels(out, picture)?;
    out.write_str("</svg>\n")
}

/// The first sentence or line of the caption: what the whole picture is called.
fn headline(caption: &str) -> &str {
    let line = caption.trim_start().lines().next().unwrap_or_default();
    let sentence = line.find(". ").map_or(line, |end| &line[..=end]);
    if sentence.trim().is_empty() { "Board" } else { sentence.trim_end() }
}

fn write_regions(out: &mut String, picture: &Picture) -> fmt::Result {
    for region in &picture.regions {
        let class = match region.tone {
            Tone::Board => "ag-board",
            Tone::Shaded => "ag-shaded",
            Tone::Hole => "ag-hole",
            Tone::Camp(side) if picture.looks[side.index()].tint.is_dark() => "ag-camp-black",
            Tone::Camp(_) => "ag-camp-white",
            Tone::Active => "ag-active",
        };
        write!(out, "<path class=\"{class}\" d=\"")?;
        for (index, &corner) in region.corners.iter().enumerate() {
            write!(out, "{}{}", if index == 0 { 'M' } else { 'L' }, Pair(corner))?;
        }
        out.write_str(if region.corners.is_empty() { "\"/>" } else { "Z\"/>" })?;
    }
    Ok(())
}

/// Outlines the cells. They are no part of the spots, which lie above the borders.
fn write_cells(out: &mut String, spots: &[Spot]) -> fmt::Result {
    let mut cells = spots.iter().filter(|spot| spot.shape == SpotShape::Cell).peekable();
    if cells.peek().is_none() {
        return Ok(());
    }
    out.write_str("<path class=\"ag-thin\" d=\"")?;
    for Spot { at: (x, y), .. } in cells {
        write!(out, "M{}h100v100h-100z", Pair((x - 0.5, y - 0.5)))?;
    }
    out.write_str("\"/>")
}

/// All strokes of a kind make one path: a board has dozens of them. Borders lie above the grid.
fn write_lines(out: &mut String, lines: &[Line]) -> fmt::Result {
    for (stroke, class) in [(Stroke::Thin, "ag-thin"), (Stroke::Thick, "ag-thick")] {
        let mut same = lines.iter().filter(|line| line.stroke == stroke).peekable();
        if same.peek().is_none() {
            continue;
        }
        write!(out, "<path class=\"{class}\" d=\"")?;
        for line in same {
            write!(out, "M{}", Pair(line.from))?;
            let (right, down) = (Number(line.to.0), Number(line.to.1));
            if Number(line.from.1).tenths() == down.tenths() {
                write!(out, "H{right}")?;
            } else if Number(line.from.0).tenths() == right.tenths() {
                write!(out, "V{down}")?;
            } else {
                write!(out, "L{}", Pair(line.to))?;
            }
        }
        out.write_str("\"/>")?;
    }
    Ok(())
}

fn write_spots(out: &mut String, picture: &Picture) -> fmt::Result {
    out.write_str("<g>")?;
    for (index, spot) in picture.spots.iter().enumerate() {
        let (x, y) = spot.at;
        let name = SpokenSpot { picture, index, spot };
        match spot.shape {
            SpotShape::Cell => write!(
                out,
                "<rect class=\"spot ag-cell\" data-spot=\"{index}\" aria-label=\"{name}\" x=\"{}\" y=\"{}\" \
                 width=\"100\" height=\"100\"/>",
                Number(x - 0.5),
                Number(y - 0.5)
            )?,
            SpotShape::Crossing => write!(
                out,
                "<circle class=\"spot ag-crossing\" data-spot=\"{index}\" aria-label=\"{name}\" cx=\"{}\" cy=\"{}\" \
                 r=\"48\"/>",
                Number(x),
                Number(y)
            )?,
        }
    }
    out.write_str("</g>")
}

/// What a screen reader says at a spot: its name and what stands on it.
struct SpokenSpot<'a> {
    picture: &'a Picture,
    index: usize,
    spot: &'a Spot,
}

impl fmt::Display for SpokenSpot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Escaped(&self.spot.name))?;
        for piece in self.picture.pieces.iter().filter(|piece| piece.spot == self.index) {
            let side = self.picture.looks[piece.side.index()].name;
            write!(f, ", {} {}", Escaped(side), Escaped(piece.name))?;
        }
        Ok(())
    }
}

fn write_marks(out: &mut String, picture: &Picture) -> fmt::Result {
    out.write_str("<g class=\"ag-marks\">")?;
    for mark in &picture.marks {
        if let Some(spot) = picture.spots.get(mark.spot) {
            write_mark(out, *mark, spot)?;
        }
    }
    out.write_str("</g>")
}

fn write_mark(out: &mut String, mark: Mark, spot: &Spot) -> fmt::Result {
    let class = match mark.kind {
        MarkKind::LastFrom => "ag-last-from",
        MarkKind::LastTo => "ag-last-to",
        MarkKind::Danger => "ag-danger",
        MarkKind::Winning => "ag-winning",
    };
    let on = mark.spot;
    let (x, y) = spot.at;
    let radius = match (mark.kind, spot.shape) {
        (MarkKind::LastFrom | MarkKind::LastTo, SpotShape::Cell) => {
            let (left, top) = (Number(x - 0.5), Number(y - 0.5));
            return write!(
                out,
                "<rect class=\"{class}\" data-on=\"{on}\" x=\"{left}\" y=\"{top}\" width=\"100\" height=\"100\"/>"
            );
        }
        (MarkKind::LastFrom, SpotShape::Crossing) => 32,
        // Neighbours are often marked together: they must not overlap.
        (MarkKind::Winning, _) => 47,
        (MarkKind::LastTo | MarkKind::Danger, _) => 52,
    };
    let (x, y) = (Number(x), Number(y));
    write!(out, "<circle class=\"{class}\" data-on=\"{on}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>")
}

fn write_labels(out: &mut String, picture: &Picture) -> fmt::Result {
    out.write_str("<g class=\"ag-labels\">")?;
    write_label_texts(out, picture)?;
    out.write_str("</g>")
}

fn write_label_texts(out: &mut String, picture: &Picture) -> fmt::Result {
    for label in &picture.labels {
        let (x, y) = (Number(label.at.0), Number(label.at.1));
        // Longer ones are set smaller: their places are no wider.
        let class = if label.text.chars().count() > 2 { " class=\"ag-small\"" } else { "" };
        // Not `dominant-baseline`: few renderers besides browsers know it.
        write!(out, "<text{class} x=\"{x}\" y=\"{y}\" dy=\".35em\">{}</text>", Escaped(&label.text))?;
    }
    Ok(())
}

/// A length of the picture, scaled, with one decimal at most and never in exponent notation.
#[derive(Clone, Copy)]
struct Number(f32);

impl Number {
    /// Whole tenths; what is not a number counts as zero.
    fn tenths(self) -> i64 {
        (self.0 * SCALE * 10.0).round() as i64
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = self.tenths();
        let sign = if tenths < 0 { "-" } else { "" };
        let (whole, rest) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
        write!(f, "{sign}{whole}")?;
        if rest == 0 { Ok(()) } else { write!(f, ".{rest}") }
    }
}

/// Two lengths, as paths and transforms write them.
struct Pair(Point);

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Number(self.0.0), Number(self.0.1))
    }
}

/// Text that is safe as content and inside a quoted attribute. Characters that XML forbids even as references
/// become U+FFFD.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\t' | '\n' | '\r' => f.write_char(' ')?,
                '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                _ => f.write_char(character)?,
            }
        }
        Ok(())
    }
}
