//! How far bots are trusted, as somebody says it: the level of the sandbox, and what bots may use up.

use std::{collections::BTreeMap, fmt, ops::RangeInclusive};

use agon_entrants::{Containment, NotOffered, Workshop, build_cache};
use agon_rules::quote;
use agon_sandbox::{Level, Quota, fair_share};
use agon_wire::{Allowance, Language, UnknownLanguage};
use thiserror::Error;

/// Bytes of a mebibyte.
const MIB: u64 = 1 << 20;

/// The memory that bots had in runs of older versions, which did not write it down.
pub const OLDER_MEMORY: &str = "2048";

/// Mebibytes of memory that somebody may name.
pub const MEMORY: RangeInclusive<u64> = 16..=1 << 20;

/// Processes and threads that somebody may name.
pub const TASKS: RangeInclusive<u64> = 4..=100_000;

/// Mebibytes of files that somebody may name.
pub const SCRATCH: RangeInclusive<u64> = 1..=1 << 20;

/// How bots are to be contained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SandboxOptions {
    /// The level; the strongest that this host offers if absent.
    pub level: Option<Level>,
    /// Bots that would be contained less well than this are not run.
    pub required: Option<Level>,
    /// Mebibytes of memory that a bot may use; what this host can give two bots at once if absent.
    pub memory: Option<ByLanguage>,
    /// Processes and threads that a bot may have.
    pub tasks: ByLanguage,
    /// Mebibytes of files that a bot may write.
    pub scratch: ByLanguage,
    /// Whether bots run on while it is not their turn.
    pub awake: bool,
}

impl Default for SandboxOptions {
    fn default() -> SandboxOptions {
        SandboxOptions {
            level: None,
            required: None,
            memory: None,
            tasks: ByLanguage::usual_tasks(),
            scratch: ByLanguage::usual_scratch(),
            awake: false,
        }
    }
}

/// Bots cannot be contained as somebody wants it.
#[derive(Debug, Error)]
pub enum SandboxError {
    /// This host does not offer the level, and why.
    #[error(transparent)]
    NotOffered(#[from] NotOffered),
    /// The level is weaker than the one that is required.
    #[error("bots would run in the sandbox '{level}', and '{required}' is required: {remedy}")]
    Weaker {
        /// The level.
        level: Level,
        /// The one that is required.
        required: Level,
        /// What to do about it.
        remedy: &'static str,
    },
    /// The memory of a run that was begun before makes no sense.
    #[error("memory: {0}")]
    Memory(AmountError),
}

impl SandboxOptions {
    /// What the options ask for.
    ///
    /// # Errors
    /// If this host does not offer it.
    pub fn containment(&self) -> Result<Containment, SandboxError> {
        let mut containment = match self.level {
            Some(level) => Containment::of(level)?,
            None => Containment::strongest(),
        };
        let level = containment.level();
        if let Some(required) = self.required.filter(|&required| level < required) {
            let remedy =
                if self.level.is_some() { "leave out --sandbox" } else { "see 'agon doctor' for what is missing" };
            return Err(SandboxError::Weaker { level, required, remedy });
        }
        containment.allowance = self.allowance();
        containment.sleep = !self.awake;
        Ok(containment)
    }

    /// The memory that was asked for, if it was.
    pub fn named_memory(&self) -> Option<String> {
        self.memory.as_ref().map(ByLanguage::to_string)
    }

    /// The options that say the same again: nothing for what is usual.
    pub fn repeated(&self) -> String {
        let level = |level: Option<Level>| level.map(|level| level.name().to_owned());
        let unusual = |amounts: &ByLanguage, usual: ByLanguage| (*amounts != usual).then(|| amounts.to_string());
        let options = [
            ("sandbox", level(self.level)),
            ("require-sandbox", level(self.required)),
            ("memory", self.named_memory()),
            ("tasks", unusual(&self.tasks, ByLanguage::usual_tasks())),
            ("scratch", unusual(&self.scratch, ByLanguage::usual_scratch())),
        ];
        let mut text: String =
            options.into_iter().filter_map(|(name, value)| Some(format!(" --{name} {}", value?))).collect();
        if self.awake {
            text.push_str(" --awake");
        }
        text
    }

    /// Mebibytes of memory that a bot may use, as the option takes them.
    pub fn memory(&self) -> ByLanguage {
        self.memory.clone().unwrap_or_else(|| ByLanguage::of_all(fair_share() / MIB))
    }

