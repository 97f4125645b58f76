//! What a search has found.

use std::time::Duration;

/// A line of play and its score for the side to move at the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation<M> {
    /// What the root is worth if it is played.
    pub score: i32,
    /// The moves of both sides.
    pub moves: Vec<M>,
}

/// What a search has found so far.
#[derive(Clone, Debug)]
pub struct Report<M> {
    /// The last depth that was searched to its end.
    pub depth: i32,
    /// The best lines, the best one first; one unless more were asked for.
    pub lines: Vec<Variation<M>>,
    /// How far ahead the longest line went that was looked at, in moves.
    pub deepest: usize,
    /// Positions looked at.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}
