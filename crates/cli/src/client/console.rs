//! Where relay servers and clients write: the original's lines to stdout, everything else to stderr.

use std::{
    env,
    io::{self, IsTerminal, Write},
};

use agon_originals::{Original, relay::Console};
use agon_picture::terminal::Style;
use agon_rules::AnyPosition;

use crate::{describe, error::CliError, show, window::Window};

/// Stdout, stderr, and the board on stderr if it is wanted.
pub(crate) struct Screen {
    board: Option<Style>,
    window: Option<Window>,
}

impl Screen {
    pub(crate) fn new(draws: bool) -> Screen {
        let colour = io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Screen { board: draws.then(|| Style { colour, ..show::style(false) }), window: None }
    }

    /// Shows the boards on a page, too, if `wanted`.
    pub(crate) fn with_page(mut self, wanted: bool, game: &'static dyn Original) -> Result<Screen, CliError> {
        if wanted {
            self.window = Some(Window::open(game)?);
        }
        Ok(self)
    }
}

/// A terminal that is gone is no reason to leave a game.
impl Console for Screen {
    fn print(&mut self, line: &str) {
        let mut out = io::stdout().lock();
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }

    fn tell(&mut self, sentence: &str) {
        let _ = writeln!(io::stderr(), "agon: {}", describe::clean(sentence));
    }

    fn show(&mut self, variant: &str, position: &dyn AnyPosition) {
        if let Some(window) = &mut self.window {
            window.show(variant, position);
        }
        if let Some(style) = self.board {
            let _ = writeln!(io::stderr(), "\n{}", describe::board(position, style));
        }
    }
}
