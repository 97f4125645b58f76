//! `agon verify`.

use std::{io::Write, path::PathBuf};

use agon_rules::inert;
use agon_tournament::{Verified, VerifyError, verify};
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
            Ok(Verified { matches, turns, finished: true, digest, page }) => {
                let page = page.map_or(String::new(), |by| {
                    format!(", but report.html is of {by} and only has the digest that results.json says")
                });
                writeln!(
                    std::io::stdout(),
                    "{shown}: verified: {matches} matches with {turns} turns follow the rules, and everything published follows from them{page}; digest of results.json: {digest}"
                )?;
                Ok(())
            }
            Ok(Verified { matches, turns, .. }) => {
                writeln!(
                    std::io::stdout(),
                    "{shown}: not finished: {matches} matches with {turns} turns follow the rules, and what is published so far follows from them and from coins that cannot be checked yet"
                )?;
                Err(CliError::Failed("the tournament is not over: verify its results again when it is".to_owned()))
            }
            Err(VerifyError::Unreadable(problem)) => Err(CliError::Input(problem)),
            Err(VerifyError::Differs(problem)) => {
                writeln!(std::io::stdout(), "{shown}: differs: {}", inert(&problem))?;
                Err(CliError::Failed("the results do not follow from the records".to_owned()))
            }
        }
    }
}
