//! The bot's end of the arena's protocol, for house bots.

use std::{
    collections::VecDeque,
    io::{BufRead, Read},
    time::Duration,
};

use agon_originals::{HouseCall, ServeError};
use agon_rules::{AnyGame, AnyPosition, RuleSet, Side, quote};
use agon_wire::{Ask, Brain, Budget, GameSetup};

use crate::{
    Cell, ConnectX, ConnectXPosition,
    grid::{CELLS, GRID, SIZE},
    position::FIRST_BOARD,
    text::position_text,
};

/// Bytes of the longest line that can mean anything, generously.
const LONGEST_LINE: u64 = 4096;

/// How long to think: a compiled bot has a second, which began before this process did.
const THINKING: Duration = Duration::from_millis(900);

/// Answers positions until the input ends, so that it can be started for one turn or for a match. With the argument `oneshot` it
/// ends after one turn even if its input stays open, as the original arena leaves it.
pub(super) fn serve(call: HouseCall<'_>) -> Result<(), ServeError> {
    let once = match call.arguments {
        [] => false,
        [word] if word == "oneshot" => true,
        [argument, ..] => {
            let problem = "expected nothing, or 'oneshot' to end after one turn";
            return Err(ServeError::Usage(format!("unexpected argument {}: {problem}", quote(argument))));
        }
    };
    let mut numbers = Numbers { input: call.input, line: VecDeque::new() };
    let mut game: Option<(Box<dyn Brain>, u32)> = None;
    while let Some(position) = read_position(&mut numbers)? {
        let stones = (GRID & !position.empty()).count_ones();
        let text = position_text(&position);
        let wrong = |problem: &dyn ToString| ServeError::Protocol(format!("{}: {}", text, problem.to_string()));
        let mut open = ConnectX.open("standard", RuleSet::Text).map_err(|error| wrong(&error))?;
        open.set_up(&text).map_err(|error| wrong(&error))?;
        if open.outcome().is_some() {
            return Err(wrong(&"the game is over, there is nothing to play"));
        }
        // Stones are never taken away: fewer of them mean another game.
        let mut brain = match game.take() {
            Some((brain, before)) if before < stones => brain,
            _ => new_brain(&*open, text, call.brain),
        };
        let ask =
            Ask { side: open.turn(), position: &*open, turns: &[], budget: Budget::Turn(THINKING), patience: None };
        writeln!(call.output, "{}", brain.choose(&ask))?;
        call.output.flush()?;
        if once {
            break;
        }
        game = Some((brain, stones));
    }
    Ok(())
}

fn new_brain(
    position: &dyn AnyPosition,
    text: String,
    make: &mut dyn FnMut(&GameSetup) -> Box<dyn Brain>,
) -> Box<dyn Brain> {
    let (variant, rules) = ("standard".to_owned(), RuleSet::Text);
    let setup = GameSetup { game: &ConnectX, variant, rules, position: Some(text), swapped: false };
    let mut brain = make(&setup);
    brain.new_game(&setup, position.turn());
    brain
}

/// Integers, however they are spread over lines. A line is read only when it is needed: whoever sends may wait for our answer.
struct Numbers<'a> {
    input: &'a mut dyn BufRead,
    line: VecDeque<String>,
}

impl Numbers<'_> {
    /// The next one; `None` at the end of the input.
    fn next(&mut self, what: &str) -> Result<Option<i64>, ServeError> {
        while self.line.is_empty() {
            let mut bytes = Vec::new();
            if self.input.take(LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
                return Ok(None);
            }
            if bytes.len() as u64 == LONGEST_LINE {
                return Err(ServeError::Protocol(format!("{what}: a line of more than {LONGEST_LINE} bytes")));
            }
            self.line = String::from_utf8_lossy(&bytes).split_whitespace().map(str::to_owned).collect();
        }
        let word = self.line.pop_front().unwrap_or_default();
        let number = word.parse().map_err(|_| format!("{what}: expected an integer, found {}", quote(&word)));
        number.map(Some).map_err(ServeError::Protocol)
    }

    /// The next one, which must be one of `allowed`.
    fn expect(&mut self, what: &str, allowed: std::ops::RangeInclusive<i64>) -> Result<i64, ServeError> {
        let number = self.next(what)?.ok_or_else(|| format!("{what}: the input ended"));
        number.and_then(|number| in_range(number, what, allowed)).map_err(ServeError::Protocol)
    }
}

