//! Bots that speak the arena's protocol.

use std::sync::Arc;

use agon_rules::{Side, quote};
use agon_wire::{
    Ask, Bot, BotCommand, BotFailure, BotProcess, Budget, Deadline, Fault, GameSetup, Launcher, Moment, Program, Reply,
};

use super::arena;

/// What evidence calls the answer.
const ANSWER: &str = "'row col'";
/// Lines of output after the answer that are kept.
const MOST_STRAY_LINES: usize = 8;

/// A program that is started for every turn, is told the position, and answers by the time it has ended.
pub(super) struct OneshotBot {
    name: String,
    command: BotCommand,
    launcher: Arc<dyn Launcher>,
    swapped: bool,
    /// What the process of a turn that failed wrote to stderr.
    last_stderr: String,
    /// How the process of the last answer ended, if not well.
    last_exit: Option<Fault>,
}

impl OneshotBot {
    pub(super) fn new(program: Program) -> OneshotBot {
        let command = program.reach.command();
        let (swapped, last_stderr, last_exit) = (false, String::new(), None);
        OneshotBot { name: program.name, command, launcher: program.launcher, swapped, last_stderr, last_exit }
    }
}

impl Bot for OneshotBot {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, setup: &GameSetup, _side: Side, _budget: Budget) -> Result<(), BotFailure> {
        self.swapped = setup.swapped;
        self.last_stderr.clear();
        Ok(())
    }

    fn turn(&mut self, ask: &Ask<'_>) -> Result<Reply, BotFailure> {
        let request = arena::request(ask, self.swapped)?;
        let mut process = self.launcher.launch(&self.command)?;
        // The program's own start is part of its thinking; making its process, and a jail for it, is not.
        let start = Moment::now();
        let deadline = ask.patience.map(|patience| Deadline::after(start, patience));
        for line in request {
            process.send(&line);
        }
        // The arena left stdin open; a bot that reads to its end would have waited for ever.
        process.close_stdin();
        let output = process.output_at_exit(deadline, ANSWER);
        let wall = start.elapsed();
        self.last_exit = output.as_ref().ok().and_then(|_| process.failure());
        let answer = output.and_then(|output| Ok((arena::read_answer(&output)?, stray_lines(&output))));
        match answer {
            Ok((turn, stray)) => {
                // Processor time and threads are not given: those of a process that has ended cannot be seen.
                Ok(Reply {
                    turn,
                    wall,
                    stalled: start.stalled(),
                    stray,
                    stderr: process.take_stderr().text(),
                    ..Reply::default()
                })
            }
            Err(failure) => {
                self.last_stderr = process.finish(None).text();
                Err(failure)
            }
        }
    }

    fn failure(&mut self) -> Option<Fault> {
        self.last_exit.clone()
    }

    fn end(&mut self) -> String {
        std::mem::take(&mut self.last_stderr)
    }
}

/// The lines after the one that completes the answer: the first few.
fn stray_lines(output: &str) -> Vec<String> {
    let mut words = 0;
    let answered = output.lines().skip_while(|line| {
        let complete = words >= 2;
        words += line.split_whitespace().count();
        !complete
    });
    answered.filter(|line| !line.trim().is_empty()).take(MOST_STRAY_LINES).map(str::to_owned).collect()
}

/// A program that lives for the whole match. It is told each position in the same words, and answers with a line.
pub(super) struct PersistentBot {
    name: String,
    command: BotCommand,
    launcher: Arc<dyn Launcher>,
    swapped: bool,
    process: Option<BotProcess>,
}

impl PersistentBot {
    pub(super) fn new(program: Program) -> PersistentBot {
        let command = program.reach.command();
        PersistentBot { name: program.name, command, launcher: program.launcher, swapped: false, process: None }
    }
}

impl Bot for PersistentBot {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, setup: &GameSetup, _side: Side, _budget: Budget) -> Result<(), BotFailure> {
        self.swapped = setup.swapped;
        self.process = Some(self.launcher.launch(&self.command)?);
        Ok(())
    }

    fn turn(&mut self, ask: &Ask<'_>) -> Result<Reply, BotFailure> {
        let process = self.process.as_mut().ok_or_else(|| Fault::WouldNotStart("the bot is not running".to_owned()))?;
        let request = arena::request(ask, self.swapped)?;
        if let Some(line) = process.unasked_lines()?.iter().find(|line| !line.trim().is_empty()) {
            let what = format!("an answer that was not asked for: {}", quote(line));
            return Err(Fault::ProtocolViolation(what).into());
        }
        let cpu_before = process.cpu_time();
        let start = Moment::now();
        let deadline = ask.patience.map(|patience| Deadline::after(start, patience));
        for line in request {
            process.send(&line);
        }
        let mut line = process.next_line(deadline, ANSWER)?;
        while line.trim().is_empty() {
            line = process.next_line(deadline, ANSWER)?;
        }
        let wall = start.elapsed();
        let cpu = process.cpu_time().zip(cpu_before).map(|(after, before)| after.saturating_sub(before));
        Ok(Reply {
            turn: arena::read_answer(&line)?,
            wall,
            stalled: start.stalled(),
            cpu,
            stderr: process.take_stderr().text(),
            ..Reply::default()
        })
    }

    fn process(&mut self) -> Option<&mut BotProcess> {
        self.process.as_mut()
    }

    fn end(&mut self) -> String {
        self.process.take().map_or(String::new(), |mut process| process.finish(None).text())
    }
}
