//! `agon play`.

use clap::Args;

use crate::error::CliError;

/// Play in the terminal
#[derive(Args)]
pub(crate) struct Play {}

impl Play {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        Ok(())
    }
}
