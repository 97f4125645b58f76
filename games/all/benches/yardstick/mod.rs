//! What the benchmarks share: the yardstick `cozy-chess`, and what is said about the machine.

use std::{env, fs};

use cozy_chess::Board;

/// How deep chess is counted from its start position.
pub(crate) const CHESS_DEPTH: u32 = 6;
/// What that must come to.
pub(crate) const CHESS_COUNT: u64 = 119_060_324;

/// Nodes a second of `cozy-chess`; `timed` does the work and says how many seconds it took.
pub(crate) fn chess_speed(timed: impl FnOnce(&dyn Fn() -> u64) -> (u64, f64)) -> f64 {
    let (count, time) = timed(&|| chess_perft(&Board::default(), CHESS_DEPTH));
    assert_eq!(count, CHESS_COUNT, "cozy-chess counts wrong");
    count as f64 / time
}

fn chess_perft(board: &Board, depth: u32) -> u64 {
    let mut count = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            count += moves.len() as u64;
        } else {
            for m in moves {
                let mut next = board.clone();
                next.play_unchecked(m);
                count += chess_perft(&next, depth - 1);
            }
        }
        false
    });
    count
}

pub(crate) fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// The machine and what else it was doing.
pub(crate) fn machine() -> String {
    let field = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split_once(':')).map_or("unknown".to_owned(), |(_, value)| value.trim().to_owned())
    };
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("unknown").to_owned();
    format!("Machine: {}, {cores} cores. Load average at the end of the run: {load}.", field(&cpu, "model name"))
}

/// Prints the table; `--save FILE` also writes it.
pub(crate) fn publish(table: &str) {
    print!("{table}");
    if let Some(file) = option("--save") {
        fs::write(&file, table).unwrap_or_else(|e| panic!("cannot write {file}: {e}"));
    }
}

/// What follows `name` on the command line.
pub(crate) fn option(name: &str) -> Option<String> {
    let mut arguments = env::args().skip_while(|argument| argument != name);
    arguments.next().map(|_| arguments.next().unwrap_or_else(|| panic!("something after {name}")))
}
