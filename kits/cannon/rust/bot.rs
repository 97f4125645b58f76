//! A Cannon bot that plays random legal moves: make it better.
//!
//! It speaks UGI: it reads lines on stdin and answers on stdout. Stdout is the wire, so print nothing else there. To
//! see what your bot thinks, use `eprintln!`.

use std::{
    io,
    time::{SystemTime, UNIX_EPOCH},
};

/// Your idea goes here. This one takes any legal turn. Play a turn on a clone of the board to see where it leads.
fn choose(board: &Board, random: &mut Random) -> String {
    let turns = board.legal_turns();
    turns[random.below(turns.len())].clone()
}

/// x counts columns from the left, y counts rows from the top, both from 0.
type Square = (i32, i32);

/// What stands where, who is to move, and by which rules.
#[derive(Clone)]
struct Board {
    /// Rows from the top. `S` and `T` are soldiers and halls of player 1, Black, who starts at the bottom and moves up;
    /// `s` and `t` those of player 2, White, who starts at the top and moves down; `.` is empty.
    rows: Vec<Vec<char>>,
    player: u8,
    /// The rule set `server`: shots at empty squares are legal; a retreat needs an enemy soldier beside or before, and
    /// may capture one. In `text` a shot must hit, and any enemy near allows a retreat, to an empty square.
    server: bool,
}

impl Board {
    /// The start position of a variant such as `10x8`: ten rows, eight columns.
    fn start(variant: &str, server: bool) -> Board {
        let (rows, columns) = variant.split_once('x').expect("a variant is ROWSxCOLUMNS");
        let (rows, columns) =
            (rows.parse().expect("rows are a number"), columns.parse().expect("columns are a number"));
        // Each column holds the soldiers of one side and a hall of the other, at the far end.
        let letter = |x: usize, y: usize| match x % 2 {
            0 if y == 0 => 't',
            0 if y + 3 >= rows => 'S',
            1 if y < 3 => 's',
            1 if y + 1 == rows => 'T',
            _ => '.',
        };
        let rows = (0..rows).map(|y| (0..columns).map(|x| letter(x, y)).collect()).collect();
        Board { rows, player: 1, server }
    }

    /// A position's text: rows from the top joined by `/`, then the player to move.
    fn from_text(text: &str, server: bool) -> Board {
        let (rows, player) = text.split_once(' ').expect("a position is rows and a player");
        let rows = rows.split('/').map(|row| row.chars().collect()).collect();
        Board { rows, player: if player == "1" { 1 } else { 2 }, server }
    }

    /// Whether one of the `wanted` letters stands on a square; outside the board there is none.
    fn holds(&self, (x, y): Square, wanted: &str) -> bool {
        let row = usize::try_from(y).ok().and_then(|y| self.rows.get(y));
        let letter = row.and_then(|row| row.get(usize::try_from(x).ok()?));
        letter.is_some_and(|&letter| wanted.contains(letter))
    }

    fn legal_turns(&self) -> Vec<String> {
        let mut turns = Vec::new();
        for y in 0..self.rows.len() as i32 {
            for x in 0..self.rows[0].len() as i32 {
                if self.holds((x, y), if self.player == 1 { "S" } else { "s" }) {
                    let (shifts, shots) = self.cannon_shifts_and_shots(x, y);
                    let moves = self.soldier_moves(x, y).into_iter().chain(shifts);
                    turns.extend(moves.map(|(to_x, to_y)| format!("S {x} {y} M {to_x} {to_y}")));
                    turns.extend(shots.iter().map(|(to_x, to_y)| format!("S {x} {y} B {to_x} {to_y}")));
                }
            }
        }
        turns
    }

