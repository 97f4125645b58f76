//! Which game is played in the lab.

use agon_rules::{RuleSet, SetupError};
use agon_search::{SearchVisitor, Searchable, Weight};

use crate::Effort;

/// A game by its short name, with a variant and a rule set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// The game.
    pub game: String,
    /// The variant.
    pub variant: String,
    /// The rule set.
    pub rules: RuleSet,
}

impl Start {
    /// Hands the position that it begins with to a visitor.
    ///
    /// # Errors
    /// If there is no such game, variant or rule set.
    pub fn search<V: SearchVisitor>(&self, visitor: V) -> Result<V::Output, SetupError> {
        agon_all::start_search(&self.game, &self.variant, self.rules, visitor)
    }

    /// The weights of the game's evaluation.
    ///
    /// # Errors
    /// If there is no such game, variant or rule set.
    pub fn weights(&self) -> Result<Vec<Weight>, SetupError> {
        self.search(Weights)
    }

    /// The effort for which the levels of the game's house bots were chosen.
    ///
    /// # Errors
    /// If there is no such game, variant or rule set.
    pub fn ladder_effort(&self) -> Result<Effort, SetupError> {
        self.search(LadderEffort)
    }
}

struct Weights;

impl SearchVisitor for Weights {
    type Output = Vec<Weight>;

    fn visit<P: Searchable>(self, start: P) -> Self::Output {
        start.weights()
    }
}

struct LadderEffort;

impl SearchVisitor for LadderEffort {
    type Output = Effort;

    fn visit<P: Searchable>(self, _start: P) -> Effort {
        Effort::Time(std::time::Duration::from_millis(P::LADDER_MILLISECONDS))
    }
}
