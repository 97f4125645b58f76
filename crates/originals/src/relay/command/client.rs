//! The client's command line.

use std::{
    io,
    net::{TcpStream, ToSocketAddrs},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use agon_rules::quote;

use super::{Asked, ClientError, CommandError};
use crate::{
    ArgumentError, RelayGame,
    relay::{
        ClientEnd, ClientOptions, Console, Player, Starter,
        arguments::{Arguments, Known, number},
        play_at,
    },
};

/// How long the originals wait for each message.
const PATIENCE: u64 = 150;
/// How long to wait before trying to connect again.
const PAUSE: Duration = Duration::from_millis(100);
/// Nobody means more seconds.
const MOST_SECONDS: u64 = 30_000_000;

/// What the client is to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClientCommand {
    /// The file of the bot; without one a person types the turns.
    pub bot: Option<String>,
    /// Whether somebody wants to see the board in a window.
    pub gui: bool,
    host: String,
    port: u16,
    wait: Duration,
    patience: Duration,
}

impl ClientCommand {
    /// Reads the arguments after the game's name.
    ///
    /// # Errors
    /// If they cannot be understood.
    pub fn read(relay: &dyn RelayGame, arguments: &[String]) -> Result<Asked<ClientCommand>, CommandError> {
        let usage_error = |problem| CommandError::Usage { problem, program: "client", game: relay.game().name() };
        let known = ["mode", "wait", "patience", "help", "h"]
            .map(|name| Known { name, has_value: !matches!(name, "help" | "h") });
        let found = Arguments::read(arguments, &known).map_err(usage_error)?;
        if found.has("help") || found.has("h") {
            return Ok(Asked::Help(usage(relay)));
        }
        ClientCommand::of(&found).map(Asked::Run).map_err(usage_error)
    }

    fn of(found: &Arguments) -> Result<ClientCommand, ArgumentError> {
        let (first, second, bot) = match found.positional.as_slice() {
            [first, second] => (first, second, None),
            [first, second, bot] => (first, second, Some(bot.clone())),
            [_, _, _, extra, ..] => return Err(ArgumentError(format!("unexpected argument {}", quote(extra)))),
            _ => {
                let problem = "expected the server's address and port, for example 127.0.0.1 10000";
                return Err(ArgumentError(problem.to_owned()));
            }
        };
        // One of the courses' texts has the port first.
        let swapped = !first.is_empty() && first.chars().all(|letter| letter.is_ascii_digit());
        let (host, port) = if swapped { (second, first) } else { (first, second) };
        let seconds = |name, default, least| found.number(name, default, least, MOST_SECONDS).map(Duration::from_secs);
        Ok(ClientCommand {
            host: host.clone(),
            port: number("port", port, 1, u16::MAX.into())? as u16,
            bot,
            // Anything else is no picture, as in the originals.
            gui: found.options.get("mode").is_some_and(|mode| mode == "GUI"),
            wait: seconds("wait", 0, 0)?,
            patience: seconds("patience", PATIENCE, 1)?,
        })
    }

    /// Plays a game at the server; a person's turns come from stdin.
    ///
    /// # Errors
    /// If the bot cannot be started, the server cannot be reached, or the host fails.
    pub fn play(
        &self,
        relay: &'static dyn RelayGame,
        stop: &AtomicBool,
        console: &mut dyn Console,
    ) -> Result<ClientEnd, ClientError> {
        let player = match &self.bot {
            None => Player::person(io::stdin()),
            Some(file) => {
                Starter::of(file)?.start().map_err(|reason| ClientError::Start { file: file.clone(), reason })?
            }
        };
        let stream = self.connect(stop).map_err(|reason| {
            let (host, port) = (self.host.clone(), self.port);
            ClientError::Unreachable { host, port, reason }
        })?;
        let options = ClientOptions { patience: self.patience, stop };
        play_at(relay, stream, player, options, console).map_err(ClientError::Host)
    }

    /// Connects, again and again for as long as was asked for.
    fn connect(&self, stop: &AtomicBool) -> io::Result<TcpStream> {
        let deadline = Instant::now() + self.wait;
        loop {
            let mut result = Err(io::Error::other("the name has no address"));
            for address in (self.host.as_str(), self.port).to_socket_addrs()? {
                result = TcpStream::connect_timeout(&address, self.patience);
                if result.is_ok() {
                    break;
                }
            }
            match result {
                Err(_) if Instant::now() < deadline && !stop.load(Ordering::Relaxed) => thread::sleep(PAUSE),
                result => return result,
            }
        }
    }
}

fn usage(relay: &dyn RelayGame) -> String {
    let (title, name) = (relay.game().title(), relay.game().name());
    format!(
        "\
A client of {title}'s original: a bot, or a person, at `agon server {name}` or the original's own server.

Usage: agon client {name} IP PORT [EXE] [OPTIONS]

  IP PORT               where the server is; PORT IP is understood too
  EXE                   the bot: a Python file (.py), a shell script (.sh), or an executable file; without
                        it you type the turns

Options of the original:
  -mode GUI|CUI         with GUI a page in the browser shows the board [default: CUI]

Our own:
  --wait SECONDS        go on trying to connect for so long [default: 0]
  --patience SECONDS    how long to wait for each message of the server [default: {PATIENCE}]

Example: agon client {name} 127.0.0.1 10000 run.sh
"
    )
}
