//! What the arena costs: bytes of a page, a turn while many play, memory for many who look on, a turn while the engine is asked.
//!
//! `cargo bench -p agon-cli --bench arena` prints the table; `-- --save FILE` also writes it.

#[path = "arena/players.rs"]
mod players;
#[path = "../web/program.rs"]
mod program;
#[path = "arena/spectators.rs"]
mod spectators;
#[path = "../web/weight.rs"]
mod weight;

use std::{env, fs, process::Command, time::Duration};

use players::{Players, agent};
use program::Program;
use spectators::Memory;
use tempfile::TempDir;

/// Matches in progress while turns are timed.
const MATCHES: usize = 200;
/// Turns that are timed with nothing else going on.
const TURNS: usize = 2400;
/// Rounds with and without questions to the engine, and turns in each.
const ROUNDS: usize = 3;
const TURNS_A_ROUND: usize = 320;
/// Clients who ask the engine one question after the other.
const ASKERS: usize = 16;
/// People who look on at one match.
const SPECTATORS: usize = 2000;

/// A running arena.
struct Arena {
    site: String,
    program: Program,
    _folder: TempDir,
}

fn open() -> Arena {
    let folder = TempDir::new().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(["serve", "--port", "0", "--db"]).arg(folder.path().join("arena.db"));
    let program = Program::start(&mut command, "http://127.0.0.1:");
    Arena { site: format!("http://127.0.0.1:{}", program.port), program, _folder: folder }
}

fn main() {
    let bytes = heaviest_page(&open());
    let watched = open();
    let memory = spectators::watch(&watched.site, watched.program.pid(), SPECTATORS);
    drop(watched);
    let busy = open();
    let mut players = Players::seat(&busy.site, MATCHES);
    let mut turns = players.play(TURNS);
    let (mut quiet, mut asked) = (Vec::new(), Vec::new());
    let mut answers = 0;
    // Turn by turn about, so that a slow moment of the machine hits both alike.
    for _ in 0..ROUNDS {
        quiet.extend(players.play(TURNS_A_ROUND));
        let (times, answered) = players::while_asking(&busy.site, ASKERS, || players.play(TURNS_A_ROUND));
        asked.extend(times);
        answers += answered;
    }
    let text = table(bytes, &memory, &mut turns, &mut quiet, &mut asked, answers);
    print!("{text}");
    let arguments: Vec<String> = env::args().collect();
    if let Some(i) = arguments.iter().position(|argument| argument == "--save") {
        let file = arguments.get(i + 1).expect("a file name after --save");
        fs::write(file, text).unwrap_or_else(|e| panic!("cannot write {file}: {e}"));
    }
}

/// Bytes for the page of a match, of the game where they are most.
fn heaviest_page(arena: &Arena) -> usize {
    let agent = agent();
    let bytes = agon_all::GAMES.iter().map(|game| {
        let id = players::begin(&agent, &arena.site, game.name());
        weight::transferred(&agent, &arena.site, &format!("/match/{id}"))
    });
    bytes.max().unwrap_or(0)
}

fn quantile(times: &mut [Duration], share: f64) -> Duration {
    times.sort();
    times[((times.len() - 1) as f64 * share) as usize]
}

fn table(
    bytes: usize,
    memory: &Memory,
    turns: &mut [Duration],
    quiet: &mut [Duration],
    asked: &mut [Duration],
    answers: usize,
) -> String {
    let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
    let mb = |kibibytes: u64| format!("{:.0} MB", kibibytes as f64 * 1024.0 / 1e6);
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let (median, last) = (quantile(turns, 0.5), quantile(turns, 0.99));
    let mut text = "# Cost of the arena\n\n".to_owned();
    text += &format!("{cores} cores, shared with those who play, look on and ask; ");
    text += &format!("load average at the end {}.\n\n", load.split(' ').next().unwrap_or("unknown"));
    text += &format!("A page with a board, everything included, compressed: {:.1} KB at most", bytes as f64 / 1000.0);
    text += " (goal ≤ 80 KB).\n\n";
    text += "A turn against `random`, from sending it to the event with the answer:\n\n";
    text += "| | turns | median | 99th percentile |\n|---|---|---|---|\n";
    text += &format!(
        "| {MATCHES} matches in progress | {} | {} (goal < 10 ms) | {} (goal < 50 ms) |\n",
        turns.len(),
        ms(median),
        ms(last)
    );
    for (name, times) in [("the same, in rounds", &mut *quiet), ("with questions to the engine", &mut *asked)] {
        text +=
            &format!("| {name} | {} | {} | {} |\n", times.len(), ms(quantile(times, 0.5)), ms(quantile(times, 0.99)));
    }
    let ratio = |share| quantile(asked, share).as_secs_f64() / quantile(quiet, share).as_secs_f64().max(1e-9);
    let [at_half, at_end] = [0.5, 0.99].map(ratio);
    text += &format!("| ratio of the two | | {at_half:.2} | {at_end:.2} |\n\n");
    text += &format!("The questions came from {ASKERS} clients at once, who got {answers} answers.\n\n");
    text += &format!(
        "Memory of the arena: {} before, {} with {SPECTATORS} who look on at one match, {} after a turn that all of them saw \
         (goal < 200 MB); the last of them saw it {} after it was sent.\n",
        mb(memory.before),
        mb(memory.idle),
        mb(memory.after_a_turn),
        ms(memory.last_heard)
    );
    text
}
