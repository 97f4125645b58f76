//! What the screen says around the board.

use std::time::Duration;

use agon_referee::Termination;
use agon_rules::{BySide, Random, Side, Verdict, quote};
use agon_runs::table::{Seat, Table, TurnList};

use super::command::HELP;
use crate::describe::{self, clean};

/// Of a bot's stderr so many lines are shown.
pub(super) const NOISE_LINES: usize = 8;
/// Shorter thoughts are not mentioned.
const WORTH_SAYING: Duration = Duration::from_millis(50);

/// The text with a capital letter and a full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// Which game this is, who plays, and how to begin.
pub(super) fn header(table: &Table) -> String {
    let (setup, seed) = (&table.open.spec().setup, table.seed);
    let mut text = format!("{}, {}, {} rules.\n", table.game.title(), setup.variant, setup.rules);
    let people = table.people();
    let budget = table.open.spec().time.first_budget();
    text.push_str(&match people {
        0 => format!("{} against {}, seed {seed}.\n", bot(table, Side::First), bot(table, Side::Second)),
        1 => {
            let mine = if table.seats.first.is_human() { Side::First } else { Side::Second };
            let name = table.game.sides()[mine.index()];
            let pace = table.seats[mine.other()].pace(budget).map_or(String::new(), |pace| format!(" It {pace}."));
            format!("You are {name} and play against {}, seed {seed}.{pace}\n", bot(table, mine.other()))
        }
        _ => format!("Two people play: {} and {}.\n", table.game.sides()[0], table.game.sides()[1]),
    });
    if let Some(file) = &table.resumed {
        let turns = describe::count(table.open.turns().len(), "turn");
        text.push_str(&format!("Going on with {}, after {turns}.\n", file.display()));
    }
    if people > 0 {
        text.push_str("Type a turn, `list` for the legal ones, or `help`.\n");
    }
    text
}

/// `random (square)`.
fn bot(table: &Table, side: Side) -> String {
    format!("{} ({})", clean(table.seats[side].name()), table.game.sides()[side.index()])
}

/// `circle (you)`, `square (random)`.
fn player(table: &Table, side: Side) -> String {
    let name = table.game.sides()[side.index()];
    match &table.seats[side] {
        Seat::Human if table.people() == 2 => name.to_owned(),
        Seat::Human => format!("{name} (you)"),
        Seat::Bot { name: bot, .. } => format!("{name} ({})", clean(bot)),
    }
}

/// The last turn and the clocks, in a line; nothing before the first turn of a game without clocks.
pub(super) fn status(table: &Table) -> String {
    let mut parts = Vec::new();
    if let Some((turn, side)) = table.open.turns().last().zip(table.open.movers().last()) {
        let long = turn.wall.filter(|wall| *wall >= WORTH_SAYING);
        let time = long.map(|wall| format!(", {:.1} s", wall.as_secs_f64())).unwrap_or_default();
        let number = table.open.turns().len();
        let name = table.game.sides()[side.index()];
        parts.push(format!("Turn {number}: {name} {}{time}.", clean(&turn.text)));
    }
    // Where only the bot has a clock, nobody needs to look at it.
    if let [Some(first), Some(second)] = Side::BOTH.map(|side| clock(table, side)) {
        parts.push(format!("Clocks: {first}, {second}."));
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

/// The next page of a list, and what to do about the rest.
pub(super) fn page(list: &mut TurnList) -> String {
    let (page, total) = (list.next_page(), list.turns().len());
    if total == 0 {
        return format!("No legal turn contains {}; `list` shows all of them.\n", quote(list.filter()));
    }
    if page.is_empty() {
        return "That was the whole list.\n".to_owned();
    }
    let items = page.clone().map(|i| (i + 1, list.turns()[i].as_str()));
    let mut text = if page.start > 0 { String::new() } else { format!("{}:\n", headline(list)) };
    text.push_str(&describe::columns(items));
    if page.end < total {
        let rest = total - page.end;
        text.push_str(&format!("{rest} more: `more` shows the next ones, `list TEXT` only those that contain TEXT.\n"));
    }
    text
}

fn headline(list: &TurnList) -> String {
    let turns = describe::count(list.turns().len(), "legal turn");
    if list.filter().is_empty() { turns } else { format!("{turns} with {}", quote(list.filter())) }
}

/// The commands, an example, and what happens to the game.
pub(super) fn help(table: &Table) -> String {
    let example = table.open.position().random_turn(&mut Random::new(1)).unwrap_or_default();
    format!("{HELP}A turn looks like this: {example}\n{}\n", kept(table))
}

/// What happens to the game when the program ends.
pub(super) fn kept(table: &Table) -> String {
    match table.keeper().file() {
        Some(file) => format!("The game is saved in {}, and again after every turn.", file.display()),
        None => "The game is not saved so far.".to_owned(),
    }
}

/// Who won, why, and what it is worth.
pub(super) fn ending(table: &Table, termination: &Termination, last_stderr: &BySide<String>) -> String {
    let result = match termination.verdict() {
        Verdict::Won(side) => format!("{} wins", player(table, side)),
        Verdict::Drawn => "A draw".to_owned(),
        Verdict::BothLost => "Nobody wins".to_owned(),
    };
    let why = match termination {
        Termination::Fault { side, fault } => format!("{} failed, {}", player(table, *side), clean(&fault.to_string())),
        Termination::DoubleFault(faults) => {
            let each = Side::BOTH.map(|side| format!("{}, {}", player(table, side), clean(&faults[side].to_string())));
            format!("neither could play: {}", each.join("; "))
        }
        Termination::Resigned(side) => format!("{} resigned", player(table, *side)),
        Termination::Over(_) | Termination::BrokenOff => describe::reason(termination.name()).to_owned(),
    };
    let points = describe::points(table.game, table.open.points(termination));
    let result = describe::wrap(&sentence(&format!("{result}: {why}")));
    let mut text = format!("{result}\nPoints: {points}.\n");
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
