//! How long to think about a turn.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::Limits;

/// What it takes besides thinking: the answer must be written, carried and read, and this thread may have to wait for its core.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overhead(pub Duration);

impl Default for Overhead {
    fn default() -> Overhead {
        Overhead(Duration::from_millis(3))
    }
}

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

/// Of a limit for each turn so much is used: the rest is for what no clock here sees.
const SHARE_OF_TURN: f64 = 0.97;
/// A turn that turns out to be hard may take so many times its share of a total clock.
const MOST_SHARES: u32 = 4;
/// A total clock is shared out among at least so many turns that may still come.
const LEAST_TURNS_LEFT: u32 = 12;
/// No turn takes more of a total clock than this part.
const MOST_OF_CLOCK: u32 = 6;

impl Limits {
    /// So long for this turn, all of which may be used: the next turn has its own.
    pub fn for_turn(limit: Duration, overhead: Overhead) -> Limits {
        let usable = limit.mul_f64(SHARE_OF_TURN).saturating_sub(overhead.0);
        // However short the limit, there is a moment to think: half of it.
        Limits { hard: Some(usable.max(limit / 2)), ..Limits::default() }
    }

    /// What is left of a total clock, in a game that usually takes `usual_turns` of each side, after `made` of them.
    pub fn for_clock(left: Duration, made: u32, usual_turns: u32, overhead: Overhead) -> Limits {
        let to_come = usual_turns.saturating_sub(made).max(LEAST_TURNS_LEFT);
        let usable = left.saturating_sub(overhead.0 * to_come);
        let share = usable / to_come;
        let most = (share * MOST_SHARES).min(usable / MOST_OF_CLOCK).max(left / 200);
        Limits { soft: Some(share.min(most) * 2 / 3), hard: Some(most), ..Limits::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_for_each_turn_is_used_to_nine_tenths() {
        for millis in [100, 1000, 2000] {
            let limit = Duration::from_millis(millis);
            let used = Limits::for_turn(limit, Overhead::default()).hard.unwrap();
            assert!(used >= limit.mul_f64(0.9) && used < limit, "{used:?} of {limit:?}");
        }
        let tiny = Limits::for_turn(Duration::from_millis(4), Overhead::default()).hard.unwrap();
        assert_eq!(tiny, Duration::from_millis(2));
    }

    #[test]
    fn a_total_clock_never_runs_out() {
        let overhead = Overhead::default();
        for total in [500, 5_000, 120_000] {
            let mut left = Duration::from_millis(total);
            for made in 0..400 {
                let limits = Limits::for_clock(left, made, 40, overhead);
                let (soft, hard) = (limits.soft.unwrap(), limits.hard.unwrap());
                assert!(
                    soft <= hard && hard <= left / MOST_OF_CLOCK + Duration::from_millis(1),
                    "{left:?}: {limits:?}"
                );
                // Even if every turn took as long as it may.
                left = left.saturating_sub(hard);
            }
            assert!(!left.is_zero());
        }
    }

    #[test]
    fn most_of_a_total_clock_is_used_in_a_usual_game() {
        let mut left = Duration::from_secs(120);
        for made in 0..40 {
            left -= Limits::for_clock(left, made, 40, Overhead::default()).soft.unwrap() * 3 / 2;
        }
        assert!(left < Duration::from_secs(50), "{left:?}");
    }
}
