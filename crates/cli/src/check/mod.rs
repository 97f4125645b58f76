//! `agon check`: is this bot fit for the official run, and if not, why?

use std::path::PathBuf;

use clap::Args;

use crate::error::CliError;

/// Build a bot, walk it through its protocol, and play it against `random` on both sides
#[derive(Args)]
pub(crate) struct Check {
    /// The bot: a folder, a file, or any other name that `agon match` takes
    path: PathBuf,
    /// The game's short name: see `agon games`; from the bot.toml if absent
    #[arg(long, value_name = "G")]
    game: Option<String>,
}

impl Check {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let _ = (&self.path, &self.game);
        Err(CliError::Host("not there yet".to_owned()))
    }
}
