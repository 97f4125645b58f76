//! Rivers and Stones: two players carry their pieces across a grid, over rivers that the pieces themselves become, until one of
//! them has filled its score area with stones.
//!
//! [`Rivers`] is the game; [`RiversPosition`] its positions. The rules as implemented, each with its source, are in the
//! README of this folder.
//!
//! ```
//! use agon_rivers::Rivers;
//! use agon_rules::{AnyGame, RuleSet};
//!
//! let mut game = Rivers.open("small", RuleSet::Text).unwrap();
//! game.play("d8-d7").unwrap();
//! game.play(r#"{"action":"push","from":[3,3],"to":[3,4],"pushed_to":[3,5]}"#).unwrap();
//! assert_eq!(game.text(), "12/12/12/4sssss3/3ssssss3/3s8/12/3S8/4SSSSS3/3SSSSSS3/12/12/12 circle");
//! assert!(game.play("e9*e8-e6").unwrap_err().to_string().contains("push pair invalid"));
//! ```

mod board;
mod draw;
mod eval;
mod flow;
mod moves;
mod places;
mod points;
mod position;
mod set;
mod text;
mod turns;
mod wire;

use std::time::Duration;

use agon_picture::{Click, Picture};
use agon_rules::{
    BySide, Clock, EndKind, Ending, Game, Outcome, PlaneShape, Position, PositionError, Reason, ReasonInfo, RuleSet,
    SetupError, Side, TurnError, Visitor, quote,
};
use agon_search::{RulesOnly, SearchGame, SearchVisitor};

pub use crate::{
    position::{Axis, Face, Move, Piece, RiversPosition},
    set::Cell,
};

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct Rivers;

/// The same position stood at three sampled moments in a row.
pub const REPETITION: Reason = Reason::new(&ReasonInfo { name: "repetition", kind: EndKind::Rule });

impl Game for Rivers {
    const NAME: &'static str = "rivers";
    const TITLE: &'static str = "Rivers and Stones";
    const SUMMARY: &'static str =
        "Fill your score area, behind the opponent's lines, with stones; pieces turned to rivers carry others far.";
    const SIDES: [&'static str; 2] = ["circle", "square"];
    const ACCENT: &'static str = "#2e7d8c";
    const RULE_SETS: &'static [RuleSet] = &[RuleSet::Text, RuleSet::Server];
    const VARIANTS: &'static [&'static str] = &["small", "medium", "large"];
    const VARIANT_FORM: &'static str = "small (13 rows of 12), medium (15 of 14) or large (17 of 16)";
    const PIECES: &'static [(char, &'static str)] = &[
        ('S', "circle stone"),
        ('H', "circle river from left to right"),
        ('V', "circle river from top to bottom"),
        ('s', "square stone"),
        ('h', "square river from left to right"),
        ('v', "square river from top to bottom"),
    ];
    const SIDE_WORDS: [&'static str; 2] = ["circle", "square"];
    const LESSONS: &'static str = include_str!("../learn.md");

    fn clock(variant: &str) -> Clock {
        let minutes = match variant {
            "large" => 4,
            "medium" => 3,
            _ => 2,
        };
        Clock::Total(Duration::from_secs(60 * minutes))
    }

    fn start<V: Visitor>(variant: &str, rules: RuleSet, visitor: V) -> Result<V::Output, SetupError> {
        Rivers::start_search(variant, rules, RulesOnly(visitor))
    }
}

impl SearchGame for Rivers {
    const BOOK: &'static str = include_str!("../book.txt");

    fn start_search<V: SearchVisitor>(variant: &str, rules: RuleSet, visitor: V) -> Result<V::Output, SetupError> {
        match variant {
            "small" => Ok(visitor.visit(RiversPosition::small(rules))),
            "medium" => Ok(visitor.visit(RiversPosition::medium(rules))),
            "large" => Ok(visitor.visit(RiversPosition::large(rules))),
            _ => {
                let found = quote(variant);
                Err(SetupError::new(format!("unknown variant {found}, expected 'small', 'medium' or 'large'")))
            }
        }
    }
}

impl<const W: usize> Position for RiversPosition<W> {
    type Move = Move;

    fn turn(&self) -> Side {
        self.turn
    }

    fn generate(&self, moves: &mut Vec<Move>) -> Option<Outcome> {
        let outcome = self.board_outcome();
        if outcome.is_none() {
            self.list_moves(moves);
        }
        outcome
    }

    #[inline]
    fn play(&mut self, m: Move) {
        self.make(m);
    }

    fn count(&self) -> u64 {
        if self.board_outcome().is_some() { 0 } else { self.count_moves() }
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn recompute_key(&self) -> u64 {
        self.key_from_scratch()
    }

    fn history_key(&self) -> u64 {
        self.repetition_key()
    }

    fn adjudicate(&self, history: &[u64]) -> Option<Outcome> {
        self.history_outcome(history)
    }

    fn points(&self, ending: Ending, _made: BySide<u32>) -> BySide<f64> {
        self.points_for(ending)
    }

    fn margins(&self) -> Option<BySide<f64>> {
        Some(self.margin_scores())
    }

    /// For each side its stones, its horizontal and its vertical rivers; the bit of a cell is 16 · row + column.
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape { planes: 6, cells: 16 * usize::from(self.board.rows) }
    }

    fn write_planes(&self, words: &mut [u64]) {
        let size = self.plane_shape().words();
        for (side, planes) in Side::BOTH.into_iter().zip(words.chunks_exact_mut(3 * size)) {
            let rivers = self.pieces[side] & self.rivers;
            let sets = [self.stones(side), rivers.without(self.marks), rivers & self.marks];
            for (plane, set) in planes.chunks_exact_mut(size).zip(sets) {
                plane.copy_from_slice(&set.words()[..size]);
            }
        }
    }

    /// Left and right are mirrored where the score areas lie in the middle (`small`, `large`); top and bottom together with the
    /// sides on every board.
    ///
    /// Swapping the sides is exact only while at most one side can have a full area, since circle's is looked at first.
    /// A piece in the area closed to its side could lead to two full ones.
    fn symmetries(&self, _plies: u32) -> usize {
        let unswapped = if self.board.is_mirrored() { 2 } else { 1 };
        let astray = |side: Side| !(self.pieces[side] & self.board.area[side.other()]).is_empty();
        let both_full = Side::BOTH.into_iter().all(|side| self.has_filled(side));
        if both_full || Side::BOTH.into_iter().any(astray) { unswapped } else { 2 * unswapped }
    }

    fn transform(&self, symmetry: usize) -> Self {
        let unswapped = if self.board.is_mirrored() { 2 } else { 1 };
        self.mirrored(symmetry % unswapped == 1, symmetry / unswapped == 1)
    }

    fn text(&self) -> String {
        self.board_text()
    }

    fn parse(&self, text: &str) -> Result<Self, PositionError> {
        self.read_text(text)
    }

    fn move_text(&self, m: Move) -> String {
        text::short_text(m)
    }

    fn object_text(&self, m: Move) -> Option<String> {
        Some(text::object_text(m))
    }

    fn parse_turn(&self, text: &str) -> Result<Vec<Move>, TurnError> {
        Ok(vec![self.read_turn(text)?])
    }

    fn picture(&self, last: &[Move]) -> Picture {
        self.draw(last)
    }

    fn clicks(&self, m: Move) -> Vec<Click> {
        self.click_path(m)
    }
}
