//! Pictures as text.

mod canvas;
/// A board with more lines than this leaves no room for words on a terminal of 24 lines.
const TALL: usize = 18;

/// The board and its caption. Tall boards lose half of their empty lines, so that everything fits on a small terminal.
pub fn compact(mut picture: Picture, style: Style, width: usize) -> String {
    let caption = std::mem::take(&mut picture.caption);
    let drawn = render(&picture, style);
    let caption = wrap(&render(&Picture { caption, ..Picture::default() }, style), width);
    let lines: Vec<&str> = drawn.trim_end().lines().skip_while(|line| line.trim().is_empty()).collect();
    if lines.len() <= TALL {
        return format!("{}\n\n{caption}\n", lines.join("\n"));
    }
    let mut text = String::new();
    let mut empty = 0;
    for line in lines {
        empty = if line.trim().is_empty() { empty + 1 } else { 0 };
        if empty == 0 || empty % 2 == 0 {
            text.push_str(line);
            text.push('\n');
        }
    }
    format!("{text}{caption}\n")
}

/// Prose in lines of at most `width` characters; no line break at its end.
pub fn wrap(text: &str, width: usize) -> String {
    let (mut wrapped, mut length) = (String::new(), 0);
    for word in text.split_whitespace() {
        let letters = word.chars().count();
        if length > 0 && length + 1 + letters > width {
            wrapped.push('\n');
            length = 0;
        } else if length > 0 {
            wrapped.push(' ');
            length += 1;
        }
        wrapped.push_str(word);
        length += letters;
    }
    wrapped
}

#[cfg(test)]
mod tests;

use crate::{Label, Picture, Point, Symbol};
use canvas::{Canvas, Content, Ink};

/// What the terminal can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Characters beyond ASCII.
    pub unicode: bool,
    /// Colours and other attributes, through ANSI escape sequences.
    pub colour: bool,
}

/// Draws `picture` with characters: each spot's man or empty place, the labels between them, and below the caption.
///
/// A spot stands in column x / grid.0 and line y / grid.1, both rounded. Labels are centred on their place and give
/// way to spots. Without [`Style::colour`] no escape sequence comes out, without [`Style::unicode`] only ASCII does;
/// control characters in names and captions never do.
pub fn render(picture: &Picture, style: Style) -> String {
    let mut canvas = Canvas::default();
    draw_spots(&mut canvas, picture, style);
    for label in &picture.labels {
        draw_label(&mut canvas, picture, label, style);
    }
    let mut text = canvas.into_text(style.colour);
    let caption = plain_text(&picture.caption, style);
    if !text.is_empty() && !caption.is_empty() {
        text.push('\n');
    }
    text.push_str(&caption);
    text
}

fn draw_spots(canvas: &mut Canvas, picture: &Picture, style: Style) {
    for (index, spot) in picture.spots.iter().enumerate() {
        // The last man drawn lies on top.
        let piece = picture.pieces.iter().rfind(|piece| piece.spot == index);
        let symbol = piece.map_or(spot.empty, |piece| piece.symbol);
        let ink = Ink {
            side: piece.map(|piece| piece.side),
            mark: picture.marks.iter().rfind(|mark| mark.spot == index).map(|mark| mark.kind),
        };
        canvas.put(place(picture, spot.at), Content::Spot(shown(symbol, style), ink));
    }
}

/// Puts a label down where it fits best: centred with a blank on both sides, else moved to the left by one, else
/// centred and touching a spot. It never touches another label, as two numbers would read as one. A text with an even
/// number of characters has two middles: the left one is tried first, so that numbers are aligned to the right.
fn draw_label(canvas: &mut Canvas, picture: &Picture, label: &Label, style: Style) {
    let text: Vec<char> = label.text.chars().map(|character| shown_in_text(character, style)).collect();
    let (column, line) = place(picture, label.at);
    let (left, right) = (text.len() / 2, text.len().saturating_sub(1) / 2);
    let tries = [(left, true), (right, true), (left + 1, true), (left, false), (right, false)];
    let fitting = tries.into_iter().find_map(|(before, apart)| {
        let start = column.checked_sub(before)?;
        canvas.has_room((start, line), text.len(), apart).then_some(start)
    });
    let Some(start) = fitting else { return };
    for (offset, &character) in text.iter().enumerate() {
        canvas.put((start + offset, line), Content::Label(character));
    }
}

