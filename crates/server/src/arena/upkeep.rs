//! What the arena does by itself: it looks at clocks, and ends what nobody goes on with.

use std::{
    io,
    sync::{Arc, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

use agon_store::Live;

use super::{Arena, PAGE, waits_for_players};
use crate::{
    live_match::{LiveMatch, now_ms},
    state::State,
};

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(100);
/// How often what could not be stored is tried again.
const RETRY: Duration = Duration::from_secs(1);
/// How often matches that nobody looks at are put away.
const SWEEP: Duration = Duration::from_secs(60);
/// A match that nobody has gone on with for so long is over.
const MOST_IDLE: Duration = Duration::from_secs(14 * 24 * 3600);
/// An invitation that nobody has followed for so long is over.
const MOST_INVITED: Duration = Duration::from_secs(24 * 3600);
/// How often such matches are looked for.
const TIDY: Duration = Duration::from_secs(3600);
/// A bot that has waited so long for its opponent is ended. It is started again when its turn comes.
const MOST_WAITING: Duration = Duration::from_secs(5 * 60);

impl Arena {
    /// Looks at the clocks until the arena closes, on a thread of its own: what it does may wait for the disk.
    pub(crate) fn keep_time(self: Arc<Arena>) -> io::Result<()> {
        thread::Builder::new().name("clocks".to_owned()).spawn(move || self.look_at_clocks()).map(|_| ())
    }

    fn look_at_clocks(self: Arc<Arena>) {
        let (mut swept, mut retried, mut tidied) = (Instant::now(), Instant::now(), None);
        while !self.closing.load(Ordering::Relaxed) {
            thread::sleep(TICK);
            self.tick(retried.elapsed() >= RETRY);
            if retried.elapsed() >= RETRY {
                retried = Instant::now();
            }
            if swept.elapsed() >= SWEEP {
                swept = Instant::now();
                self.sweep(SWEEP);
                // A bot may take its time to end.
                let arena = Arc::clone(&self);
                let end = move || arena.end_waiting_bots(MOST_WAITING);
                let _ = thread::Builder::new().name("waiting".to_owned()).spawn(end);
            }
            if tidied.is_none_or(|when: Instant| when.elapsed() >= TIDY) {
                tidied = Some(Instant::now());
                self.end_abandoned(MOST_IDLE);
                self.end_invitations(MOST_INVITED);
            }
        }
    }

    /// Ends turns that took too long, and goes on with what waited; with what could not be stored only now and then.
    fn tick(&self, again: bool) {
        let save = |live: &LiveMatch, state: &State| self.save(live, state);
        for live in self.live() {
            live.wait_no_longer();
            if live.is_halted() {
                if again && live.retry(&save) {
                    self.changed(&live);
                }
            } else if live.expire(&save) {
                self.announce(&live);
            } else if live.is_due() {
                self.workers.wake(live);
            }
        }
    }

    /// Ends the programs of bots whose opponents have not moved for `most`, whoever looks on.
    pub(crate) fn end_waiting_bots(&self, most: Duration) {
        for live in self.live() {
            if live.waits_since() >= Some(most) {
                live.dismiss_waiting_bots();
            }
        }
    }

    /// Puts away what nobody has looked at for `most`: the store has it. The clock of a person must be watched.
    pub(crate) fn sweep(&self, most: Duration) {
        let mut put_away = Vec::new();
        self.matches().retain(|_, live| {
            let runs = {
                let state = live.state();
                state.halted.is_some() || (state.person_is_timed() && !state.waits_for_players())
            };
            let idle = live.spectators() == 0 && !runs && live.waits_since() > Some(most);
            // Whoever has it in hand just now may change it.
            let keep = !idle || Arc::strong_count(live) > 1;
            if !keep {
                put_away.push(Arc::clone(live));
            }
            keep
        });
        put_away.iter().for_each(|live| live.dismiss_waiting_bots());
    }

    /// Ends matches that nobody has gone on with for `most`: the side to move loses on time. What another program has not gone on with is
    /// forgotten: it was killed.
    pub(crate) fn end_abandoned(&self, most: Duration) {
        let before = now_ms() - most.as_millis() as i64;
        for old in self.all_stored().into_iter().filter(|live| live.updated_ms < before) {
            if old.kind != PAGE {
                let _ = self.store().remove_live(&old.id);
                continue;
            }
            let Ok(Some(live)) = self.find(&old.id) else { continue };
            if !live.state().waits_for_players() && live.give_up(&|live, state| self.save(live, state), most) {
                self.announce(&live);
            }
        }
    }

    /// Ends invitations that nobody has followed for `most`: nobody loses.
    pub(crate) fn end_invitations(&self, most: Duration) {
        let before = now_ms() - most.as_millis() as i64;
        for old in self.all_stored().into_iter().filter(|live| live.kind == PAGE && live.updated_ms < before) {
            if waits_for_players(&old) && self.is_open(&old.id) {
                let _ = self.store().remove_live(&old.id);
                self.matches().remove(&old.id);
            }
        }
    }

    fn all_stored(&self) -> Vec<Live> {
        let found = self.reader().readable_live_since(0, u32::MAX);
        found.map(|found| self.undamaged(found)).unwrap_or_default()
    }
}
