//! Rollerball: chess on a ring. Men run clockwise around a hole, rooks turn round the corners and bishops bounce off
//! the walls.
//!
//! See the README of this folder for the rules as implemented and where each of them comes from.
//!
//! ```
//! use agon_rollerball::Rollerball;
//! use agon_rules::{AnyGame, RuleSet};
//!
//! let mut game = Rollerball.open("7-3", RuleSet::Text).unwrap();
//! game.play("c2b3").unwrap();
//! assert_eq!(game.text(), "..rbp../..rkp../..___../..___../.P___../...KR../..PBR.. b");
//! let error = game.play("c7b8").unwrap_err();
//! assert_eq!(error.to_string(), "b8 is not on the board: expected files a to g and ranks 1 to 7");
//! ```

mod board;
mod draw;
mod eval;
mod figures;
mod moves;
mod native;
mod points;
mod position;
mod tables;
mod text;
mod wire;

use std::time::Duration;

use agon_rules::{Clock, EndKind, Game, Reason, ReasonInfo, RuleSet, SetupError, Visitor};
use agon_search::{RulesOnly, SearchGame, SearchVisitor};

pub use board::{Square, Variant};
pub use moves::Move;
pub use position::{Kind, RollerballPosition};

/// The game.
pub struct Rollerball;

/// The king is attacked and cannot be saved.
pub const CHECKMATE: Reason = Reason::new(&ReasonInfo { name: "checkmate", kind: EndKind::Win });
/// The same position came up a third time.
pub const THREEFOLD: Reason = Reason::new(&ReasonInfo { name: "threefold", kind: EndKind::Rule });

impl Game for Rollerball {
    const NAME: &'static str = "rollerball";
    const TITLE: &'static str = "Rollerball";
    const SUMMARY: &'static str =
        "Checkmate the king on a ring where men run clockwise, rooks turn corners and bishops bounce off walls.";
    const SIDES: [&'static str; 2] = ["white", "black"];
    const ACCENT: &'static str = "#b5562f";
    const RULE_SETS: &'static [RuleSet] = &[RuleSet::Text, RuleSet::Server];
    const VARIANTS: &'static [&'static str] = &["7-3", "8-4", "8-2"];
    const VARIANT_FORM: &'static str = "SIZE-HOLE: 7-3, 8-4 or 8-2";
    const PIECES: &'static [(char, &'static str)] = &[
        ('K', "white king"),
        ('R', "white rook"),
        ('B', "white bishop"),
        ('N', "white knight"),
        ('P', "white pawn"),
        ('k', "black king"),
        ('r', "black rook"),
        ('b', "black bishop"),
        ('n', "black knight"),
        ('p', "black pawn"),
    ];
    const SIDE_WORDS: [&'static str; 2] = ["w", "b"];
    const LESSONS: &'static str = include_str!("../learn.md");

    fn clock(variant: &str) -> Clock {
        match variant {
            "8-4" => Clock::Total(Duration::from_secs(180)),
            "8-2" => Clock::Total(Duration::from_secs(240)),
            _ => Clock::PerMove(Duration::from_secs(2)),
        }
    }

    /// The only arbiter that the course published waits 200 ms for the reply to its `stop`.
    fn grace(variant: &str) -> Duration {
        match variant {
            "7-3" => Duration::from_millis(200),
            _ => Duration::ZERO,
        }
    }

    fn start<V: Visitor>(variant: &str, rules: RuleSet, visitor: V) -> Result<V::Output, SetupError> {
        Rollerball::start_search(variant, rules, RulesOnly(visitor))
    }
}

impl SearchGame for Rollerball {
    const BOOK: &'static str = include_str!("../book.txt");

    fn start_search<V: SearchVisitor>(variant: &str, rules: RuleSet, visitor: V) -> Result<V::Output, SetupError> {
        let variant = Variant::from_name(variant)?;
        Ok(visitor.visit(RollerballPosition::start(variant, rules)))
    }
}