    /// Where a soldier can go on its own: steps, captures to the side, retreats.
    fn soldier_moves(&self, x: i32, y: i32) -> Vec<Square> {
        let (enemy_soldier, enemies, free, ahead) =
            if self.player == 1 { ("s", "st", ".st", -1) } else { ("S", "ST", ".ST", 1) };
        let before = [-1, 0, 1].map(|dx| (x + dx, y + ahead));
        let beside = [-1, 1].map(|dx| (x + dx, y));
        let after = [-1, 0, 1].map(|dx| (x + dx, y - ahead));
        let behind = [-2, 0, 2].map(|dx| (x + dx, y - 2 * ahead));

        let mut near = before.iter().chain(&beside);
        let may_retreat = if self.server {
            near.any(|&at| self.holds(at, enemy_soldier))
        } else {
            near.chain(&after).any(|&at| self.holds(at, enemies))
        };
        let may_land = |at| self.holds(at, ".") || self.server && self.holds(at, enemy_soldier);

        let mut moves: Vec<Square> = before.into_iter().filter(|&to| self.holds(to, free)).collect();
        moves.extend(beside.into_iter().filter(|&to| self.holds(to, enemies)));
        moves.extend(behind.into_iter().filter(|&to| may_retreat && may_land(to)));
        moves
    }

    /// What cannons (three soldiers in a line) can do whose rear soldier stands on (x, y).
    fn cannon_shifts_and_shots(&self, x: i32, y: i32) -> (Vec<Square>, Vec<Square>) {
        let (own_soldier, enemies) = if self.player == 1 { ("S", "st") } else { ("s", "ST") };
        let may_hit = |at| self.holds(at, enemies) || self.server && self.holds(at, ".");
        let (mut shifts, mut shots) = (Vec::new(), Vec::new());
        for (dx, dy) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            let [second, third, front, near, far] = [1, 2, 3, 4, 5].map(|steps| (x + steps * dx, y + steps * dy));
            if self.holds(second, own_soldier) && self.holds(third, own_soldier) && self.holds(front, ".") {
                shifts.push(front);
                shots.extend([near, far].into_iter().filter(|&target| may_hit(target)));
            }
        }
        (shifts, shots)
    }

    /// Plays a turn: `S x y M x2 y2` is a move, `S x y B x2 y2` a shot.
    fn play(&mut self, turn: &str) {
        let numbers: Vec<usize> = turn.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let (x, y, to_x, to_y) = (numbers[0], numbers[1], numbers[2], numbers[3]);
        let soldier = self.rows[y][x];
        if turn.contains('M') {
            self.rows[y][x] = '.';
            self.rows[to_y][to_x] = soldier;
        } else {
            self.rows[to_y][to_x] = '.';
        }
        self.player = 3 - self.player;
    }
}

/// Random numbers (xorshift), since the standard library has none.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// The words of a line; one with blanks in it stands in double quotes. (No turn or position holds a quote itself.)
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (number, part) in line.split('"').enumerate() {
        if number % 2 == 1 {
            words.push(part);
        } else {
            words.extend(part.split_whitespace());
        }
    }
    words
}

fn main() {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
    let mut random = Random(since_1970.as_nanos() as u64 | 1);
    let (mut variant, mut server) = ("8x8".to_owned(), false);
    let mut board = Board::start(&variant, server);
    for line in io::stdin().lines() {
        let line = line.expect("the referee sends text");
        match words(&line).as_slice() {
            ["ugi"] => println!("id name random-cannon\nugiok"),
            ["setoption", "name", "Variant", "value", value] => variant = value.to_string(),
            ["setoption", "name", "Rules", "value", value] => server = *value == "server",
            ["isready"] => println!("readyok"),
            // The whole game comes each time: where it began, and all turns since.
            ["position", began @ ..] => {
                board = match began {
                    ["fen", text, ..] => Board::from_text(text, server),
                    _ => Board::start(&variant, server),
                };
                began.iter().skip_while(|word| **word != "moves").skip(1).for_each(|turn| board.play(turn));
            }
            // The rest of this line tells the time that is left, for example `p1time 120000 p2time 119000`.
            ["go", ..] => println!("bestmove \"{}\"", choose(&board, &mut random)),
            ["quit"] => return,
            _ => {}
        }
    }
}
