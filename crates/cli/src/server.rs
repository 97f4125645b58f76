//! `agon server`: the servers of the originals, with their options and their bytes.

use std::{
    io::{self, Write},
    net::SocketAddr,
    sync::mpsc,
};

use agon_originals::{
    HttpServer, RelayGame, ServeError, Server as Kind,
    relay::{Asked, Console, ServerCommand, ServerEnd},
};
use clap::Args;

use crate::{client::Screen, describe, error::CliError};

/// Be the server of a game's original: the same options, the same bytes, without its crashes
#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Server {
    /// The game's short name: see `agon games`
    #[arg(allow_hyphen_values = true)]
    game: String,
    /// The original's own arguments; `--help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

impl Server {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        if ["-h", "--help"].contains(&self.game.as_str()) {
            let games = agon_all::GAMES.iter().filter(|game| game.server().is_some());
            let names: Vec<&str> = games.map(|game| game.name()).collect();
            println!("usage: agon server GAME ARGUMENTS\n\nGAME is one of {}.", names.join(", "));
            println!("`agon server GAME --help` lists the arguments, which are those of the original.");
            return Ok(());
        }
        let game = agon_all::find(&self.game).map_err(CliError::input)?;
        match game.server() {
            Some(Kind::Relay(relay)) => carry_messages(relay, &self.arguments),
            Some(Kind::Http(start)) => answer_requests(start, &self.arguments),
            None => Err(CliError::Input(format!(
                "{} had no server of its own; `agon server --help` lists the games that had one",
                game.title()
            ))),
        }
    }
}

fn carry_messages(relay: &'static dyn RelayGame, arguments: &[String]) -> Result<(), CliError> {
    let mut screen = Screen::new(false);
    let command = match ServerCommand::read(relay, arguments, &mut screen)? {
        Asked::Help(text) => {
            screen.print(text.trim_end());
            return Ok(());
        }
        Asked::Run(command) => command,
    };
    let mut screen = Screen::new(command.judge.is_some()).with_page(command.gui, relay.game())?;
    match command.serve(relay, &mut screen)? {
        ServerEnd::Finished => Ok(()),
        ServerEnd::ClientFailed(reason) => Err(CliError::Failed(describe::clean(&reason))),
        ServerEnd::LogFailed(reason) => Err(CliError::Host(reason)),
    }
}

fn answer_requests(
    start: fn(&[String]) -> Result<HttpServer, ServeError>,
    arguments: &[String],
) -> Result<(), CliError> {
    let asks_for_help = || arguments.iter().any(|argument| argument == "--help" || argument == "-h");
    let server = match start(arguments) {
        Ok(server) => server,
        Err(ServeError::Usage(usage)) if asks_for_help() => {
            println!("{usage}");
            return Ok(());
        }
        Err(ServeError::Usage(problem) | ServeError::Protocol(problem)) => return Err(CliError::Input(problem)),
        Err(ServeError::Io(error)) => return Err(CliError::Host(error.to_string())),
    };
    // Only Ctrl-C or a signal to end comes through here.
    let (stop, stopped) = mpsc::channel();
    let on_signal = move || {
        let _ = stop.send(());
    };
    ctrlc::set_handler(on_signal).map_err(|e| CliError::Host(format!("cannot wait for Ctrl-C: {e}")))?;
    let wait = || {
        let _ = stopped.recv();
    };
    agon_server::serve_original(server, announce, wait).map_err(|error| CliError::Host(error.to_string()))
}

/// A closed stdout does not stop a server.
fn announce(address: SocketAddr) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "http://{address}").and_then(|()| out.flush());
}
