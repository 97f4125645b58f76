//! Threads that let bots move.

use std::{
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
};

use agon_store::StoreError;

use crate::{live_match::LiveMatch, state::State};

/// Bots are waited for by so many threads: most only wait for another program.
const THREADS: usize = 16;

/// A queue of matches in which a bot is to move.
pub(crate) struct Workers {
    queue: mpsc::Sender<Arc<LiveMatch>>,
}

impl Workers {
    /// Starts the threads. `save` writes a turn of a bot down before it is shown, and `announce` is called when it is.
    pub(crate) fn start(
        save: impl Fn(&LiveMatch, &State) -> Result<(), StoreError> + Send + Sync + 'static,
        announce: impl Fn(&LiveMatch) + Send + Sync + 'static,
    ) -> Workers {
        let (queue, jobs) = mpsc::channel::<Arc<LiveMatch>>();
        let (jobs, save, announce) = (Arc::new(Mutex::new(jobs)), Arc::new(save), Arc::new(announce));
        for number in 0..THREADS {
            let (jobs, save, announce) = (Arc::clone(&jobs), Arc::clone(&save), Arc::clone(&announce));
            let work = move || {
                let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
                while let Ok(live) = next() {
                    live.drive(&*save, &*announce);
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
