//! `agon match`.

use clap::Args;

use crate::error::CliError;

/// Play matches between two bots
#[derive(Args)]
pub(crate) struct Match {}

impl Match {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        Ok(())
    }
}
