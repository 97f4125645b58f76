//! Breakthrough: bring one man to the far row. Men step forward, and capture diagonally.
//!
//! The smallest game, and the one to copy for a new one: `CONTRIBUTING.md` has the steps. See the README of this folder for the rules
//! as implemented and where each of them comes from.
//!
//! ```
//! use agon_breakthrough::Breakthrough;
//! use agon_rules::{AnyGame, RuleSet};
//!
//! let mut game = Breakthrough.open("6x6", RuleSet::Text).unwrap();
//! game.play("c2d3").unwrap();
//! game.play("d5d4").unwrap();
//! let error = game.play("d3d4").unwrap_err();
//! assert_eq!(error.to_string(), "d4 is taken, and men capture diagonally, not straight ahead");
//! ```

mod board;
mod draw;
mod eval;
mod moves;
mod points;
mod position;
mod text;
mod wire;

use std::time::Duration;

use agon_rules::{Clock, EndKind, Game, Reason, ReasonInfo, RuleSet, SetupError, Visitor};
use agon_search::{RulesOnly, SearchGame, SearchVisitor};

use board::Board;

pub use board::Square;
pub use position::{BreakthroughPosition, Move};

/// The game.
pub struct Breakthrough;

/// The loser's men have all been captured.
pub const NO_MEN: Reason = Reason::new(&ReasonInfo { name: "no men left", kind: EndKind::Win });

impl Game for Breakthrough {
    const NAME: &'static str = "breakthrough";
    const TITLE: &'static str = "Breakthrough";
    const SUMMARY: &'static str = "Bring one man to the far row; men step forward, and capture diagonally.";
    const SIDES: [&'static str; 2] = ["white", "black"];
    const ACCENT: &'static str = "#2f7d6b";
    const RULE_SETS: &'static [RuleSet] = &[RuleSet::Text];
    const VARIANTS: &'static [&'static str] = &["8x8", "6x6"];
    const VARIANT_FORM: &'static str = "8x8 or 6x6: the squares of the board; two rows of men each";
    const PIECES: &'static [(char, &'static str)] = &[('w', "white man"), ('b', "black man")];
    const SIDE_WORDS: [&'static str; 2] = ["w", "b"];
    const LESSONS: &'static str = include_str!("../learn.md");
    const IS_EXAMPLE: bool = true;

    fn clock(_variant: &str) -> Clock {
        Clock::Total(Duration::from_secs(60))
    }

    fn start<V: Visitor>(variant: &str, rules: RuleSet, visitor: V) -> Result<V::Output, SetupError> {
        Breakthrough::start_search(variant, rules, RulesOnly(visitor))
    }
}

impl SearchGame for Breakthrough {
    fn start_search<V: SearchVisitor>(variant: &str, _rules: RuleSet, visitor: V) -> Result<V::Output, SetupError> {
        let board = Board::from_name(variant)?;
        Ok(visitor.visit(BreakthroughPosition::start(board)))
    }
}
