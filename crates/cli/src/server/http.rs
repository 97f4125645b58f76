//! Carries HTTP requests to a service.

use agon_wire::{HttpServer, ServeError};

use crate::error::CliError;

pub(super) fn run(
    _start: fn(&[String]) -> Result<HttpServer, ServeError>,
    _arguments: &[String],
) -> Result<(), CliError> {
    Err(CliError::Host("not there yet".to_owned()))
}
