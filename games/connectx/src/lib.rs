//! Ultimate Connect-X: connect four on a 9x9 grid of nine local boards, where each stone sends the opponent to a board.
//!
//! See the README of this folder for the rules as implemented and where each of them comes from.
//!
//! ```
//! use agon_connectx::ConnectX;
//! use agon_rules::{AnyGame, RuleSet};
//!
//! let mut game = ConnectX.open("standard", RuleSet::Text).unwrap();
//! game.play("3 3").unwrap(); // cell 0 of local board 4 ...
//! assert!(game.text().ends_with("2 0")); // ... sends the second side to local board 0
//! let error = game.play("4 5").unwrap_err();
//! assert_eq!(error.to_string(), "cell 4 5 lies in local board 4, but the active one is 0");
//! ```

mod draw;
mod eval;
mod grid;
mod moves;
mod points;
mod position;
mod sight;
mod text;
mod wire;

use std::time::Duration;

use agon_rules::{Clock, EndKind, Game, Reason, ReasonInfo, RuleSet, SetupError, Visitor};
use agon_search::{RulesOnly, SearchGame, SearchVisitor};

pub use grid::Cell;
pub use position::ConnectXPosition;

/// The game.
pub struct ConnectX;

/// No empty place is left.
pub const FULL_BOARD: Reason = Reason::new(&ReasonInfo { name: "full board", kind: EndKind::Rule });

impl Game for ConnectX {
    const NAME: &'static str = "connectx";
    const TITLE: &'static str = "Ultimate Connect-X";
    const SUMMARY: &'static str =
        "Connect four of your stones anywhere on nine small boards; each stone decides where the opponent must play.";
    const SIDES: [&'static str; 2] = ["first", "second"];
    const ACCENT: &'static str = "#7a4fb5";
    const RULE_SETS: &'static [RuleSet] = &[RuleSet::Text];
    const VARIANTS: &'static [&'static str] = &["standard"];
    const VARIANT_FORM: &'static str = "standard: 9x9 cells, connect 4, starts in local board 4";
    const PIECES: &'static [(char, &'static str)] = &[('1', "first stone"), ('2', "second stone")];
    const SIDE_WORDS: [&'static str; 2] = ["1", "2"];
    const LESSONS: &'static str = include_str!("../learn.md");

    fn clock(_variant: &str) -> Clock {
        Clock::PerMoveByLanguage {
            native: Duration::from_secs(1),
            java: Duration::from_secs(2),
            python: Duration::from_secs(3),
        }
    }

    fn start<V: Visitor>(variant: &str, rules: RuleSet, visitor: V) -> Result<V::Output, SetupError> {
        ConnectX::start_search(variant, rules, RulesOnly(visitor))
    }
}

impl SearchGame for ConnectX {
    const BOOK: &'static str = include_str!("../book.txt");

    fn start_search<V: SearchVisitor>(variant: &str, _rules: RuleSet, visitor: V) -> Result<V::Output, SetupError> {
        if variant != "standard" {
            return Err(SetupError::new(format!("unknown variant '{variant}', expected 'standard'")));
        }
        Ok(visitor.visit(ConnectXPosition::start()))
    }
}