fn in_range(number: i64, what: &str, allowed: std::ops::RangeInclusive<i64>) -> Result<i64, String> {
    match (*allowed.start(), *allowed.end()) {
        (low, high) if low <= number && number <= high => Ok(number),
        (low, high) if low == high => Err(format!("{what}: expected {low}, found {number}")),
        (low, high) => Err(format!("{what}: expected a number from {low} to {high}, found {number}")),
    }
}

/// The next position; `None` at the end of the input.
fn read_position(numbers: &mut Numbers<'_>) -> Result<Option<ConnectXPosition>, ServeError> {
    let size = SIZE as i64;
    let what = "first line, the stones to connect";
    let Some(connect) = numbers.next(what)? else { return Ok(None) };
    in_range(connect, what, 4..=4).map_err(ServeError::Protocol)?;
    for what in ["second line, the rows of the grid", "second line, the columns of the grid"] {
        numbers.expect(what, size..=size)?;
    }
    let mut grid = [0i64; CELLS];
    for (i, stone) in grid.iter_mut().enumerate() {
        *stone = numbers.expect(&format!("row {}, column {} of the grid", i / SIZE, i % SIZE), 0..=2)?;
    }
    let last_player = numbers.expect("last line, the last player", 1..=2)?;
    let row = numbers.expect("last line, the row of the last stone", -1..=size - 1)?;
    let column = numbers.expect("last line, the column of the last stone", -1..=size - 1)?;
    position_of(&grid, last_player, (row, column)).map(Some).map_err(ServeError::Protocol)
}

/// The stones' numbers say whose they are, not who began. That follows from how many each has.
fn position_of(grid: &[i64; CELLS], last_player: i64, last: (i64, i64)) -> Result<ConnectXPosition, String> {
    let count = |number: i64| grid.iter().filter(|stone| **stone == number).count();
    let mover = 3 - last_player;
    let turn = if count(last_player) > count(mover) { Side::Second } else { Side::First };
    let mut stones = [0u128; 2];
    for (cell, &stone) in Cell::all().zip(grid).filter(|(_, stone)| **stone != 0) {
        let owner = if stone == mover { turn } else { turn.other() };
        stones[owner.index()] |= 1 << cell.bit();
    }
    let target = match (usize::try_from(last.0), usize::try_from(last.1)) {
        (Ok(row), Ok(column)) if grid[row * SIZE + column] == last_player => Cell::new(row, column).target(),
        (Err(_), Err(_)) => usize::from(FIRST_BOARD),
        _ => return Err(format!("last line: {} {} holds no stone of player {last_player}", last.0, last.1)),
    };
    let empty = GRID & !(stones[0] | stones[1]);
    Ok(ConnectXPosition::from_parts(stones, ConnectXPosition::board_after(&empty, target), turn))
}

#[cfg(test)]
mod tests {
    use agon_wire::RandomBrain;

    use super::*;

    /// What the house bot answers, or the sentence with which it refuses.
    fn answer(input: &str, arguments: &[&str]) -> Result<String, String> {
        let mut output = Vec::new();
        let mut brain = |_: &GameSetup| Box::new(RandomBrain::new(1)) as Box<dyn Brain>;
        let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        let mut input = input.as_bytes();
        let call = HouseCall {
            name: "random",
            arguments: &arguments,
            brain: &mut brain,
            input: &mut input,
            output: &mut output,
        };
        serve(call).map_err(|error| error.to_string())?;
        Ok(String::from_utf8(output).expect("text"))
    }

    /// An input with these stones, `(row, column, player)`.
    fn input(stones: &[(usize, usize, u32)], last: &str) -> String {
        let mut text = "4\n9 9\n".to_owned();
        for row in 0..9 {
            for column in 0..9 {
                let stone = stones.iter().find(|stone| (stone.0, stone.1) == (row, column));
                text.push_str(&format!("{} ", stone.map_or(0, |stone| stone.2)));
            }
            text.push('\n');
        }
        format!("{text}{last}\n")
    }

