//! What everybody may see.

use std::{io::Write, path::PathBuf};

use agon_course::{key_csv, publish};
use clap::Args;

use super::Folder;
use crate::error::CliError;

/// Write the results of the phases for everybody, under pseudonyms, to be checked with `agon verify`
#[derive(Args)]
pub(super) struct Publish {
    /// The folder for them: a folder in it for each phase
    #[arg(long, value_name = "DIR", required_unless_present = "key")]
    out: Option<PathBuf>,
    /// Print whose the pseudonyms are, as a table: for yourself alone
    #[arg(long)]
    key: bool,
    #[command(flatten)]
    folder: Folder,
}

impl Publish {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let folder = self.folder.open()?;
        let mut out = std::io::stdout().lock();
        if let Some(path) = &self.out {
            let published = publish(&folder, path)?;
            if published.is_empty() {
                return Err(CliError::Failed("no phase has begun: `agon course grade` plays them".to_owned()));
            }
            for (phase, digest) in published {
                writeln!(out, "{}: digest of its results.json: {digest}", path.join(phase).display())?;
            }
        }
        if self.key {
            write!(out, "{}", key_csv(&folder)?)?;
        }
        Ok(())
    }
}
