//! The suites of forced wins, `games/*/wins.suite`: the search sees them, the prover proves them, and they are wins.

mod common;

use std::{collections::BTreeSet, fs, path::Path, thread};

use agon_lab::{Attempt, Problem, ShortestWin};
use agon_rules::perft;
use agon_search::{Dfpn, Proof, SearchVisitor, Searchable, minimax};

/// What the search and the prover may each spend on a problem: some times what they need today.
const MOST_NODES: u64 = 150_000;
/// Lines that plain minimax may look at.
const MOST_LINES: u64 = 100_000;
/// No proven win takes longer. It need not be a short one: the prover looks for the least that must be shown.
const MOST_MOVES: u32 = 500;
/// Problems of each game whose distance must be found again; for the longest ones that takes too long here.
const LEAST_CONFIRMED: usize = 10;

fn suite(game: &str) -> Vec<Problem> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(game).join("wins.suite");
    let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    Problem::parse_all(&text).unwrap_or_else(|e| panic!("{}, {e}", file.display()))
}

struct Check<'a> {
    problem: &'a Problem,
    name: String,
}

impl SearchVisitor for Check<'_> {
    type Output = bool;

    /// Says whether the distance was confirmed.
    fn visit<P: Searchable>(self, start: P) -> bool {
        let position = start.parse(&self.problem.position).unwrap_or_else(|e| panic!("{}: {e}", self.name));
        assert_eq!(position.text(), self.problem.position, "{}", self.name);
        self.check_search(&position);
        self.check_proof(&position);
        self.confirms_distance(&position)
    }
}

impl Check<'_> {
    /// By plain minimax where that can be done, else by the search that looks at everything too, but remembers.
    fn confirms_distance<P: Searchable>(&self, position: &P) -> bool {
        let (name, distance, attacker) = (&self.name, self.problem.distance, position.turn());
        if distance <= 3 && perft(position, distance) <= MOST_LINES {
            assert!(minimax::wins(position, &mut Vec::new(), distance, attacker), "{name}: no win in {distance}");
            assert!(!minimax::wins(position, &mut Vec::new(), distance - 1, attacker), "{name}: a shorter win");
        }
        let found = ShortestWin::find(position, distance, MOST_NODES).map(|win| win.distance);
        assert!(found.is_none_or(|found| found == distance), "{name}: {found:?}");
        found.is_some()
    }

    fn check_search<P: Searchable>(&self, position: &P) {
        let attempt = Attempt::at(position, P::parameters(), MOST_NODES);
        assert!(attempt.solved.is_some(), "{}: the search finds no win", self.name);
        assert!(attempt.claim >= Some(self.problem.distance), "{}: {attempt:?}", self.name);
    }

    fn check_proof<P: Searchable>(&self, position: &P) {
        let mut prover = Dfpn::new(position, &[], MOST_NODES);
        assert_eq!(prover.prove(position), Proof::Win, "{}", self.name);
        common::play_out(position, &mut prover, MOST_MOVES, &self.name);
    }
}

fn check(game: &str) {
    let problems = suite(game);
    let mut confirmed = 0;
    for (number, problem) in problems.iter().enumerate() {
        let name = format!("{game} {}: {problem}", number + 1);
        let visit = Check { problem, name };
        let found = agon_all::start_search(game, &problem.variant, problem.rules, visit);
        confirmed += usize::from(found.unwrap_or_else(|e| panic!("{game}: {e}")));
    }
    assert!(confirmed >= LEAST_CONFIRMED, "{game}: only {confirmed} distances were found again");
}

#[test]
fn every_game_has_a_suite_over_its_variants_and_rule_sets() {
    for game in agon_all::GAMES {
        let problems = suite(game.name());
        assert!(problems.len() >= 20, "{}", game.name());
        let settings: BTreeSet<_> = problems.iter().map(|problem| (&*problem.variant, problem.rules.name())).collect();
        let all = game.variants().iter().flat_map(|&v| game.rule_sets().iter().map(move |rules| (v, rules.name())));
        assert_eq!(settings, all.collect(), "{}", game.name());
        let positions: BTreeSet<&str> = problems.iter().map(|problem| &*problem.position).collect();
        assert_eq!(positions.len(), problems.len(), "{}: a problem is listed twice", game.name());
        let distances: BTreeSet<u32> = problems.iter().map(|problem| problem.distance).collect();
        assert!(distances.len() >= 2, "{}: all problems are equally long", game.name());
    }
}

#[test]
fn every_problem_is_solved() {
    thread::scope(|scope| {
        for game in agon_all::GAMES {
            scope.spawn(|| check(game.name()));
        }
    });
}
