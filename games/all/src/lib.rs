//! The list of games. A new game is a folder beside this one, and one line here.

use agon_originals::Original;
use agon_rules::{AnyGame, Game, RuleSet, SetupError, quote};
use agon_search::{AnyEngine, EngineOptions, MakeEngine, SearchGame, SearchVisitor};

macro_rules! games {
    ($($game:path,)*) => {
        /// Every game, in alphabetical order of the short names.
        pub static GAMES: &[&dyn Entry] = &[$(&$game,)*];

        /// Hands the start position of every listed variant and rule set of every game to the visitor that `visitor` makes for it: it is
        /// told the game, the variant and the rule set.
        pub fn each_search<V: SearchVisitor>(mut visitor: impl FnMut(&'static dyn Entry, &'static str, RuleSet) -> V) {
            $(for &variant in <$game as Game>::VARIANTS {
                for &rules in <$game as Game>::RULE_SETS {
                    let visitor = visitor(&$game, variant, rules);
                    // A listed variant exists; the conformance suite sees to it.
                    let _ = <$game>::start_search(variant, rules, visitor);
                }
            })*
        }

        /// Hands the start position of a variant and rule set of the game with this short name to `visitor`.
        pub fn start_search<V: SearchVisitor>(
            name: &str,
            variant: &str,
            rules: RuleSet,
            visitor: V,
        ) -> Result<V::Output, SetupError> {
            let game = find(name)?;
            if !game.rule_sets().contains(&rules) {
                return Err(SetupError::new(format!("{name} has no '{rules}' rule set")));
            }
            $(if <$game as Game>::NAME == name {
                return <$game>::start_search(variant, rules, visitor);
            })*
            Err(SetupError::new(format!("{name} has no engine")))
        }
    };
}

games! {
    agon_breakthrough::Breakthrough,
    agon_cannon::Cannon,
    agon_connectx::ConnectX,
    agon_rivers::Rivers,
    agon_rollerball::Rollerball,
    agon_yinsh::Yinsh,
}

/// A game, and everything that is reached from it: its rules ([`AnyGame`]), what it has of its original ([`Original`]), its engine
/// and its book.
pub trait Entry: Original {
    /// The opening book: see [`agon_search::Book`].
    fn book(&self) -> &'static str;

    /// An engine for a variant and rule set.
    ///
    /// # Errors
    /// If the game has none of them.
    fn engine(&self, variant: &str, rules: RuleSet, options: EngineOptions) -> Result<Box<dyn AnyEngine>, SetupError>;
}

impl<G: SearchGame + Original> Entry for G {
    fn book(&self) -> &'static str {
        G::BOOK
    }

    fn engine(&self, variant: &str, rules: RuleSet, options: EngineOptions) -> Result<Box<dyn AnyEngine>, SetupError> {
        if !G::RULE_SETS.contains(&rules) {
            return Err(SetupError::new(format!("{} has no '{rules}' rule set", G::NAME)));
        }
        G::start_search(variant, rules, MakeEngine(options))?.map_err(|error| SetupError::new(error.to_string()))
    }
}

/// The games that people hold competitions in, and those that are examples.
pub fn apart() -> (Vec<&'static dyn Entry>, Vec<&'static dyn Entry>) {
    GAMES.iter().partition(|game| !game.is_example())
}

/// The game with this short name.
///
/// # Errors
/// If there is none: the sentence has the names of all.
pub fn find(name: &str) -> Result<&'static dyn Entry, SetupError> {
    let names: Vec<&str> = GAMES.iter().map(|game| game.name()).collect();
    GAMES
        .iter()
        .copied()
        .find(|game| game.name() == name)
        .ok_or_else(|| SetupError::new(format!("unknown game {}, expected one of {}", quote(name), names.join(", "))))
}

/// The rules of the game with this short name, as those ask who read records.
pub fn rules(name: &str) -> Option<&'static dyn AnyGame> {
    find(name).ok().map(|game| game as &dyn AnyGame)
}
