//! Going through a record by commands.

use std::{io::Write, time::Duration};

use super::{Story, page};
use crate::{
    error::CliError,
    input::{Heard, Input},
};

/// How many lines of a bot's stderr leave room for the board.
const NOISE_LINES: usize = 6;
/// How long `auto` stays at a position if nobody says otherwise.
const PAUSE: Duration = Duration::from_secs(1);

const HELP: &str = "\
You can type
  Enter, n     the next turn
  p            the previous one
  a number     the position after that turn; 0 is the beginning
  first, last  the beginning, the end
  auto [S]     go on by itself, S seconds a turn; Enter stops it
  more         all that is known about this turn
  header       who played, and how it ended
  q            leave, as Ctrl-D does
";

/// Shows the record from turn `at` on and does what is typed. With `auto` it goes on by itself at first.
pub(super) fn walk(story: &Story, at: usize, auto: Option<Duration>, out: &mut dyn Write) -> Result<(), CliError> {
    let input = Input::stdin();
    let mut walk = Walk { story, at, auto };
    writeln!(out, "{}Type Enter for the next turn, `help` for more.", page::header(story))?;
    walk.show(out, NOISE_LINES)?;
    loop {
        if walk.at == walk.last() {
            walk.auto = None;
        }
        let question = match walk.auto {
            Some(_) => String::new(),
            None => format!("{}/{}> ", walk.at, walk.last()),
        };
        let goes_on = match input.ask(out, &question, walk.auto)? {
            Heard::End => false,
            Heard::TimeUp => walk.go(out, walk.at + 1)?,
            Heard::Line(_) if walk.auto.take().is_some() => true,
            Heard::Line(line) => walk.obey(out, &line.to_lowercase())?,
        };
        if !goes_on {
            return Ok(());
        }
    }
}

struct Walk<'a> {
    story: &'a Story,
    at: usize,
    /// How long each position stays when it goes on by itself.
    auto: Option<Duration>,
}

impl Walk<'_> {
    fn last(&self) -> usize {
        self.story.record.turns.len()
    }

    fn show(&self, out: &mut dyn Write, most_noise: usize) -> Result<(), CliError> {
        Ok(write!(out, "\n{}", page::position(self.story, self.at, most_noise))?)
    }

    fn go(&mut self, out: &mut dyn Write, to: usize) -> Result<bool, CliError> {
        self.at = to;
        self.show(out, NOISE_LINES)?;
        Ok(true)
    }

    /// Does what was typed; says whether to go on.
    fn obey(&mut self, out: &mut dyn Write, line: &str) -> Result<bool, CliError> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("" | "n" | "next", "") if self.at == self.last() => {
                writeln!(out, "This is the end; `p` goes back, `q` leaves.")?;
            }
            ("" | "n" | "next", "") => return self.go(out, self.at + 1),
            ("p" | "previous" | "back", "") if self.at == 0 => writeln!(out, "This is the beginning.")?,
            ("p" | "previous" | "back", "") => return self.go(out, self.at - 1),
            ("first", "") => return self.go(out, 0),
            ("last", "") => return self.go(out, self.last()),
            ("auto", seconds) => self.start_auto(out, seconds)?,
            ("more", "") => self.show(out, usize::MAX)?,
            ("header", "") => write!(out, "{}", page::header(self.story))?,
            ("help" | "?", "") => write!(out, "{HELP}")?,
            ("q" | "quit" | "exit", "") => return Ok(false),
            (number, "") => match number.parse() {
                Ok(to) if to <= self.last() => return self.go(out, to),
                Ok(_) => writeln!(out, "The record has only {} turns.", self.last())?,
                Err(_) => writeln!(out, "Expected Enter, a number or a command; `help` lists them.")?,
            },
            _ => writeln!(out, "Expected Enter, a number or a command; `help` lists them.")?,
        }
        Ok(true)
    }

    fn start_auto(&mut self, out: &mut dyn Write, seconds: &str) -> Result<(), CliError> {
        let pause = if seconds.is_empty() { Ok(PAUSE) } else { super::pause(seconds) };
        match pause {
            Ok(pause) => {
                self.auto = Some(pause);
                writeln!(out, "Enter stops.")?;
            }
            Err(problem) => writeln!(out, "auto: {problem}")?,
        }
        Ok(())
    }
}
