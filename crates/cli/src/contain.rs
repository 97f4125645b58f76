//! Options about how far bots are trusted.

use std::ops::RangeInclusive;

use agon_entrants::Containment;
use agon_runs::{AmountError, ByLanguage, MEMORY, SCRATCH, SandboxOptions, TASKS};
use agon_sandbox::Level;
use clap::Args;

use crate::error::CliError;

/// How bots are contained.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Sandbox")]
pub(crate) struct Contain {
    /// How bots are contained: none, filters, namespaces or full; the strongest that this host offers if absent (see `agon doctor`)
    #[arg(long, env = "AGON_SANDBOX", value_name = "LEVEL", hide_env = true)]
    sandbox: Option<Level>,
    /// Refuse to run bots that would be contained less well than this
    #[arg(long, value_name = "LEVEL")]
    require_sandbox: Option<Level>,
    /// Mebibytes of memory that a bot may use, also by language: 1024,java=3072; what this host can give two bots at once, up to
    /// 4096, if absent (see `agon doctor`)
    #[arg(long, value_name = "MIB", value_parser = amounts(MEMORY))]
    memory: Option<ByLanguage>,
    /// Processes and threads that a bot may have, also by language
    #[arg(long, value_name = "N", default_value_t = ByLanguage::usual_tasks(), value_parser = amounts(TASKS))]
    tasks: ByLanguage,
    /// Mebibytes of files that a bot may write, also by language
    #[arg(long, value_name = "MIB", default_value_t = ByLanguage::usual_scratch(), value_parser = amounts(SCRATCH))]
    scratch: ByLanguage,
    /// Let bots run on while it is not their turn; otherwise they are stopped, where that is possible
    #[arg(long)]
    awake: bool,
}

fn amounts(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<ByLanguage, AmountError> + Clone {
    move |text| ByLanguage::parse(text, &range)
}

impl Contain {
    /// What holds where there are no such options; the environment may still name a level.
    pub(crate) fn usual() -> Result<Contain, CliError> {
        let named = std::env::var("AGON_SANDBOX").ok();
        let sandbox = named.map(|level| level.parse::<Level>()).transpose();
        let sandbox = sandbox.map_err(|problem| CliError::Input(format!("AGON_SANDBOX: {problem}")))?;
        let SandboxOptions { tasks, scratch, .. } = SandboxOptions::default();
        Ok(Contain { sandbox, require_sandbox: None, memory: None, tasks, scratch, awake: false })
    }

    /// What the options say.
    pub(crate) fn options(&self) -> SandboxOptions {
        SandboxOptions {
            level: self.sandbox,
            required: self.require_sandbox,
            memory: self.memory.clone(),
            tasks: self.tasks.clone(),
            scratch: self.scratch.clone(),
            awake: self.awake,
        }
    }

    /// What they ask for, if this host offers it.
    pub(crate) fn containment(&self) -> Result<Containment, CliError> {
        Ok(self.options().containment()?)
    }
}
