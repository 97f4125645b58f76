//! When a search ends.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

/// When a search ends, whichever comes first. Without any it goes on until it is stopped or everything is decided.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// At this number of nodes, exactly: the same search again ends at the same node.
    pub nodes: Option<u64>,
    /// After the iteration of this depth.
    pub depth: Option<i32>,
    /// After this long no new iteration begins.
    pub soft: Option<Duration>,
    /// After this long, wherever it is; earlier where the thread was lately kept off its core for a while.
    pub hard: Option<Duration>,
    /// Whether the two before mean time of this thread on a core, not time on the wall.
    pub cpu: bool,
    /// When somebody sets it.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// Whether nothing but the stop flag ends the search.
    pub fn are_none(&self) -> bool {
        self.nodes.is_none() && self.depth.is_none() && self.soft.is_none() && self.hard.is_none()
    }
}
