//! A Rollerball bot that plays any legal move. It speaks UGI on stdin and stdout.

use std::io::{self, BufRead, Write};
use std::time::{SystemTime, UNIX_EPOCH};

/// File and rank, from 0 at the bottom left.
type Square = (i32, i32);

const EMPTY: char = '.';
const HOLE: char = '_';
const FAR: i32 = 8;

const KING: [Square; 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
const KNIGHT: [Square; 8] = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];
const PAWN: [Square; 3] = [(-1, -1), (-1, 0), (-1, 1)];

#[derive(Clone, Copy)]
struct Move {
    from: Square,
    to: Square,
    /// What a pawn becomes.
    promotion: Option<char>,
}

/// Men are letters: P pawn, R rook, B bishop, K king, N knight; capitals for white.
#[derive(Clone)]
struct Position {
    /// Ranks from the bottom.
    board: Vec<Vec<char>>,
    white_to_move: bool,
    /// By the rules of the original programs, bishops on corners of the 7-3 board do not bounce.
    corner_bishops_bounce: bool,
}

impl Position {
    fn start(variant: &str, rules: &str) -> Position {
        let text = match variant {
            "8-4" => "..prbp../..prkp../..____../..____../..____../..____../..PKRP../..PBRP.. w",
            "8-2" => "..r..p../..rknp../..pbnp../...__.../...__.../..PNBP../..PNKR../..P..R.. w",
            _ => "..rbp../..rkp../..___../..___../..___../..PKR../..PBR.. w",
        };
        Position::read(text, rules)
    }

    /// Reads rows from the top and the side to move.
    fn read(text: &str, rules: &str) -> Position {
        let (rows, turn) = text.rsplit_once(' ').unwrap_or((text, "w"));
        let board: Vec<Vec<char>> = rows.split('/').rev().map(|row| row.replace(' ', "_").chars().collect()).collect();
        let corner_bishops_bounce = rules != "server" || board.len() != 7;
        Position { board, white_to_move: turn == "w", corner_bishops_bounce }
    }

    fn size(&self) -> i32 {
        self.board.len() as i32
    }

    /// What is on a square; the hole also everywhere outside.
    fn at(&self, (x, y): Square) -> char {
        let rank = usize::try_from(y).ok().and_then(|y| self.board.get(y));
        *rank.and_then(|rank| rank.get(usize::try_from(x).ok()?)).unwrap_or(&HOLE)
    }

    fn put(&mut self, (x, y): Square, man: char) {
        self.board[y as usize][x as usize] = man;
    }

    /// Where a square is after so many clockwise quarter turns of the board.
    fn turned(&self, square: Square, quarters: i32) -> Square {
        (0..quarters).fold(square, |(x, y), _| (y, self.size() - 1 - x))
    }

    /// The rules of movement are the same on all four sides of the ring if one turns the board so that the side is at the bottom.
    /// By how many quarter turns the bottom has to be turned to become the side of a square.
    fn side(&self, square: Square) -> i32 {
        let is_bottom = |&(x, y): &Square| x > y && x < self.size() - y;
        (0..4).find(|quarters| is_bottom(&self.turned(square, (4 - quarters) % 4))).unwrap_or(0)
    }

    fn is_own(&self, man: char) -> bool {
        man.is_ascii_alphabetic() && man.is_ascii_uppercase() == self.white_to_move
    }

    /// Goes step by step and collects the squares it comes to, all as seen from the bottom. Returns the last one if it went at all and no
    /// man stopped it.
    fn slide(&self, side: i32, from: Square, step: Square, limit: i32, targets: &mut Vec<Square>) -> Option<Square> {
        let mut last = None;
        let mut next = (from.0 + step.0, from.1 + step.1);
        for _ in 0..limit {
            let man = self.at(self.turned(next, side));
            if man == HOLE {
                break;
            }
            if self.is_own(man) {
                return None;
            }
            targets.push(next);
            if man != EMPTY {
                return None;
            }
            last = Some(next);
            next = (next.0 + step.0, next.1 + step.1);
        }
        last
    }

    fn rook(&self, side: i32, from: Square, targets: &mut Vec<Square>) {
        self.slide(side, from, (1, 0), 1, targets);
        self.slide(side, from, (0, -1), 1, targets);
        self.slide(side, from, (0, 1), if from.0 >= 4 { 1 } else { FAR }, targets);
        // Forward is west. On the outer ring the way goes on round the corner.
        let corner = self.slide(side, from, (-1, 0), FAR, targets);
        if let (Some(corner), 0) = (corner, from.1) {
            self.slide(side, corner, (0, 1), FAR, targets);
        }
    }

    fn bishop(&self, side: i32, from: Square, targets: &mut Vec<Square>) {
        self.slide(side, from, (1, 1), 1, targets);
        self.slide(side, from, (1, -1), 1, targets);
        let bounces = self.corner_bishops_bounce || from != (self.size() - 1, 0);
        if let (Some(wall), true) = (self.slide(side, from, (-1, 1), FAR, targets), bounces) {
            let step = if wall.0 == 0 { (1, 1) } else { (-1, -1) };
            self.slide(side, wall, step, FAR, targets);
        }
        if let (Some(wall), true) = (self.slide(side, from, (-1, -1), FAR, targets), bounces) {
            self.slide(side, wall, (-1, 1), FAR, targets);
        }
    }

