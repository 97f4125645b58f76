//! `agon show` and `agon moves`.

use std::{
    env, fs,
    io::{self, IsTerminal, Write},
    path::PathBuf,
};

use agon_picture::{svg, terminal};
use agon_rules::{AnyPosition, Ending, LegalTurn, Side};
use clap::Args;
use serde_json::Value;

use crate::{describe::round, error::CliError, setup::PositionArgs};

/// Longer lists are refused.
pub(crate) const MOST_TURNS: usize = 100_000;

/// Draw a position in the terminal or as SVG
#[derive(Args)]
pub(crate) struct Show {
    #[command(flatten)]
    position: PositionArgs,
    /// Write the picture to this file as SVG ('-' for stdout) instead of drawing it here
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Use only ASCII characters
    #[arg(long)]
    ascii: bool,
}

impl Show {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let position = self.position.open()?;
        let mut out = io::stdout().lock();
        let picture = position.picture();
        let Some(file) = &self.svg else {
            writeln!(out, "{}", terminal::render(&picture, style(self.ascii)))?;
            writeln!(out, "{}", position.text())?;
            return write_result(&mut out, &*position);
        };
        let image = svg::render(&picture, self.position.game()?.accent());
        if file.as_os_str() == "-" {
            out.write_all(image.as_bytes())?;
            return Ok(());
        }
        fs::write(file, image).map_err(|e| CliError::Host(format!("cannot write {}: {e}", file.display())))
    }
}

fn write_result(out: &mut impl Write, position: &dyn AnyPosition) -> Result<(), CliError> {
    if let Some(outcome) = position.outcome() {
        let points = position.points(Ending::Over(outcome));
        let winner = outcome.winner.map_or("draw".to_owned(), |side: Side| format!("side {} wins", side.number()));
        let reason = outcome.reason;
        writeln!(out, "over: {winner} ({reason}), points {} {}", round(points.first), round(points.second))?;
    }
    Ok(())
}

/// How to draw on stdout: colour only on a terminal, Unicode unless the locale or the user says otherwise.
pub(crate) fn style(ascii: bool) -> terminal::Style {
    let colour = io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    terminal::Style { unicode: !ascii && locale_has_unicode(), colour }
}

fn locale_has_unicode() -> bool {
    let set = |name: &&str| env::var(name).is_ok_and(|value| !value.is_empty());
    let Some(name) = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(set) else { return true };
    let locale = env::var(name).unwrap_or_default().to_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// List the legal turns of a position
#[derive(Args)]
pub(crate) struct Moves {
    #[command(flatten)]
    position: PositionArgs,
    /// Print each turn once, not in every spelling that means the same
    #[arg(long)]
    once: bool,
    /// Print the JSON objects of the original program, where the game has them
    #[arg(long, conflicts_with = "once")]
    objects: bool,
    /// Print a JSON array instead of lines
    #[arg(long)]
    json: bool,
}

impl Moves {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let position = self.position.open()?;
        let turns = position.legal_turns(MOST_TURNS).map_err(CliError::input)?;
        let mut texts: Vec<String> = if self.objects {
            turns.into_iter().map(|turn| turn.object).collect::<Option<_>>().ok_or_else(|| {
                CliError::Input("this game has no second form of its turns; leave out --objects".to_owned())
            })?
        } else {
            turns.into_iter().flat_map(|turn| spellings(turn, self.once)).collect()
        };
        texts.sort_unstable();
        let mut out = io::stdout().lock();
        if self.json {
            writeln!(out, "{}", Value::from(texts))?;
            return Ok(());
        }
        for text in texts {
            writeln!(out, "{text}")?;
        }
        write_result(&mut out, &*position)
    }
}

fn spellings(turn: LegalTurn, once: bool) -> Vec<String> {
    let mut spellings = turn.spellings;
    if once {
        spellings.truncate(1);
    }
    spellings
}
