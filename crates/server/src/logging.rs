//! What the arena says of itself, on stderr: a line for each event.

use std::{io, str::FromStr};

use thiserror::Error;
use tracing::{Level, subscriber::set_global_default};

/// What lines of the log look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// A JSON object a line.
    Json,
}

/// A word that names no format.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("expected 'text' or 'json', found '{}'", .0.escape_debug())]
pub struct UnknownLogFormat(String);

impl FromStr for LogFormat {
    type Err = UnknownLogFormat;

    fn from_str(text: &str) -> Result<LogFormat, UnknownLogFormat> {
        match text {
            "text" => Ok(LogFormat::Text),
            "json" => Ok(LogFormat::Json),
            other => Err(UnknownLogFormat(other.to_owned())),
        }
    }
}

/// Sends everything that this process logs to stderr. A process that has a log already keeps it.
pub(crate) fn log_to_stderr(format: LogFormat) {
    let log = tracing_subscriber::fmt()
        .with_max_level(Level::INFO)
        .with_writer(io::stderr)
        .with_target(false)
        .with_ansi(false)
        // A reader who has gone away must not end the arena.
        .log_internal_errors(false);
    // The only error is that there is a log already.
    let _ = match format {
        LogFormat::Text => set_global_default(log.finish()),
        LogFormat::Json => {
            set_global_default(log.json().flatten_event(true).with_span_list(false).with_current_span(true).finish())
        }
    };
}
