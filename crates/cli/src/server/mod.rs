//! `agon server`: the servers of the originals, with their options and their bytes.

mod http;
mod relay;

use agon_originals::Server as Kind;
use clap::Args;

use crate::error::CliError;

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
            Some(Kind::Relay(relay)) => relay::run(relay, &self.arguments),
            Some(Kind::Http(start)) => http::run(start, &self.arguments),
            None => Err(CliError::Input(format!(
                "{} had no server of its own; `agon server --help` lists the games that had one",
                game.title()
            ))),
        }
    }
}
