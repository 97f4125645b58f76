//! `agon doctor`: how well this host contains bots, what it can build, and what may disturb its clocks.

mod containing;
mod languages;
mod timing;

use std::io::{self, Write};

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

/// Something that was looked at.
struct Finding {
    /// What was looked at, in a word or two; programs know it by this.
    name: &'static str,
    /// Whether all is well.
    well: bool,
    /// What was seen.
    seen: String,
    /// What to do about it.
    remedy: Option<String>,
}

impl Finding {
    fn well(name: &'static str, seen: impl Into<String>) -> Finding {
        Finding { name, well: true, seen: seen.into(), remedy: None }
    }

    fn bad(name: &'static str, seen: impl Into<String>, remedy: impl Into<String>) -> Finding {
        Finding { name, well: false, seen: seen.into(), remedy: Some(remedy.into()) }
    }

    /// For people.
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let sign = if self.well { "ok" } else { "--" };
        writeln!(out, "  {sign}  {:<14} {}", self.name, self.seen)?;
        match &self.remedy {
            Some(remedy) => writeln!(out, "      {:<14} → {remedy}", ""),
            None => Ok(()),
        }
    }

    fn json(&self) -> serde_json::Value {
        json!({ "name": self.name, "well": self.well, "seen": self.seen, "remedy": self.remedy })
    }
}

impl Doctor {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let host = agon_sandbox::Host::get();
        let (level, levels) = (host.strongest(), host.levels());
        let parts = [
            ("sandbox", containing::findings(host)),
            ("languages", languages::findings()),
            ("timing", timing::findings()),
        ];
        let mut out = io::stdout().lock();
        if self.json {
            let names: Vec<&str> = levels.iter().map(|level| level.name()).collect();
            let mut answer = json!({ "level": level.name(), "levels": names, "gaps": level.gaps() });
            for (name, findings) in &parts {
                answer[*name] = findings.iter().map(Finding::json).collect();
            }
            writeln!(out, "{answer}")?;
            return Ok(());
        }
        writeln!(out, "Bots are contained by the sandbox '{level}'{}.", best(level))?;
        for (name, findings) in &parts {
            writeln!(out, "\n{}{}", name[..1].to_uppercase(), &name[1..])?;
            for finding in findings {
                finding.print(&mut out)?;
            }
        }
        writeln!(out, "\nWhat a hostile bot can still do at this level")?;
        for gap in level.gaps() {
            writeln!(out, "  -   {gap}")?;
        }
        Ok(())
    }
}

fn best(level: agon_sandbox::Level) -> &'static str {
    match level {
        agon_sandbox::Level::Full => ", the strongest there is",
        agon_sandbox::Level::None => ": they can do whatever you can",
        _ => "; what keeps it from a stronger one is marked -- below",
    }
}
