//! Threads that let bots move.

use std::{
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
};

use crate::live_match::LiveMatch;

/// Bots are waited for by so many threads: most only wait for a program elsewhere.
const THREADS: usize = 16;

/// A queue of matches in which a bot is to move.
pub(crate) struct Workers {
    queue: mpsc::Sender<Arc<LiveMatch>>,
}

impl Workers {
    /// Starts the threads. `saved` is called whenever a bot has moved.
    pub(crate) fn start(saved: impl Fn(&LiveMatch) + Send + Sync + 'static) -> Workers {
        let (queue, jobs) = mpsc::channel::<Arc<LiveMatch>>();
        let (jobs, saved) = (Arc::new(Mutex::new(jobs)), Arc::new(saved));
        for number in 0..THREADS {
            let (jobs, saved) = (Arc::clone(&jobs), Arc::clone(&saved));
            let work = move || {
                let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
                while let Ok(live) = next() {
                    live.drive(&*saved);
                }
            };
            // A machine that cannot start threads has fewer of them; the first ones do the work.
            let _ = thread::Builder::new().name(format!("bots-{number}")).spawn(work);
        }
        Workers { queue }
    }

    /// A bot may be to move in this match.
    pub(crate) fn wake(&self, live: Arc<LiveMatch>) {
        if live.awaits_bot() {
            // Nobody is left to receive only while the program ends.
            let _ = self.queue.send(live);
        }
    }
}