    /// The same with the memory of a run that was begun before.
    ///
    /// # Errors
    /// If the text is no amount of memory.
    pub fn with_memory(&self, text: &str) -> Result<SandboxOptions, SandboxError> {
        let memory = ByLanguage::parse(text, &MEMORY).map_err(SandboxError::Memory)?;
        Ok(SandboxOptions { memory: Some(memory), ..self.clone() })
    }

    fn allowance(&self) -> Allowance {
        let memory = self.memory();
        let limits = |language: Option<Language>| Quota {
            memory: memory.of(language) * MIB,
            tasks: self.tasks.of(language).try_into().unwrap_or(u32::MAX),
            scratch: self.scratch.of(language) * MIB,
            ..Quota::BOT
        };
        let named = [&memory, &self.tasks, &self.scratch].into_iter().flat_map(|each| each.special.keys());
        Allowance { usual: limits(None), special: named.map(|&language| (language, limits(Some(language)))).collect() }
    }
}

/// An amount for all bots, and others for some languages: `1024,java=3072`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ByLanguage {
    usual: u64,
    special: BTreeMap<Language, u64>,
}

/// A text is no amount by language.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AmountError {
    /// No number, or one out of range.
    #[error("expected a number from {least} to {most}, found {}", quote(.found))]
    Number {
        /// The lowest.
        least: u64,
        /// The highest.
        most: u64,
        /// What was written.
        found: String,
    },
    /// Only languages have amounts.
    #[error(
        "expected a number for all bots before those for languages, like 1024,java=3072, found {}",
        quote(.0)
    )]
    NothingForAll(String),
    /// A part names no language.
    #[error("expected LANGUAGE=NUMBER after a comma, found {}", quote(.0))]
    NoLanguage(String),
    /// There is no such language.
    #[error(transparent)]
    Language(#[from] UnknownLanguage),
    /// A language has two amounts.
    #[error("'{0}' is named twice")]
    Twice(String),
}

impl ByLanguage {
    fn of_all(usual: u64) -> ByLanguage {
        ByLanguage { usual, special: BTreeMap::new() }
    }

    /// The processes and threads that a bot may have if nobody says otherwise.
    pub fn usual_tasks() -> ByLanguage {
        ByLanguage::of_all(Quota::BOT.tasks.into())
    }

    /// The mebibytes of files that a bot may write if nobody says otherwise.
    pub fn usual_scratch() -> ByLanguage {
        ByLanguage::of_all(Quota::BOT.scratch / MIB)
    }

    /// Reads amounts within a range. One of all bots comes first: whoever names languages says what the others get.
    ///
    /// # Errors
    /// If the text is something else.
    pub fn parse(text: &str, range: &RangeInclusive<u64>) -> Result<ByLanguage, AmountError> {
        let amount = |text: &str| {
            let found = text.parse().ok().filter(|amount| range.contains(amount));
            let (least, most) = (*range.start(), *range.end());
            found.ok_or_else(|| AmountError::Number { least, most, found: text.to_owned() })
        };
        let (usual, special) = text.split_once(',').map_or((text, None), |(usual, rest)| (usual, Some(rest)));
        if usual.contains('=') {
            return Err(AmountError::NothingForAll(text.to_owned()));
        }
        let mut amounts = ByLanguage::of_all(amount(usual)?);
        for part in special.into_iter().flat_map(|rest| rest.split(',')) {
            let (language, value) = part.split_once('=').ok_or_else(|| AmountError::NoLanguage(part.to_owned()))?;
            let known: Language = language.parse()?;
            if amounts.special.insert(known, amount(value)?).is_some() {
                return Err(AmountError::Twice(language.to_owned()));
            }
        }
        Ok(amounts)
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

/// Where bots are built.
pub fn workshop(containment: &Containment) -> Workshop {
    containment.workshop(build_cache())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_by_language() {
        let read = |text: &str| ByLanguage::parse(text, &(16..=4096));
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
            assert_eq!(read(text).unwrap_err().to_string(), problem, "{text}");
        }
    }

    #[test]
    fn what_is_usual_is_not_repeated() {
        let usual = SandboxOptions::default();
        assert_eq!(usual.repeated(), "");
        let strict = SandboxOptions { level: Some(Level::None), awake: true, ..usual };
        assert_eq!(
            strict.with_memory("64,java=128").unwrap().repeated(),
            " --sandbox none --memory 64,java=128 --awake"
        );
    }
}
