//! An Ultimate Connect-X bot that plays any legal cell. It speaks UGI on stdin and stdout.

use std::io::{self, BufRead, Write};
use std::time::{SystemTime, UNIX_EPOCH};

const SIZE: usize = 9;

/// Row and column, from the top left.
type Cell = (usize, usize);

#[derive(Clone)]
struct Position {
    /// 0 is empty, 1 and 2 are stones of the first and the second side.
    grid: [[u8; SIZE]; SIZE],
    /// Who is to move, 1 or 2.
    turn: u8,
    /// The local board to play in. Boards are numbered 0 to 8, row by row.
    board: usize,
}

impl Position {
    fn start() -> Position {
        Position { grid: [[0; SIZE]; SIZE], turn: 1, board: 4 }
    }

    /// Reads `ROW/ROW/… TURN BOARD`.
    fn from_text(text: &str) -> Option<Position> {
        let mut parts = text.split(' ');
        let mut position = Position::start();
        for (row, letters) in parts.next()?.split('/').enumerate().take(SIZE) {
            for (column, letter) in letters.chars().enumerate().take(SIZE) {
                position.grid[row][column] = letter.to_digit(3).unwrap_or(0) as u8;
            }
        }
        position.turn = parts.next()?.parse().ok()?;
        position.board = parts.next()?.parse().ok()?;
        Some(position)
    }

    fn empty_cells(&self, board: usize) -> Vec<Cell> {
        let (top, left) = (board / 3 * 3, board % 3 * 3);
        let cells = (0..9).map(|place| (top + place / 3, left + place % 3));
        cells.filter(|&(row, column)| self.grid[row][column] == 0).collect()
    }

    fn legal_moves(&self) -> Vec<Cell> {
        self.empty_cells(self.board)
    }

    fn play(&mut self, (row, column): Cell) {
        self.grid[row][column] = self.turn;
        self.turn = 3 - self.turn;
        // The stone's place within its board is the number of the next board; if that is full, the lowest one with space is next.
        self.board = row % 3 * 3 + column % 3;
        if self.empty_cells(self.board).is_empty() {
            self.board = (0..9).find(|&board| !self.empty_cells(board).is_empty()).unwrap_or(self.board);
        }
    }
}

/// Your idea goes here: connect four before the opponent does.
fn choose(position: &Position, random: &mut Random) -> Option<Cell> {
    let cells = position.legal_moves();
    (!cells.is_empty()).then(|| cells[random.below(cells.len())])
}

/// Random numbers (xorshift), since the standard library has none.
struct Random(u64);

impl Random {
    fn from_clock() -> Random {
        Random(SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64) | 1)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit
    }
}

/// The words of a line. A word with blanks in it comes in double quotes; nothing in this game needs the backslashes that UGI knows.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('"').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Reads `position startpos moves "4 4" …` or `position fen "…" moves …`.
fn read_position(words: &[String]) -> Option<Position> {
    let mut position = if words.get(1)? == "fen" { Position::from_text(words.get(2)?)? } else { Position::start() };
    let turns = words.iter().skip_while(|word| *word != "moves").skip(1);
    for turn in turns {
        let (row, column) = turn.split_once(' ')?;
        position.play((row.parse().ok()?, column.parse().ok()?));
    }
    Some(position)
}

fn main() {
    let mut position = Position::start();
    let mut random = Random::from_clock();
    for line in io::stdin().lock().lines() {
        let words = words(&line.unwrap_or_default());
        match words.first().map_or("", String::as_str) {
            "ugi" => println!("id name connectx-rust\nugiok"),
            "isready" => println!("readyok"),
            "position" => position = read_position(&words).unwrap_or(position),
            "go" => match choose(&position, &mut random) {
                Some((row, column)) => println!("bestmove \"{row} {column}\""),
                None => println!("bestmove none"),
            },
            "quit" => break,
            _ => {} // Options, the beginning of a game: nothing to do.
        }
        let _ = io::stdout().flush();
    }
}
