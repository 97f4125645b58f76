//! Taking in what was handed in.

use std::{io::Write, path::PathBuf};

use agon_course::{Imported, Outcome, assign, import};
use agon_rules::{inert, quote};
use clap::Args;

use super::Folder;
use crate::error::CliError;

/// Take in what was handed in: an archive, a folder of them, Moodle's or Gradescope's download
#[derive(Args)]
pub(super) struct Import {
    /// Archives, folders with an archive or a folder for each team, downloads of Moodle or Gradescope
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    folder: Folder,
}

impl Import {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let mut folder = self.folder.open()?;
        if folder.roster.students.is_empty() {
            let problem = "the roster has no students, so nothing can be matched: fill in roster.csv first";
            return Err(CliError::Input(problem.to_owned()));
        }
        let all = import(&mut folder, &self.paths, &mut |imported| {
            let _ = tell(&mut std::io::stdout().lock(), imported);
        })?;
        let count = |is: fn(&Outcome) -> bool| all.iter().filter(|imported| is(&imported.outcome)).count();
        let new = count(|outcome| matches!(outcome, Outcome::New(_)));
        let known = count(|outcome| matches!(outcome, Outcome::Known { .. }));
        let unmatched = count(|outcome| matches!(outcome, Outcome::Unmatched { .. }));
        writeln!(std::io::stdout(), "{new} new, {known} known, {unmatched} unmatched.")?;
        Ok(())
    }
}

/// What became of one submission, and what was found.
fn tell(out: &mut dyn Write, imported: &Imported) -> std::io::Result<()> {
    let called = quote(&imported.called);
    let version = match &imported.outcome {
        Outcome::Known { team, version } => {
            return writeln!(out, "{called}: {} handed it in before, as version {version}", inert(team));
        }
        Outcome::Unmatched { candidates } if candidates.is_empty() => {
            return writeln!(out, "{called}: no team matches");
        }
        Outcome::Unmatched { candidates } => {
            return writeln!(out, "{called}: no team matches; the nearest: {}", inert(&candidates.join(", ")));
        }
        Outcome::New(version) => version,
    };
    writeln!(out, "{called}: version {} of {}", version.version, inert(&version.team))?;
    if let Some(refused) = &version.refused {
        writeln!(out, "  refused: {}", inert(refused))?;
    }
    for finding in &version.formalities.findings {
        let verdict = if finding.repaired { "mended" } else { "not met" };
        writeln!(out, "  {verdict}, costs {}: {}: {}", finding.penalty, finding.rule, inert(&finding.found))?;
    }
    Ok(())
}

/// Say whose a submission is that could not be matched
#[derive(Args)]
pub(super) struct Assign {
    /// What it was called, or the beginning of its digest: see `agon course status`
    submission: String,
    /// The team, or the entry number of a member
    team: String,
    #[command(flatten)]
    folder: Folder,
}

impl Assign {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let imported = assign(&mut self.folder.open()?, &self.submission, &self.team)?;
        tell(&mut std::io::stdout().lock(), &imported)?;
        Ok(())
    }
}
