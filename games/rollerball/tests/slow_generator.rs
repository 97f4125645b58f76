//! The fast move generator against a slow one that follows the description of the rules square by square: it walks every
//! ray over the board, plays each move and looks whether the king can be taken.

use std::collections::BTreeMap;

use agon_rollerball::Rollerball;
use agon_rules::{AnyGame, AnyPosition, Random, RuleSet};

type Place = (i32, i32);

/// Rows from the bottom, `_` in the hole.
#[derive(Clone)]
struct Slow {
    size: i32,
    rows: Vec<Vec<char>>,
    white: bool,
    corner_bishop_bends: bool,
}

impl Slow {
    fn new(text: &str, corner_bishop_bends: bool) -> Slow {
        let (board, turn) = text.rsplit_once(' ').expect("a side to move");
        let rows: Vec<Vec<char>> = board.split('/').rev().map(|row| row.chars().collect()).collect();
        Slow { size: rows.len() as i32, rows, white: turn == "w", corner_bishop_bends }
    }

    fn at(&self, (x, y): Place) -> Option<char> {
        let inside = (0..self.size).contains(&x) && (0..self.size).contains(&y);
        inside.then(|| self.rows[y as usize][x as usize]).filter(|&found| found != '_')
    }

    fn places(&self) -> Vec<Place> {
        let all = (0..self.size).flat_map(|x| (0..self.size).map(move |y| (x, y)));
        all.filter(|&place| self.at(place).is_some()).collect()
    }

    /// Quarter turns clockwise from the bottom sector to that of `place`, and the place seen from there.
    fn sector(&self, place: Place) -> (i32, Place) {
        let mut seen = place;
        for turns in 0..4 {
            let (x, y) = seen;
            if y < self.size / 2 && (y + 1..=self.size - 1 - y).contains(&x) {
                return (turns, seen);
            }
            // A quarter turn anticlockwise.
            seen = (self.size - 1 - y, x);
        }
        panic!("{place:?} lies in no sector");
    }

    fn turn_clockwise(&self, mut place: Place, turns: i32) -> Place {
        for _ in 0..turns {
            place = (place.1, self.size - 1 - place.0);
        }
        place
    }

    /// Squares that the man on `from` attacks: every enemy or own man stops a ray.
    fn attacks(&self, from: Place) -> Vec<Place> {
        let (turns, (x, y)) = self.sector(from);
        let look = |place| self.at(self.turn_clockwise(place, turns));
        let walk = |from: Place, step: Place, limit: i32| {
            let (mut place, mut way, mut stopped) = (from, Vec::new(), false);
            while !stopped && (way.len() as i32) < limit {
                place = (place.0 + step.0, place.1 + step.1);
                let Some(found) = look(place) else { break };
                way.push(place);
                stopped = found != '.';
            }
            (way, stopped)
        };
        let mut found = Vec::new();
        match self.at(from).expect("a man").to_ascii_lowercase() {
            'p' => found.extend([(x - 1, y - 1), (x - 1, y), (x - 1, y + 1)]),
            'k' => found.extend((-1..=1).flat_map(|a| (-1..=1).map(move |b| (x + a, y + b)))),
            'n' => found.extend(
                [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)].map(|(a, b)| (x + a, y + b)),
            ),
            'r' => {
                found.extend([(x + 1, y), (x, y - 1)]);
                found.extend(walk((x, y), (0, 1), if x >= 4 { 1 } else { 99 }).0);
                let (forward, stopped) = walk((x, y), (-1, 0), 99);
                found.extend(forward);
                if y == 0 && !stopped {
                    found.extend(walk((0, 0), (0, 1), 99).0);
                }
            }
            'b' => {
                found.extend([(x + 1, y + 1), (x + 1, y - 1)]);
                for up in [1, -1] {
                    let (way, stopped) = walk((x, y), (-1, up), 99);
                    let corner = (x, y) == (self.size - 1, 0);
                    found.extend(&way);
                    if let (Some(&wall), false) = (way.last(), stopped || corner && !self.corner_bishop_bends) {
                        let bend = match up {
                            1 if wall.0 == 0 => (1, 1),
                            1 => (-1, -1),
                            _ => (-1, 1),
                        };
                        found.extend(walk(wall, bend, 99).0);
                    }
                }
            }
            other => panic!("no man is called {other}"),
        }
        found.retain(|&place| place != (x, y) && look(place).is_some());
        found.into_iter().map(|place| self.turn_clockwise(place, turns)).collect()
    }

    fn owns(&self, white: bool, place: Place) -> bool {
        self.at(place).is_some_and(|man| man != '.' && man.is_ascii_uppercase() == white)
    }

    fn king_attacked(&self, white: bool) -> bool {
        let king = if white { 'K' } else { 'k' };
        let attackers = self.places().into_iter().filter(|&place| self.owns(!white, place));
        { attackers }.any(|from| self.attacks(from).into_iter().any(|to| self.at(to) == Some(king)))
    }

    fn after(&self, from: Place, to: Place, becomes: char) -> Slow {
        let mut after = self.clone();
        after.rows[from.1 as usize][from.0 as usize] = '.';
        after.rows[to.1 as usize][to.0 as usize] = becomes;
        after.white = !self.white;
        after
    }

    fn promotes(&self, from: Place, to: Place) -> bool {
        let (turns, _) = self.sector(from);
        let rings = self.rows[self.size as usize / 2].iter().position(|&c| c == '_').expect("a hole") as i32;
        match self.at(from) {
            Some('P') => turns == 2 && to.0 == self.size - 3 && to.1 >= self.size - rings,
            Some('p') => turns == 0 && to.0 == 2 && to.1 < rings,
            _ => false,
        }
    }

    /// Each legal move with the position after it.
    fn legal(&self) -> BTreeMap<String, Slow> {
        let name = |(x, y): Place| format!("{}{}", char::from(b'a' + x as u8), y + 1);
        let mut legal = BTreeMap::new();
        for from in self.places().into_iter().filter(|&place| self.owns(self.white, place)) {
            for to in self.attacks(from) {
                let king = matches!(self.at(to), Some('k' | 'K'));
                let man = self.at(from).expect("a man");
                if king || self.owns(self.white, to) || self.after(from, to, man).king_attacked(self.white) {
                    continue;
                }
                let ends: &[&str] = if self.promotes(from, to) { &["r", "b"] } else { &[""] };
                for end in ends {
                    let becomes =
                        end.chars().next().map_or(man, |c| if self.white { c.to_ascii_uppercase() } else { c });
                    legal.insert(format!("{}{}{end}", name(from), name(to)), self.after(from, to, becomes));
                }
            }
        }
        legal
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { self.legal().values().map(|after| after.perft(depth - 1)).sum() }
    }
}

