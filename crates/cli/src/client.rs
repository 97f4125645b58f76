//! `agon client`: the clients of the originals, with their options and their bytes.

use clap::Args;

use crate::error::CliError;

/// Be the client of a game's original: a bot, or a person, at a server somewhere
#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Client {
    /// The game's short name: see `agon games`
    game: String,
    /// The original's own arguments; `--help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

impl Client {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let _ = (&self.game, &self.arguments);
        Err(CliError::Host("not there yet".to_owned()))
    }
}
