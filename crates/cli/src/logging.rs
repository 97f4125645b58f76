//! What the crates say of their work, on stderr, for whoever asks for it with `AGON_LOG`.

use std::{env, io};

use tracing::{Level, subscriber::set_global_default};

use crate::error::CliError;

/// The environment variable with the least level that is of interest.
const VARIABLE: &str = "AGON_LOG";

/// Begins the log, if one is wanted. The arena has its own.
pub(crate) fn begin() -> Result<(), CliError> {
    let Some(level) = env::var_os(VARIABLE).filter(|level| !level.is_empty()) else { return Ok(()) };
    let level = level.to_string_lossy();
    let level: Level = level.parse().map_err(|_| {
        let found = agon_rules::quote(&level);
        CliError::Input(format!("{VARIABLE}: expected error, warn, info, debug or trace, found {found}"))
    })?;
    let log = tracing_subscriber::fmt().with_max_level(level).with_writer(io::stderr).with_ansi(false);
    // The only error is that there is a log already. A reader who has gone away must not end the run.
    let _ = set_global_default(log.log_internal_errors(false).finish());
    Ok(())
}
