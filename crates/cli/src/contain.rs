//! Options about how far bots are trusted.

use std::{collections::BTreeMap, fmt, ops::RangeInclusive};

use agon_entrants::{Containment, Workshop, build_cache};
use agon_referee::Language;
use agon_sandbox::{Level, Limits, fair_share};
use agon_wire::{Allowance, UnknownLanguage};
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
    /// Mebibytes of memory that a bot may use, also by language: 1024,java=3072; what this host can give two bots at once, up to
    /// 4096, if absent (see `agon doctor`)
    #[arg(long, value_name = "MIB", value_parser = amounts(16..=1 << 20))]
    memory: Option<ByLanguage>,
    /// Processes and threads that a bot may have, also by language
    #[arg(long, value_name = "N", default_value_t = ByLanguage::usual(Limits::BOT.tasks.into()), value_parser = amounts(4..=100_000))]
    tasks: ByLanguage,
    /// Mebibytes of files that a bot may write, also by language
    #[arg(long, value_name = "MIB", default_value_t = ByLanguage::usual(Limits::BOT.scratch / MIB), value_parser = amounts(1..=1 << 20))]
    scratch: ByLanguage,
    /// Let bots run on while it is not their turn; otherwise they are stopped, where that is possible
    #[arg(long)]
    awake: bool,
}

impl Contain {
    /// What holds where there are no such options; the environment may still name a level.
    pub(crate) fn usual() -> Result<Contain, CliError> {
        let named = std::env::var("AGON_SANDBOX").ok();
        let sandbox = named.map(|level| level.parse::<Level>()).transpose();
        let sandbox = sandbox.map_err(|problem| CliError::Input(format!("AGON_SANDBOX: {problem}")))?;
        Ok(Contain {
            sandbox,
            require_sandbox: None,
            memory: None,
            tasks: ByLanguage::usual(Limits::BOT.tasks.into()),
            scratch: ByLanguage::usual(Limits::BOT.scratch / MIB),
            awake: false,
        })
    }

    /// What the options ask for, if this host offers it.
    pub(crate) fn containment(&self) -> Result<Containment, CliError> {
        let mut containment = match self.sandbox {
            Some(level) => Containment::of(level).map_err(|error| CliError::Host(error.to_string()))?,
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
        containment.allowance = self.allowance();
        containment.sleep = !self.awake;
        Ok(containment)
    }
}

/// The memory that bots had in runs of older versions, which did not write it down.
pub(crate) const OLDER_MEMORY: &str = "2048";

impl Contain {
    /// The memory that was asked for, if it was.
    pub(crate) fn named_memory(&self) -> Option<String> {
        self.memory.as_ref().map(ByLanguage::to_string)
    }

    /// The options that say the same again: nothing for what is usual.
    pub(crate) fn repeated(&self) -> String {
        let level = |level: Option<Level>| level.map(|level| level.name().to_owned());
        let unusual =
            |amounts: &ByLanguage, usual: u64| (*amounts != ByLanguage::usual(usual)).then(|| amounts.to_string());
        let options = [
            ("sandbox", level(self.sandbox)),
            ("require-sandbox", level(self.require_sandbox)),
            ("memory", self.named_memory()),
            ("tasks", unusual(&self.tasks, Limits::BOT.tasks.into())),
            ("scratch", unusual(&self.scratch, Limits::BOT.scratch / MIB)),
        ];
        let mut text: String =
            options.into_iter().filter_map(|(name, value)| Some(format!(" --{name} {}", value?))).collect();
        if self.awake {
            text.push_str(" --awake");
        }
        text
    }

    /// Mebibytes of memory that a bot may use, as the option takes them.
    pub(crate) fn memory(&self) -> ByLanguage {
        self.memory.clone().unwrap_or_else(|| ByLanguage::usual(fair_share() / MIB))
    }

