//! What rating costs: a thousand players, a million matches; beside one plain pass over the same matches, the running Elo.
//!
//! `cargo bench -p agon-rating --bench ratings` prints the table; `-- --save FILE` also writes it.

use std::{
    env, fs,
    time::{Duration, Instant},
};

use agon_rating::{BradleyTerry, CrossTable, EloTable, MatchResult, Ratings, Scale};
use agon_rules::Random;

const MATCHES: usize = 1_000_000;
const ROUNDS: usize = 5;
const SEED: u64 = 2026;

/// What moving first is worth in the simulation, and the weight of draws (a fifth of the matches of equals).
const FIRST_MOVE: f64 = 40.0;
const DRAW_WEIGHT: f64 = 0.5;

type Match = (usize, usize, MatchResult);

fn main() {
    let mut text = "# Cost of ratings\n\n".to_owned();
    text += &machine();
    text += &format!(
        "{MATCHES} simulated matches between random pairs, sides and draws included; medians of {ROUNDS} interleaved rounds, processor time of the one thread;\n\
         by the clock it is more where others are busy.\n\
         One plain pass is the running Elo of the same matches, one after the other.\n\n\
         | players | pairs met | one plain pass | counting | rating | errors of all | together | by the clock | × plain pass |\n\
         |---|---|---|---|---|---|---|---|---|\n"
    );
    for players in [10, 100, 300, 1000] {
        text += &row(players);
    }
    text += "\nGoal: 1,000 players and 1,000,000 matches in less than 2 s.\n";
    print!("{text}");
    let arguments: Vec<String> = env::args().collect();
    if let Some(i) = arguments.iter().position(|argument| argument == "--save") {
        let file = arguments.get(i + 1).expect("a file name after --save");
        fs::write(file, text).unwrap_or_else(|e| panic!("cannot write {file}: {e}"));
    }
}

/// Measures a tournament of so many.
fn row(players: usize) -> String {
    let truth: Vec<f64> = (0..players).map(|player| strength(player, players)).collect();
    let matches = simulate(&truth);
    let settings = BradleyTerry { scale: Scale::Mean(0.0), ..BradleyTerry::default() };
    let mut times: [Vec<Duration>; 5] = Default::default();
    let mut pairs = 0;
    for _ in 0..ROUNDS {
        times[0].push(timed(|| running_elo(players, &matches)).1);
        let start = Instant::now();
        let (table, counting) = timed(|| count(players, &matches));
        let (ratings, rating) = timed(|| settings.rate(&table).expect("ratings"));
        let (_, errors) = timed(|| all_errors(&ratings));
        times[4].push(start.elapsed());
        times[1].push(counting);
        times[2].push(rating);
        times[3].push(errors);
        pairs = table.pairs().count();
    }
    let [plain, counting, rating, errors, clock] = times.map(median);
    let together = counting + rating + errors;
    let ms = |time: Duration| format!("{:.0} ms", time.as_secs_f64() * 1e3);
    format!(
        "| {players} | {pairs} | {} | {} | {} | {} | {} | {} | {:.1} |\n",
        ms(plain),
        ms(counting),
        ms(rating),
        ms(errors),
        ms(together),
        ms(clock),
        together.as_secs_f64() / plain.as_secs_f64()
    )
}

/// Strengths from -600 to 600, evenly.
fn strength(player: usize, players: usize) -> f64 {
    1200.0 * (player as f64 + 0.5) / players as f64 - 600.0
}

/// Matches of random pairs, by the model that the ratings assume.
fn simulate(truth: &[f64]) -> Vec<Match> {
    let mut random = Random::new(SEED);
    (0..MATCHES)
        .map(|_| {
            let first = random.below(truth.len());
            let second = (first + 1 + random.below(truth.len() - 1)) % truth.len();
            let odds = 10f64.powf((truth[first] - truth[second] + FIRST_MOVE) / 400.0);
            let (draw, total) = (DRAW_WEIGHT * odds.sqrt(), odds + 1.0 + DRAW_WEIGHT * odds.sqrt());
            let drawn = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64 * total;
            let result = if drawn < draw {
                MatchResult::Draw
            } else if drawn < draw + odds {
                MatchResult::Win
            } else {
                MatchResult::Loss
            };
            (first, second, result)
        })
        .collect()
}

fn running_elo(players: usize, matches: &[Match]) -> EloTable {
    let mut table = EloTable::new(16.0, vec![0.0; players]).expect("a table");
    for &(first, second, result) in matches {
        table.record(first, second, result);
    }
    table
}

fn count(players: usize, matches: &[Match]) -> CrossTable {
    let mut table = CrossTable::new(players);
    for &(first, second, result) in matches {
        table.record(first, second, result);
    }
    table
}

fn all_errors(ratings: &Ratings) -> f64 {
    (0..ratings.values().len()).map(|player| ratings.of(player).error()).sum()
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = processor_time();
    let result = std::hint::black_box(work());
    (result, processor_time() - start)
}

/// What this thread has had of a core so far: others may be busy beside it.
fn processor_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux says what a thread has used");
    let nanoseconds = text.split(' ').next().and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.expect("a number of nanoseconds"))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// The machine and what else it was doing.
fn machine() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = cpu
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map_or("unknown", |(_, name)| name);
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    format!(
        "Machine: {name}, {cores} cores. Load average at the start: {}.\n\n",
        load.split(' ').next().unwrap_or("unknown")
    )
}
