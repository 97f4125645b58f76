//! The relay servers' command line.

use agon_wire::RelayGame;

use crate::error::CliError;

pub(super) fn run(_relay: &'static dyn RelayGame, _arguments: &[String]) -> Result<(), CliError> {
    Err(CliError::Host("not there yet".to_owned()))
}
