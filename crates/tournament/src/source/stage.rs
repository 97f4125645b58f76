//! Stages as people write them.

use std::{fmt, ops::Range, str::FromStr, sync::LazyLock};

use agon_rules::quote;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error, MapAccess, Visitor},
};
use toml::Spanned;

use super::{FormatError, Reader};
use crate::{
    format::{Stage, TieBreaks},
    number::MOST_REMATCHES,
    rung::Rung,
    stage::{self, Key, System, Takes, Word},
};

/// A stage as it is written: the keys that every stage has, and those that only some kinds take.
pub(super) struct StageSource {
    kind: Spanned<String>,
    name: Option<String>,
    ties: Option<Spanned<Vec<Spanned<String>>>>,
    advance: Option<Spanned<usize>>,
    settings: Vec<(&'static str, Setting)>,
}

/// What stands after a key that only some kinds take.
pub(crate) enum Setting {
    Count(Spanned<u32>),
    Size(Spanned<usize>),
    Flag(Spanned<bool>),
    Word(Spanned<String>),
    Words(Spanned<Vec<String>>),
}

impl Setting {
    fn span(&self) -> Range<usize> {
        match self {
            Setting::Count(at) => at.span(),
            Setting::Size(at) => at.span(),
            Setting::Flag(at) => at.span(),
            Setting::Word(at) => at.span(),
            Setting::Words(at) => at.span(),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Takes {
    type Value = Setting;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<Setting, D::Error> {
        match self {
            Takes::Count => Spanned::deserialize(value).map(Setting::Count),
            Takes::Size => Spanned::deserialize(value).map(Setting::Size),
            Takes::Flag => Spanned::deserialize(value).map(Setting::Flag),
            Takes::Word => Spanned::deserialize(value).map(Setting::Word),
            Takes::Words => Spanned::deserialize(value).map(Setting::Words),
        }
    }
}

/// The names of all keys, in the order in which an error lists them.
static KEYS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut keys = vec!["kind", "name"];
    for key in stage::WORDS.iter().flat_map(|word| word.keys) {
        if !keys.contains(&key.name) {
            keys.push(key.name);
        }
    }
    keys.extend(["ties", "advance"]);
    keys
});

/// A key of a stage.
enum StageKey {
    Kind,
    Name,
    Ties,
    Advance,
    /// One that only some kinds take.
    Setting(&'static Key),
}

impl<'de> Deserialize<'de> for StageKey {
    fn deserialize<D: Deserializer<'de>>(key: D) -> Result<StageKey, D::Error> {
        let text = String::deserialize(key)?;
        let setting = || stage::WORDS.iter().flat_map(|word| word.keys).find(|key| key.name == text);
        match text.as_str() {
            "kind" => Ok(StageKey::Kind),
            "name" => Ok(StageKey::Name),
            "ties" => Ok(StageKey::Ties),
            "advance" => Ok(StageKey::Advance),
            _ => setting().map(StageKey::Setting).ok_or_else(|| D::Error::unknown_field(&text, &KEYS)),
        }
    }
}

impl<'de> Deserialize<'de> for StageSource {
    fn deserialize<D: Deserializer<'de>>(table: D) -> Result<StageSource, D::Error> {
        table.deserialize_map(StageVisitor)
    }
}

struct StageVisitor;

impl<'de> Visitor<'de> for StageVisitor {
    type Value = StageSource;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("struct StageSource")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<StageSource, A::Error> {
        let (mut kind, mut name, mut ties, mut advance, mut settings) = (None, None, None, None, Vec::new());
        while let Some(key) = table.next_key::<StageKey>()? {
            match key {
                StageKey::Kind => kind = Some(table.next_value()?),
                StageKey::Name => name = Some(table.next_value()?),
                StageKey::Ties => ties = Some(table.next_value()?),
                StageKey::Advance => advance = Some(table.next_value()?),
                StageKey::Setting(key) => settings.push((key.name, table.next_value_seed(key.takes)?)),
            }
        }
        let kind = kind.ok_or_else(|| A::Error::missing_field("kind"))?;
        Ok(StageSource { kind, name, ties, advance, settings })
    }
}

/// A stage that is being read. Numbers and words are absent where the format does not name their key, and are refused with its
/// line where they make no sense.
#[derive(Clone, Copy)]
pub(crate) struct StageReader<'a> {
    reader: Reader<'a>,
    at: &'a Spanned<StageSource>,
}

