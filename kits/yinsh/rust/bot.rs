//! A Yinsh bot that plays random legal turns: make it better. The rules are in yinsh.rs.
//!
//! It speaks UGI: it reads lines on stdin and answers on stdout. Stdout is the wire, so print nothing else there. To
//! see what your bot thinks, use `eprintln!`.

mod yinsh;

use std::{
    io,
    time::{SystemTime, UNIX_EPOCH},
};

use yinsh::{Move, Position, Rules};

/// Your idea goes here. This one takes any legal move until the turn is complete.
fn choose(mut position: Position, random: &mut Random) -> Vec<Move> {
    let mut turn = Vec::new();
    let me = position.player;
    while position.player == me {
        let moves = position.moves();
        if moves.is_empty() {
            break; // The game is over.
        }
        let chosen = moves[random.below(moves.len())];
        turn.push(chosen);
        position.play(chosen);
    }
    turn
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
    let (mut variant, mut server) = ("5-5-5-3".to_owned(), false);
    let mut position = Position::start(Rules::new(&variant, server));
    for line in io::stdin().lines() {
        let line = line.expect("the referee sends text");
        match words(&line).as_slice() {
            ["ugi"] => println!("id name random-yinsh\nugiok"),
            ["setoption", "name", "Variant", "value", value] => variant = value.to_string(),
            ["setoption", "name", "Rules", "value", value] => server = *value == "server",
            ["isready"] => println!("readyok"),
            // The whole game comes each time: where it began, and all turns since.
            ["position", began @ ..] => {
                let rules = Rules::new(&variant, server);
                position = match began {
                    ["fen", text, ..] => Position::from_text(text, rules),
                    _ => Position::start(rules),
                };
                for turn in began.iter().skip_while(|word| **word != "moves").skip(1) {
                    position.read_turn(turn).into_iter().for_each(|part| position.play(part));
                }
            }
            // The rest of this line tells the time that is left, for example `p1time 120000 p2time 119000`.
            ["go", ..] => {
                let turn = choose(position.clone(), &mut random);
                println!("bestmove \"{}\"", position.write_turn(&turn));
            }
            ["quit"] => return,
            _ => {}
        }
    }
}
