//! How processes end, and what that means.

use crate::bot::Fault;

/// How a process ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    Code(i32),
    Signal(i32),
    /// It was ended because it used more memory than allowed.
    Memory(String),
    /// It was ended because it used more of something else than allowed.
    Excess(String),
}

impl Exit {
    /// What it means for a bot that ended like this, when something else was expected of it.
    pub(super) fn fault(self, instead: &str) -> Fault {
        match self {
            Exit::Memory(what) => Fault::OutOfMemory(format!("{what} {instead}")),
            Exit::Excess(what) => Fault::OverLimit(format!("{what}, {instead}")),
            Exit::Signal(signal) => Fault::Crash(format!("ended by signal {signal}{} {instead}", signal_name(signal))),
            Exit::Code(0) => Fault::SilentExit(format!("exited with code 0 {instead}")),
            Exit::Code(code) => Fault::Crash(format!("exited with code {code}{} {instead}", code_name(code))),
        }
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => " (illegal instruction)",
        6 => " (abort)",
        8 => " (arithmetic error)",
        9 => " (killed)",
        11 => " (segmentation fault)",
        25 => " (a file grew too large)",
        31 => " (a forbidden system call)",
        15 => " (terminated)",
        _ => "",
    }
}

/// What a shell, which most bots are started with, means by an exit code.
fn code_name(code: i32) -> &'static str {
    match code {
        126 => " (the command cannot be executed)",
        127 => " (the command was not found)",
        _ => "",
    }
}
