//! Lines that somebody types, or that come through a pipe.

use std::{
    io::{self, BufRead, IsTerminal, Read, Write},
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

use crate::{describe, error::CliError};

/// No line that anyone means is longer.
const LONGEST_LINE: u64 = 16 << 10;

/// Reads a number of an option. One below 0 is none of these, which is said instead of something about options.
pub(crate) fn whole_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 up, found {}", agon_rules::quote(text)))
}

/// What came of waiting for a line.
pub(crate) enum Heard {
    /// A line, without blanks at its ends.
    Line(String),
    /// There will be no more lines.
    End,
    /// Nothing came in time.
    TimeUp,
}

/// Stdin by lines. A thread of its own reads it, so that a clock can run out while somebody thinks.
pub(crate) struct Input {
    lines: Receiver<String>,
    echo: bool,
}

impl Input {
    /// Takes stdin.
    pub(crate) fn stdin() -> Input {
        // Without room in the channel nothing is read ahead beyond the next line.
        let (sender, lines) = sync_channel(0);
        thread::spawn(move || {
            while let Some(line) = read_line() {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Input { lines, echo: !io::stdin().is_terminal() }
    }

    /// Asks for a line and waits for it. Lines from a pipe are printed behind the question, where a terminal would show them.
    pub(crate) fn ask(
        &self,
        out: &mut dyn Write,
        question: &str,
        patience: Option<Duration>,
    ) -> Result<Heard, CliError> {
        write!(out, "{question}")?;
        out.flush()?;
        let heard = self.wait(patience);
        match &heard {
            Heard::Line(line) if self.echo => writeln!(out, "{}", describe::clean(line))?,
            Heard::End | Heard::TimeUp if !question.is_empty() => writeln!(out)?,
            _ => {}
        }
        Ok(heard)
    }

    fn wait(&self, patience: Option<Duration>) -> Heard {
        let got = match patience {
            None => self.lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(patience) => self.lines.recv_timeout(patience),
        };
        match got {
            Ok(line) => Heard::Line(line),
            Err(RecvTimeoutError::Disconnected) => Heard::End,
            Err(RecvTimeoutError::Timeout) => Heard::TimeUp,
        }
    }
}

/// The next line; `None` at the end, and also where stdin cannot be read.
fn read_line() -> Option<String> {
    let mut bytes = Vec::new();
    let count = io::stdin().lock().take(LONGEST_LINE).read_until(b'\n', &mut bytes).ok()?;
    (count > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned())
}
