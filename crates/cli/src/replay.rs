//! `agon replay`.

use clap::Args;

use crate::error::CliError;

/// Step through a record in the terminal
#[derive(Args)]
pub(crate) struct Replay {}

impl Replay {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        Ok(())
    }
}
