//! How fast the rules are: bulk-counted perft of search moves, and random playouts, beside `cozy-chess` in the same run.
//!
//! `cargo bench -p agon-all` prints the table; `cargo bench -p agon-all -- --save FILE` also writes it. The cases of a game are
//! in its `bench.cases`: `target FLOOR AIM`, then lines `NAME | VARIANT | RULES | DEPTH | start or POSITION`.

mod yardstick;

use std::{
    fs,
    hint::black_box,
    time::{Duration, Instant},
};

use agon_all::GAMES;
use agon_rules::{AnyGame, AnyPosition, Random};
use yardstick::{CHESS_COUNT, CHESS_DEPTH, chess_speed, machine, median, publish};

/// Every round measures everything once, so that a slow moment of the machine hits all alike.
const ROUNDS: usize = 7;
/// How long random games are played in each round.
const PLAYOUT_TIME: Duration = Duration::from_millis(150);

struct Case {
    game: &'static str,
    name: String,
    depth: u32,
    position: Box<dyn AnyPosition>,
    speeds: Vec<f64>,
    ratios: Vec<f64>,
}

struct Target {
    game: &'static str,
    floor: f64,
    aim: f64,
}

fn main() {
    let mut cases = Vec::new();
    let mut targets = Vec::new();
    for game in GAMES {
        let path = format!("{}/../{}/bench.cases", env!("CARGO_MANIFEST_DIR"), game.name());
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        read_cases(*game, &text, &mut cases, &mut targets);
    }
    let mut chess = Vec::new();
    let mut playouts: Vec<Vec<f64>> = vec![Vec::new(); GAMES.len()];
    for round in 0..ROUNDS {
        let speed = chess_speed(|count| timed(count));
        chess.push(speed);
        for case in &mut cases {
            let (count, time) = timed(|| case.position.perft(case.depth));
            case.speeds.push(count as f64 / time);
            case.ratios.push(count as f64 / time / speed);
        }
        for (game, speeds) in GAMES.iter().zip(&mut playouts) {
            speeds.push(playout_speed(*game, round as u64));
        }
    }
    publish(&table(&chess, &cases, &targets, &playouts));
}

fn read_cases(game: &'static dyn AnyGame, text: &str, cases: &mut Vec<Case>, targets: &mut Vec<Target>) {
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(numbers) = line.strip_prefix("target ") {
            let (floor, aim) = numbers.split_once(' ').expect("'target FLOOR AIM'");
            let number = |text: &str| text.parse().expect("a ratio");
            targets.push(Target { game: game.name(), floor: number(floor), aim: number(aim) });
            continue;
        }
        let fields: Vec<&str> = line.splitn(5, " | ").collect();
        let &[name, variant, rules, depth, text] = fields.as_slice() else { panic!("five fields: {line}") };
        let mut position = game.open(variant, rules.parse().expect("a rule set")).expect("a variant");
        if text != "start" {
            position.set_up(text).unwrap_or_else(|e| panic!("{line}: {e}"));
        }
        cases.push(Case {
            game: game.name(),
            name: format!("{name}, {variant} {rules}"),
            depth: depth.parse().expect("a depth"),
            position,
            speeds: Vec::new(),
            ratios: Vec::new(),
        });
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = black_box(work());
    (result, start.elapsed().as_secs_f64())
}

fn playout_speed(game: &dyn AnyGame, seed: u64) -> f64 {
    let start = game.open(game.variants()[0], game.rule_sets()[0]).expect("the default variant");
    let mut random = Random::new(seed);
    let begin = Instant::now();
    let mut games = 0u32;
    while begin.elapsed() < PLAYOUT_TIME {
        black_box(start.playout(&mut random));
        games += 1;
    }
    f64::from(games) / begin.elapsed().as_secs_f64()
}

fn table(chess: &[f64], cases: &[Case], targets: &[Target], playouts: &[Vec<f64>]) -> String {
    let mut text = format!("# Speed of the rules\n\n{}\n\n", machine());
    text += &format!(
        "Medians of {ROUNDS} interleaved rounds, one thread. Perft counts search moves, leaves bulk-counted.\n\n"
    );
    text += "| position | depth | count | M nodes/s | × cozy-chess | floor | aim |\n|---|---|---|---|---|---|---|\n";
    let speed = median(chess) / 1e6;
    text += &format!("| cozy-chess start | {CHESS_DEPTH} | {CHESS_COUNT} | {speed:.0} | 1.00 | | |\n");
    for case in cases {
        let target = targets.iter().find(|target| target.game == case.game);
        let (floor, aim) = target.map_or((String::new(), String::new()), |t| (t.floor.to_string(), t.aim.to_string()));
        let (speed, ratio) = (median(&case.speeds) / 1e6, median(&case.ratios));
        let count = case.position.perft(case.depth);
        let (game, name, depth) = (case.game, &case.name, case.depth);
        text += &format!("| {game}: {name} | {depth} | {count} | {speed:.0} | {ratio:.2} | {floor} | {aim} |\n");
    }
    text += "\n| game (default board) | random games/s |\n|---|---|\n";
    for (game, speeds) in GAMES.iter().zip(playouts) {
        text += &format!("| {} | {:.0} |\n", game.name(), median(speeds));
    }
    text
}
