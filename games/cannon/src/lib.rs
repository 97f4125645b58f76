//! Cannon: soldiers in lines of three shoot; whoever destroys two of the opponent's town halls wins.
//!
//! See the README of this folder for the rules as implemented and where each of them comes from.
//!
//! ```
//! use agon_cannon::Cannon;
//! use agon_rules::{AnyGame, RuleSet};
//!
//! let mut game = Cannon.open("8x8", RuleSet::Text).unwrap();
//! game.play("S 0 7 M 0 4").unwrap(); // the rear soldier of a cannon goes to its front
//! game.play("S 1 2 M 1 3").unwrap();
//! assert_eq!(game.text(), "tstststs/.s.s.s.s/...s.s.s/.s....../S......./S.S.S.S./S.S.S.S./.TSTSTST 1");
//! let error = game.play("S 2 5 B 2 2").unwrap_err();
//! assert_eq!(error.to_string(), "a shot must capture, but 2 2 is empty");
//! ```

mod board;
mod draw;
mod eval;
mod moves;
mod points;
mod position;
mod refusal;
mod text;
mod wire;

use std::time::Duration;

use agon_rules::{Clock, EndKind, Game, Reason, ReasonInfo, RuleSet, SetupError, Visitor, quote};
use agon_search::{RulesOnly, SearchGame, SearchVisitor};

pub use board::{AnySize, Board, Eight, Squares};
pub use moves::Move;
pub use position::{CannonPosition, Man};

/// The game.
pub struct Cannon;

/// The side to move has no men left that could move.
pub const ANNIHILATION: Reason = Reason::new(&ReasonInfo { name: "annihilation", kind: EndKind::Stalemate });
/// The same position came up a third time after moves of the same side.
pub const STAGNANT: Reason = Reason::new(&ReasonInfo { name: "stagnant", kind: EndKind::Rule });

impl Game for Cannon {
    const NAME: &'static str = "cannon";
    const TITLE: &'static str = "Cannon";
    const SUMMARY: &'static str = "Line up three soldiers to make a cannon, and destroy two of the opponent's town halls before they destroy yours.";
    const SIDES: [&'static str; 2] = ["black", "white"];
    const ACCENT: &'static str = "#a13a5b";
    const RULE_SETS: &'static [RuleSet] = &[RuleSet::Text, RuleSet::Server];
    const VARIANTS: &'static [&'static str] = &["8x8", "10x8", "10x10"];
    const VARIANT_FORM: &'static str = "ROWSxCOLUMNS: 6 to 12 rows, 4, 6, 8 or 10 columns";
    const PIECES: &'static [(char, &'static str)] =
        &[('S', "black soldier"), ('T', "black hall"), ('s', "white soldier"), ('t', "white hall")];
    const SIDE_WORDS: [&'static str; 2] = ["1", "2"];
    const LESSONS: &'static str = include_str!("../learn.md");

    fn clock(_variant: &str) -> Clock {
        Clock::Total(Duration::from_secs(150))
    }

    fn start<V: Visitor>(variant: &str, rules: RuleSet, visitor: V) -> Result<V::Output, SetupError> {
        Cannon::start_search(variant, rules, RulesOnly(visitor))
    }
}

impl SearchGame for Cannon {
    const BOOK: &'static str = include_str!("../book.txt");

    fn start_search<V: SearchVisitor>(variant: &str, rules: RuleSet, visitor: V) -> Result<V::Output, SetupError> {
        let size = read_size(variant);
        if size == Some((8, 8)) {
            return Ok(visitor.visit(CannonPosition::start(Eight, rules)));
        }
        match size.and_then(|(rows, columns)| AnySize::new(rows, columns)) {
            Some(board) => Ok(visitor.visit(CannonPosition::start(board, rules))),
            None => {
                Err(SetupError::new(format!("unknown variant {}, expected {}", quote(variant), Cannon::VARIANT_FORM)))
            }
        }
    }
}

/// Rows and columns from `10x8`. Each size has one name: no signs, no leading zeros.
fn read_size(variant: &str) -> Option<(usize, usize)> {
    let (rows, columns) = variant.split_once('x')?;
    Some((text::number(rows)?, text::number(columns)?))
}
