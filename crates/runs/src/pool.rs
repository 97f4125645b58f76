//! Where matches are played.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

use agon_store::{Live, Match};

use crate::FixtureError;

/// A match of a run: the number of its battle, and which match of the battle.
pub type Key = (u32, u8);

/// What a slot says.
#[derive(Debug)]
pub enum News {
    /// A match begins.
    Started(Key),
    /// A match as it stands, for those who look on.
    Goes(Box<Live>),
    /// A match is over.
    Finished(Box<Match>),
    /// A match was abandoned, because the run was stopped.
    Stopped(Key),
    /// This host could not play a match, and why.
    Failed(Key, FixtureError),
}

/// What came of listening to a pool.
#[derive(Debug)]
pub enum Heard {
    /// A slot said something.
    News(News),
    /// A slot is done with its job.
    Free,
    /// Nobody said anything in time.
    Nothing,
}

/// Slots that play matches. A job is one match, or several that belong together and are played on one slot, one after the other.
pub trait Pool<J> {
    /// Whether a slot is free.
    fn has_room(&self) -> bool;

    /// Whether all slots are free.
    fn is_idle(&self) -> bool;

    /// Hands a job to the next slot that is free.
    fn begin(&mut self, job: J);

    /// Listens to the slots.
    fn hear(&mut self, patience: Duration) -> Heard;
}

/// A slot while it plays a job.
pub struct Slot<'a> {
    /// Its number, which is also that of its core.
    pub number: usize,
    said: &'a mpsc::SyncSender<Said>,
}

impl Slot<'_> {
    /// Tells whoever directs the run.
    pub fn say(&self, news: News) {
        // If nobody listens any more, the run is over.
        let _ = self.said.send(Said::News(news));
    }

    /// Shows how a match stands, unless somebody would have to wait for that: the match does not wait for those who look on.
    pub fn show(&self, live: Live) {
        let _ = self.said.try_send(Said::News(News::Goes(Box::new(live))));
    }

    /// Says what came of a match: see [`Fixture::play`](crate::Fixture::play).
    pub fn report(&self, key: Key, outcome: Result<Option<Match>, FixtureError>) {
        self.say(match outcome {
            Ok(Some(played)) => News::Finished(Box::new(played)),
            Ok(None) => {
                tracing::debug!(battle = key.0, half = key.1, "a match is abandoned: the run is stopped");
                News::Stopped(key)
            }
            Err(problem) => {
                tracing::error!(battle = key.0, half = key.1, slot = self.number, %problem, "a match cannot be played");
                News::Failed(key, problem)
            }
        });
    }
}

enum Said {
    News(News),
    Done,
}

/// Slots that are threads of this program.
struct ThisMachine<J> {
    slots: usize,
    /// Jobs that were handed out and are not done.
    busy: usize,
    jobs: mpsc::Sender<J>,
    said: mpsc::Receiver<Said>,
}

impl<J> Pool<J> for ThisMachine<J> {
    fn has_room(&self) -> bool {
        self.busy < self.slots
    }

    fn is_idle(&self) -> bool {
        self.busy == 0
    }

    fn begin(&mut self, job: J) {
        self.busy += 1;
        // Slots take jobs for as long as this sender lives.
        let _ = self.jobs.send(job);
    }

    fn hear(&mut self, patience: Duration) -> Heard {
        match self.said.recv_timeout(patience) {
            Ok(Said::News(news)) => Heard::News(news),
            Ok(Said::Done) => {
                self.busy -= 1;
                Heard::Free
            }
            Err(_) => Heard::Nothing,
        }
    }
}

/// Runs `direct` with a pool of so many slots of this machine, on which `play` plays jobs. `key` names the match that counts as failed
/// if playing a job breaks off by a defect of this program. When `direct` returns no further jobs begin; those that have begun are
/// waited for, and what they still say is lost, so whoever cannot wait stops them first.
pub fn on_this_machine<J: Send, R>(
    slots: usize,
    key: impl Fn(&J) -> Key + Sync,
    play: impl Fn(&Slot<'_>, &J) + Sync,
    direct: impl FnOnce(&mut dyn Pool<J>) -> R,
) -> R {
    let (jobs, waiting) = mpsc::channel::<J>();
    let waiting = Mutex::new(waiting);
    let (sender, said) = mpsc::sync_channel(4 * slots);
    thread::scope(|scope| {
        for number in 0..slots {
            let (sender, waiting, key, play) = (sender.clone(), &waiting, &key, &play);
            scope.spawn(move || {
                let slot = Slot { number, said: &sender };
                loop {
                    let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(job) = job else { return };
                    if catch_unwind(AssertUnwindSafe(|| play(&slot, &job))).is_err() {
                        slot.report(key(&job), Err(FixtureError::Defect));
                    }
                    if sender.send(Said::Done).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut pool = ThisMachine { slots, busy: 0, jobs, said };
        let result = direct(&mut pool);
        let ThisMachine { jobs, said, .. } = pool;
        drop(jobs);
        // None of the slots waits for ever for somebody to listen.
        while said.recv().is_ok() {}
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(60);

    fn play(slots: usize, jobs: u32, play: impl Fn(&Slot<'_>, &u32) + Sync) -> Vec<String> {
        let mut heard = Vec::new();
        on_this_machine(
            slots,
            |&job| (job, 0),
            play,
            |pool| {
                let mut left = 0..jobs;
                loop {
                    while pool.has_room() {
                        let Some(job) = left.next() else { break };
                        pool.begin(job);
                    }
                    if pool.is_idle() {
                        return;
                    }
                    match pool.hear(PATIENCE) {
                        Heard::News(news) => heard.push(format!("{news:?}")),
                        Heard::Free => {}
                        Heard::Nothing => panic!("nobody says anything"),
                    }
                }
            },
        );
        heard.sort();
        heard
    }

    #[test]
    fn every_job_is_played_once() {
        let mut expected: Vec<String> = (0..100).map(|job| format!("{:?}", News::Started((job, 1)))).collect();
        expected.sort();
        assert_eq!(play(3, 100, |slot, &job| slot.say(News::Started((job, 1)))), expected);
    }

    #[test]
    fn a_defect_costs_one_match_and_not_the_run() {
        let heard = play(2, 3, |slot, &job| {
            assert_ne!(job, 1, "a defect");
            slot.say(News::Stopped((job, 0)));
        });
        assert_eq!(heard.len(), 3);
        assert!(heard[0].starts_with("Failed((1, 0), "), "{heard:?}");
    }
}
