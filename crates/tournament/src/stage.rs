//! The kinds of stages that a tournament can have: each implements `System` in a file of this folder, and is asked for
//! everything that depends on the kind. A new kind is a new file and a line of the registry below.

mod gauntlet;
mod groups;
mod knockout;
mod ladder;
mod round_robin;
mod swiss;

use serde::{Deserialize, Serialize};

use crate::{
    derive::{Derivation, Progress, StageSetup},
    forecast::Extent,
    format::{Stage, TieBreaks},
    plan::Plan,
    source::{FormatError, StageReader},
};

pub use groups::GroupCount;
pub use knockout::FirstRound;

/// Makes the list of words and the stored form from one line for each word: its module, and the type that is stored if it is
/// not that of another word. The stored form is an enum because serde then reads and writes the tag `kind` by itself, exactly as
/// it stands in old databases and records; nothing else may look at its variants.
macro_rules! registry {
    ($($module:ident { $($kind:ident)? })*) => {
        $($( pub use $module::$kind; )?)*

        /// The words by which a format names the kind of a stage, in the order in which they are listed for people.
        pub(crate) const WORDS: &[&Word] = &[$(&$module::WORD),*];

        /// How a stage is played, as it is stored.
        #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
        #[serde(tag = "kind", rename_all = "kebab-case")]
        pub enum StageKind {
            $($(
                #[doc = concat!("See [`", stringify!($kind), "`].")]
                $kind($kind),
            )?)*
        }

        impl StageKind {
            pub(crate) fn system(&self) -> &dyn System {
                match self { $($( StageKind::$kind(system) => system, )?)* }
            }

            pub(crate) fn system_mut(&mut self) -> &mut dyn System {
                match self { $($( StageKind::$kind(system) => system, )?)* }
            }
        }
    };
}

registry! {
    gauntlet { Gauntlet }
    groups { Groups }
    knockout { Knockout }
    round_robin {}
    swiss { Swiss }
    ladder { Ladder }
}

impl StageKind {
    /// Whether teams meet house bots only, and never each other.
    pub fn is_against_house_bots(&self) -> bool {
        !self.system().house_bots().is_empty()
    }
}

/// A word by which a format names the kind of a stage.
pub(crate) struct Word {
    pub(crate) word: &'static str,
    /// The keys that it takes besides those of every stage.
    pub(crate) keys: &'static [Key],
    pub(crate) read: fn(&StageReader) -> Result<StageKind, FormatError>,
}

/// A key of a stage in a format. Kinds that share a key take the same values for it.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) takes: Takes,
}

/// What stands after a key.
#[derive(Clone, Copy)]
pub(crate) enum Takes {
    /// A number of rounds or battles.
    Count,
    /// A number of teams or groups.
    Size,
    /// `true` or `false`.
    Flag,
    Word,
    Words,
}

/// How often each meets each, or how many rounds there are.
const ROUNDS: Key = Key { name: "rounds", takes: Takes::Count };

/// All words, as a sentence lists them.
pub(crate) fn listed() -> String {
    let words: Vec<&str> = WORDS.iter().map(|word| word.word).collect();
    match words.as_slice() {
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
        [] => String::new(),
    }
}

/// The pairing system of a stage: who meets whom, and what follows from it.
pub(crate) trait System {
    /// The word by which a format asks for it.
    fn word(&self) -> &'static str;

    /// What decides where a format does not say.
    fn usual_ties(&self) -> TieBreaks;

    /// Pairs the teams as far as the results that are known allow, and orders them if everything is played.
    fn derive(&self, derivation: &mut Derivation, setup: &StageSetup) -> Progress;

    /// How many battles so many teams play, and how many go on. `groups` is how many come from each group of the stage before;
    /// at most `advance` go on.
    fn extent(&self, teams: usize, groups: &[usize], advance: usize) -> Extent;

    /// The rule in words, for people: a sentence without its first capital letter.
    fn words(&self) -> String;

    /// Refuses what only shows beside the other stages: the one before, and whether any comes after.
    fn check_neighbours(&self, _: &StageReader, _before: Option<&Stage>, _last: bool) -> Result<(), FormatError> {
        Ok(())
    }

    /// How many teams go on, at least about, if `advance` is what the format says.
    fn left(&self, _teams: usize, advance: usize) -> usize {
        advance
    }

    /// Makes as many groups as these teams fill with so many in the smallest, if the format announces more.
    fn fit(&mut self, _teams: usize, _smallest: usize, _before_knockout: bool) -> Option<FewerGroups> {
        None
    }

    /// How many of so many teams have no opponent because there are too few of them.
    fn without_opponent(&self, _teams: usize) -> usize {
        0
    }

    /// Whether who loses a battle is out, so that every battle needs a winner.
    fn knocks_out(&self) -> bool {
        false
    }

    /// Whether everybody of a table meets everybody else of it.
    fn is_round_robin(&self) -> bool {
        false
    }

    /// Whether the format speaks of groups, though there may be only one for want of teams.
    fn in_groups(&self) -> bool {
        false
    }

    /// Whether those that are tied can meet once more.
    fn has_rematches(&self) -> bool {
        false
    }

    /// The house bots that everybody meets.
    fn house_bots(&self) -> &[String] {
        &[]
    }

    /// The opponents that stand as columns beside a table with these teams.
    fn columns(&self, _plan: &Plan, _teams: &[usize]) -> Vec<usize> {
        Vec::new()
    }
}

/// That there are fewer groups than a format announces.
pub(crate) struct FewerGroups {
    pub(crate) announced: usize,
    pub(crate) groups: usize,
}