    fn position(text: &str) -> String {
        let mut bytes = text.as_bytes();
        let mut numbers = Numbers { input: &mut bytes, line: VecDeque::new() };
        position_text(&read_position(&mut numbers).expect("a good input").expect("a position"))
    }

    fn refusal(text: &str) -> String {
        answer(text, &[]).expect_err("a refusal")
    }

    #[test]
    fn who_began_follows_from_the_counts() {
        let rest = "/........./........./........./.........";
        let empty = "........./........./.........";
        assert_eq!(position(&input(&[], "2 -1 -1")), format!("{empty}/........./.........{rest} 1 4"));
        // The second seat began, with stones 2.
        let one = input(&[(3, 3, 2)], "2 3 3");
        assert_eq!(position(&one), format!("{empty}/...1...../.........{rest} 2 0"));
        let two = input(&[(3, 3, 2), (3, 4, 1)], "1 3 4");
        assert_eq!(position(&two), format!("{empty}/...12..../.........{rest} 1 1"));
        // The first seat began.
        let two = input(&[(3, 3, 1), (3, 4, 2)], "2 3 4");
        assert_eq!(position(&two), format!("{empty}/...12..../.........{rest} 1 1"));
    }

    #[test]
    fn a_full_board_sends_elsewhere() {
        // Board 0 is full; a stone on place 0 sends to the lowest board with space.
        let filled = [1, 1, 2, 2, 2, 1, 1, 1, 2];
        let mut stones: Vec<_> = (0..9).map(|i| (i / 3, i % 3, filled[i])).collect();
        stones.push((3, 3, 2));
        assert!(position(&input(&stones, "2 3 3")).ends_with(" 1 1"));
        assert!(answer(&input(&stones, "2 3 3"), &[]).expect("an answer").starts_with(['0', '1', '2']));
    }

    #[test]
    fn blanks_do_not_matter_and_several_positions_are_answered() {
        let loose = input(&[], "2 -1 -1").replace('\n', " \r\n\n");
        let two = format!("{loose}\n{}", input(&[(4, 4, 1)], "1 4 4"));
        assert_eq!(answer(&two, &[]).expect("answers").lines().count(), 2);
        assert_eq!(answer(&two, &["oneshot"]).expect("an answer").lines().count(), 1);
        assert_eq!(answer("", &[]), Ok(String::new()));
    }

    #[test]
    fn bad_input_is_refused_with_a_sentence() {
        let good = input(&[(4, 4, 1)], "1 4 4");
        let cases = [
            (good.replacen('4', "5", 1), "first line, the stones to connect: expected 4, found 5"),
            (good.replacen("9 9", "8 9", 1), "second line, the rows of the grid: expected 9, found 8"),
            (good.replacen("0 0", "0 3", 1), "row 0, column 1 of the grid: expected a number from 0 to 2, found 3"),
            (good.replacen("0 0", "0 x", 1), "row 0, column 1 of the grid: expected an integer, found 'x'"),
            (good.replace("1 4 4", "0 4 4"), "last line, the last player: expected a number from 1 to 2, found 0"),
            (
                good.replace("1 4 4", "1 4 9"),
                "last line, the column of the last stone: expected a number from -1 to 8, found 9",
            ),
            (good.replace("1 4 4", "2 4 4"), "last line: 4 4 holds no stone of player 2"),
            (good.replace("1 4 4", "1 -1 4"), "last line: -1 4 holds no stone of player 1"),
            (good.replace("1 4 4\n", "1"), "last line, the row of the last stone: the input ended"),
            ("x".repeat(5000), "first line, the stones to connect: a line of more than 4096 bytes"),
        ];
        for (text, sentence) in cases {
            assert_eq!(refusal(&text), sentence);
        }
        let over = input(&[(0, 0, 1), (0, 1, 1), (0, 2, 1), (0, 3, 1)], "1 0 0");
        assert!(refusal(&over).contains("the game is over"), "{}", refusal(&over));
        assert!(answer(&good, &["8181"]).expect_err("usage").contains("unexpected argument '8181'"));
    }
}
