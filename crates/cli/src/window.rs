//! Pages of the arena for games that this program plays or sees.

use std::{
    env,
    io::Write,
    process::{Command, Stdio},
};

use agon_originals::Original;
use agon_rules::AnyPosition;
use agon_server::{ServeError, WatchedGame};

use crate::error::CliError;

/// The page of games of others, which opens with the first position.
pub(crate) struct Window {
    game: WatchedGame,
    presented: bool,
}

impl Window {
    pub(crate) fn open(game: &'static dyn Original) -> Result<Window, CliError> {
        Ok(Window { game: WatchedGame::open(game).map_err(no_page)?, presented: false })
    }

    pub(crate) fn show(&mut self, variant: &str, position: &dyn AnyPosition) {
        self.game.show(variant, position);
        if !self.presented {
            self.presented = true;
            present(&self.game.page());
        }
    }
}

pub(crate) fn no_page(error: ServeError) -> CliError {
    CliError::Host(format!("no page can be shown: {error}"))
}

/// Says where a page is, and shows it if there is a browser to show it with.
pub(crate) fn present(address: &str) {
    let _ = writeln!(std::io::stderr(), "agon: the board is at {address}");
    let has = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    // Without a screen some systems would open a browser in this terminal.
    if has("DISPLAY") || has("WAYLAND_DISPLAY") || has("BROWSER") {
        let program = env::var_os("BROWSER").unwrap_or_else(|| "xdg-open".into());
        let opened =
            Command::new(program).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        // Nobody waits for a browser: it stays when this program ends.
        if let Ok(mut browser) = opened {
            std::thread::spawn(move || browser.wait());
        }
    }
}
