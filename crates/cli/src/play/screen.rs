//! What the screen says around the board.

use agon_referee::Termination;
use agon_rules::{BySide, Random, Side};

use super::{command::HELP, seat::Seat, table::Table};
use crate::describe::{self, clean};

/// Of a bot's stderr so many lines are shown.
pub(super) const NOISE_LINES: usize = 8;

/// The text with a capital letter and a full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// Which game this is, who plays, and how to begin.
pub(super) fn header(table: &Table, seed: u64, resumed: Option<&str>) -> String {
    let setup = &table.open.spec().setup;
    let mut text = format!("{}, {}, {} rules.\n", table.game.title(), setup.variant, setup.rules);
    let [first, second] = Side::BOTH.map(|side| player(table, side));
    let people = people(table);
    let seeded = if people == 2 { String::new() } else { format!(" (seed {seed})") };
    text.push_str(&format!("{first} plays against {second}{seeded}.\n"));
    if let Some(file) = resumed {
        let turns = describe::count(table.open.turns().len(), "turn");
        text.push_str(&format!("Going on with {file}, after {turns}.\n"));
    }
    if people > 0 {
        text.push_str("Type a turn, `list` for the legal ones, or `help`.\n");
    }
    text
}

fn people(table: &Table) -> usize {
    Side::BOTH.iter().filter(|&&side| table.seats[side].is_human()).count()
}

/// `circle (you)`, `square (random)`.
fn player(table: &Table, side: Side) -> String {
    let name = table.game.sides()[side.index()];
    match &table.seats[side] {
        Seat::Human if people(table) == 2 => name.to_owned(),
        Seat::Human => format!("{name} (you)"),
        Seat::Bot { name: bot, .. } => format!("{name} ({})", clean(bot)),
    }
}

/// The last turn and the clocks, in a line; nothing before the first turn of a game without clocks.
pub(super) fn status(table: &Table) -> String {
    let mut parts = Vec::new();
    if let Some(turn) = table.open.turns().last() {
        // No rule set lets a side have two turns in a row.
        let side = table.open.position().turn().other();
        let time = turn.wall.map(|wall| format!(", {}", describe::seconds(wall))).unwrap_or_default();
        let number = table.open.turns().len();
        let name = table.game.sides()[side.index()];
        parts.push(format!("Turn {number}: {name} {}{time}.", clean(&turn.text)));
    }
    let clocks: Vec<String> = Side::BOTH.into_iter().filter_map(|side| clock(table, side)).collect();
    if !clocks.is_empty() {
        parts.push(format!("Clocks: {}.", clocks.join(", ")));
    }
    if parts.is_empty() { String::new() } else { format!("{}\n", parts.join("  ")) }
}

fn clock(table: &Table, side: Side) -> Option<String> {
    let left = table.open.allowed(side)?;
    Some(format!("{} {}", table.game.sides()[side.index()], describe::clock(left)))
}

/// The turns so far.
pub(super) fn history(table: &Table) -> String {
    let turns = table.open.turns();
    if turns.is_empty() {
        return "No turn has been made yet.\n".to_owned();
    }
    describe::columns(turns.iter().enumerate().map(|(i, turn)| (i + 1, turn.text.as_str())))
}

/// The commands, an example, and what happens to the game.
pub(super) fn help(table: &Table) -> String {
    let example = table.open.position().random_turn(&mut Random::new(1)).unwrap_or_default();
    let kept = match table.keeper.file() {
        Some(file) => format!("The game is saved in {} after every turn.", file.display()),
        None => "The game is not saved so far.".to_owned(),
    };
    format!("{HELP}A turn looks like this: {example}\n{kept}\n")
}

/// Who won, why, and what it is worth.
pub(super) fn ending(table: &Table, termination: &Termination, last_stderr: &BySide<String>) -> String {
    let result = match termination.winner() {
        Some(side) => format!("{} wins", player(table, side)),
        None => "A draw".to_owned(),
    };
    let why = match termination {
        Termination::Fault { side, fault } => format!("{} failed, {}", player(table, *side), clean(&fault.to_string())),
        Termination::Resigned(side) => format!("{} resigned", player(table, *side)),
        Termination::Over(_) | Termination::BrokenOff => describe::reason(termination.name()).to_owned(),
    };
    let points = describe::points(table.game, table.open.points(termination));
    let mut text = format!("{}\nPoints: {points}.\n", sentence(&format!("{result}: {why}")));
    if let Termination::Fault { side, .. } = termination {
        let noise = indented(&last_stderr[*side], NOISE_LINES);
        if !noise.is_empty() {
            text.push_str(&format!("Last lines of its stderr:\n{noise}"));
        }
    }
    text
}

/// The last lines of a bot's stderr, moved in, with nothing in it that could steer a terminal.
pub(super) fn indented(noise: &str, most: usize) -> String {
    let lines: Vec<&str> = noise.trim_end().lines().collect();
    lines[lines.len().saturating_sub(most)..].iter().map(|line| format!("  {}\n", clean(line))).collect()
}
