//! A Rivers and Stones bot that plays any legal move. It speaks UGI on stdin and stdout.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::time::{SystemTime, UNIX_EPOCH};

/// Column and row, from the top left.
type Cell = (i32, i32);

const DIRECTIONS: [Cell; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const EMPTY: char = '.';

#[derive(Clone, Copy)]
enum Move {
    /// A step or a ride: from, to.
    Go(Cell, Cell),
    /// The pusher, the stone that it pushes, and where that goes.
    Push(Cell, Cell, Cell),
    /// A piece is turned where it stands: `h` or `v` make a river of a stone, `s` a stone of a river, `r` rotates a river.
    Turn(Cell, char),
}

/// Pieces are letters: S a stone, H a horizontal river, V a vertical one; capitals for circle, small letters for square.
#[derive(Clone)]
struct Position {
    board: Vec<Vec<char>>,
    circle_to_move: bool,
}

fn is_circle(piece: char) -> bool {
    piece.is_ascii_uppercase()
}

fn is_river(piece: char) -> bool {
    matches!(piece.to_ascii_uppercase(), 'H' | 'V')
}

/// The same kind of piece for circle or square.
fn owned(kind: char, circle: bool) -> char {
    if circle { kind.to_ascii_uppercase() } else { kind.to_ascii_lowercase() }
}

impl Position {
    /// The start: two rows of stones for each side.
    fn start(variant: &str) -> Position {
        let (rows, columns) = match variant {
            "medium" => (15, 14),
            "large" => (17, 16),
            _ => (13, 12),
        };
        let mut board = vec![vec![EMPTY; columns]; rows];
        let left = (columns - columns / 2) / 2;
        for column in left..left + columns / 2 {
            for (row, stone) in [(3, 's'), (4, 's'), (rows - 5, 'S'), (rows - 4, 'S')] {
                board[row][column] = stone;
            }
        }
        Position { board, circle_to_move: true }
    }

    /// Reads `ROW/ROW/… circle` or `… square`; numbers in a row are runs of empty cells.
    fn from_text(text: &str) -> Option<Position> {
        let (rows, side) = text.split_once(' ')?;
        let mut board = Vec::new();
        for row in rows.split('/') {
            let (mut cells, mut run) = (Vec::new(), 0);
            for letter in row.chars().chain(['|']) {
                if let Some(digit) = letter.to_digit(10) {
                    run = (10 * run + digit as usize).min(16);
                } else {
                    cells.extend(std::iter::repeat(EMPTY).take(run).chain([letter]));
                    run = 0;
                }
            }
            cells.pop(); // The sign that ended the row.
            board.push(cells);
        }
        Some(Position { board, circle_to_move: side == "circle" })
    }

    fn piece(&self, (x, y): Cell) -> char {
        self.board[y as usize][x as usize]
    }

    fn put(&mut self, (x, y): Cell, piece: char) {
        self.board[y as usize][x as usize] = piece;
    }

    /// Whether a player's pieces may be there: on the board, and not in the area where the opponent scores.
    fn is_open(&self, (x, y): Cell, circle: bool) -> bool {
        let (rows, columns) = (self.board.len() as i32, self.board[0].len() as i32);
        let width = (rows - 5) / 2;
        let left = (columns - width) / 2;
        let closed_row = if circle { rows - 3 } else { 2 };
        let on_board = (0..columns).contains(&x) && (0..rows).contains(&y);
        on_board && !(y == closed_row && (left..left + width).contains(&x))
    }

    /// The empty cells where rivers carry a player's piece that comes from `origin`. The first river lies on `start`.
    fn flow(&self, start: Cell, river: char, origin: Cell, circle: bool) -> BTreeSet<Cell> {
        let (mut found, mut seen, mut waiting) = (BTreeSet::new(), BTreeSet::from([start]), vec![(start, river)]);
        while let Some((from, river)) = waiting.pop() {
            for way in [1, -1] {
                let (dx, dy) = if river.to_ascii_uppercase() == 'H' { (way, 0) } else { (0, way) };
                let mut cell = (from.0 + dx, from.1 + dy);
                while self.is_open(cell, circle) {
                    let piece = self.piece(cell);
                    if cell == origin {
                        // The piece has left it: no obstacle, but no place to stop either.
                    } else if piece == EMPTY {
                        found.insert(cell);
                    } else {
                        // Another river carries on along its own line; a stone ends the ride.
                        if is_river(piece) && seen.insert(cell) {
                            waiting.push((cell, piece));
                        }
                        break;
                    }
                    cell = (cell.0 + dx, cell.1 + dy);
                }
            }
        }
        found
    }

    fn moves_of(&self, from: Cell) -> Vec<Move> {
        let mover = self.piece(from);
        let (mut ends, mut moves) = (BTreeSet::new(), Vec::new());
        for (dx, dy) in DIRECTIONS {
            let (to, behind) = ((from.0 + dx, from.1 + dy), (from.0 + 2 * dx, from.1 + 2 * dy));
            if !self.is_open(to, is_circle(mover)) {
                continue;
            }
            let other = self.piece(to);
            if other == EMPTY {
                ends.insert(to);
            } else if is_river(other) {
                ends.extend(self.flow(to, other, from, is_circle(mover)));
            } else if is_river(mover) {
                // It pushes a stone along its line, and becomes a stone.
                let landings = self.flow(to, mover, from, is_circle(other));
                moves.extend(landings.into_iter().map(|end| Move::Push(from, to, end)));
            } else if self.is_open(behind, is_circle(other)) && self.piece(behind) == EMPTY {
                moves.push(Move::Push(from, to, behind)); // A stone pushes a stone, anybody's, by one.
            }
        }
        moves.extend(ends.into_iter().map(|end| Move::Go(from, end)));
        let turns = if is_river(mover) { ['s', 'r'] } else { ['h', 'v'] };
        moves.extend(turns.map(|turn| Move::Turn(from, turn)));
        moves
    }

    fn legal_moves(&self) -> Vec<Move> {
        let (rows, columns) = (self.board.len() as i32, self.board[0].len() as i32);
        let cells = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
        let own = cells.filter(|&cell| self.piece(cell) != EMPTY && is_circle(self.piece(cell)) == self.circle_to_move);
        own.flat_map(|cell| self.moves_of(cell)).collect()
    }

    fn play(&mut self, played: Move) {
        let circle = self.circle_to_move;
        match played {
            Move::Go(from, to) => {
                self.put(to, self.piece(from));
                self.put(from, EMPTY);
            }
            Move::Push(from, to, end) => {
                self.put(end, self.piece(to));
                self.put(to, owned('S', circle));
                self.put(from, EMPTY);
            }
            Move::Turn(at, 'r') => {
                let kind = if self.piece(at).to_ascii_uppercase() == 'H' { 'V' } else { 'H' };
                self.put(at, owned(kind, circle));
            }
            Move::Turn(at, kind) => self.put(at, owned(kind, circle)),
        }
        self.circle_to_move = !circle;
    }
}

/// Your idea goes here: fill your score area with stones before the opponent fills his.
fn choose(position: &Position, random: &mut Random) -> Option<Move> {
    let moves = position.legal_moves();
    (!moves.is_empty()).then(|| moves[random.below(moves.len())])
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

/// `d8` is column 3, row 8.
fn cell_text((x, y): Cell) -> String {
    format!("{}{y}", (b'a' + x as u8) as char)
}

fn read_cell(text: &str) -> Option<Cell> {
    let column = text.chars().next().filter(char::is_ascii_lowercase)?;
    Some((i32::from(column as u8 - b'a'), text[1..].parse().ok()?))
}

/// `d8-d7`, `d9*d8-d7`, `d8h`, `d8v`, `d8s` or `d8r`.
fn move_text(played: Move) -> String {
    match played {
        Move::Go(from, to) => format!("{}-{}", cell_text(from), cell_text(to)),
        Move::Push(from, to, end) => format!("{}*{}-{}", cell_text(from), cell_text(to), cell_text(end)),
        Move::Turn(at, turn) => format!("{}{turn}", cell_text(at)),
    }
}

fn read_move(text: &str) -> Option<Move> {
    let Some((before, end)) = text.split_once('-') else {
        let (at, turn) = text.split_at(text.len().checked_sub(1)?);
        return Some(Move::Turn(read_cell(at)?, turn.chars().next()?));
    };
    Some(match before.split_once('*') {
        Some((from, to)) => Move::Push(read_cell(from)?, read_cell(to)?, read_cell(end)?),
        None => Move::Go(read_cell(before)?, read_cell(end)?),
    })
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

/// Reads `position startpos moves d8-d7 …` or `position fen "…" moves …`.
fn read_position(words: &[String], variant: &str) -> Option<Position> {
    let fen = words.get(1)? == "fen";
    let mut position = if fen { Position::from_text(words.get(2)?)? } else { Position::start(variant) };
    for word in words.iter().skip_while(|word| *word != "moves").skip(1) {
        position.play(read_move(word)?);
    }
    Some(position)
}

fn main() {
    let (mut variant, mut random) = ("small".to_owned(), Random::from_clock());
    let mut position = Position::start(&variant);
    for line in io::stdin().lock().lines() {
        let words = words(&line.unwrap_or_default());
        let text: Vec<&str> = words.iter().map(String::as_str).collect();
        match text.as_slice() {
            ["ugi", ..] => println!("id name rivers-rust\nugiok"),
            ["setoption", "name", "Variant", "value", value] => variant = value.to_string(),
            ["isready", ..] => println!("readyok"),
            ["position", ..] => position = read_position(&words, &variant).unwrap_or(position),
            ["go", ..] => println!("bestmove {}", choose(&position, &mut random).map_or("none".to_owned(), move_text)),
            ["quit", ..] => break,
            _ => {} // Other options, the beginning of a game: nothing to do.
        }
        let _ = io::stdout().flush();
    }
}