/// Column and line of a place.
fn place(picture: &Picture, at: Point) -> (usize, usize) {
    (step(at.0, picture.grid.0), step(at.1, picture.grid.1))
}

/// How many steps of size `grid` lead to `length`. A grid that is not set counts as one unit, and nothing is put further
/// out than any board reaches.
fn step(length: f32, grid: f32) -> usize {
    const FURTHEST: usize = 500;
    let grid = if grid > 0.0 { grid } else { 1.0 };
    ((length / grid).round() as usize).min(FURTHEST)
}

fn shown(symbol: Symbol, style: Style) -> char {
    if style.unicode && is_narrow(symbol.unicode) {
        symbol.unicode
    } else if symbol.ascii == ' ' || symbol.ascii.is_ascii_graphic() {
        symbol.ascii
    } else {
        '?'
    }
}

/// A character of a label: exactly one column wide.
fn shown_in_text(character: char, style: Style) -> char {
    if !is_narrow(character) {
        '?'
    } else if style.unicode || character.is_ascii() {
        character
    } else {
        ascii_of(character).chars().next().unwrap_or('?')
    }
}

/// The caption, with a line break at the end and nothing in it that could steer a terminal.
fn plain_text(caption: &str, style: Style) -> String {
    let mut text = String::new();
    for line in caption.trim_end().lines() {
        for character in line.trim_end().chars() {
            if character.is_control() {
                text.push(' ');
            } else if style.unicode || character.is_ascii() {
                text.push(character);
            } else {
                text.push_str(ascii_of(character));
            }
        }
        text.push('\n');
    }
    text
}

/// What people type for a character when they have only ASCII.
fn ascii_of(character: char) -> &'static str {
    match character {
        '\u{a0}' => " ",
        '‐' | '‑' | '‒' | '–' | '—' | '−' => "-",
        '‘' | '’' => "'",
        '“' | '”' => "\"",
        '…' => "...",
        '×' => "x",
        '·' | '•' => ".",
        '→' => "->",
        '←' => "<-",
        _ => "?",
    }
}

/// Whether a character is one column wide in a terminal: neither a control, nor combining, nor East Asian wide, nor
/// drawn as a wide emoji. Ranges are inclusive and sorted.
fn is_narrow(character: char) -> bool {
    const OTHERS: [(char, char); 36] = [
        ('\0', '\u{1f}'),
        ('\u{7f}', '\u{9f}'),
        ('\u{ad}', '\u{ad}'),
        ('\u{300}', '\u{36f}'),
        ('\u{1100}', '\u{115f}'),
        ('\u{200b}', '\u{200f}'),
        ('\u{2028}', '\u{202e}'),
        ('\u{2060}', '\u{206f}'),
        ('\u{20d0}', '\u{20ff}'),
        ('\u{231a}', '\u{231b}'),
        ('\u{23e9}', '\u{23f3}'),
        ('\u{25fd}', '\u{25fe}'),
        ('\u{2614}', '\u{2615}'),
        ('\u{2630}', '\u{2637}'),
        ('\u{2648}', '\u{2653}'),
        ('\u{267f}', '\u{267f}'),
        ('\u{268a}', '\u{268f}'),
        ('\u{2693}', '\u{2693}'),
        ('\u{26a1}', '\u{26ab}'),
        ('\u{26bd}', '\u{26c5}'),
        ('\u{26ce}', '\u{26fd}'),
        ('\u{2705}', '\u{2705}'),
        ('\u{270a}', '\u{270b}'),
        ('\u{2728}', '\u{2728}'),
        ('\u{274c}', '\u{274e}'),
        ('\u{2753}', '\u{2757}'),
        ('\u{2795}', '\u{2797}'),
        ('\u{27b0}', '\u{27bf}'),
        ('\u{2b1b}', '\u{2b1c}'),
        ('\u{2b50}', '\u{2b55}'),
        ('\u{2e80}', '\u{a4cf}'),
        ('\u{ac00}', '\u{d7a3}'),
        ('\u{f900}', '\u{faff}'),
        ('\u{fe00}', '\u{fe6f}'),
        ('\u{feff}', '\u{ff60}'),
        ('\u{ffe0}', '\u{10ffff}'),
    ];
    !OTHERS.iter().any(|&(from, to)| (from..=to).contains(&character))
}
