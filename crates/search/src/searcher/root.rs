//! What a search is asked at its root.

use agon_rules::{BySide, Side};

/// A position of a game, and how the game came there.
pub(super) struct RootPosition<'a, P> {
    pub(super) position: &'a P,
    /// Keys of the positions before it.
    pub(super) history: &'a [u64],
    /// Turns that each side has made.
    pub(super) made: BySide<u32>,
}

impl<P> Clone for RootPosition<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for RootPosition<'_, P> {}

/// What holds for all nodes of a search, and which moves it looks at first.
pub(super) struct Root<M> {
    /// Who searches: the side to move.
    pub(super) side: Side,
    /// The depth of this iteration.
    pub(super) depth: i32,
    pub(super) wanted_lines: usize,
    /// Moves that are not looked at: the best lines, when another one is wanted.
    pub(super) excluded: Vec<M>,
    /// Moves after which the other side is proven to win; never all.
    pub(super) losing: Vec<M>,
    /// The only move that is looked at, if not all are.
    pub(super) only: Option<M>,
    /// How many cycles of moves both sides have repeated lately: see [`repeated_cycles`](super::draws::repeated_cycles).
    pub(super) repeated_cycles: i32,
    /// Whether this search runs within another one, to choose among wins.
    pub(super) nested: bool,
}

impl<M> Root<M> {
    pub(super) fn new() -> Root<M> {
        Root {
            side: Side::First,
            depth: 0,
            wanted_lines: 1,
            excluded: Vec::new(),
            losing: Vec::new(),
            only: None,
            repeated_cycles: 0,
            nested: false,
        }
    }

    /// Whether its score is that of the position, and not only of some moves.
    pub(super) fn looks_at_all(&self) -> bool {
        self.excluded.is_empty() && self.only.is_none()
    }
}
