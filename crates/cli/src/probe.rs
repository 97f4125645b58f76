//! `agon probe`: the rules for any language, over JSON lines.

use std::io;

use agon_probe::{ProbeError, answer_all};
use clap::Args;

use crate::error::CliError;

/// Answer questions about the rules, one JSON object a line
#[derive(Args)]
pub(crate) struct Probe {
    /// The game's short name: see `agon games`
    game: String,
}

impl Probe {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let game = agon_all::find(&self.game).map_err(CliError::input)?;
        answer_all(game, &mut io::stdin().lock(), &mut io::stdout().lock()).map_err(|error| match error {
            ProbeError::Read(_) => CliError::Host(error.to_string()),
            ProbeError::Write(error) => error.into(),
        })
    }
}
