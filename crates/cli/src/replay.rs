//! `agon replay`: a record, turn by turn.

mod page;
mod steps;

use std::{
    fmt, fs,
    io::{self, IsTerminal, Write},
    path::PathBuf,
    thread,
    time::Duration,
};

use agon_picture::terminal::Style;
use agon_referee::{Record, RecordError};
use agon_rules::{AnyGame, AnyPosition};
use agon_runs::one_record;
use clap::Args;

use crate::{error::CliError, show::style};

/// Step through a record in the terminal
#[derive(Args)]
pub(crate) struct Replay {
    /// The file with the record; '-' reads stdin
    record: PathBuf,
    /// Which one, if the file holds many: 1 is the first
    #[arg(long = "match", value_name = "N")]
    number: Option<usize>,
    /// Begin after this turn; where there are no steps, print only this position
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Go to the next turn by itself after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = pause)]
    auto: Option<Duration>,
    /// Step by commands although stdin and stdout are no terminal
    #[arg(long)]
    step: bool,
    /// Use only ASCII characters
    #[arg(long)]
    ascii: bool,
}

fn pause(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected a number of seconds up to 3600".to_owned())
}

/// A record with all its positions.
struct Story {
    record: Record,
    game: &'static dyn AnyGame,
    positions: Vec<Box<dyn AnyPosition>>,
    style: Style,
}

impl Replay {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let from_stdin = self.record.as_os_str() == "-";
        let story = self.read(from_stdin)?;
        let last = story.record.turns.len();
        if let Some(at) = self.at.filter(|&at| at > last) {
            return Err(CliError::Input(format!("--at {at}: the record has only {last} turns")));
        }
        let mut out = io::stdout().lock();
        // `agon replay RECORD | less` has a terminal for its input, but nobody would see the questions.
        let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        if (terminal || self.step) && !from_stdin {
            return steps::walk(&story, self.at.unwrap_or(0), self.auto, &mut out);
        }
        match self.at {
            Some(at) => write!(out, "{}", page::position(&story, at, usize::MAX))?,
            None => self.print_all(&story, &mut out)?,
        }
        Ok(())
    }

    fn print_all(&self, story: &Story, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}", page::header(story))?;
        for at in 0..story.positions.len() {
            if let Some(pause) = self.auto.filter(|_| at > 0) {
                out.flush()?;
                thread::sleep(pause);
            }
            write!(out, "\n{}", page::position(story, at, usize::MAX))?;
        }
        Ok(())
    }

    fn read(&self, from_stdin: bool) -> Result<Story, CliError> {
        let file = &self.record;
        let bytes = if from_stdin { read_stdin() } else { fs::read(file) };
        let bytes = bytes.map_err(|e| CliError::Input(format!("cannot read {}: {e}", file.display())))?;
        let wrong = |problem: &dyn fmt::Display| CliError::Input(format!("{}: {problem}", file.display()));
        let text = String::from_utf8(bytes).map_err(|_| wrong(&"this is no text, so it is no record"))?;
        let text = one_record(&text, self.number).map_err(|e| wrong(&e))?;
        let record = Record::parse(&text).map_err(|e| wrong(&e))?;
        let (game, _) = record.start(agon_all::rules).map_err(|e| wrong(&e))?;
        let positions = record.replay(agon_all::rules).map_err(|e| wrong(&with_line(&text, &e)))?;
        Ok(Story { record, game, positions, style: style(self.ascii) })
    }
}

fn read_stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut io::stdin().lock(), &mut bytes)?;
    Ok(bytes)
}

/// A refused turn with the line that it stands in: records number pairs of turns, one pair a line.
fn with_line(text: &str, error: &RecordError) -> String {
    let line = match error {
        RecordError::Turn(number, _) => {
            let beginning = format!("{}. ", number.div_ceil(2));
            text.lines().position(|line| line.starts_with(&beginning))
        }
        _ => None,
    };
    match line {
        Some(line) => format!("line {}, {error}", line + 1),
        None => error.to_string(),
    }
}
