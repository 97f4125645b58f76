//! Options about how far bots are trusted.

use agon_referee::{Containment, Workshop, build_cache};
use agon_sandbox::{Level, Limits};
use clap::Args;

use crate::error::CliError;

/// Bytes of a mebibyte.
const MIB: u64 = 1 << 20;

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
    /// Mebibytes of memory that a bot may use
    #[arg(long, value_name = "MIB", default_value_t = Limits::BOT.memory / MIB, value_parser = clap::value_parser!(u64).range(16..=1 << 20))]
    memory: u64,
    /// Processes and threads that a bot may have
    #[arg(long, value_name = "N", default_value_t = Limits::BOT.tasks, value_parser = clap::value_parser!(u32).range(4..=100_000))]
    tasks: u32,
    /// Mebibytes of files that a bot may write
    #[arg(long, value_name = "MIB", default_value_t = Limits::BOT.scratch / MIB, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    scratch: u64,
    /// Let bots run on while it is not their turn; otherwise they are stopped, where that is possible
    #[arg(long)]
    awake: bool,
}

impl Contain {
    /// What holds where there are no such options; the environment may still name a level.
    pub(crate) fn usual() -> Result<Contain, CliError> {
        let Limits { memory, tasks, scratch, .. } = Limits::BOT;
        let named = std::env::var("AGON_SANDBOX").ok();
        let sandbox = named.map(|level| level.parse()).transpose();
        let sandbox = sandbox.map_err(|problem: String| CliError::Input(format!("AGON_SANDBOX: {problem}")))?;
        let (memory, scratch) = (memory / MIB, scratch / MIB);
        Ok(Contain { sandbox, require_sandbox: None, memory, tasks, scratch, awake: false })
    }

    /// What the options ask for, if this host offers it.
    pub(crate) fn containment(&self) -> Result<Containment, CliError> {
        let mut containment = match self.sandbox {
            Some(level) => Containment::of(level).map_err(CliError::Host)?,
            None => Containment::strongest(),
        };
        let level = containment.level();
        if let Some(wanted) = self.require_sandbox.filter(|&wanted| level < wanted) {
            let more =
                if self.sandbox.is_some() { "leave out --sandbox" } else { "see 'agon doctor' for what is missing" };
            return Err(CliError::Host(format!(
                "bots would run in the sandbox '{level}', and '{wanted}' is required: {more}"
            )));
        }
        containment.limits =
            Limits { memory: self.memory * MIB, tasks: self.tasks, scratch: self.scratch * MIB, ..Limits::BOT };
        containment.sleep = !self.awake;
        Ok(containment)
    }
}

/// Where bots are built.
pub(crate) fn workshop(containment: &Containment) -> Workshop {
    containment.workshop(build_cache())
}
