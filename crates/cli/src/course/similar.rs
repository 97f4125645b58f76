//! Submissions that are alike.

use std::{io::Write, path::PathBuf};

use agon_course::{similar, similar_page};
use clap::Args;

use super::Folder;
use crate::error::CliError;

/// List pairs of submissions that are alike, for you to look at; it accuses nobody
#[derive(Args)]
pub(super) struct Similar {
    /// The least share of the smaller submission that the other one has, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    threshold: f64,
    /// Write a page with both passages beside each other
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    folder: Folder,
}

impl Similar {
    pub(super) fn run(&self) -> Result<(), CliError> {
        if !(0.0..=1.0).contains(&self.threshold) {
            return Err(CliError::Input(format!("expected a threshold from 0 to 1, found {}", self.threshold)));
        }
        let folder = self.folder.open()?;
        let pairs = similar(&folder, &agon_server::kits::texts(&folder.course.game), self.threshold);
        let mut out = std::io::stdout().lock();
        for pair in &pairs {
            let [one, other] = pair.teams.each_ref().map(|team| agon_rules::inert(team));
            writeln!(out, "{:>3.0} %  {one} and {other}: {} runs in common", 100.0 * pair.share, pair.common)?;
            for [left, right] in pair.passages.iter().take(3) {
                let [left, right] = [left, right]
                    .map(|passage| format!("{} {}-{}", agon_rules::inert(&passage.file), passage.first, passage.last));
                writeln!(out, "       {left}  {right}")?;
            }
        }
        writeln!(out, "Pairs that are alike by {:.0} % or more: {}.", 100.0 * self.threshold, pairs.len())?;
        if let Some(path) = &self.html {
            let written = std::fs::write(path, similar_page(&folder.course.title, &pairs));
            written.map_err(|error| CliError::Host(format!("cannot write {}: {error}", path.display())))?;
        }
        Ok(())
    }
}
