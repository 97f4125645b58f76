//! The suite of tests that every game gets for free.
//!
//! A game's `tests/conformance.rs` is one line like `agon_rules::conformance!(agon_chess::Chess);`. The suite plays random games
//! on every listed variant (and those named after `also`) under every rule set and checks, position by position, what
//! the traits promise; it feeds the parsers with damaged texts; it compares perft files and golden playthroughs.
//!
//! `AGON_CASES=N` makes the random parts N times as long.

mod damage;
mod files;
mod parsers;
mod positions;
mod vectors;

pub use damage::on_damaged;
pub use files::{golden, perft_files};
pub use parsers::{damaged_positions, damaged_turns};
pub use positions::{history_is_fresh_after_set_up, positions_keep_their_promises, random_games_end};
pub use vectors::read_vectors;

use crate::{Game, Position, RuleSet, Visitor};

/// How much longer than usual the random parts run.
fn cases() -> u64 {
    std::env::var("AGON_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(1).max(1)
}

/// Shows the start position of each variant, listed or in `also`, and rule set to `check`. A variant in `also` need not
/// exist under every rule set.
fn each_setup<G: Game, C: SetupCheck>(also: &[&str], check: &C) {
    for &rules in G::RULE_SETS {
        for &variant in G::VARIANTS {
            let setup = format!("{} {variant} {rules}", G::NAME);
            G::start(variant, rules, Run { check, setup: &setup }).unwrap_or_else(|e| panic!("{setup}: {e}"));
        }
    }
    for &variant in also {
        let visit = |&&rules: &&RuleSet| {
            let setup = format!("{} {variant} {rules}", G::NAME);
            G::start(variant, rules, Run { check, setup: &setup }).is_ok()
        };
        let ran = G::RULE_SETS.iter().filter(visit).count();
        assert!(ran > 0, "{} has no variant {variant}", G::NAME);
    }
}

/// A check of one variant under one rule set.
trait SetupCheck {
    fn check<P: Position>(&self, setup: &str, start: &P);
}

struct Run<'a, C> {
    check: &'a C,
    setup: &'a str,
}

impl<C: SetupCheck> Visitor for Run<'_, C> {
    type Output = ();

    fn visit<P: Position>(self, start: P) {
        self.check.check(self.setup, &start);
    }
}

/// Writes the tests of a game: `conformance!(path::to::Game)`, or `conformance!(path::to::Game, also "variant", …)`.
#[macro_export]
macro_rules! conformance {
    ($game:path $(, also $($variant:literal),+)?) => {
        mod conformance {
            use $crate::conformance as suite;

            const ALSO: &[&str] = &[$($($variant),+)?];
            const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

            #[test]
            fn random_games_end() {
                suite::random_games_end::<$game>(ALSO);
            }

            #[test]
            fn positions_keep_their_promises() {
                suite::positions_keep_their_promises::<$game>(ALSO);
            }

            #[test]
            fn history_is_fresh_after_set_up() {
                suite::history_is_fresh_after_set_up(&$game, ALSO);
            }

            #[test]
            fn damaged_positions_are_refused_or_round_trip() {
                suite::damaged_positions::<$game>(ALSO);
            }

            #[test]
            fn damaged_turns_are_refused_or_legal() {
                suite::damaged_turns(&$game, ALSO);
            }

            #[test]
            fn perft_files() {
                suite::perft_files(&$game, FOLDER);
            }

            #[test]
            fn golden_playthroughs() {
                suite::golden(&$game, FOLDER);
            }
        }
    };
}