fn compare(game: &dyn AnyPosition, corner_bishop_bends: bool) {
    let text = game.text();
    let mut fast: Vec<String> =
        game.legal_turns(1000).expect("few moves").into_iter().flat_map(|turn| turn.spellings).collect();
    fast.sort();
    let slow = Slow::new(&text, corner_bishop_bends);
    assert_eq!(fast, slow.legal().into_keys().collect::<Vec<_>>(), "{text}");
    assert_eq!(game.perft(1), fast.len() as u64, "{text}");
    if fast.is_empty() {
        let winner = game.outcome().expect("the game is over").winner.is_some();
        assert_eq!(winner, slow.king_attacked(slow.white), "{text}");
    }
}

/// A board with `men` men on random squares, one king a side; the side not to move may be in check.
fn random_text(empty: &str, men: usize, knights: bool, random: &mut Random) -> String {
    let mut board: Vec<char> = empty.chars().collect();
    let free: Vec<usize> = (0..board.len()).filter(|&i| board[i] == '.').collect();
    let letters: Vec<char> = if knights { "PRBNprbn" } else { "PRBprb" }.chars().collect();
    for man in 0..men {
        let place = loop {
            let place = random.pick(&free);
            if board[place] == '.' {
                break place;
            }
        };
        board[place] = match man {
            0 => 'K',
            1 => 'k',
            _ => random.pick(&letters),
        };
    }
    let turn = if random.below(2) == 0 { 'w' } else { 'b' };
    format!("{} {turn}", board.into_iter().collect::<String>())
}

fn each_setup(mut check: impl FnMut(&str, RuleSet, bool)) {
    for &variant in Rollerball.variants() {
        for &rules in Rollerball.rule_sets() {
            check(variant, rules, !(variant == "7-3" && rules == RuleSet::Server));
        }
    }
}

#[test]
fn random_placements_have_the_same_moves() {
    each_setup(|variant, rules, bends| {
        let mut game = Rollerball.open(variant, rules).expect("a board");
        let start = game.text();
        let empty: String = start[..start.len() - 2].chars().map(|c| if "/_".contains(c) { c } else { '.' }).collect();
        let places = empty.matches('.').count();
        let mut random = Random::new(7);
        for i in 0..3000 {
            // Mostly few men, as in games; sometimes a crowd, up to a full board.
            let most = if i % 50 == 0 { places } else { 14 };
            let men = 2 + random.below(most - 1);
            let knights = variant == "8-2" || i % 5 == 0;
            game.set_up(&random_text(&empty, men, knights, &mut random)).expect("a sound position");
            compare(&*game, bends);
        }
    });
}

#[test]
fn positions_of_random_games_have_the_same_moves() {
    each_setup(|variant, rules, bends| {
        let mut random = Random::new(11);
        for _ in 0..12 {
            let mut game = Rollerball.open(variant, rules).expect("a board");
            for _ in 0..150 {
                // Each position as if it stood at the start of a game: repetition ends none of them.
                let text = game.text();
                game.set_up(&text).expect("a printed position");
                compare(&*game, bends);
                let turns = game.legal_turns(1000).expect("few moves");
                if turns.is_empty() {
                    break;
                }
                let turn = &turns[random.below(turns.len())];
                game.play(&turn.spellings[0]).expect("a legal move");
            }
        }
    });
}

/// The entries of `perft/special.perft`: promotions, bends, pins.
#[test]
fn special_positions_have_the_same_counts() {
    let file = include_str!("../perft/special.perft");
    let mut bends = true;
    let mut game = None;
    let mut variant = "";
    let mut counts = 0;
    for line in file.lines() {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("variant", name) => variant = name,
            ("rules", name) => {
                let rules = name.parse().expect("a rule set");
                bends = !(variant == "7-3" && rules == RuleSet::Server);
                game = Some(Rollerball.open(variant, rules).expect("a board"));
            }
            ("position", text) => game.as_mut().expect("a board").set_up(text).expect("a sound position"),
            ("moves" | "turns", numbers) => {
                let (depth, count) = numbers.split_once(' ').expect("two numbers");
                let count: u64 = count.parse().expect("a number");
                if count <= 20_000 {
                    let text = game.as_ref().expect("a board").text();
                    assert_eq!(Slow::new(&text, bends).perft(depth.parse().expect("a number")), count, "{text}");
                    counts += 1;
                }
            }
            _ => {}
        }
    }
    assert!(counts > 20, "only {counts} counts were small enough");
}
