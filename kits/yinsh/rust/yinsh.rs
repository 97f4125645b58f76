//! The rules of Yinsh: which moves are legal, what they do, and how they are written.

use std::rc::Rc;

/// A part of a turn. Points are numbered as in [`Board`].
#[derive(Clone, Copy)]
pub enum Move {
    /// A ring comes onto the board.
    Place(usize),
    /// A ring moves from one point to another.
    Slide(usize, usize),
    /// A row of markers leaves it: the two ends.
    TakeRow(usize, usize),
    /// A ring leaves it, for a row.
    TakeRing(usize),
}

/// What a variant and a rule set fix. A variant is N-M-K-L: size of the board, rings for each player, markers in a row,
/// rings to take to win.
#[derive(Clone, Copy)]
pub struct Rules {
    size: usize,
    rings: usize,
    row: usize,
    goal: usize,
    /// The rule set `server`: any part of a long run is a row, and two rows from the opponent cost the ring move. In
    /// `text` only the two ends of a long run are rows, and the ring move always follows.
    server: bool,
}

impl Rules {
    pub fn new(variant: &str, server: bool) -> Rules {
        let numbers: Vec<usize> = variant.split('-').map(|word| word.parse().expect("a variant is N-M-K-L")).collect();
        Rules { size: numbers[0], rings: numbers[1], row: numbers[2], goal: numbers[3], server }
    }
}

/// The points of the board, numbered by hexagon and position, and the lines between them.
struct Board {
    /// Hexagon and position of each point, as texts write them: `2 7`.
    names: Vec<String>,
    /// The next point from each point in each direction; none at the edge.
    next: Vec<[Option<usize>; 6]>,
}

/// Steps (x, y) along the lines of the board, clockwise from straight up. The last three go the first three backwards.
const DIRECTIONS: [(i32, i32); 6] = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)];

impl Board {
    fn new(size: usize) -> Board {
        let (mut names, mut places) = (vec!["0 0".to_owned()], vec![(0, 0)]);
        for hexagon in 1..=size {
            for position in 0..6 * hexagon {
                let (side, rest) = (position / hexagon, position % hexagon);
                // The outermost hexagon has no corners.
                if hexagon < size || rest > 0 {
                    let ((x1, y1), (x2, y2)) = (DIRECTIONS[side], DIRECTIONS[(side + 1) % 6]);
                    let (one, two) = ((hexagon - rest) as i32, rest as i32);
                    places.push((x1 * one + x2 * two, y1 * one + y2 * two));
                    names.push(format!("{hexagon} {position}"));
                }
            }
        }
        let point_at = |x, y| places.iter().position(|&place| place == (x, y));
        let next = places.iter().map(|(x, y)| DIRECTIONS.map(|(dx, dy)| point_at(x + dx, y + dy))).collect();
        Board { names, next }
    }

    /// The points that follow `from` in a direction, up to the edge.
    fn ray(&self, from: usize, direction: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.next[from][direction], move |&point| self.next[point][direction])
    }

    /// The points between two on the same line, and the second of them.
    fn way(&self, from: usize, to: usize) -> Vec<usize> {
        let leads_there = |direction: &usize| self.ray(from, *direction).any(|point| point == to);
        let direction = (0..6).find(leads_there).expect("both are on a line");
        self.ray(from, direction).take_while(|&point| point != to).chain([to]).collect()
    }
}

// What the player to move must do, numbered as in the texts of positions.
const PLACE: usize = 0;
const MOVE_RING: usize = 1;
const TAKE_ROW: usize = 3;
const TAKE_RING: usize = 4;
const WON: usize = 5;
// The same for a row that the opponent has made: a ring move comes after it.
const TAKE_GIVEN_ROW: usize = 6;
const TAKE_GIVEN_RING: usize = 7;

/// What stands on each point, who is to move, and what is due.
#[derive(Clone)]
pub struct Position {
    board: Rc<Board>,
    rules: Rules,
    /// For each point `.`, a ring `A` or `B`, or a marker `a` or `b`.
    at: Vec<char>,
    pub player: usize,
    due: usize,
    /// Rings, by player; the first number is not used.
    taken: [usize; 3],
}

impl Position {
    pub fn start(rules: Rules) -> Position {
        let board = Rc::new(Board::new(rules.size));
        Position { at: vec!['.'; board.names.len()], board, rules, player: 1, due: PLACE, taken: [0; 3] }
    }

    /// A position's text: the points, then the player to move, what is due, and the rings that each player has taken.
    pub fn from_text(text: &str, rules: Rules) -> Position {
        let (points, rest) = text.split_once(' ').expect("a position is points and four numbers");
        let numbers: Vec<usize> = rest.split_whitespace().map(|word| word.parse().expect("a number")).collect();
        let (player, due, taken) = (numbers[0], numbers[1], [0, numbers[2], numbers[3]]);
        Position { at: points.chars().collect(), player, due, taken, ..Position::start(rules) }
    }

    fn ring(&self) -> char {
        [' ', 'A', 'B'][self.player]
    }

    fn marker(&self) -> char {
        [' ', 'a', 'b'][self.player]
    }

