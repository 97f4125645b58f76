//! What each team is told.

use std::{io::Write, path::PathBuf};

use agon_course::{FeedbackOptions, feedback};
use clap::Args;

use super::Folder;
use crate::{error::CliError, progress::progress};

/// Write a page and a text for each team: formalities, marks, every match, the turns that lost
#[derive(Args)]
pub(super) struct Feedback {
    /// Where to: a folder in it for each team; `feedback` in the course's folder if absent
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only for this team, by its name or the entry number of a member
    #[arg(long, value_name = "TEAM")]
    team: Option<String>,
    /// Nodes for each position; a turn that is named is looked at with ten times as many
    #[arg(long, value_name = "N", default_value_t = FeedbackOptions::default().nodes, value_parser = clap::value_parser!(u64).range(100..=10_000_000))]
    nodes: u64,
    /// Nodes for each team and phase; lost matches are analysed until they are spent
    #[arg(long, value_name = "N", default_value_t = FeedbackOptions::default().budget)]
    budget: u64,
    #[command(flatten)]
    folder: Folder,
}

impl Feedback {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let folder = self.folder.open()?;
        let out = self.out.clone().unwrap_or_else(|| folder.path.join("feedback"));
        let bar = progress(true);
        let options = FeedbackOptions { nodes: self.nodes, budget: self.budget };
        let written = feedback(&folder, &out, self.team.as_deref(), options, &mut |team, number, of| {
            bar.set_message(format!("feedback {number} of {of}: {}", agon_rules::inert(team)));
        })?;
        bar.finish_and_clear();
        writeln!(std::io::stdout(), "The feedback of {} teams is in {}.", written.len(), out.display())?;
        Ok(())
    }
}
