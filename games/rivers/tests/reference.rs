//! The generator against a slow one that follows the spec's section 4 word by word, cell by cell, on random arrangements that no
//! game leads to: any number of pieces, pieces in areas closed to them, boards full of rivers.

use std::collections::{BTreeSet, VecDeque};

use agon_rivers::Rivers;
use agon_rules::{AnyGame, Random, RuleSet};

const DIRECTIONS: [(i32, i32); 4] = [(0, -1), (0, 1), (-1, 0), (1, 0)];

type Place = (i32, i32);

struct Plain {
    rows: i32,
    columns: i32,
    score_columns: std::ops::Range<i32>,
    /// By row and column: a letter of the position's text, or '.'.
    cells: Vec<Vec<char>>,
}

fn is_river(letter: char) -> bool {
    "HVhv".contains(letter)
}

fn is_stone(letter: char) -> bool {
    "Ss".contains(letter)
}

impl Plain {
    fn on_board(&self, (x, y): Place) -> bool {
        (0..self.columns).contains(&x) && (0..self.rows).contains(&y)
    }

    fn at(&self, (x, y): Place) -> char {
        self.cells[y as usize][x as usize]
    }

    /// The area of the other side is closed: the bottom one to circle, the top one to square.
    fn is_closed(&self, circle: bool, (x, y): Place) -> bool {
        self.score_columns.contains(&x) && y == if circle { self.rows - 3 } else { 2 }
    }

    fn flow(&self, start: Place, origin: Place, circle: bool, first: char) -> BTreeSet<Place> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::from([start]);
        let mut queue = VecDeque::from([(start, first)]);
        while let Some((river, letter)) = queue.pop_front() {
            let axis = if letter.eq_ignore_ascii_case(&'h') { [(-1, 0), (1, 0)] } else { [(0, -1), (0, 1)] };
            for (dx, dy) in axis {
                let mut cell = (river.0 + dx, river.1 + dy);
                while self.on_board(cell) && !self.is_closed(circle, cell) {
                    let letter = self.at(cell);
                    if cell == origin {
                        // Transparent.
                    } else if letter == '.' {
                        found.insert(cell);
                    } else {
                        if is_river(letter) && seen.insert(cell) {
                            queue.push_back((cell, letter));
                        }
                        break;
                    }
                    cell = (cell.0 + dx, cell.1 + dy);
                }
            }
        }
        found
    }

    fn legal(&self, circle: bool) -> BTreeSet<String> {
        let mut turns = BTreeSet::new();
        let places = (0..self.rows).flat_map(|y| (0..self.columns).map(move |x| (x, y)));
        for from in places.filter(|&place| self.at(place) != '.' && self.at(place).is_ascii_uppercase() == circle) {
            let flips = if is_river(self.at(from)) { ["s", "r"] } else { ["h", "v"] };
            turns.extend(flips.map(|flip| format!("{}{flip}", name(from))));
            for direction in DIRECTIONS {
                self.add_towards(from, direction, circle, &mut turns);
            }
        }
        turns
    }

    fn add_towards(&self, from: Place, (dx, dy): (i32, i32), circle: bool, turns: &mut BTreeSet<String>) {
        let to = (from.0 + dx, from.1 + dy);
        if !self.on_board(to) || self.is_closed(circle, to) {
            return;
        }
        let letter = self.at(to);
        if letter == '.' {
            turns.insert(format!("{}-{}", name(from), name(to)));
        } else if is_river(letter) {
            let targets = self.flow(to, from, circle, letter);
            turns.extend(targets.into_iter().map(|target| format!("{}-{}", name(from), name(target))));
        } else {
            let owner = letter.is_ascii_uppercase();
            let pushed = if is_stone(self.at(from)) {
                let behind = (to.0 + dx, to.1 + dy);
                let free = self.on_board(behind) && self.at(behind) == '.' && !self.is_closed(owner, behind);
                BTreeSet::from_iter(free.then_some(behind))
            } else {
                self.flow(to, from, owner, self.at(from))
            };
            turns.extend(pushed.into_iter().map(|target| format!("{}*{}-{}", name(from), name(to), name(target))));
        }
    }

    fn text(&self, circle: bool) -> String {
        let mut rows = Vec::new();
        for row in &self.cells {
            let mut text = String::new();
            for run in row.chunk_by(|a, b| a == b) {
                match run[0] {
                    '.' => text.push_str(&run.len().to_string()),
                    _ => text.extend(run),
                }
            }
            rows.push(text);
        }
        format!("{} {}", rows.join("/"), if circle { "circle" } else { "square" })
    }
}

fn name((x, y): Place) -> String {
    format!("{}{y}", (b'a' + x as u8) as char)
}

fn random_board(random: &mut Random, size: (i32, i32, std::ops::Range<i32>)) -> Plain {
    let (rows, columns, score_columns) = size;
    let percent = [3, 10, 25, 50, 90][random.below(5)];
    let letters: Vec<char> =
        ["SHVshv", "HVhv", "SSSHsssv", "HHSs", "VVSs", "HVSSSsss"][random.below(6)].chars().collect();
    let mut cell = || if random.below(100) < percent { random.pick(&letters) } else { '.' };
    let cells = (0..rows).map(|_| (0..columns).map(|_| cell()).collect()).collect();
    Plain { rows, columns, score_columns, cells }
}

#[test]
fn same_moves_on_random_arrangements() {
    let mut random = Random::new(7);
    let sizes = [("small", (13, 12, 4..8)), ("medium", (15, 14, 4..9)), ("large", (17, 16, 5..11))];
    let mut played = 0;
    for i in 0..600 {
        let (variant, size) = sizes[i % 3].clone();
        let board = random_board(&mut random, size);
        for circle in [true, false] {
            let mut game = Rivers.open(variant, RuleSet::Text).expect("a variant");
            let text = board.text(circle);
            game.set_up(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(game.text(), text);
            if game.outcome().is_some() {
                continue;
            }
            let turns = game.legal_turns(1_000_000).expect("not too many");
            let legal: BTreeSet<String> = turns.iter().flat_map(|turn| turn.spellings.clone()).collect();
            assert_eq!(legal, board.legal(circle), "{variant}: {text}");
            assert_eq!(game.perft(1), turns.len() as u64, "{variant}: {text}");
            played += 1;
        }
    }
    assert!(played > 1000, "only {played} positions were compared");
}
