//! What comes out of a tournament.

use std::{io::Write, path::PathBuf};

use agon_tournament::{Published, text};
use clap::Args;

use super::Database;
use crate::error::CliError;

/// Standings, groups, brackets and ratings: as a page, as a table, as a folder that `agon verify` checks
#[derive(Args)]
pub(crate) struct Results {
    /// The name of the tournament
    name: String,
    /// Print the standings as a table for spreadsheets
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print everything but the records as JSON
    #[arg(long)]
    json: bool,
    /// Write a page that holds everything, every match to replay included, and needs no network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write results.json, standings.csv, report.html and records/ into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Publish what bots wrote to stderr, and all of what was said about bots that could not be built
    #[arg(long)]
    with_stderr: bool,
    #[command(flatten)]
    database: Database,
}

impl Results {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut held = self.database.look(&self.name)?;
        let published = Published::of(&mut held, self.with_stderr).map_err(|e| CliError::Host(e.to_string()))?;
        let written =
            |path: &PathBuf, e: std::io::Error| CliError::Host(format!("cannot write {}: {e}", path.display()));
        let mut out = std::io::stdout().lock();
        if let Some(path) = &self.html {
            std::fs::write(path, published.html()).map_err(|e| written(path, e))?;
        }
        if let Some(path) = &self.out {
            let digest = published.write(path).map_err(|e| written(path, e))?;
            let over = if published.state.is_over() { "" } else { ", as far as they are known," };
            writeln!(out, "The results{over} are in {}.", path.display())?;
            writeln!(out, "Digest of results.json, to be told to whoever wants to verify them: {digest}")?;
        }
        if self.csv {
            write!(out, "{}", published.csv())?;
        } else if self.json {
            writeln!(out, "{:#}", published.json())?;
        } else if self.html.is_none() && self.out.is_none() {
            write!(out, "{}", text::stages_and_standings(&published.plan, &published.state))?;
        }
        Ok(())
    }
}
