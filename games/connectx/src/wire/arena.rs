//! The arena's words: twelve lines for a position, two integers for a turn.

use agon_rules::{Side, quote};
use agon_wire::{Ask, BotFailure, Fault, HostError};

use crate::{
    Cell, ConnectXPosition,
    grid::SIZE,
    position::FIRST_BOARD,
    text::{parse_position, position_text},
};

/// Letters of a refused answer that are kept.
const LONGEST_ANSWER: usize = 400;

/// The number of a side's stones on the wire. It belongs to the bot's seat in the battle: the one that starts the first match
/// has 1, and keeps it in the second match, where the other one starts.
pub(super) fn stone_number(side: Side, swapped: bool) -> u8 {
    if swapped { side.other().number() } else { side.number() }
}

/// What a bot is told before its turn: twelve lines.
pub(super) fn request(ask: &Ask<'_>, swapped: bool) -> Result<Vec<String>, BotFailure> {
    let position = parse_position(&ask.position.text()).map_err(|error| HostError(error.to_string()))?;
    let mut lines = vec!["4".to_owned(), format!("{SIZE} {SIZE}")];
    for row in 0..SIZE {
        let mut line = String::new();
        for column in 0..SIZE {
            let stone = position.stone(Cell::new(row, column));
            // The arena wrote a blank after every cell, the last of a row too.
            line.push_str(&format!("{} ", stone.map_or(0, |side| stone_number(side, swapped))));
        }
        lines.push(line);
    }
    lines.push(last_line(ask, &position, swapped)?);
    Ok(lines)
}

/// `last_player row col`.
fn last_line(ask: &Ask<'_>, position: &ConnectXPosition, swapped: bool) -> Result<String, BotFailure> {
    let opponent = stone_number(ask.side.other(), swapped);
    if let Some(turn) = ask.turns.last() {
        let numbers: Vec<&str> = turn.split_whitespace().collect();
        return Ok(format!("{opponent} {}", numbers.join(" ")));
    }
    if position.stones == [0, 0] && position.active == FIRST_BOARD {
        // To the arena the empty grid came from player 2, whoever was to start.
        return Ok("2 -1 -1".to_owned());
    }
    // A position that was set up: any stone of the opponent that leads to the active board will do for its last one.
    let leads_here = |cell: &Cell| ConnectXPosition::board_after(&position.empty(), cell.target()) == position.active;
    let theirs = |cell: &Cell| position.stone(*cell) == Some(ask.side.other());
    match Cell::all().find(|cell| theirs(cell) && leads_here(cell)) {
        Some(cell) => Ok(format!("{opponent} {} {}", cell.row(), cell.column())),
        None if position.active == FIRST_BOARD => Ok(format!("{opponent} -1 -1")),
        None => {
            let problem = format!(
                "the arena's protocol cannot say that local board {} is active in '{}': no stone of the opponent leads there",
                position.active,
                position_text(position)
            );
            Err(HostError(problem).into())
        }
    }
}

/// The turn in a bot's output: its first two words, which must be integers. What follows is nobody's business.
pub(super) fn read_answer(output: &str) -> Result<String, BotFailure> {
    let mut words = output.split_whitespace();
    let mut number = |which: &str| match words.next() {
        Some(word) => word.parse::<i64>().map_err(|_| format!("{} as the {which}", quote(word))),
        None => Err(format!("no {which}")),
    };
    let answer = number("first").and_then(|row| number("second").map(|column| format!("{row} {column}")));
    answer.map_err(|found| {
        let turn: String = output.trim().chars().take(LONGEST_ANSWER).collect();
        let rule = format!("expected two integers 'row col', found {found}");
        Fault::IllegalTurn { turn, rule }.into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_two_integers_are_the_answer() {
        for (output, turn) in [("4 5", "4 5"), ("  4\n5\nthanks 6", "4 5"), ("-1 +07 x", "-1 7"), ("9 100", "9 100")] {
            assert_eq!(read_answer(output), Ok(turn.to_owned()), "{output}");
        }
    }

    #[test]
    fn anything_else_is_refused_with_a_sentence() {
        let cases = [
            ("", "no first"),
            ("4", "no second"),
            ("4,5", "'4,5' as the first"),
            ("row 4 5", "'row' as the first"),
            ("4 five", "'five' as the second"),
            ("4.0 5.0", "'4.0' as the first"),
            ("99999999999999999999 1", "'99999999999999999999' as the first"),
        ];
        for (output, found) in cases {
            let rule = format!("expected two integers 'row col', found {found}");
            assert_eq!(read_answer(output), Err(Fault::IllegalTurn { turn: output.to_owned(), rule }.into()));
        }
    }
}
