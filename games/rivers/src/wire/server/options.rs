//! What the server is started with.

use std::{path::PathBuf, time::Duration};

use agon_rules::{Game, quote};

use crate::Rivers;

/// The host that only this machine can reach.
pub(super) const HERE: &str = "127.0.0.1";

const USAGE: &str = "\
usage: agon server rivers [PORT] [SIZE] [--host ADDRESS] [--time MINUTES] [--log FILE]

  PORT              where to listen; 8080 if absent, 0 is any free port
  SIZE              small, medium or large: a game is there from the start; without it the first bot, or
                    POST /api/create_game, makes one
  --host ADDRESS    who may connect: 127.0.0.1 (this machine, if absent), 0.0.0.0 (everyone)
  --time MINUTES    for each player's whole game; 2, 3 or 4 by the size if absent
  --log FILE        also keep what is said, and every move, in this file";

pub(super) struct Options {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) size: Option<&'static str>,
    pub(super) time: Option<Duration>,
    pub(super) log: Option<PathBuf>,
}

impl Options {
    /// The error says what was expected.
    pub(super) fn read(arguments: &[String]) -> Result<Options, String> {
        let mut options = Options { host: HERE.to_owned(), port: 8080, size: None, time: None, log: None };
        let mut port = None;
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let (name, joined) = match argument.split_once('=') {
                Some((name, value)) if name.starts_with('-') => (name, Some(value.to_owned())),
                _ => (argument.as_str(), None),
            };
            let mut value =
                || joined.clone().or_else(|| rest.next().cloned()).ok_or(format!("expected a value after {name}"));
            match name {
                "-h" | "--help" => return Err(USAGE.to_owned()),
                "--host" | "-ip" => options.host = value()?,
                "--time" => options.time = Some(minutes(&value()?)?),
                "--log" => options.log = Some(PathBuf::from(value()?)),
                _ if name.starts_with('-') => return Err(format!("unknown option {}\n\n{USAGE}", quote(argument))),
                _ if port.is_none() => port = Some(read_port(argument)?),
                _ if options.size.is_none() => options.size = Some(size(argument)?),
                _ => return Err(format!("unexpected argument {}\n\n{USAGE}", quote(argument))),
            }
        }
        options.port = port.unwrap_or(options.port);
        Ok(options)
    }
}

fn read_port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| format!("port {}: expected a number from 0 to 65535", quote(text)))
}

/// The board of this name.
pub(super) fn size(text: &str) -> Result<&'static str, String> {
    let known = Rivers::VARIANTS.iter().copied().find(|known| *known == text);
    known.ok_or_else(|| format!("board size {}: expected small, medium or large", quote(text)))
}

fn minutes(text: &str) -> Result<Duration, String> {
    let minutes = text.parse().ok().filter(|minutes| (0.0001..=1e6).contains(minutes));
    let time = minutes.and_then(|minutes: f64| Duration::try_from_secs_f64(60.0 * minutes).ok());
    time.ok_or_else(|| format!("--time {}: expected minutes, for example 2 or 0.5", quote(text)))
}
