//! `agon doctor`: how well this host contains bots, what it can build, and what may disturb its clocks.

use std::io::{self, Write};

use agon_doctor::{Finding, examine};
use clap::Args;
use serde_json::json;

use crate::error::CliError;

/// Examine this host: how bots are contained, what can be built, what may disturb clocks
#[derive(Args)]
pub(crate) struct Doctor {
    /// Answer with a line of JSON
    #[arg(long)]
    json: bool,
}

impl Doctor {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let host = agon_sandbox::Host::get();
        let (level, levels) = (host.strongest(), host.levels());
        let parts = examine(host);
        let mut out = io::stdout().lock();
        if self.json {
            let names: Vec<&str> = levels.iter().map(|level| level.name()).collect();
            let mut answer = json!({ "level": level.name(), "levels": names, "gaps": level.gaps() });
            for (name, findings) in &parts {
                answer[*name] = json!(findings);
            }
            writeln!(out, "{answer}")?;
            return Ok(());
        }
        writeln!(out, "Bots are contained by the sandbox '{level}'{}.", best(level))?;
        for (name, findings) in &parts {
            writeln!(out, "\n{}{}", name[..1].to_uppercase(), &name[1..])?;
            for finding in findings {
                print(&mut out, finding)?;
            }
        }
        writeln!(out, "\nWhat a hostile bot can still do at this level")?;
        for gap in level.gaps() {
            writeln!(out, "  -   {gap}")?;
        }
        Ok(())
    }
}

fn print(out: &mut dyn Write, finding: &Finding) -> io::Result<()> {
    let sign = if finding.well { "ok" } else { "--" };
    writeln!(out, "  {sign}  {:<14} {}", finding.name, finding.seen)?;
    match &finding.remedy {
        Some(remedy) => writeln!(out, "      {:<14} → {remedy}", ""),
        None => Ok(()),
    }
}

fn best(level: agon_sandbox::Level) -> &'static str {
    match level {
        agon_sandbox::Level::Full => ", the strongest there is",
        agon_sandbox::Level::None => ": they can do whatever you can",
        _ => "; what keeps it from a stronger one is marked -- below",
    }
}
