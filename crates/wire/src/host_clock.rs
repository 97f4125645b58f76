//! A clock that stands still while the machine does.
//!
//! On a shared host the hypervisor may take a core away for many milliseconds. A bot cannot know that and cannot help it, so the time
//! is not charged to it. One thread for each core sleeps a millisecond at a time; since nothing on this machine comes before it (it is a
//! real-time thread), it can only be late if its core did not run at all. Where such threads are not permitted nothing is taken off:
//! an ordinary thread is also late when bots keep the cores busy, and a bot must not be able to stop the clock.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use thread_priority::{
    RealtimeThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
    thread_native_id,
};

/// How long the threads sleep.
const NAP: Duration = Duration::from_millis(1);
/// A thread that wakes up this late was only slow to wake up.
const SLOW_TO_WAKE: Duration = Duration::from_micros(300);
/// Before everything but what the kernel itself needs.
const PRIORITY: u8 = 90;

/// More times than this are not remembered: they are hours of a bad machine.
const MOST_SPANS: usize = 100_000;

/// When the cores stood still. All times are nanoseconds since `zero`.
struct Stalls {
    zero: Instant,
    /// When the thread of each core should be awake again.
    due: Vec<AtomicU64>,
    spans: Mutex<Spans>,
}

/// Spans of time, from beginning to end. None touches another: what two cores share counts once.
#[derive(Default)]
struct Spans(BTreeMap<u64, u64>);

impl Spans {
    fn add(&mut self, mut from: u64, mut to: u64) {
        while let Some((&begin, &end)) = self.0.range(..=to).next_back().filter(|&(_, &end)| end >= from) {
            (from, to) = (from.min(begin), to.max(end));
            self.0.remove(&begin);
        }
        self.0.insert(from, to);
        if self.0.len() > MOST_SPANS {
            self.0.pop_first();
        }
    }

    /// How much of the time from `from` to `to` they cover.
    fn within(&self, from: u64, to: u64) -> u64 {
        let spans = self.0.range(..to).rev().take_while(|&(_, &end)| end > from);
        spans.map(|(&begin, &end)| end.min(to) - begin.max(from)).sum()
    }
}

static STALLS: OnceLock<Option<Stalls>> = OnceLock::new();

/// Starts to look out for times when the machine stands still, from now on and for the whole program. Says whether that is permitted.
pub fn discount_stalls() -> bool {
    STALLS.get_or_init(start).is_some()
}

fn start() -> Option<Stalls> {
    let allowed = sched_getaffinity(None).ok()?;
    let cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    let (report, reports) = mpsc::channel();
    for (place, &core) in cores.iter().enumerate() {
        let report = report.clone();
        let watch = move || {
            let ready = stay_on(core).is_some();
            if report.send(ready).is_ok() && ready {
                watch_core(place);
            }
        };
        thread::Builder::new().name(format!("stalls of core {core}")).spawn(watch).ok()?;
    }
    // If only some of them may, those that may go on for nothing: it does not happen, the permission is the program's.
    let all = cores.iter().all(|_| reports.recv() == Ok(true));
    let due = cores.iter().map(|_| AtomicU64::new(u64::MAX)).collect();
    all.then(|| Stalls { zero: Instant::now(), due, spans: Mutex::default() })
}

/// Makes this thread a real-time thread of one core.
fn stay_on(core: usize) -> Option<()> {
    let mut only = CpuSet::new();
    only.set(core);
    sched_setaffinity(None, &only).ok()?;
    let policy = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    let priority = ThreadPriority::Crossplatform(PRIORITY.try_into().ok()?);
    set_thread_priority_and_policy(thread_native_id(), priority, policy).ok()
}

