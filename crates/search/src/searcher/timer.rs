//! The limits of a search and its clock: says when to stop.

use std::{sync::atomic::Ordering, time::Duration};

use crate::{
    Limits,
    stopwatch::{Pauses, Stopwatch},
};

/// How often the clock is looked at: a few times in a millisecond, even where a node takes long.
const NODES_BETWEEN_LOOKS: u64 = 128;

/// Counts nodes and time against the limits.
pub(super) struct Timer {
    pub(super) limits: Limits,
    pub(super) nodes: u64,
    /// Whether the search must end.
    pub(super) stopped: bool,
    started: Stopwatch,
    /// When the clock was last looked at.
    looked: Duration,
    pauses: Pauses,
}

impl Timer {
    pub(super) fn new() -> Timer {
        Timer {
            limits: Limits::default(),
            nodes: 0,
            stopped: false,
            started: Stopwatch::start(false),
            looked: Duration::ZERO,
            pauses: Pauses::default(),
        }
    }

    /// A search begins.
    pub(super) fn begin(&mut self, limits: Limits) {
        self.started = Stopwatch::start(limits.cpu);
        self.looked = Duration::ZERO;
        self.pauses.fade();
        self.nodes = 0;
        self.stopped = false;
        self.limits = limits;
    }

    /// The limits and the beginning of this search, for [`restore`](Timer::restore) when another one has run inside it.
    pub(super) fn save(&self) -> (Limits, Stopwatch) {
        (self.limits.clone(), self.started)
    }

    pub(super) fn restore(&mut self, (limits, started): (Limits, Stopwatch)) {
        (self.limits, self.started) = (limits, started);
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Counts a node. The first iteration is always finished, unless nodes are counted: there must be something to play.
    #[inline]
    pub(super) fn count_node(&mut self, first_iteration: bool) {
        self.nodes += 1;
        if self.limits.nodes.is_some_and(|most| self.nodes >= most) {
            self.stopped = true;
        } else if self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) {
            let late = self.limits.hard.is_some_and(|hard| self.is_late(hard));
            self.stopped |= (late || self.is_told_to_stop()) && !first_iteration;
        }
    }

    pub(super) fn is_told_to_stop(&self) -> bool {
        self.limits.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Whether it is too late for another iteration.
    pub(super) fn is_past_soft_limit(&self) -> bool {
        self.limits.soft.is_some_and(|soft| self.elapsed() >= soft)
    }

    /// Looks at the clock. A pause is a reason to stop a little earlier, in this search already.
    fn is_late(&mut self, hard: Duration) -> bool {
        let now = self.started.elapsed();
        let gap = now.saturating_sub(self.looked);
        self.looked = now;
        if self.limits.cpu {
            return now >= hard;
        }
        self.pauses.saw(gap);
        now + self.pauses.reserve(hard) >= hard
    }
}
