//! `agon client`: the clients of the originals, with their options and their bytes.

mod console;

use std::{
    io,
    net::{TcpStream, ToSocketAddrs},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use agon_originals::{
    ArgumentError, RelayGame, Server,
    relay::{
        ClientEnd, ClientOptions, Console, Player, Starter,
        arguments::{Arguments, Known, number},
        play_at,
    },
};
use agon_rules::quote;
use clap::Args;

use crate::{error::CliError, interrupt};
pub(crate) use console::Screen;

/// How long the originals wait for each message.
const PATIENCE: u64 = 150;
/// How long to wait before trying to connect again.
const PAUSE: Duration = Duration::from_millis(100);
/// Nobody means more seconds.
const MOST_SECONDS: u64 = 30_000_000;

/// Be the client of a game's original: a bot, or a person, at a server somewhere
#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Client {
    /// The game's short name: see `agon games`
    #[arg(allow_hyphen_values = true)]
    game: String,
    /// The original's own arguments; `--help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

impl Client {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        if matches!(self.game.as_str(), "-h" | "--help") {
            Screen::new(false).print(USAGE);
            return Ok(());
        }
        let game = agon_all::find(&self.game).map_err(CliError::input)?;
        match game.server() {
            Some(Server::Relay(relay)) => run(relay, &self.arguments),
            Some(Server::Http(_)) => {
                let name = game.name();
                Err(CliError::Input(format!("bots of {name} connect by themselves: see `agon bot {name} --help`")))
            }
            None => Err(CliError::Input(format!(
                "{} had no clients of its own; `agon server --help` lists the games that had a server",
                game.title()
            ))),
        }
    }
}

const USAGE: &str = "\
Be the client of a game's original: a bot, or a person, at a server somewhere

Usage: agon client GAME IP PORT [EXE] [OPTIONS]

`agon client GAME --help` explains the rest; `agon games` lists the games.";

fn run(relay: &'static dyn RelayGame, arguments: &[String]) -> Result<(), CliError> {
    let usage_error = |problem: ArgumentError| {
        CliError::Input(format!("{problem}\nTry `agon client {} --help`.", relay.game().name()))
    };
    let known =
        ["mode", "wait", "patience", "help", "h"].map(|name| Known { name, has_value: !matches!(name, "help" | "h") });
    let found = Arguments::read(arguments, &known).map_err(usage_error)?;
    if found.has("help") || found.has("h") {
        Screen::new(false).print(usage(relay).trim_end());
        return Ok(());
    }
    Plan::read(&found).map_err(usage_error)?.play(relay)
}

/// What the client is to do.
struct Plan {
    host: String,
    port: u16,
    bot: Option<String>,
    gui: bool,
    wait: Duration,
    patience: Duration,
}

impl Plan {
    fn read(found: &Arguments) -> Result<Plan, ArgumentError> {
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
        Ok(Plan {
            host: host.clone(),
            port: number("port", port, 1, u16::MAX.into())? as u16,
            bot,
            // Anything else is no picture, as in the originals.
            gui: found.options.get("mode").is_some_and(|mode| mode == "GUI"),
            wait: seconds("wait", 0, 0)?,
            patience: seconds("patience", PATIENCE, 1)?,
        })
    }

    fn play(self, relay: &'static dyn RelayGame) -> Result<(), CliError> {
        let stop = interrupt::listen();
        let mut screen = Screen::new(self.bot.is_none()).with_page(self.gui, relay.game())?;
        let player = match &self.bot {
            None => Player::person(io::stdin()),
            Some(file) => Starter::of(file)
                .map_err(CliError::input)?
                .start()
                .map_err(|error| CliError::Input(format!("cannot start the bot {}: {error}", quote(file))))?,
        };
        let stream = self.connect(stop)?;
        let options = ClientOptions { patience: self.patience, stop };
        match play_at(relay, stream, player, options, &mut screen) {
            Ok(ClientEnd::Finished) => Ok(()),
            Ok(ClientEnd::Failed(reason)) => Err(CliError::Failed(crate::describe::clean(&reason))),
            Err(error) => Err(CliError::Host(format!("the connection cannot be used: {error}"))),
        }
    }

    /// Connects, again and again for as long as was asked for.
    fn connect(&self, stop: &AtomicBool) -> Result<TcpStream, CliError> {
        let (host, port) = (self.host.as_str(), self.port);
        let unreachable = |error: io::Error| {
            CliError::Host(format!(
                "no server at {host} port {port}: {error}; is it running? `--wait 10` goes on trying for ten seconds"
            ))
        };
        let deadline = Instant::now() + self.wait;
        loop {
            let addresses = (host, port).to_socket_addrs().map_err(unreachable)?;
            let mut result = Err(io::Error::other("the name has no address"));
            for address in addresses {
                result = TcpStream::connect_timeout(&address, self.patience);
                if result.is_ok() {
                    break;
                }
            }
            match result {
                Err(_) if Instant::now() < deadline && !stop.load(Ordering::Relaxed) => thread::sleep(PAUSE),
                result => return result.map_err(unreachable),
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
