//! `agon check`: is this bot fit for the official run, and if not, why?

use std::io::{self, Write};

use agon_check::{CheckError, Request, check};
use agon_referee::TimeControl;
use agon_rules::RuleSet;
use clap::Args;

use crate::{contain::Contain, error::CliError, interrupt, show::style};

/// Build a bot, walk it through its protocol, and play it against `random` on both sides
///
/// The bot is judged by the limits of the official run, but told a shorter clock of the same kind where it can live with that, so
/// that a check takes less than a minute. If it fails there, it is tried at the official clock before anything is said. The exit code
/// is 0 if it completes both matches without a fault, whatever the result; else 1, and the first fault is
/// explained.
#[derive(Args)]
pub(crate) struct Check {
    /// The bot: a folder, a file, or any other name that `agon match` takes
    #[arg(value_name = "PATH")]
    path: String,
    /// The game's short name: see `agon games`; from the bot.toml if absent
    #[arg(long, value_name = "G")]
    game: Option<String>,
    /// The board and parameters; the game's default if absent
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// The rule set, `text` or `server`; `text` unless the bot speaks an original protocol
    #[arg(long, value_name = "R")]
    rules: Option<RuleSet>,
    /// Play both matches to their end under this very clock, as `agon match --tc` takes it
    #[arg(long, value_name = "TC", allow_hyphen_values = true)]
    tc: Option<TimeControl>,
    /// End with a line of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    contain: Contain,
}

impl Check {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        interrupt::listen();
        let request = Request {
            bot: &self.path,
            game: self.game.as_deref(),
            variant: self.variant.as_deref(),
            rules: self.rules,
            time: self.tc,
            containment: self.contain.containment()?,
            contain_options: self.contain.options().repeated(),
            style: style(false),
        };
        let verdict = check(request, Box::new(io::stdout()))?;
        let mut out = io::stdout().lock();
        out.write_all(verdict.text().as_bytes())?;
        if self.json {
            writeln!(out, "{}", verdict.json())?;
        }
        out.flush()?;
        verdict.failure().map_or(Ok(()), |failure| Err(CliError::Failed(failure)))
    }
}

impl From<CheckError> for CliError {
    fn from(error: CheckError) -> CliError {
        match error {
            CheckError::Input(problem) => CliError::Input(problem),
            CheckError::Bot(error) => error.into(),
            CheckError::Host(_) => CliError::Host(error.to_string()),
        }
    }
}
