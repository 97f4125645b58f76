//! What a searcher has learnt and keeps for its next search.

use std::sync::Arc;

use agon_rules::BySide;

use super::history::History;
use crate::{Dfpn, Searchable, TranspositionTable};

/// What was learnt in a game. Without it a searcher does what a new one would do.
pub(super) struct Knowledge<P: Searchable> {
    pub(super) table: Arc<TranspositionTable>,
    pub(super) history: History,
    /// The score that each side's last search ended with.
    pub(super) last_score: BySide<i32>,
    /// Proofs of wins of either side.
    pub(super) dfpn: BySide<Option<Dfpn<P>>>,
    /// How many moves the game may have at its end, since a win was proven.
    pub(super) win_deadline: Option<usize>,
}

impl<P: Searchable> Knowledge<P> {
    pub(super) fn new(table: Arc<TranspositionTable>) -> Knowledge<P> {
        Knowledge {
            table,
            history: History::new(),
            last_score: BySide::default(),
            dfpn: BySide::from_fn(|_| None),
            win_deadline: None,
        }
    }

    /// A new search of the same game begins: older things count less.
    pub(super) fn age(&mut self) {
        self.history.fade();
        self.table.grow_older();
    }

    pub(super) fn forget(&mut self) {
        self.table.clear();
        self.history.clear();
        self.last_score = BySide::default();
        self.dfpn = BySide::from_fn(|_| None);
        self.win_deadline = None;
    }
}
