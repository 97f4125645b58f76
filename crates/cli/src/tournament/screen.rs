//! What the terminal shows of a tournament.

use std::{
    io::{IsTerminal, Write},
    time::{Duration, Instant},
};

use agon_rules::inert;
use agon_tournament::{News, Preparing, StoredTournament, text};
use clap::Args;

use super::Database;
use crate::error::CliError;

/// The screen is redrawn no more often than this.
const REDRAW: Duration = Duration::from_millis(250);

/// Where a tournament stands; without a name, all of them
#[derive(Args)]
pub(crate) struct Status {
    /// The name of the tournament
    name: Option<String>,
    #[command(flatten)]
    database: Database,
}

impl Status {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut out = std::io::stdout().lock();
        let Some(name) = &self.name else { return self.all(&mut out) };
        let held = self.database.look(name)?;
        let state = held.state();
        writeln!(out, "{}", text::summary(&held, &state))?;
        write!(out, "{}", text::stages_and_standings(&held.plan, &state))?;
        Ok(())
    }

    fn all(&self, out: &mut dyn Write) -> Result<(), CliError> {
        let place = self.database.place();
        let names = place.names()?;
        if names.is_empty() {
            let path = place.path()?.display();
            writeln!(out, "There are no tournaments in {path} yet: see `agon tournament new --help`.")?;
        }
        for name in names {
            let held = place.look(&name)?;
            writeln!(out, "{}", text::summary(&held, &held.state()))?;
        }
        Ok(())
    }
}

/// Shows how bots are prepared: how far it is only on a terminal, warnings always.
pub(crate) fn prepare_on_screen(news: Preparing) {
    let screen = std::io::stderr();
    let live = screen.is_terminal();
    let _ = match news {
        Preparing::Warning(warning) => writeln!(screen.lock(), "agon: {}", inert(&warning.to_string())),
        Preparing::Building { team, number, of } if live => {
            write!(screen.lock(), "\r\x1b[Kbuilding {number} of {of}: {}", inert(team))
        }
        Preparing::Starting { done, of } if live => {
            write!(screen.lock(), "\r\x1b[Kstarting each bot once: {done} of {of}")
        }
        Preparing::Done if live => write!(screen.lock(), "\r\x1b[K"),
        Preparing::Building { .. } | Preparing::Starting { .. } | Preparing::Done => Ok(()),
    };
}

/// The live screen of a tournament that is played.
pub(crate) struct Screen {
    text: text::LiveText,
    live: bool,
    drawn: Option<Instant>,
    lines: usize,
}

impl Screen {
    pub(crate) fn new(held: &StoredTournament, slots: usize) -> Screen {
        let live = std::io::stderr().is_terminal();
        Screen { text: text::LiveText::new(held, slots), live, drawn: None, lines: 0 }
    }

    pub(crate) fn hear(&mut self, held: &StoredTournament, news: &News) {
        if matches!(news, News::Paused) {
            self.clear();
            let _ = writeln!(std::io::stderr(), "paused; go on with `agon tournament resume {}`", held.name);
        }
        if self.live && self.drawn.is_none_or(|drawn| drawn.elapsed() >= REDRAW) {
            self.drawn = Some(Instant::now());
            let lines = self.text.lines(held);
            self.clear();
            let _ = writeln!(std::io::stderr(), "{}", lines.join("\n"));
            self.lines = lines.len();
        }
    }

    /// Takes the live part off the screen.
    pub(crate) fn clear(&mut self) {
        if self.lines > 0 {
            let _ = write!(std::io::stderr(), "\x1b[{}A\x1b[J", self.lines);
            self.lines = 0;
        }
    }
}