    fn all_with(&self, piece: char) -> impl Iterator<Item = usize> + '_ {
        (0..self.at.len()).filter(move |&point| self.at[point] == piece)
    }

    /// All legal moves.
    pub fn moves(&self) -> Vec<Move> {
        match self.due {
            PLACE => self.all_with('.').map(Move::Place).collect(),
            MOVE_RING => self.all_with(self.ring()).flat_map(|ring| self.ring_moves(ring)).collect(),
            TAKE_ROW | TAKE_GIVEN_ROW => self.rows(),
            TAKE_RING | TAKE_GIVEN_RING => self.all_with(self.ring()).map(Move::TakeRing).collect(),
            _ => Vec::new(),
        }
    }

    /// A ring goes over empty points, and then over one block of markers to the point right behind it.
    fn ring_moves(&self, from: usize) -> Vec<Move> {
        let mut found = Vec::new();
        for direction in 0..6 {
            let mut jumped = false;
            for to in self.board.ray(from, direction) {
                match self.at[to] {
                    'A' | 'B' => break,
                    'a' | 'b' => jumped = true,
                    _ => {
                        found.push(Move::Slide(from, to));
                        if jumped {
                            break;
                        }
                    }
                }
            }
        }
        found
    }

    /// The rows that the player to move could take.
    fn rows(&self) -> Vec<Move> {
        let is_own = |point: usize| self.at[point] == self.marker();
        let mut found = Vec::new();
        for start in self.all_with(self.marker()) {
            for direction in 0..3 {
                let after: Vec<usize> = self.board.ray(start, direction).take_while(|&point| is_own(point)).collect();
                let before = self.board.next[start][direction + 3].is_some_and(is_own);
                let inside_a_run = before && after.len() >= self.rules.row;
                if after.len() + 1 >= self.rules.row && (self.rules.server || !inside_a_run) {
                    found.push(Move::TakeRow(start, after[self.rules.row - 2]));
                }
            }
        }
        found
    }

    pub fn play(&mut self, chosen: Move) {
        match chosen {
            Move::Place(point) => {
                self.at[point] = self.ring();
                self.end_turn();
            }
            Move::Slide(from, to) => {
                for crossed in self.board.way(from, to) {
                    self.at[crossed] = match self.at[crossed] {
                        'a' => 'b',
                        'b' => 'a',
                        empty => empty,
                    };
                }
                self.at[from] = self.marker();
                self.at[to] = self.ring();
                if self.rows().is_empty() {
                    self.end_turn();
                } else {
                    self.due = TAKE_ROW;
                }
            }
            Move::TakeRow(start, end) => {
                self.at[start] = '.';
                self.board.way(start, end).into_iter().for_each(|point| self.at[point] = '.');
                self.due = if self.due == TAKE_GIVEN_ROW { TAKE_GIVEN_RING } else { TAKE_RING };
            }
            Move::TakeRing(point) => {
                self.at[point] = '.';
                self.taken[self.player] += 1;
                let (won, more) = (self.taken[self.player] == self.rules.goal, !self.rows().is_empty());
                match self.due {
                    _ if won => self.due = WON,
                    TAKE_GIVEN_RING if more && !self.rules.server => self.due = TAKE_GIVEN_ROW,
                    _ if more => self.due = TAKE_ROW,
                    TAKE_GIVEN_RING => self.due = MOVE_RING,
                    _ => self.end_turn(),
                }
            }
        }
    }

    fn end_turn(&mut self) {
        self.player = 3 - self.player;
        let placed = self.all_with(self.ring()).count() + self.taken[self.player];
        self.due = match self.due {
            PLACE if placed < self.rules.rings => PLACE,
            _ if self.rows().is_empty() => MOVE_RING,
            _ => TAKE_GIVEN_ROW,
        };
    }

    /// Reads `S 4 0 M 1 3 RS 0 0 RE 4 0 X 1 3`: letters and points. S and RS bring the first point of a move.
    pub fn read_turn(&self, text: &str) -> Vec<Move> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (mut turn, mut first) = (Vec::new(), 0);
        for triple in words.chunks_exact(3) {
            let name = triple[1..].join(" ");
            let point = self.board.names.iter().position(|known| *known == name).expect("a point of the board");
            match triple[0] {
                "P" => turn.push(Move::Place(point)),
                "M" => turn.push(Move::Slide(first, point)),
                "RE" => turn.push(Move::TakeRow(first, point)),
                "X" => turn.push(Move::TakeRing(point)),
                _ => first = point,
            }
        }
        turn
    }

    pub fn write_turn(&self, turn: &[Move]) -> String {
        let name = |point: usize| &self.board.names[point];
        let text = |part: &Move| match *part {
            Move::Place(point) => format!("P {}", name(point)),
            Move::Slide(from, to) => format!("S {} M {}", name(from), name(to)),
            Move::TakeRow(start, end) => format!("RS {} RE {}", name(start), name(end)),
            Move::TakeRing(point) => format!("X {}", name(point)),
        };
        turn.iter().map(text).collect::<Vec<_>>().join(" ")
    }
}
