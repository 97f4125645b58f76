//! Boards, times and endings in words, as `agon play` and `agon replay` print them.

use std::{env, io, time::Duration};

use agon_picture::terminal;
use agon_rules::{AnyGame, AnyPosition, BySide, Side};
use agon_wire::{Info, Score};
use terminal_size::{Width, terminal_size_of};

pub(crate) use agon_referee::words::{count, reason, seconds};

use crate::show::round;

/// The board and its caption, fit for a small terminal.
pub(crate) fn board(position: &dyn AnyPosition, style: terminal::Style) -> String {
    terminal::compact(position.picture(), style, width())
}

/// What a bot reported of a position with `mover` to move: `circle 62 %, depth 9`, `cross wins in 3 turns, depth 12`.
pub(crate) fn belief(info: &Info, mover: Side, sides: [&str; 2]) -> String {
    let name = |side: Side| sides[side.index()];
    let score = info.score.map(|score| match score {
        Score::Mate(turns) => {
            let winner = if turns > 0 { mover } else { mover.other() };
            format!("{} wins in {}", name(winner), count(turns.unsigned_abs().max(1) as usize, "turn"))
        }
        Score::Estimate(_) if score.chance() >= 0.5 => format!("{} {:.0} %", name(mover), 100.0 * score.chance()),
        Score::Estimate(_) => format!("{} {:.0} %", name(mover.other()), 100.0 * (1.0 - score.chance())),
    });
    let depth = info.depth.map(|depth| format!("depth {depth}"));
    score.into_iter().chain(depth).collect::<Vec<_>>().join(", ")
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

/// What a clock shows: `1:57`, or `9.3 s` when it matters.
pub(crate) fn clock(left: Duration) -> String {
    if left < Duration::from_secs(20) {
        return format!("{:.1} s", left.as_secs_f64());
    }
    // A second that has begun counts, as on the clocks that people know.
    let whole = left.as_secs() + u64::from(left.subsec_nanos() > 0);
    format!("{}:{:02}", whole / 60, whole % 60)
}

/// Points of both sides: `circle 1, square 0`.
pub(crate) fn points(game: &dyn AnyGame, points: BySide<f64>) -> String {
    let of = |side: Side| format!("{} {}", game.sides()[side.index()], round(points[side]));
    format!("{}, {}", of(Side::First), of(Side::Second))
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
    fn times_read_well() {
        assert_eq!(clock(Duration::from_secs(117)), "1:57");
        assert_eq!(clock(Duration::from_millis(59_999)), "1:00");
        assert_eq!(clock(Duration::from_millis(9_300)), "9.3 s");
    }

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(clean("a\u{1b}[2Jb\nc\u{9b}1m\u{202e}\u{7f}"), "a␛[2Jb c\u{fffd}1m\u{fffd}␡");
    }
}
