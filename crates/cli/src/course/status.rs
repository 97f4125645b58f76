//! Where a course stands.

use std::io::Write;

use agon_course::status;
use agon_rules::inert;
use clap::Args;

use super::Folder;
use crate::error::CliError;

/// What is there, what is missing, and what to do next
#[derive(Args)]
pub(super) struct Status {
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folder: Folder,
}

impl Status {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let status = status(&self.folder.open()?)?;
        let mut out = std::io::stdout().lock();
        if self.json {
            let text = serde_json::to_string_pretty(&status).map_err(|error| CliError::Host(error.to_string()))?;
            return Ok(writeln!(out, "{text}")?);
        }
        writeln!(out, "{}: {} students in {} teams", inert(&status.title), status.students, status.teams)?;
        if !status.missing.is_empty() {
            let names = inert(&status.missing.join(", "));
            writeln!(out, "{} of them handed nothing in: {names}", status.missing.len())?;
        }
        for (team, why) in &status.refused {
            writeln!(out, "refused: {}: {}", inert(team), inert(why))?;
        }
        for (called, digest, candidates) in &status.unmatched {
            let perhaps =
                if candidates.is_empty() { String::new() } else { format!("; perhaps of {}", candidates.join(", ")) };
            writeln!(out, "unmatched: {} ({digest}){}", inert(called), inert(&perhaps))?;
        }
        for (team, found, section) in &status.team_findings {
            writeln!(out, "team {}: {} (section {section})", inert(team), inert(found))?;
        }
        for finding in &status.findings {
            let (team, what) = (inert(&finding.team), inert(&finding.found));
            writeln!(out, "{team}, version {}: {} costs {}: {what}", finding.version, finding.rule, finding.penalty)?;
        }
        for phase in &status.phases {
            writeln!(out, "phase {}: {}, {} matches played", inert(&phase.name), phase.state, phase.matches)?;
        }
        writeln!(out, "Next: {}", inert(&status.next))?;
        Ok(())
    }
}
