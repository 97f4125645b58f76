//! The processes that a bot consists of, as the system sees them.
//!
//! A submission is often a shell script that starts the real program, so the process that the referee knows tells little: its
//! children count too. Where there is no `/proc` nothing is seen, and nothing is warned of.

use std::{fs, time::Duration};

use agon_sandbox::Process;

/// All processes that this one has started, and those that they have started.
pub(crate) fn descendants() -> Vec<Process> {
    let all = agon_sandbox::descendants(std::process::id());
    all.into_iter().filter(|&(number, _)| !guards(number)).map(|(_, process)| process).collect()
}

/// Whether a process guards a bot and is no part of it.
fn guards(number: u32) -> bool {
    let line = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
    let line = String::from_utf8_lossy(&line);
    let mut words = line.trim_end_matches('\0').rsplit('\0');
    words.next() == Some(agon_sandbox::WARDEN_COMMAND)
}

/// Processor time of them all.
pub(crate) fn cpu_time() -> Option<Duration> {
    let processes = descendants();
    (!processes.is_empty()).then(|| processes.iter().map(Process::cpu).sum())
}
