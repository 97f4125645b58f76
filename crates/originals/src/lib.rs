//! What exists because the games had original programs: how those spoke to bots, what was handed in, their servers and clients, the
//! options of their launchers, and the tournaments of their courses.
//!
//! A game says what it has of this by implementing [`Original`]; one that belongs to no course has nothing to say.

mod http;
mod launcher;
mod lines;
pub mod relay;
mod serve;
mod submission;

pub use http::{HttpRequest, HttpResponse, HttpServer, HttpService};
pub use launcher::PlayLauncher;
pub use lines::{
    FIRST_LINE, FirstLine, FirstLineError, LINES, LinesBot, LinesGame, OlderLine, lines_protocol, serve_lines,
};
pub use relay::{BoardOption, NoSuchBoard, RelayGame, arguments::ArgumentError};
pub use serve::{HouseCall, ServeError};
pub use submission::{Recipe, SHELL_FILES, ShellSubmissions, Submissions, beginning_of};

use std::iter;

use agon_rules::{AnyGame, quote};
use agon_wire::{Protocol, UGI};

/// A game, and what it has of an original. Each part is a value of its own; a game without an original has none of them.
pub trait Original: AnyGame {
    /// How its bots may be spoken to besides UGI, the usual way first.
    fn protocols(&self) -> &'static [&'static Protocol] {
        &[]
    }

    /// Speaks one of these protocols with a house bot.
    fn player(&self) -> Option<Player> {
        None
    }

    /// What its courses had handed in.
    fn submissions(&self) -> Option<&'static dyn Submissions> {
        None
    }

    /// The server of its course.
    fn server(&self) -> Option<Server> {
        None
    }

    /// The program that started a game on a screen.
    fn launcher(&self) -> Option<&'static dyn PlayLauncher> {
        None
    }

    /// The tournaments of its courses.
    fn presets(&self) -> &'static [Preset] {
        &[]
    }

    /// Its courses: what they ask for, and what they give.
    fn courses(&self) -> &'static [Preset] {
        &[]
    }
}

/// A function that is a bot in the original's way.
pub type Player = fn(HouseCall<'_>) -> Result<(), ServeError>;

/// The format of a course's tournament, or of a course.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// What command lines call it.
    pub name: &'static str,
    /// The format, in TOML.
    pub format: &'static str,
}

/// What kind of server the original had.
#[derive(Clone, Copy)]
pub enum Server {
    /// A relay between two clients over TCP.
    Relay(&'static dyn RelayGame),
    /// A service over HTTP. The arguments are those after the game's name.
    Http(fn(&[String]) -> Result<HttpServer, ServeError>),
}

/// The protocol of this name that bots of a game may speak.
///
/// # Errors
/// If they speak none of this name.
pub fn protocol(game: &dyn Original, name: &str) -> Result<&'static Protocol, UnknownProtocol> {
    let known = || iter::once(&UGI).chain(game.protocols().iter().copied());
    known().find(|protocol| protocol.name == name).ok_or_else(|| {
        let names: Vec<String> = known().map(|protocol| format!("'{protocol}'")).collect();
        UnknownProtocol { game: game.name(), name: quote(name), known: names.join(", ") }
    })
}

/// A protocol that bots of a game do not speak.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("bots of {game} speak {known}, not {name}")]
pub struct UnknownProtocol {
    game: &'static str,
    name: String,
    known: String,
}
