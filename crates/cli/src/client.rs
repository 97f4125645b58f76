//! `agon client`: the clients of the originals, with their options and their bytes.

mod console;

use agon_originals::{
    RelayGame, Server,
    relay::{Asked, ClientCommand, ClientEnd, Console},
};
use clap::Args;

use crate::{describe, error::CliError, interrupt};
pub(crate) use console::Screen;

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
    let command = match ClientCommand::read(relay, arguments)? {
        Asked::Help(text) => {
            Screen::new(false).print(text.trim_end());
            return Ok(());
        }
        Asked::Run(command) => command,
    };
    let stop = interrupt::listen();
    let mut screen = Screen::new(command.bot.is_none()).with_page(command.gui, relay.game())?;
    match command.play(relay, stop, &mut screen)? {
        ClientEnd::Finished => Ok(()),
        ClientEnd::Failed(reason) => Err(CliError::Failed(describe::clean(&reason))),
    }
}
