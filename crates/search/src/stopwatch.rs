//! Time that has passed, and time that was lost.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Processor time of this thread so far.
pub fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Time since a moment: on the wall, or of this thread on a core.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stopwatch {
    Wall(Instant),
    Thread(Duration),
}

impl Stopwatch {
    pub(crate) fn start(cpu: bool) -> Stopwatch {
        if cpu { Stopwatch::Thread(thread_time()) } else { Stopwatch::Wall(Instant::now()) }
    }

    pub(crate) fn elapsed(self) -> Duration {
        match self {
            Stopwatch::Wall(start) => start.elapsed(),
            Stopwatch::Thread(start) => thread_time().saturating_sub(start),
        }
    }
}

/// How long this thread was kept off its core of late, as its own looks at the clock show.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pauses {
    longest: Duration,
}

/// Two looks that are no further apart than this had only work between them.
const NO_PAUSE: Duration = Duration::from_millis(1);
/// How much of a pause is still remembered a search later: half of it after seven.
const KEPT: f64 = 0.9;

impl Pauses {
    /// Two looks at the clock were so far apart.
    pub(crate) fn saw(&mut self, gap: Duration) {
        if gap > NO_PAUSE {
            self.longest = self.longest.max(gap);
        }
    }

    /// A new search begins.
    pub(crate) fn fade(&mut self) {
        self.longest = self.longest.mul_f64(KEPT);
    }

    /// What to leave of a limit: a pause may have come before the search began to count, another one may come just before its end, and a
    /// third one to those who carry the answer.
    pub(crate) fn reserve(&self, limit: Duration) -> Duration {
        (3 * self.longest).min(limit * 3 / 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn a_pause_is_provided_against_and_forgotten_in_time() {
        let mut pauses = Pauses::default();
        pauses.saw(millis(4));
        pauses.saw(millis(2));
        assert_eq!(pauses.reserve(millis(91)), millis(12));
        assert_eq!(pauses.reserve(millis(8)), millis(6), "a quarter of a limit is always used");
        for _ in 0..7 {
            pauses.fade();
        }
        assert!(pauses.reserve(millis(91)) < millis(6));
        for _ in 0..60 {
            pauses.fade();
        }
        assert!(pauses.reserve(millis(91)) < Duration::from_micros(20));
    }
}
