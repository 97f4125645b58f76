//! Everything that goes on.

use std::{
    collections::HashMap,
    io::{self, Write},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use agon_store::{Live, Match, Run, Store, StoreError};
use tokio::sync::{broadcast, watch};

use crate::{
    Options,
    access::Access,
    analysts::Analysts,
    elsewhere::Elsewhere,
    guard::Limits,
    live_match::{LiveMatch, Refusal, State, now_ms},
    news::News,
    tournaments::Tournaments,
    workers::Workers,
};

/// The arena.
pub(crate) struct Arena {
    store: Mutex<Store>,
    matches: Mutex<HashMap<String, Arc<LiveMatch>>>,
    workers: Workers,
    pub(crate) analysts: Analysts,
    pub(crate) limits: Limits,
    pub(crate) access: Access,
    pub(crate) options: Options,
    /// Those who look at matches of other programs.
    pub(crate) elsewhere: Elsewhere,
    /// Tournaments that were looked at.
    pub(crate) tournaments: Tournaments,
    closing: AtomicBool,
    closed: watch::Sender<bool>,
    /// Every change of every match, for those who watch many.
    news: broadcast::Sender<Arc<News>>,
}

/// Changes that a slow watcher may be behind; then it misses some.
const MOST_NEWS: usize = 256;
/// A program that has not written for so long was killed.
const STILL_ALIVE: Duration = Duration::from_secs(600);
/// Matches of other programs that are listed.
const MOST_ELSEWHERE: u32 = 24;
/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(100);
/// How often what could not be stored is tried again.
const RETRY: Duration = Duration::from_secs(1);
/// How often matches that nobody looks at are put away.
const SWEEP: Duration = Duration::from_secs(60);
/// A match that nobody has gone on with for so long is over.
const MOST_IDLE: Duration = Duration::from_secs(14 * 24 * 3600);
/// How often such matches are looked for.
const TIDY: Duration = Duration::from_secs(3600);
/// A bot that has waited so long for its opponent is ended. It is started again when its turn comes.
const MOST_WAITING: Duration = Duration::from_secs(5 * 60);
/// A match in which nothing has happened for so long is not listed among those to watch.
const STALE: Duration = Duration::from_secs(30 * 60);
/// What the runs of matches are called that are not listed.
pub(crate) const PRIVATE: &str = "private";
/// Matches in progress that are kept at hand; more are refused.
pub(crate) const MOST_MATCHES: usize = 5000;

impl Arena {
    pub(crate) fn open(store: Store, options: Options) -> Result<Arc<Arena>, StoreError> {
        let waiting: Vec<_> = store.live_since(0, u32::MAX)?.into_iter().filter(|live| live.kind == "page").collect();
        let access = Access::open(options.token.as_deref(), &store)?;
        let arena = Arc::new_cyclic(|arena: &Weak<Arena>| {
            let arena = arena.clone();
            Arena {
                store: Mutex::new(store),
                matches: Mutex::default(),
                workers: Workers::start(move |live| {
                    if let Some(arena) = arena.upgrade() {
                        arena.save(live);
                    }
                }),
                analysts: Analysts::start(),
                limits: Limits::default(),
                access,
                options,
                elsewhere: Elsewhere::default(),
                tournaments: Tournaments::default(),
                closing: AtomicBool::new(false),
                closed: watch::Sender::new(false),
                news: broadcast::Sender::new(MOST_NEWS),
            }
        });
        // Clocks and bots of a match that was going on go on without anybody looking.
        for stored in waiting {
            arena.find(&stored.id);
        }
        Ok(arena)
    }

    pub(crate) fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn matches(&self) -> MutexGuard<'_, HashMap<String, Arc<LiveMatch>>> {
        self.matches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a new match on, once it is written down.
    pub(crate) fn add(&self, live: Arc<LiveMatch>) -> Result<(), Refusal> {
        if self.matches().len() >= MOST_MATCHES {
            return Err(Refusal::Host("too many matches are being played: try again later".to_owned()));
        }
        let written = self.write(&live, &live.state());
        written.map_err(|error| Refusal::Storage(error.to_string()))?;
        self.matches().insert(live.id.clone(), Arc::clone(&live));
        self.went_on(&live);
        Ok(())
    }

    /// A match in progress, or one that was over a moment ago.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<LiveMatch>> {
        if let Some(live) = self.matches().get(id) {
            return Some(Arc::clone(live));
        }
        let stored = self.store().live_by_id(id).ok().flatten().filter(|live| live.kind == "page")?;
        let live = Arc::new(LiveMatch::from_stored(&stored, Arc::clone(&self.options.containment)).ok()?);
        let live = Arc::clone(self.matches().entry(id.to_owned()).or_insert(live));
        self.went_on(&live);
        Some(live)
    }

    /// A match that another program plays on the same database.
    pub(crate) fn played_elsewhere(&self, id: &str) -> Option<Live> {
        self.store().live_by_id(id).ok().flatten().filter(|live| live.kind != "page")
    }

    /// Matches that other programs play now.
    pub(crate) fn all_elsewhere(&self) -> Vec<Live> {
        let since = now_ms() - STILL_ALIVE.as_millis() as i64;
        let found = self.store().live_since(since, MOST_ELSEWHERE).unwrap_or_default();
        found.into_iter().filter(|live| live.kind != "page").collect()
    }

    /// A finished match.
    pub(crate) fn finished(&self, id: &str) -> Result<Option<Match>, StoreError> {
        self.store().match_by_id(id)
    }

    /// Public matches in which something has happened lately, the newest first.
    pub(crate) fn worth_watching(&self) -> Vec<Arc<LiveMatch>> {
        let begun = |live: &LiveMatch| {
            let state = live.state();
            let goes_on = state.ended.is_none() && !state.setting.private && !state.waits_for_players();
            (goes_on && state.turn_began.elapsed() < STALE).then_some(state.turn_began)
        };
        let mut found: Vec<_> = self.live().into_iter().filter_map(|live| Some((begun(&live)?, live))).collect();
        found.sort_by_key(|(began, _)| std::cmp::Reverse(*began));
        found.into_iter().map(|(_, live)| live).collect()
    }

    /// The matches in progress in which somebody has a seat, those where they are to move first.
    pub(crate) fn matches_of(&self, client: &str) -> Vec<Arc<LiveMatch>> {
        let mine = |live: &LiveMatch| {
            let state = live.state();
            let seat = state.seat_of(client).filter(|_| state.ended.is_none())?;
            Some((state.open.position().turn() != seat, std::cmp::Reverse(state.turn_began)))
        };
        let mut found: Vec<_> = self.live().into_iter().filter_map(|live| Some((mine(&live)?, live))).collect();
        found.sort_by_key(|(order, _)| *order);
        found.into_iter().map(|(_, live)| live).collect()
    }

    /// Whether two people are playing in earnest in the position that these turns lead to.
    pub(crate) fn is_played_in_earnest(
        &self,
        game: &str,
        variant: &str,
        start: Option<&str>,
        turns: &[String],
    ) -> bool {
        !turns.is_empty()
            && self.live().iter().any(|live| {
                let state = live.state();
                let setup = &state.open.spec().setup;
                let same = setup.game.name() == game
                    && setup.variant == variant
                    && setup.position.as_deref() == start
                    && state.open.turns().len() == turns.len()
                    && state.open.turns().iter().zip(turns).all(|(made, turn)| made.text == *turn);
                same && state.is_serious()
            })
    }

    /// Matches in progress, in no order.
    pub(crate) fn live(&self) -> Vec<Arc<LiveMatch>> {
        self.matches().values().cloned().collect()
    }

    /// Changes a match, writes the change down, and lets bots go on. What cannot be written down does not happen.
    pub(crate) fn change<T>(
        &self,
        live: &Arc<LiveMatch>,
        change: impl FnOnce(&mut State) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let done = live.change(|live, state| self.write(live, state), change)?;
        self.went_on(live);
        Ok(done)
    }

    /// A person's turn.
    pub(crate) fn play(
        &self,
        live: &Arc<LiveMatch>,
        client: &str,
        turn: &str,
        after: Option<usize>,
    ) -> Result<(), Refusal> {
        live.play(|live, state| self.write(live, state), client, turn, after)?;
        self.went_on(live);
        Ok(())
    }

    /// Those who watch hear of it, and bots go on.
    fn went_on(&self, live: &Arc<LiveMatch>) {
        self.announce(live);
        self.workers.wake(Arc::clone(live));
    }

    fn announce(&self, live: &LiveMatch) {
        let (private, over) = {
            let state = live.state();
            (state.setting.private, state.ended.is_some())
        };
        if !private {
            // Nobody may be watching.
            let _ = self.news.send(Arc::clone(&live.subscribe().borrow()));
        }
        if over {
            live.dismiss_bots();
        }
    }

    /// Stores what happened in a match by itself. What cannot be stored now is stored as soon as it can be.
    fn save(&self, live: &LiveMatch) {
        self.announce(live);
        let written = self.write(live, &live.state());
        live.set_unsaved(written.is_err());
        if let Err(error) = written {
            log(&format!("match {}: {error}", live.id));
        }
    }

    /// Writes a match down as it stands.
    fn write(&self, live: &LiveMatch, state: &State) -> Result<(), StoreError> {
        let kind = if state.setting.private { PRIVATE } else { "page" };
        let run = format!("{kind}-{}", live.id);
        let mut store = self.store();
        let Some(finished) = live.finished(state, &run) else {
            return store.save_live(&live.stored(state));
        };
        let run = Run { id: run, created_ms: now_ms(), kind: "page".to_owned(), configuration: "{}".to_owned() };
        store.create_or_resume_run(&run)?;
        if store.match_by_id(&live.id)?.is_none() {
            store.save_match(&finished)?;
            return store.remove_live(&live.id);
        }
        // It is over and stored: what changes now is only known while it is at hand.
        Ok(())
    }

    /// Looks at the clocks, for ever.
    pub(crate) async fn keep_time(self: Arc<Arena>) {
        let (mut swept, mut retried, mut tidied) = (Instant::now(), Instant::now(), None);
        while !self.closing.load(Ordering::Relaxed) {
            tokio::time::sleep(TICK).await;
            let again = retried.elapsed() >= RETRY;
            for live in self.live() {
                if live.expire() || (again && live.is_unsaved()) {
                    self.save(&live);
                } else if live.is_due() {
                    self.workers.wake(live);
                }
            }
            if again {
                retried = Instant::now();
            }
            if swept.elapsed() >= SWEEP {
                swept = Instant::now();
                self.sweep();
                // A bot may take its time to end.
                let arena = Arc::clone(&self);
                tokio::task::spawn_blocking(move || arena.end_waiting_bots(MOST_WAITING));
            }
            if tidied.is_none_or(|when: Instant| when.elapsed() >= TIDY) {
                tidied = Some(Instant::now());
                self.end_abandoned(MOST_IDLE);
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

    /// Puts away what nobody looks at: the store has it. The clock of a person must be watched.
    fn sweep(&self) {
        let idle = |live: &LiveMatch| {
            let runs = live.state().person_is_timed();
            live.spectators() == 0 && !runs && live.waits_since() > Some(SWEEP)
        };
        for live in self.live().into_iter().filter(|live| idle(live)) {
            self.matches().remove(&live.id);
            live.dismiss_waiting_bots();
        }
    }

    /// Ends matches that nobody has gone on with for `most`: the side to move loses on time. Where a seat is still empty nobody does.
    pub(crate) fn end_abandoned(&self, most: Duration) {
        let before = now_ms() - most.as_millis() as i64;
        let stored = self.store().live_since(0, u32::MAX).unwrap_or_default();
        for old in stored.into_iter().filter(|live| live.kind == "page" && live.updated_ms < before) {
            let Some(live) = self.find(&old.id) else { continue };
            if live.state().waits_for_players() {
                let _ = self.store().remove_live(&old.id);
                self.matches().remove(&old.id);
            } else if live.give_up(most) {
                self.save(&live);
            }
        }
    }

    /// Ends everything that would keep a connection open.
    pub(crate) fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
        self.closed.send_replace(true);
        for live in self.live() {
            live.dismiss_bots();
        }
    }

    /// Every change of every match.
    pub(crate) fn news(&self) -> broadcast::Receiver<Arc<News>> {
        self.news.subscribe()
    }

    /// Becomes true when the arena closes.
    pub(crate) fn closed(&self) -> watch::Receiver<bool> {
        self.closed.subscribe()
    }
}

/// Says what went wrong, once, to whoever runs the arena.
pub(crate) fn log(what: &str) {
    // A reader who has gone away must not end the arena.
    let _ = writeln!(io::stderr(), "agon: {what}");
}

#[cfg(test)]
mod tests;