    /// The same with the memory of a run that was begun before.
    pub(crate) fn with_memory(&self, text: &str) -> Result<Contain, CliError> {
        let memory = amounts(16..=1 << 20)(text).map_err(|problem| CliError::Input(format!("memory: {problem}")))?;
        Ok(Contain { memory: Some(memory), ..self.clone() })
    }

    fn allowance(&self) -> Allowance {
        let memory = self.memory();
        let limits = |language: Option<Language>| Limits {
            memory: memory.of(language) * MIB,
            tasks: self.tasks.of(language).try_into().unwrap_or(u32::MAX),
            scratch: self.scratch.of(language) * MIB,
            ..Limits::BOT
        };
        let named = [&memory, &self.tasks, &self.scratch].into_iter().flat_map(|each| each.special.keys());
        Allowance { usual: limits(None), special: named.map(|&language| (language, limits(Some(language)))).collect() }
    }
}

/// An amount for all bots, and others for some languages: `1024,java=3072`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ByLanguage {
    usual: u64,
    special: BTreeMap<Language, u64>,
}

impl ByLanguage {
    fn usual(usual: u64) -> ByLanguage {
        ByLanguage { usual, special: BTreeMap::new() }
    }

    fn of(&self, language: Option<Language>) -> u64 {
        language.and_then(|language| self.special.get(&language).copied()).unwrap_or(self.usual)
    }
}

impl fmt::Display for ByLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.usual)?;
        self.special.iter().try_for_each(|(language, amount)| write!(f, ",{}={amount}", language.name()))
    }
}

/// Reads amounts within a range. One of all bots comes first: whoever names languages says what the others get.
fn amounts(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<ByLanguage, String> + Clone {
    move |text| {
        let amount = |text: &str| {
            let (least, most) = (range.start(), range.end());
            let found = text.parse().ok().filter(|amount| range.contains(amount));
            found.ok_or_else(|| format!("expected a number from {least} to {most}, found {}", agon_rules::quote(text)))
        };
        let (usual, special) = text.split_once(',').map_or((text, None), |(usual, rest)| (usual, Some(rest)));
        if usual.contains('=') {
            let found = agon_rules::quote(text);
            return Err(format!(
                "expected a number for all bots before those for languages, like 1024,java=3072, found {found}"
            ));
        }
        let mut amounts = ByLanguage::usual(amount(usual)?);
        for part in special.into_iter().flat_map(|rest| rest.split(',')) {
            let (language, value) = part
                .split_once('=')
                .ok_or_else(|| format!("expected LANGUAGE=NUMBER after a comma, found {}", agon_rules::quote(part)))?;
            if amounts
                .special
                .insert(language.parse().map_err(|e: UnknownLanguage| e.to_string())?, amount(value)?)
                .is_some()
            {
                return Err(format!("'{language}' is named twice"));
            }
        }
        Ok(amounts)
    }
}

/// Where bots are built.
pub(crate) fn workshop(containment: &Containment) -> Workshop {
    containment.workshop(build_cache())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_by_language() {
        let read = amounts(16..=4096);
        let both = read("1024,java=3072,c++=512").unwrap();
        assert_eq!(both.of(None), 1024);
        assert_eq!(both.of(Some(Language::Python)), 1024);
        assert_eq!(both.of(Some(Language::Java)), 3072);
        assert_eq!(both.to_string(), "1024,cpp=512,java=3072");
        for (text, problem) in [
            ("", "expected a number from 16 to 4096, found ''"),
            ("8", "expected a number from 16 to 4096, found '8'"),
            (
                "java=3072",
                "expected a number for all bots before those for languages, like 1024,java=3072, found 'java=3072'",
            ),
            ("1024,", "expected LANGUAGE=NUMBER after a comma, found ''"),
            ("1024,java", "expected LANGUAGE=NUMBER after a comma, found 'java'"),
            ("1024,java=1", "expected a number from 16 to 4096, found '1'"),
            ("1024,java=64,java=65", "'java' is named twice"),
        ] {
            assert_eq!(read(text).unwrap_err(), problem, "{text}");
        }
    }
}
