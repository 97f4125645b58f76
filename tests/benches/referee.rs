//! What the referee costs: a turn of a process that answers at once, beside a bare ping-pong over pipes; matches in process.
//!
//! `cargo bench -p agon-cli --bench referee` prints the table; `-- --save FILE` also writes it.

#[path = "matches.rs"]
mod matches;

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use agon_referee::{MatchSpec, NoWatch, play_match};
use agon_wire::{BotCommand, HouseBot, PlainLauncher, Program, RandomBrain, Reach, UgiBot};
use matches::{Stopwatch, quantile, show, spec};

const AGON: &str = env!("CARGO_BIN_EXE_agon");
const ROUNDS: usize = 40;
const PINGS_A_ROUND: usize = 250;

fn main() {
    let spec = spec();
    let mut pings = Vec::new();
    let mut turns = Vec::new();
    let mut waits = Vec::new();
    let mut ping_pong = PingPong::start();
    let cpu_before = own_cpu();
    let mut ping_cpu = Duration::ZERO;
    // Turn by turn about, so that a slow moment of the machine hits both alike.
    for _ in 0..ROUNDS {
        let before = own_cpu();
        pings.extend((0..PINGS_A_ROUND).map(|_| ping_pong.once()));
        ping_cpu += own_cpu() - before;
        let mut watch = Stopwatch::default();
        let played = play_match(&spec, &mut bot(), &mut bot(), &mut watch).expect("a match");
        turns.extend(watch.turns);
        waits.extend(played.turns.iter().filter_map(|turn| turn.wall));
    }
    let cpu_a_turn = (own_cpu() - cpu_before - ping_cpu) / turns.len() as u32;
    let house = matches_in_process(&spec);
    let text = table(&mut pings, &mut turns, &mut waits, cpu_a_turn, house);
    show(&text);
}

fn bot() -> UgiBot {
    let command = BotCommand {
        program: AGON.to_owned(),
        arguments: vec!["bot".to_owned(), "connectx".to_owned()],
        ..BotCommand::default()
    };
    UgiBot::new(Program {
        name: "neighbour".to_owned(),
        reach: Reach::Start(command),
        options: BTreeMap::new(),
        launcher: Arc::new(PlainLauncher::default()),
    })
}

/// A process that sends every line back.
struct PingPong {
    child: std::process::Child,
    answers: BufReader<std::process::ChildStdout>,
}

impl PingPong {
    fn start() -> PingPong {
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("cat starts");
        let answers = BufReader::new(child.stdout.take().expect("a pipe"));
        PingPong { child, answers }
    }

    fn once(&mut self) -> Duration {
        let start = Instant::now();
        self.child.stdin.as_mut().expect("a pipe").write_all(b"go movetime 1000\n").expect("cat reads");
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("cat answers");
        start.elapsed()
    }
}

impl Drop for PingPong {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Processor time of this process so far.
fn own_cpu() -> Duration {
    let text = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0))
}

/// Matches between two random house bots in a second.
fn matches_in_process(spec: &MatchSpec) -> f64 {
    let start = Instant::now();
    let mut count = 0u32;
    while start.elapsed() < Duration::from_secs(2) {
        let mut bots = [1, 2].map(|seed| HouseBot::new(Box::new(RandomBrain::new(seed + u64::from(count)))));
        let [first, second] = &mut bots;
        play_match(spec, first, second, &mut NoWatch).expect("a match");
        count += 1;
    }
    f64::from(count) / start.elapsed().as_secs_f64()
}

fn table(
    pings: &mut [Duration],
    turns: &mut [Duration],
    waits: &mut [Duration],
    cpu_a_turn: Duration,
    house: f64,
) -> String {
    let us = |time: Duration| format!("{:.0} µs", time.as_secs_f64() * 1e6);
    let (ping, ping_99) = (quantile(pings, 0.5), quantile(pings, 0.99));
    let (turn, turn_99) = (quantile(turns, 0.5), quantile(turns, 0.99));
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let mut text = "# Cost of the referee\n\n".to_owned();
    text += &format!("{cores} cores; load average at the end {}.\n", load.split(' ').next().unwrap_or("unknown"));
    text += &format!(
        "{} turns of two UGI processes that answer at once, {} bare pings, interleaved.\n\n",
        turns.len(),
        pings.len()
    );
    text += "| | median | 99th percentile |\n|---|---|---|\n";
    text += &format!("| bare ping-pong over pipes | {} | {} |\n", us(ping), us(ping_99));
    text += &format!("| a turn, everything included | {} | {} |\n", us(turn), us(turn_99));
    text +=
        &format!("| of which waiting for the bot | {} | {} |\n", us(quantile(waits, 0.5)), us(quantile(waits, 0.99)));
    let over = |turn: Duration, ping: Duration| us(turn.saturating_sub(ping));
    text += &format!(
        "| a turn over a ping | {} (goal < 200 µs) | {} (goal < 2000 µs) |\n\n",
        over(turn, ping),
        over(turn_99, ping)
    );
    let share = 100.0 * cpu_a_turn.as_secs_f64();
    text += &format!(
        "Processor time of the referee: {} a turn, {share:.4} % of a turn of 1 s (goal < 1 %).\n",
        us(cpu_a_turn)
    );
    text += &format!("Matches between random house bots, in process, one thread: {house:.0} a second (goal ≥ 1000).\n");
    text
}