fn watch_core(place: usize) {
    let Some(stalls) = STALLS.wait() else { return };
    loop {
        let due = stalls.now() + nanos(NAP);
        stalls.due[place].store(due, Ordering::Release);
        thread::sleep(NAP);
        stalls.woke_up(due, stalls.now());
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

impl Stalls {
    fn now(&self) -> u64 {
        nanos(self.zero.elapsed())
    }

    fn spans(&self) -> MutexGuard<'_, Spans> {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn woke_up(&self, due: u64, now: u64) {
        if now > due + nanos(SLOW_TO_WAKE) {
            self.spans().add(due, now);
        }
    }

    /// How long cores stood still in the time from `from` to `to`, one that still does included.
    fn within(&self, from: u64, to: u64) -> u64 {
        let mut spans = self.spans();
        // After the lock: who wakes up meanwhile has not said so yet, and is still overdue.
        let due = self.due.iter().map(|due| due.load(Ordering::Acquire)).min().unwrap_or(u64::MAX);
        if to > due.saturating_add(nanos(SLOW_TO_WAKE)) {
            spans.add(due, to);
        }
        spans.within(from, to)
    }
}

/// A moment, for the time since.
#[derive(Clone, Copy, Debug)]
pub struct Moment(Instant);

impl Moment {
    /// This one.
    pub fn now() -> Moment {
        Moment(Instant::now())
    }

    /// The time since, not counting what [`Moment::stalled`] gives.
    pub fn elapsed(&self) -> Duration {
        let now = Instant::now();
        (now - self.0).saturating_sub(self.stalled_until(now))
    }

    /// How long the machine has stood still since, as far as somebody looked out for it.
    pub fn stalled(&self) -> Duration {
        self.stalled_until(Instant::now())
    }

    fn stalled_until(&self, now: Instant) -> Duration {
        let Some(Some(stalls)) = STALLS.get() else { return Duration::ZERO };
        let since = |moment: Instant| nanos(moment.saturating_duration_since(stalls.zero));
        Duration::from_nanos(stalls.within(since(self.0), since(now)))
    }
}

/// The end of somebody's patience.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    start: Moment,
    patience: Duration,
}

impl Deadline {
    /// So long after a moment.
    pub fn after(start: Moment, patience: Duration) -> Deadline {
        Deadline { start, patience }
    }

    /// So long from now.
    pub fn from_now(patience: Duration) -> Deadline {
        Deadline::after(Moment::now(), patience)
    }

    /// What is left until then; zero when it is past.
    pub fn left(&self) -> Duration {
        self.patience.saturating_sub(self.start.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(count: u64) -> u64 {
        nanos(Duration::from_millis(count))
    }

    fn stalls() -> Stalls {
        let due = vec![AtomicU64::new(u64::MAX), AtomicU64::new(u64::MAX)];
        Stalls { zero: Instant::now(), due, spans: Mutex::default() }
    }

    #[test]
    fn a_late_awakening_counts_and_a_slow_one_does_not() {
        let stalls = stalls();
        stalls.woke_up(millis(1), millis(1) + 50_000);
        assert_eq!(stalls.within(0, millis(100)), 0, "slow to wake up");
        stalls.woke_up(millis(12), millis(14));
        stalls.woke_up(millis(16), millis(17));
        assert_eq!(stalls.within(0, millis(100)), millis(3));
        stalls.woke_up(millis(10), millis(30));
        assert_eq!(
            stalls.within(0, millis(100)),
            millis(20),
            "the other core stood still at the same time, and longer"
        );
        stalls.woke_up(millis(40), millis(45));
        assert_eq!(stalls.within(millis(20), millis(42)), millis(12), "only what lies within");
        assert_eq!(stalls.within(millis(31), millis(39)), 0);
    }

    #[test]
    fn a_core_that_stands_still_just_now_counts() {
        let stalls = stalls();
        stalls.due[1].store(millis(5), Ordering::Release);
        assert_eq!(stalls.within(0, millis(5)), 0, "it is not late yet");
        assert_eq!(stalls.within(0, millis(25)), millis(20));
        stalls.woke_up(millis(5), millis(27));
        stalls.due[1].store(millis(28), Ordering::Release);
        assert_eq!(stalls.within(0, millis(27)), millis(22));
    }
}
