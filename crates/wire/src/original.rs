//! A game's original program: how its bots, servers and clients speak.

use std::{
    collections::BTreeMap,
    fmt,
    io::{self, BufRead, Write},
    path::Path,
    sync::Arc,
};

use agon_rules::{AnyGame, Side};

use crate::{
    bot::{Bot, GameSetup},
    house::Brain,
    launch::{BotCommand, Launcher},
    protocol::{Language, Protocol},
};

/// A game that knows the programs that were written for its original.
pub trait Original: AnyGame {
    /// How its bots may be spoken to besides UGI, the usual way first.
    fn protocols(&self) -> &'static [Protocol];

    /// A bot that speaks `protocol`, one of [`protocols`](Original::protocols).
    fn bot(&self, protocol: Protocol, program: Program) -> Box<dyn Bot>;

    /// What a submission looks like, for people: `compile.sh, run.sh and writeup.txt`.
    fn form(&self) -> &'static str;

    /// How a submission is built and run: a folder, or a single file, in the form that the original asked for. `None` if it is
    /// not in that form.
    fn recognise(&self, submission: &Path) -> Option<Recipe>;

    /// The names of the files that the original asked for, as far as they decide how a submission is built and run. A file that
    /// is called almost so, or lies deeper, is named to whoever handed it in.
    fn file_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// Speaks the original protocol with a house bot.
    fn serve(&self, call: HouseCall<'_>) -> Result<(), ServeError>;

    /// The original's server, if it had one.
    fn server(&self) -> Option<Server> {
        None
    }

    /// Formats of its courses' tournaments: names and TOML.
    fn presets(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Whether the original's launcher opened a window unless it was told otherwise.
    fn has_window(&self) -> bool {
        false
    }

    /// Translates the options of the original's launcher into those of `agon play`. `None` if there are none among `arguments`.
    fn play_options(&self, _arguments: &[String]) -> Option<Result<Vec<String>, String>> {
        None
    }
}

/// A bot's program, and how to get at it.
pub struct Program {
    /// What the bot is called.
    pub name: String,
    /// How to get at it.
    pub reach: Reach,
    /// Options from its manifest.
    pub options: BTreeMap<String, String>,
    /// What starts processes.
    pub launcher: Arc<dyn Launcher>,
}

/// How to get at a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Start it.
    Start(BotCommand),
    /// It runs somewhere already: `host:port`.
    At(String),
}

impl Reach {
    /// The command, for protocols that are only spoken over pipes. Starting a bot that is somewhere else fails with its address in
    /// the sentence.
    pub fn command(self) -> BotCommand {
        match self {
            Reach::Start(command) => command,
            Reach::At(address) => BotCommand { program: address, ..BotCommand::default() },
        }
    }
}

/// How a submission is built and run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recipe {
    /// How it is spoken to.
    pub protocol: Protocol,
    /// What it is written in.
    pub language: Language,
    /// A shell command that builds it, run once in a copy of the folder.
    pub build: Option<String>,
    /// A shell command that runs it, in that copy.
    pub run: String,
    /// Files of ours that are put into the copy before it is built: path and contents.
    pub files: Vec<(&'static str, &'static str)>,
    /// Options for the bot or for its adapter.
    pub options: BTreeMap<String, String>,
    /// How many threads our own program around the submission has while that thinks in another one.
    pub harness_threads: usize,
}

/// A request to be a bot in the original's way.
pub struct HouseCall<'a> {
    /// Which house bot it is.
    pub name: &'a str,
    /// Arguments after the game's name.
    pub arguments: &'a [String],
    /// Makes a new mind for each game.
    pub brain: &'a mut dyn FnMut(&GameSetup) -> Box<dyn Brain>,
    /// What comes from the other end of a pipe.
    pub input: &'a mut dyn BufRead,
    /// What goes there.
    pub output: &'a mut dyn Write,
}

/// Serving went wrong.
#[derive(Debug)]
pub enum ServeError {
    /// The arguments cannot be understood: what was expected.
    Usage(String),
    /// The other end said what cannot be understood.
    Protocol(String),
    /// The other end is gone, or this machine failed.
    Io(io::Error),
}

impl From<io::Error> for ServeError {
    fn from(error: io::Error) -> ServeError {
        ServeError::Io(error)
    }
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Usage(text) | ServeError::Protocol(text) => f.write_str(text),
            ServeError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ServeError {}

/// What kind of server the original had.
#[derive(Clone, Copy)]
pub enum Server {
    /// A relay between two clients over TCP.
    Relay(&'static dyn RelayGame),
    /// A service over HTTP. The arguments are those after the game's name.
    Http(fn(&[String]) -> Result<HttpServer, ServeError>),
}

/// What the `lines` protocol says of a game in its first line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstLine {
    /// The side of whoever reads it.
    pub side: Side,
    /// The variant.
    pub variant: String,
    /// Seconds for the whole match.
    pub seconds: u64,
}

/// The option of a bot that asks for the first line of another time.
pub const FIRST_LINE: &str = "first-line";

/// A first line that servers of another time sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OlderLine {
    /// The value of the option [`FIRST_LINE`] that asks for it.
    pub name: &'static str,
    /// What it is and when it was sent, for people.
    pub about: &'static str,
}

/// A game whose bots are told the board and the clock in a first line, after which turns alternate.
pub trait LinesGame: Send + Sync {
    /// The first line.
    fn first_line(&self, line: &FirstLine) -> String;

    /// First lines of other times.
    fn older_lines(&self) -> &'static [OlderLine] {
        &[]
    }

    /// The first line as it was in another time: the name of one of [`older_lines`](LinesGame::older_lines).
    fn older_line(&self, line: &FirstLine, _name: &str) -> String {
        self.first_line(line)
    }

    /// Reads a first line; the error says what was expected.
    fn read_first_line(&self, text: &str) -> Result<FirstLine, String>;
}

/// A game that was played over a relay: the server hands the clients' messages on.
pub trait RelayGame: LinesGame {
    /// The game.
    fn game(&self) -> &'static dyn Original;

    /// The server's options that choose the board: without dash, with default and meaning.
    fn board_options(&self) -> &'static [BoardOption];

    /// The variant for values of the board options, in their order. The error is the original's own line.
    fn variant(&self, values: &[u32]) -> Result<String, String>;

    /// Whether the server printed a blank between a message and who sent it. Its log file always had one.
    fn blank_on_stdout(&self) -> bool;
}

/// An option of a relay server that chooses the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardOption {
    /// Its name without the dash.
    pub name: &'static str,
    /// Its value if absent.
    pub default: u32,
    /// What it means.
    pub help: &'static str,
}

/// A service over HTTP, ready to be started.
pub struct HttpServer {
    /// The host to listen on.
    pub host: String,
    /// The port to listen on.
    pub port: u16,
    /// Who answers.
    pub service: Box<dyn HttpService>,
}

/// Answers HTTP requests. What carries them is not its business.
pub trait HttpService: Send + Sync {
    /// Answers one. Several may come at once.
    fn answer(&self, request: &HttpRequest<'_>) -> HttpResponse;
}

/// A request.
#[derive(Clone, Copy, Debug)]
pub struct HttpRequest<'a> {
    /// `GET`, `POST` …
    pub method: &'a str,
    /// The path without the query.
    pub path: &'a str,
    /// The body; bytes that anyone may have sent.
    pub body: &'a [u8],
}

/// An answer: JSON unless `content_type` says otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HttpResponse {
    /// The status code.
    pub status: u16,
    /// What the body is.
    pub content_type: &'static str,
    /// The body.
    pub body: String,
}
