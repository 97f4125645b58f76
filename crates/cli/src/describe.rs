//! Boards, times and endings in words, as `agon play` and `agon replay` print them.

use std::{env, io};

use agon_picture::terminal;
use agon_rules::AnyPosition;
use terminal_size::{Width, terminal_size_of};

pub(crate) use agon_referee::words::{belief, clock, count, points, reason, round, seconds};

/// The board and its caption, fit for a small terminal.
pub(crate) fn board(position: &dyn AnyPosition, style: terminal::Style) -> String {
    terminal::compact(position.picture(), style, width())
}

/// How many characters fit into a line: what the environment says, or the terminal; 80 if neither does.
fn width() -> usize {
    let said = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || terminal_size_of(io::stdout()).map(|(Width(width), _)| width.into()).filter(|&width| width > 0);
    said.or_else(terminal).unwrap_or(80)
}

/// Prose in lines that fit; no line break at its end.
pub(crate) fn wrap(text: &str) -> String {
    terminal::wrap(text, width())
}

/// Text from elsewhere, with nothing in it that could steer a terminal.
pub(crate) fn clean(text: &str) -> String {
    agon_rules::inert(text)
}

/// Items with their numbers, side by side as far as the terminal is wide; they are read from left to right.
pub(crate) fn columns<'a>(items: impl IntoIterator<Item = (usize, &'a str)>) -> String {
    let items: Vec<(String, String)> =
        items.into_iter().map(|(number, text)| (number.to_string(), clean(text))).collect();
    let widest = |part: fn(&(String, String)) -> &String| items.iter().map(|i| part(i).chars().count()).max();
    let (digits, letters) = (widest(|i| &i.0).unwrap_or(0), widest(|i| &i.1).unwrap_or(0));
    let per_line = (width() / (digits + letters + 5)).max(1);
    let mut text = String::new();
    for line in items.chunks(per_line) {
        let cells: Vec<String> =
            line.iter().map(|(number, item)| format!("  {number:>digits$}  {item:<letters$}")).collect();
        text.push_str(cells.join(" ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(clean("a\u{1b}[2Jb\nc\u{9b}1m\u{202e}\u{7f}"), "a␛[2Jb c\u{fffd}1m\u{fffd}␡");
    }
}
