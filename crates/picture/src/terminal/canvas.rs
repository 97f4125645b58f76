//! Lines of characters, each with its ink.

use crate::MarkKind;
use crate::Side;

/// What stands in one column of one line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// Nothing.
    Blank,
    /// A part of a label.
    Label(char),
    /// A man or an empty place.
    Spot(char, Ink),
}

impl Content {
    fn character(self) -> char {
        match self {
            Content::Blank => ' ',
            Content::Label(character) | Content::Spot(character, _) => character,
        }
    }

    /// The parameters of the escape sequence that shows it, if it needs one.
    fn parameters(self) -> Option<String> {
        match self {
            Content::Blank => None,
            Content::Label(_) => Some("2".to_owned()),
            Content::Spot(_, ink) => Some(ink.parameters()),
        }
    }

    /// Whether it leaves nothing to see, so that a line can end before it.
    fn is_invisible(self, colour: bool) -> bool {
        let marked = matches!(self, Content::Spot(_, Ink { mark: Some(_), .. }));
        self.character() == ' ' && !(colour && marked)
    }
}

/// How a spot is shown in colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Ink {
    /// The owner of what is shown; empty places have none and recede.
    pub(super) side: Option<Side>,
    /// Why the place is marked.
    pub(super) mark: Option<MarkKind>,
}

impl Ink {
    /// Never both a foreground and a background, so that every terminal theme stays legible.
    fn parameters(self) -> String {
        let side = match self.side {
            Some(Side::First) => "1",
            Some(Side::Second) => "94",
            None if self.mark.is_some() => "22",
            None => "2",
        };
        let mark = match self.mark {
            Some(MarkKind::LastFrom) => ";4",
            Some(MarkKind::LastTo) => ";7",
            Some(MarkKind::Danger) => ";7;31",
            Some(MarkKind::Winning) => ";7;32",
            None => "",
        };
        format!("{side}{mark}")
    }
}

/// Where characters are put before they become lines of text.
#[derive(Default)]
pub(super) struct Canvas {
    /// By line, then by column; both come into being when something is put there.
    lines: Vec<Vec<Content>>,
}

impl Canvas {
    /// Puts something at (column, line), over what was there.
    pub(super) fn put(&mut self, at: (usize, usize), content: Content) {
        let (column, line) = at;
        if self.lines.len() <= line {
            self.lines.resize_with(line + 1, Vec::new);
        }
        let line = &mut self.lines[line];
        if line.len() <= column {
            line.resize(column + 1, Content::Blank);
        }
        line[column] = content;
    }

    /// Whether a label of `width` characters can begin at (column, line): nothing is in its way, no other label
    /// touches it and, if it is to stand `apart`, no spot does.
    pub(super) fn has_room(&self, at: (usize, usize), width: usize, apart: bool) -> bool {
        let (column, line) = at;
        let line = self.lines.get(line).map_or(&[][..], Vec::as_slice);
        let content = |column: usize| line.get(column).copied().unwrap_or(Content::Blank);
        let keeps_off = |beside: Content| match beside {
            Content::Blank => true,
            Content::Label(_) => false,
            Content::Spot(..) => !apart,
        };
        (column..column + width).all(|column| content(column) == Content::Blank)
            && column.checked_sub(1).is_none_or(|before| keeps_off(content(before)))
            && keeps_off(content(column + width))
    }

    /// The lines, without blanks at their ends.
    pub(super) fn into_text(self, colour: bool) -> String {
        let mut text = String::new();
        for line in self.lines {
            let end = line.iter().rposition(|content| !content.is_invisible(colour)).map_or(0, |last| last + 1);
            write_line(&mut text, &line[..end], colour);
            text.push('\n');
        }
        text
    }
}

/// Writes a line, with one escape sequence for each run that looks the same, and none left open.
fn write_line(text: &mut String, line: &[Content], colour: bool) {
    let mut current = None;
    for content in line {
        let parameters = if colour { content.parameters() } else { None };
        if parameters != current {
            if current.is_some() {
                text.push_str("\x1b[0m");
            }
            if let Some(parameters) = &parameters {
                text.push_str("\x1b[");
                text.push_str(parameters);
                text.push('m');
            }
            current = parameters;
        }
        text.push(content.character());
    }
    if current.is_some() {
        text.push_str("\x1b[0m");
    }
}
