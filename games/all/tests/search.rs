//! The search against plain minimax, on every game, variant and rule set.

mod common;

use std::{fs, path::Path, sync::Arc};

use agon_lab::{Start, bench};
use agon_rules::{BySide, Random};
use agon_search::{
    Dfpn, Limits, Mcts, Objective, Parameters, Proof, SearchVisitor, Searchable, Searcher, TranspositionTable, minimax,
    score,
};

/// Visits every variant and rule set of every game.
fn everywhere<V: SearchVisitor<Output = ()>>(visit: impl Fn(&str) -> V) {
    let mut visited = 0;
    agon_all::each_search(|game, variant, rules| {
        visited += 1;
        visit(&format!("{} {variant} {rules}", game.name()))
    });
    assert!(visited >= agon_all::GAMES.len());
}

/// How often to play, and how many leaves a comparison may cost.
struct Check {
    name: String,
    games: u64,
    most_leaves: u64,
    objective: Objective,
}

/// Plays random games and shows some of their positions to `look`.
fn wander<P: Searchable>(start: &P, games: u64, mut look: impl FnMut(&P, &mut Vec<u64>)) {
    for game in 0..games {
        let mut random = Random::new(game);
        let mut position = start.clone();
        let mut history = Vec::new();
        let length = random.below(120);
        for ply in 0..length {
            let mut moves = Vec::new();
            if position.generate(&mut moves).is_some() || position.adjudicate(&history).is_some() {
                break;
            }
            if ply % 7 == 6 || ply + 1 == length {
                look(&position, &mut history);
            }
            history.push(position.history_key());
            position.play(random.pick(&moves));
        }
    }
}

impl SearchVisitor for Check {
    type Output = ();

    fn visit<P: Searchable>(self, start: P) {
        let mut with_table = Searcher::new(Arc::new(TranspositionTable::new(4)), Parameters::exact(), self.objective);
        let parameters = Parameters { table: 0, ..Parameters::exact() };
        let mut without = Searcher::new(Arc::new(TranspositionTable::new(1)), parameters, self.objective);
        wander(&start, self.games, |position, history| {
            self.compare(position, history, &mut with_table, &mut without);
        });
    }
}

impl Check {
    fn compare<P: Searchable>(
        &self,
        position: &P,
        history: &mut Vec<u64>,
        with_table: &mut Searcher<P>,
        without: &mut Searcher<P>,
    ) {
        let mut depth = 0;
        while agon_rules::perft(position, depth + 1) <= self.most_leaves && depth < 6 {
            depth += 1;
        }
        let made = BySide::default();
        let truth = minimax::minimax(position, history, depth, self.objective);
        for (kind, searcher) in [("table", with_table), ("no table", without)] {
            let limits = Limits { depth: Some(depth as i32), ..Limits::default() };
            let report = searcher.search(position, history, made, 1, limits, &mut |_| {}).expect("a game that goes on");
            let line = &report.lines[0];
            // A search that has proven the end need not look deeper.
            assert!(
                line.score == truth || report.depth < depth as i32 && score::is_proven(line.score),
                "{} with {kind}, depth {depth}: {} instead of {truth} in {}",
                self.name,
                line.score,
                position.text()
            );
        }
    }
}

/// More games in a long run; minimax is slow, so not as many more as elsewhere.
fn cases() -> u64 {
    std::env::var("AGON_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(1u64).min(5)
}

#[test]
fn principal_variation_search_is_minimax() {
    everywhere(|name| Check {
        name: name.to_owned(),
        games: 6 * cases(),
        most_leaves: 3000,
        objective: Objective::Win,
    });
}

#[test]
fn so_it_is_when_points_count() {
    everywhere(|name| Check {
        name: name.to_owned(),
        games: 2 * cases(),
        most_leaves: 1000,
        objective: Objective::Points,
    });
}

/// Forced wins, found in three ways and played out.
struct Wins {
    name: String,
    games: u64,
}

impl SearchVisitor for Wins {
    type Output = ();

    fn visit<P: Searchable>(self, start: P) {
        let mut full = Searcher::new(Arc::new(TranspositionTable::new(4)), P::parameters(), Objective::Win);
        wander(&start, self.games, |position, history| {
            let mut depth = 1;
            while agon_rules::perft(position, depth + 1) <= 2000 && depth < 6 {
                depth += 1;
            }
            let forced = minimax::wins(position, history, depth, position.turn());
            let mut prover = Dfpn::new(position, history, 1500);
            let proof = prover.prove(position);
            if forced {
                assert_eq!(proof, Proof::Win, "{}: a win within {depth} moves in {}", self.name, position.text());
            }
            if proof == Proof::Win {
                common::play_out(position, &mut prover, 40, &self.name);
            }
            let limits = Limits { nodes: Some(20_000), ..Limits::default() };
            let report = full.search(position, history, BySide::default(), 1, limits, &mut |_| {}).expect("a game");
            let claim = report.lines[0].score;
            assert!(
                !(proof == Proof::NoWin && claim >= score::PROVEN),
                "{}: the search claims a win in {} moves in {}",
                self.name,
                score::WIN - claim,
                position.text()
            );
            let mut tree = Mcts::new(position.clone(), history);
            tree.grow(300);
            assert!(!(tree.proven() == Some(true) && proof == Proof::NoWin), "{}: {}", self.name, position.text());
            assert!(!(tree.proven() == Some(false) && forced), "{}: {}", self.name, position.text());
        });
    }
}

#[test]
fn forced_wins_are_forced() {
    everywhere(|name| Wins { name: name.to_owned(), games: 2 * cases() });
}

#[test]
fn the_same_nodes_give_the_same_search() {
    struct Twice;
    impl SearchVisitor for Twice {
        type Output = ();
        fn visit<P: Searchable>(self, start: P) {
            let limits = || Limits { nodes: Some(30_000), ..Limits::default() };
            let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(2)), P::parameters(), Objective::Win);
            let mut once = || {
                searcher.forget();
                let report = searcher.search(&start, &[], BySide::default(), 3, limits(), &mut |_| {}).expect("a game");
                (report.depth, report.lines, report.nodes)
            };
            assert_eq!(once(), once());
        }
    }
    everywhere(|_| Twice);
}

/// The same in every build: where a compiler changes a search, it changes how many positions are looked at.
#[test]
fn the_bench_counts_the_nodes_that_are_written() {
    for game in agon_all::GAMES {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(game.name()).join("bench.nodes");
        let written = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let start =
            Start { game: game.name().to_owned(), variant: game.variants()[0].to_owned(), rules: game.rule_sets()[0] };
        let (nodes, _) = bench(&start).expect("a bench");
        assert_eq!(nodes.to_string(), written.trim(), "{}", game.name());
    }
}
