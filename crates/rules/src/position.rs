//! The static face of a game.

use std::{fmt, hash::Hash};

use agon_picture::{Click, Picture};

use crate::{BySide, Ending, Outcome, PlaneShape, PositionError, Side, TurnError};

/// What is on the board and who is to move, under one variant and rule set (which the position knows).
///
/// Positions are cloned and played on; there is no unmake. Keep them small and pass them by reference.
///
/// **History** belongs to the caller: a slice with the [`Position::history_key`] of every position since the
/// start of the game as played (one a move), oldest first, without the current one. Move counters follow from its length.
pub trait Position: Clone + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// One decision; small, and meaningful only in the position it was generated for.
    type Move: Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static;

    // ---- rules ----

    /// The side to move. It need not alternate: a turn may be several moves.
    fn turn(&self) -> Side;

    /// Either the game is over by what stands on the board, and how; or every legal move is appended to `moves`.
    ///
    /// No move is listed twice, two moves never mean the same thing where the game can help it, and a game that is not over has a move.
    fn generate(&self, moves: &mut Vec<Self::Move>) -> Option<Outcome>;

    /// Plays a move that [`Position::generate`] listed.
    fn play(&mut self, m: Self::Move);

    /// How many moves [`Position::generate`] would list; 0 when the game is over. Override it where counting is faster.
    fn count(&self) -> u64 {
        let mut moves = Vec::new();
        match self.generate(&mut moves) {
            Some(_) => 0,
            None => moves.len() as u64,
        }
    }

    /// Identifies the position; kept up to date by [`Position::play`]. The same on every machine and in every build.
    fn key(&self) -> u64;

    /// The key computed from scratch. Always equal to [`Position::key`].
    fn recompute_key(&self) -> u64;

    /// What repetition rules compare; the key unless the rules look at more, or less.
    fn history_key(&self) -> u64 {
        self.key()
    }

    /// Whether a rule about the game so far ends it here (repetition, move limits). Asked only when the board alone does not.
    fn adjudicate(&self, history: &[u64]) -> Option<Outcome> {
        let _ = history;
        None
    }

    /// The course's points for both sides if the match ends here like this. `made` counts the complete turns of each side.
    fn points(&self, ending: Ending, made: BySide<u32>) -> BySide<f64>;

    /// The margin score that the game's text defines for a match that ended here, however it ended; `None` if the text knows
    /// none. Then it is the difference of the points.
    fn margins(&self) -> Option<BySide<f64>> {
        None
    }

    // ---- planes and symmetries ----

    /// How many planes and how many bits in each; the same for all positions of a variant.
    fn plane_shape(&self) -> PlaneShape;

    /// Writes all planes, one after the other, each in [`PlaneShape::words`] words, bit 0 first. Every word is written.
    /// Equal positions have equal planes.
    fn write_planes(&self, words: &mut [u64]);

    /// How many symmetries hold exactly for the next `plies` moves, the identity (number 0) included.
    fn symmetries(&self, plies: u32) -> usize {
        let _ = plies;
        1
    }

    /// The position as symmetry number `symmetry` sees it. A symmetry may swap the sides.
    fn transform(&self, symmetry: usize) -> Self {
        debug_assert_eq!(symmetry, 0);
        self.clone()
    }

    // ---- texts ----

    /// The position as text.
    fn text(&self) -> String;

    /// Reads a position of the same variant and rule set as `self`. Any arrangement that means something is accepted,
    /// unreachable ones too; [`Position::text`] of the result gives the same position again.
    fn parse(&self, text: &str) -> Result<Self, PositionError>;

    /// The text of one move. The text of a turn is that of its moves, joined by blanks.
    fn move_text(&self, m: Self::Move) -> String;

    /// Every canonical text that means `m`, [`Position::move_text`] among them.
    fn spellings(&self, m: Self::Move) -> Vec<String> {
        vec![self.move_text(m)]
    }

    /// How many [`Position::spellings`] there are.
    fn count_spellings(&self, m: Self::Move) -> u64 {
        self.spellings(m).len() as u64
    }

    /// A second form of a move's text that the original program used (JSON, say); `None` where there is none.
    fn object_text(&self, m: Self::Move) -> Option<String> {
        let _ = m;
        None
    }

    /// Reads a turn. The result need not be legal (the caller checks that each move is listed and that the turn is complete),
    /// but an error from here should name the rule that the text breaks.
    fn parse_turn(&self, text: &str) -> Result<Vec<Self::Move>, TurnError>;

    // ---- pictures ----

    /// What the position looks like; `last` is the turn that led here.
    fn picture(&self, last: &[Self::Move]) -> Picture;

    /// The clicks that enter `m`. Spots are those of [`Position::picture`]. No two moves of a position have the same clicks.
    fn clicks(&self, m: Self::Move) -> Vec<Click>;
}
