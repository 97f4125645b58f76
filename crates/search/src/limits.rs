//! When a search ends.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

/// When a search ends, whichever comes first. Without any it goes on until it is stopped or everything is decided.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// So many nodes, exactly: the same search again ends at the same node.
    pub nodes: Option<u64>,
    /// So many moves deep.
    pub depth: Option<i32>,
    /// No new iteration after so long.
    pub soft: Option<Duration>,
    /// Not a moment longer; less where the thread was lately kept off its core for a while.
    pub hard: Option<Duration>,
    /// Whether the two before mean time of this thread on a core, not time on the wall.
    pub cpu: bool,
    /// When somebody says so.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// Whether nothing but somebody's word ends the search.
    pub fn are_none(&self) -> bool {
        self.nodes.is_none() && self.depth.is_none() && self.soft.is_none() && self.hard.is_none()
    }
}
