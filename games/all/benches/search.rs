//! How fast the search is: nodes a second on one core in middle games of every game, beside `cozy-chess` perft in the same run.
//!
//! `cargo bench -p agon-all --bench search` prints the table; `-- --save FILE` also writes it, `-- --only GAME` leaves out the
//! other games, `-- --rounds N` asks for more or fewer rounds. The positions of a game are in its `bench.games`:
//! `target MILLIONS`, then lines `VARIANT | RULES | TURN; TURN; …`.
//!
//! Time is that of this thread on a core, so that other work of the machine counts as little as possible.

mod yardstick;

use std::{fs, hint::black_box};

use agon_all::GAMES;
use agon_rules::RuleSet;
use agon_search::{AnyEngine, EngineOptions, Limits, thread_time};
use yardstick::{CHESS_COUNT, CHESS_DEPTH, chess_speed, machine, median, option, publish};

/// Every round measures everything once, so that a slow moment of the machine hits all alike.
const ROUNDS: usize = 5;
/// Nodes for each position: enough to fill the table and the histories.
const NODES: u64 = 200_000;

/// All positions of a variant.
struct Case {
    game: &'static str,
    variant: String,
    rules: RuleSet,
    /// Millions of nodes a second that the default board must reach.
    target: Option<f64>,
    games: Vec<Vec<String>>,
    engine: Box<dyn AnyEngine>,
    nodes: u64,
    speeds: Vec<f64>,
    ratios: Vec<f64>,
}

fn main() {
    let only = option("--only");
    let rounds = option("--rounds").map_or(ROUNDS, |number| number.parse().expect("a number of rounds"));
    let mut cases = Vec::new();
    for game in GAMES.iter().filter(|game| only.as_deref().is_none_or(|only| only == game.name())) {
        let path = format!("{}/../{}/bench.games", env!("CARGO_MANIFEST_DIR"), game.name());
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        read_cases(game.name(), &text, &mut cases);
    }
    let mut chess = Vec::new();
    for _ in 0..rounds {
        let speed = chess_speed(|count| timed(count));
        chess.push(speed);
        for case in &mut cases {
            let own = case.speed();
            case.speeds.push(own);
            case.ratios.push(own / speed);
        }
    }
    publish(&table(rounds, &chess, &cases));
}

fn read_cases(game: &'static str, text: &str, cases: &mut Vec<Case>) {
    let mut target = None;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(number) = line.strip_prefix("target ") {
            target = Some(number.parse().expect("millions of nodes a second"));
            continue;
        }
        let fields: Vec<&str> = line.splitn(3, " | ").collect();
        let &[variant, rules, turns] = fields.as_slice() else { panic!("three fields: {line}") };
        let turns = turns.split("; ").map(str::to_owned).collect();
        let rules = rules.parse().expect("a rule set");
        let known = cases.iter_mut().find(|case| (case.game, &*case.variant, case.rules) == (game, variant, rules));
        if let Some(case) = known {
            case.games.push(turns);
            continue;
        }
        let engine = agon_all::find(game)
            .and_then(|game| game.engine(variant, rules, EngineOptions::default()))
            .expect("a variant");
        cases.push(Case {
            game,
            variant: variant.to_owned(),
            rules,
            target: target.take(),
            games: vec![turns],
            engine,
            nodes: 0,
            speeds: Vec::new(),
            ratios: Vec::new(),
        });
    }
}

impl Case {
    /// Searches every position once and says how many nodes a second that were.
    fn speed(&mut self) -> f64 {
        let (mut nodes, mut time) = (0, 0.0);
        for turns in &self.games {
            self.engine.forget();
            self.engine.follow(None, turns).expect("legal turns");
            let limits = Limits { nodes: Some(NODES), ..Limits::default() };
            let (thought, seconds) = timed(|| self.engine.think(1, &limits, &mut |_| {}));
            nodes += thought.expect("a game that goes on").nodes;
            time += seconds;
        }
        self.nodes = nodes;
        nodes as f64 / time
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = thread_time();
    let result = black_box(work());
    (result, (thread_time() - start).as_secs_f64())
}

fn table(rounds: usize, chess: &[f64], cases: &[Case]) -> String {
    let mut text = format!("# Speed of the search\n\n{}\n\n", machine());
    text += &format!(
        "Medians of {rounds} interleaved rounds of {NODES} nodes a position, one thread, its processor time. The best round in \
         brackets.\n\n"
    );
    text += "| board | positions | nodes | M nodes/s | µs a node | × cozy-chess | required |\n|---|---|---|---|---|---|---|\n";
    let speed = median(chess) / 1e6;
    text += &format!("| cozy-chess perft {CHESS_DEPTH} | 1 | {CHESS_COUNT} | {speed:.0} | | 1 | |\n");
    for case in cases {
        let (speed, ratio) = (median(&case.speeds) / 1e6, median(&case.ratios));
        let best = case.speeds.iter().copied().fold(0.0, f64::max) / 1e6;
        let target = case.target.map_or(String::new(), |target| format!("{target}"));
        let (game, variant, rules, nodes, positions) =
            (case.game, &case.variant, case.rules, case.nodes, case.games.len());
        let each = 1.0 / speed;
        text += &format!(
            "| {game} {variant} {rules} | {positions} | {nodes} | {speed:.2} ({best:.2}) | {each:.2} | {ratio:.4} | {target} |\n"
        );
    }
    text
}
