//! `agon verify`.

use std::{io::Write, path::PathBuf};

use agon_tournament::{VerifyError, verify};
use clap::Args;

use crate::error::CliError;

/// Check published results: replay every match, derive pairings, standings, coins and marks again, name the first difference
#[derive(Args)]
pub(crate) struct Verify {
    /// A folder that `agon tournament results --out DIR` wrote
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Verify {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let shown = self.folder.display();
        match verify(&self.folder) {
            Ok(verified) => {
                let (matches, turns) = (verified.matches, verified.turns);
                writeln!(
                    std::io::stdout(),
                    "{shown}: verified: {matches} matches with {turns} turns follow the rules, and everything published follows from them"
                )?;
                Ok(())
            }
            Err(VerifyError::Unreadable(problem)) => Err(CliError::Input(problem)),
            Err(VerifyError::Differs(problem)) => {
                writeln!(std::io::stdout(), "{shown}: differs: {problem}")?;
                Err(CliError::Failed("the results do not follow from the records".to_owned()))
            }
        }
    }
}
