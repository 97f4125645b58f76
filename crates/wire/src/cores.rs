//! Which core each bot runs on.

use std::sync::{Mutex, PoisonError};

use rustix::thread::{CpuSet, sched_getaffinity};

/// The cores of running bots; one that several bots share stands here several times.
static TAKEN: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// A core for as long as a bot runs.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Core(usize);

impl Core {
    /// The core of a worker, counted among those that this program may use; without a worker the one with the fewest bots. `None`
    /// where the system does not tell which cores there are.
    pub(crate) fn take(worker: Option<usize>) -> Option<Core> {
        let allowed = sched_getaffinity(None).ok()?;
        let allowed: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
        let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        let core = match worker {
            Some(worker) => *allowed.get(worker % allowed.len().max(1))?,
            None => allowed.into_iter().min_by_key(|core| taken.iter().filter(|other| *other == core).count())?,
        };
        taken.push(core);
        Some(Core(core))
    }

    /// Its number, as the system counts.
    pub(crate) fn number(&self) -> usize {
        self.0
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = taken.iter().position(|&core| core == self.0) {
            taken.swap_remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_spread_over_the_cores_and_workers_keep_theirs() {
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        let mut cores: Vec<Core> = (0..count).filter_map(|_| Core::take(None)).collect();
        let mut numbers: Vec<usize> = cores.iter().map(Core::number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), count, "each has a core of its own");
        assert_eq!(Core::take(Some(0)), Core::take(Some(count)), "more workers than cores share them in turn");
        let number = cores.pop().map(|core| core.number());
        assert_eq!(Core::take(None).map(|core| core.number()), number, "the one that nobody uses any more");
    }
}