impl<'a> StageReader<'a> {
    pub(super) fn new(reader: Reader<'a>, at: &'a Spanned<StageSource>) -> StageReader<'a> {
        StageReader { reader, at }
    }

    fn setting(&self, key: &str) -> Option<&'a Setting> {
        self.at.get_ref().settings.iter().find(|(name, _)| *name == key).map(|(_, setting)| setting)
    }

    fn span(&self, key: &str) -> Option<Range<usize>> {
        let source = self.at.get_ref();
        match key {
            "ties" => source.ties.as_ref().map(Spanned::span),
            "advance" => source.advance.as_ref().map(Spanned::span),
            _ => self.setting(key).map(Setting::span),
        }
    }

    /// Refuses the stage.
    pub(crate) fn wrong<T>(&self, problem: impl fmt::Display) -> Result<T, FormatError> {
        self.reader.wrong(self.at, problem)
    }

    /// Refuses what stands after a key, or the stage where it is missing.
    pub(crate) fn wrong_at<T>(&self, key: &str, problem: impl fmt::Display) -> Result<T, FormatError> {
        self.reader.wrong_in(&self.span(key).unwrap_or_else(|| self.at.span()), problem)
    }

    /// A number of rounds or battles.
    pub(crate) fn count(&self, key: &str, least: u32, most: u32) -> Option<Result<u32, FormatError>> {
        let Some(Setting::Count(at)) = self.setting(key) else { return None };
        Some(self.reader.within(key, at, least, most))
    }

    /// A number of teams or groups.
    pub(crate) fn size(&self, key: &str, least: usize, most: usize) -> Option<Result<usize, FormatError>> {
        let Some(Setting::Size(at)) = self.setting(key) else { return None };
        Some(self.reader.within(key, at, least, most))
    }

    /// Whether the format says that it is so.
    pub(crate) fn flag(&self, key: &str) -> bool {
        matches!(self.setting(key), Some(Setting::Flag(at)) if *at.get_ref())
    }

    /// A word.
    pub(crate) fn word<T: FromStr<Err: fmt::Display>>(&self, key: &str) -> Option<Result<T, FormatError>> {
        let Some(Setting::Word(at)) = self.setting(key) else { return None };
        Some(self.reader.word(key, at))
    }

    /// Words of which the reader does not know what they mean.
    pub(crate) fn words(&self, key: &str) -> Option<&'a [String]> {
        let Some(Setting::Words(at)) = self.setting(key) else { return None };
        Some(at.get_ref().as_slice())
    }

    /// Whether the format says how many go on.
    pub(crate) fn advances(&self) -> bool {
        self.at.get_ref().advance.is_some()
    }

    /// How many teams a group has at least, if that is possible.
    pub(crate) fn smallest(&self) -> Option<Result<usize, FormatError>> {
        self.size("smallest", 2, 100_000)
    }

    /// The stage, but for what only shows beside the others.
    pub(super) fn stage(&self) -> Result<Stage, FormatError> {
        let source = self.at.get_ref();
        let Some(word) = stage::WORDS.iter().find(|word| word.word == source.kind.get_ref()) else {
            let problem = format!("kind: expected {}, found {}", stage::listed(), quote(source.kind.get_ref()));
            return self.reader.wrong(&source.kind, problem);
        };
        let kind = (word.read)(self)?;
        self.takes_only(word)?;
        let system = kind.system();
        let ties = source.ties.as_ref().map_or_else(|| Ok(system.usual_ties()), |ties| self.ties(ties, system))?;
        let name = source.name.clone().unwrap_or_else(|| title(system.word()));
        let advance = source.advance.as_ref();
        let advance = advance.map(|advance| self.reader.within("advance", advance, 1, 1_000_000)).transpose()?;
        Ok(Stage { name, kind, ties, advance })
    }

    /// Keys that mean something elsewhere would be silently ignored here.
    fn takes_only(&self, word: &Word) -> Result<(), FormatError> {
        let foreign = KEYS.iter().filter(|name| word.keys.iter().all(|key| key.name != **name));
        match foreign.copied().find(|name| self.setting(name).is_some()) {
            Some(key) => self.wrong_at(key, format!("{key} means nothing to a stage of kind '{}'", word.word)),
            None => Ok(()),
        }
    }

    fn ties(&self, at: &Spanned<Vec<Spanned<String>>>, system: &dyn System) -> Result<TieBreaks, FormatError> {
        let reader = self.reader;
        let ties: TieBreaks = at.get_ref().iter().map(|rung| reader.word("ties", rung)).collect::<Result<_, _>>()?;
        if ties.is_empty() {
            return reader.wrong(at, "ties: expected at least one rung, such as \"points\"");
        }
        for (rung, at) in ties.iter().zip(at.get_ref()) {
            if matches!(rung, Rung::Rematch(_)) && !system.has_rematches() {
                let word = system.word();
                return reader.wrong(at, format!("ties: there are no rematches in a stage of kind '{word}'"));
            }
        }
        let rematches = ties.iter().filter(|rung| matches!(rung, Rung::Rematch(_))).count();
        if rematches > MOST_REMATCHES {
            return reader.wrong(at, format!("ties: expected at most {MOST_REMATCHES} rematches, found {rematches}"));
        }
        if system.knocks_out() && !ties.iter().any(|rung| rung.always_decides()) {
            return reader.wrong(
                at,
                "ties: somebody must win a battle of a knockout; end with \"coin\", \"seed\" or \"decision\"",
            );
        }
        Ok(ties)
    }

    /// Refuses what only shows when the stages stand beside each other. This stage is the one with this index.
    pub(super) fn check_neighbours(&self, index: usize, stages: &[Stage]) -> Result<(), FormatError> {
        let (stage, last) = (&stages[index], index + 1 == stages.len());
        if last && self.advances() {
            return self.wrong_at("advance", "advance: there is no stage after this one");
        }
        let before = index.checked_sub(1).map(|before| &stages[before]);
        stage.kind.system().check_neighbours(self, before, last)?;
        let cuts = !last && stage.advance.is_some();
        if cuts && !stage.ties.iter().any(|rung| rung.always_decides()) {
            return self.wrong_at(
                "ties",
                "ties: some go on and some do not, so the ladder must end with \"coin\", \"seed\" or \"decision\"",
            );
        }
        Ok(())
    }
}

/// `round-robin` as a heading.
fn title(kind: &str) -> String {
    let mut letters = kind.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).map(|letter| if letter == '-' { ' ' } else { letter }).collect()
}
