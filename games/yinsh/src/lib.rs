//! The rules of Yinsh, the game of rings and markers, on hexagons of four sizes.
//!
//! Each side places its rings on the crossings of a hexagonal board. A ring that moves leaves a marker behind and turns the
//! markers that it jumps over. A row of markers is worth a ring; the first side to take enough rings off the board wins.
//!
//! A turn is one or more moves (decisions): place a ring; move a ring; take a row; take a ring for the row.
//! The README of this crate states every rule with its source.
//!
//! ```
//! use agon_rules::{AnyGame, RuleSet};
//!
//! let mut game = agon_yinsh::Yinsh.open("5-5-5-3", RuleSet::Text)?;
//! game.play("P 2 7")?;
//! assert_eq!(game.legal_turns(1000)?.len(), 84);
//! assert_eq!(game.play("P 2 7").unwrap_err().to_string(), "expected an empty point at 2 7, found an orange ring");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::time::Duration;

use agon_picture::{Click, Picture};
use agon_rules::{
    BySide, Clock, Ending, Game, Outcome, PlaneShape, Position, PositionError, RuleSet, SetupError, Side, TurnError,
    Visitor,
};
use agon_search::{RulesOnly, SearchGame, SearchVisitor};

mod bits;
mod draw;
mod eval;
mod geometry;
mod moves;
mod points;
mod position;
mod symmetry;
mod text;
mod turns;
mod wire;

pub use geometry::{Axis, Direction, Point};
pub use position::{Move, Row, YinshPosition};

use position::Rules;

/// The game of Yinsh.
pub struct Yinsh;

impl Game for Yinsh {
    const NAME: &'static str = "yinsh";
    const TITLE: &'static str = "Yinsh";
    const SUMMARY: &'static str = "Move rings, turn markers, make rows: each row takes one of your own rings off the board, and the first to take enough of them wins.";
    const SIDES: [&'static str; 2] = ["orange", "blue"];
    const ACCENT: &'static str = "#2f8f6b";
    const RULE_SETS: &'static [RuleSet] = &[RuleSet::Text, RuleSet::Server];
    const VARIANTS: &'static [&'static str] = &["5-5-5-3", "6-6-6-3", "6-6-5-3"];
    const VARIANT_FORM: &'static str = "N-M-K-L: the size of the hexagon (4 to 7), the rings of each side (1 to 10), \
         the markers in a row (4 to 7), and the rings to take to win (1 to M)";
    const PIECES: &'static [(char, &'static str)] =
        &[('A', "orange ring"), ('a', "orange marker"), ('B', "blue ring"), ('b', "blue marker")];
    const SIDE_WORDS: [&'static str; 2] = ["1", "2"];
    const LESSONS: &'static str = include_str!("../learn.md");

    fn clock(_variant: &str) -> Clock {
        Clock::Total(Duration::from_secs(120))
    }

    fn start<V: Visitor>(variant: &str, rules: RuleSet, visitor: V) -> Result<V::Output, SetupError> {
        Yinsh::start_search(variant, rules, RulesOnly(visitor))
    }
}

impl SearchGame for Yinsh {
    const BOOK: &'static str = include_str!("../book.txt");

    fn start_search<V: SearchVisitor>(variant: &str, rules: RuleSet, visitor: V) -> Result<V::Output, SetupError> {
        let (size, rules) = read_variant(variant, rules)?;
        Ok(match size {
            4 => visitor.visit(YinshPosition::<4, 2>::new(rules)),
            5 => visitor.visit(YinshPosition::<5, 2>::new(rules)),
            6 => visitor.visit(YinshPosition::<6, 3>::new(rules)),
            _ => visitor.visit(YinshPosition::<7, 4>::new(rules)),
        })
    }
}

/// The size of the board and the numbers of a variant, if the rule set has it.
fn read_variant(variant: &str, set: RuleSet) -> Result<(u32, Rules), SetupError> {
    let numbers: Option<Vec<u32>> = variant.split('-').take(5).map(text::number).collect();
    let Some(&[size, rings, row, goal]) = numbers.as_deref() else {
        let found = text::quoted(variant);
        return Err(SetupError::new(format!("unknown variant {found}, expected N-M-K-L, for example 5-5-5-3")));
    };
    let within = |what: &str, value: u32, least: u32, most: u32| {
        if (least..=most).contains(&value) {
            return Ok(());
        }
        let under = if set == RuleSet::Server { " under the server's rules" } else { "" };
        let range = if least == most { format!("{least}") } else { format!("{least} to {most}") };
        Err(SetupError::new(format!("variant {variant}: expected {what} of {range}{under}, found {value}")))
    };
    match set {
        RuleSet::Text => {
            within("a hexagon (N)", size, 4, 7)?;
            within("a number of rings (M)", rings, 1, 10)?;
            within("a row (K)", row, 4, 7)?;
            within("a number of rings to take (L)", goal, 1, rings)?;
        }
        RuleSet::Server => {
            within("a hexagon (N)", size, 5, 7)?;
            within("a number of rings (M)", rings, size, size)?;
            within("a row (K)", row, 5, 7)?;
            within("a number of rings to take (L)", goal, 3, 3)?;
        }
    }
    Ok((size, Rules { rings: rings as u8, row: row as u8, goal: goal as u8, set }))
}

impl<const N: usize, const W: usize> Position for YinshPosition<N, W> {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    fn generate(&self, moves: &mut Vec<Move>) -> Option<Outcome> {
        self.generate_moves(moves)
    }

    #[inline]
    fn play(&mut self, m: Move) {
        self.play_move(m);
    }

    #[inline]
    fn count(&self) -> u64 {
        self.count_moves().into()
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn recompute_key(&self) -> u64 {
        self.key_from_scratch()
    }

    fn points(&self, ending: Ending, _made: BySide<u32>) -> BySide<f64> {
        self.points_for(ending)
    }

    fn plane_shape(&self) -> PlaneShape {
        self.shape_of_planes()
    }

    fn write_planes(&self, words: &mut [u64]) {
        self.write_all_planes(words);
    }

    fn symmetries(&self, _plies: u32) -> usize {
        symmetry::SYMMETRIES
    }

    fn transform(&self, symmetry: usize) -> Self {
        self.transformed(symmetry)
    }

    fn text(&self) -> String {
        self.to_text()
    }

    fn parse(&self, text: &str) -> Result<Self, PositionError> {
        self.read_position(text)
    }

    fn move_text(&self, m: Move) -> String {
        self.text_of(m)
    }

    fn count_spellings(&self, _m: Move) -> u64 {
        1
    }

    fn parse_turn(&self, text: &str) -> Result<Vec<Move>, TurnError> {
        self.read_turn(text)
    }

    fn picture(&self, last: &[Move]) -> Picture {
        self.draw(last)
    }

    fn clicks(&self, m: Move) -> Vec<Click> {
        self.clicks_of(m)
    }
}