    /// The moves of a man of the side to move, whether or not they leave its king in check.
    fn moves_of(&self, from: Square) -> Vec<Move> {
        let (man, side) = (self.at(from).to_ascii_uppercase(), self.side(from));
        let seen = self.turned(from, (4 - side) % 4);
        let mut targets = Vec::new();
        let mut step_each = |steps: &[Square]| {
            for &step in steps {
                self.slide(side, seen, step, 1, &mut targets);
            }
        };
        match man {
            'P' => step_each(&PAWN),
            'K' => step_each(&KING),
            'N' => step_each(&KNIGHT),
            'R' => self.rook(side, seen, &mut targets),
            _ => self.bishop(side, seen, &mut targets),
        }
        // The far side is the top for white and the bottom for black; the third file from its end is where pawns become something.
        let rings = (0..self.size()).take_while(|&y| self.at((self.size() / 2, y)) != HOLE).count() as i32;
        let on_far_side = man == 'P' && side == if self.white_to_move { 2 } else { 0 };
        let mut moves = Vec::new();
        for target in targets {
            let to = self.turned(target, side);
            if on_far_side && target.0 == 2 && target.1 < rings {
                moves.extend(['b', 'r'].map(|promotion| Move { from, to, promotion: Some(promotion) }));
            } else {
                moves.push(Move { from, to, promotion: None });
            }
        }
        moves
    }

    /// The squares of the men of the side to move.
    fn men(&self) -> Vec<Square> {
        let size = self.size();
        let all = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
        all.filter(|&square| self.is_own(self.at(square))).collect()
    }

    fn play(&mut self, played: Move) {
        let man = self.at(played.from);
        let promoted = played.promotion.map(|kind| if self.white_to_move { kind.to_ascii_uppercase() } else { kind });
        self.put(played.to, promoted.unwrap_or(man));
        self.put(played.from, EMPTY);
        self.white_to_move = !self.white_to_move;
    }

    /// Whether the side to move could capture the other king.
    fn could_capture_king(&self) -> bool {
        let king = if self.white_to_move { 'k' } else { 'K' };
        self.men().into_iter().flat_map(|man| self.moves_of(man)).any(|reply| self.at(reply.to) == king)
    }

    fn legal_moves(&self) -> Vec<Move> {
        let mut moves: Vec<Move> = self.men().into_iter().flat_map(|man| self.moves_of(man)).collect();
        moves.retain(|&candidate| {
            let mut next = self.clone();
            next.play(candidate);
            !next.could_capture_king()
        });
        moves
    }
}

fn square_text((x, y): Square) -> String {
    format!("{}{}", (b'a' + x as u8) as char, y + 1)
}

fn move_text(shown: Move) -> String {
    let promotion = shown.promotion.map(String::from).unwrap_or_default();
    square_text(shown.from) + &square_text(shown.to) + &promotion
}

/// The referee sends legal moves only.
fn read_move(text: &str) -> Move {
    let letters: Vec<char> = text.chars().collect();
    let square = |i: usize| (letters[i] as i32 - 'a' as i32, letters[i + 1] as i32 - '1' as i32);
    Move { from: square(0), to: square(2), promotion: letters.get(4).copied() }
}

/// Your idea goes here: any of the legal moves for now.
fn choose(_position: &Position, moves: &[Move], random: &mut u64) -> Move {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    moves[(*random % moves.len() as u64) as usize]
}

/// Words are separated by blanks; one with blanks in it is in double quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut begun) = (Vec::new(), String::new(), false, false);
    let mut letters = line.trim_end().chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => (quoted, begun) = (!quoted, true),
            '\\' if quoted => word.extend(letters.next()),
            ' ' if !quoted => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            _ => {
                word.push(letter);
                begun = true;
            }
        }
    }
    if begun {
        words.push(word);
    }
    words
}

/// `position startpos moves …` or `position fen "…" moves …`
fn set_up(words: &[String], variant: &str, rules: &str) -> Position {
    let mut position = match words {
        [_, how, text, ..] if how == "fen" => Position::read(text, rules),
        _ => Position::start(variant, rules),
    };
    for text in words.iter().skip_while(|word| *word != "moves").skip(1) {
        position.play(read_move(text));
    }
    position
}

fn main() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let mut random = now ^ (u64::from(std::process::id()) << 32) | 1;
    let (mut variant, mut rules) = ("7-3".to_owned(), "text".to_owned());
    let mut position = Position::start(&variant, &rules);
    let mut output = io::stdout();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let words = words(&line);
        let answer = match words.first().map_or("", String::as_str) {
            "ugi" => "id name rollerball-rust\nugiok".to_owned(),
            "isready" => "readyok".to_owned(),
            "setoption" => {
                match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                    [_, "name", "Variant", "value", value] => variant = value.to_owned(),
                    [_, "name", "Rules", "value", value] => rules = value.to_owned(),
                    _ => {}
                }
                continue;
            }
            "position" => {
                position = set_up(&words, &variant, &rules);
                continue;
            }
            "go" => match position.legal_moves() {
                moves if moves.is_empty() => "bestmove 0000".to_owned(),
                moves => format!("bestmove {}", move_text(choose(&position, &moves, &mut random))),
            },
            "quit" => return,
            _ => continue,
        };
        if writeln!(output, "{answer}").and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}
