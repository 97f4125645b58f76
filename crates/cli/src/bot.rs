//! `agon bot`: a house bot for others to play with.

use std::io;

use agon_wire::serve_ugi;
use clap::Args;

use crate::{error::CliError, house};

/// Be a bot: speak UGI on stdin and stdout with a house bot's mind
#[derive(Args)]
pub(crate) struct Bot {
    /// The game's short name: see `agon games`
    game: String,
    /// Which house bot
    #[arg(long, default_value = "random", value_parser = clap::builder::PossibleValuesParser::new(house::NAMES))]
    level: String,
    /// Where its random choices begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Bot {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let game = agon_all::find(&self.game).map_err(CliError::input)?;
        let mut brain = |_: &agon_wire::GameSetup| house::think(&self.level, self.seed);
        serve_ugi(game, &mut brain, io::stdin().lock(), io::stdout().lock())?;
        Ok(())
    }
}
