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
    analysts::Analysts,
    elsewhere::Elsewhere,
    guard::Limits,
    live_match::{LiveMatch, now_ms},
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
    pub(crate) options: Options,
    /// Those who look at matches of other programs.
    pub(crate) elsewhere: Elsewhere,
    /// Tournaments that were looked at.
    pub(crate) tournaments: Tournaments,
    closing: AtomicBool,
    closed: watch::Sender<bool>,
    /// Every change of every match, for those who watch many.
    news: broadcast::Sender<Arc<str>>,
}

/// Changes that a slow watcher may be behind; then it misses some.
const MOST_NEWS: usize = 256;
/// A program that has not written for so long was killed.
const STILL_ALIVE: Duration = Duration::from_secs(600);
/// Matches of other programs that are listed.
const MOST_ELSEWHERE: u32 = 24;
/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(100);
/// How often matches that nobody looks at are put away.
const SWEEP: Duration = Duration::from_secs(60);
/// Matches in progress that are kept at hand; more are refused.
pub(crate) const MOST_MATCHES: usize = 5000;

impl Arena {
    pub(crate) fn open(store: Store, options: Options) -> Result<Arc<Arena>, StoreError> {
        let waiting: Vec<_> = store.live_since(0, u32::MAX)?.into_iter().filter(|live| live.kind == "page").collect();
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

    /// Puts a new match on; `false` if there are too many.
    pub(crate) fn add(&self, live: Arc<LiveMatch>) -> bool {
        {
            let mut matches = self.matches();
            if matches.len() >= MOST_MATCHES {
                return false;
            }
            matches.insert(live.id.clone(), Arc::clone(&live));
        }
        self.save(&live);
        self.workers.wake(live);
        true
    }

    /// A match in progress, or one that was over a moment ago.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<LiveMatch>> {
        if let Some(live) = self.matches().get(id) {
            return Some(Arc::clone(live));
        }
        let stored = self.store().live_by_id(id).ok().flatten().filter(|live| live.kind == "page")?;
        let live = Arc::new(LiveMatch::from_stored(&stored, Arc::clone(&self.options.containment)).ok()?);
        let live = Arc::clone(self.matches().entry(id.to_owned()).or_insert(live));
        self.save(&live);
        self.workers.wake(Arc::clone(&live));
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

    /// Matches in progress, in no order.
    pub(crate) fn live(&self) -> Vec<Arc<LiveMatch>> {
        self.matches().values().cloned().collect()
    }

    /// A match was changed by somebody: it is stored, and bots go on.
    pub(crate) fn changed(&self, live: &Arc<LiveMatch>) {
        self.save(live);
        self.workers.wake(Arc::clone(live));
    }

    /// Stores a match as it is. What cannot be stored now is stored with the next turn.
    fn save(&self, live: &LiveMatch) {
        // Nobody may be watching.
        let _ = self.news.send(Arc::clone(&live.subscribe().borrow()));
        let run = format!("page-{}", live.id);
        let saved = match live.finished(&run) {
            None => self.store().save_live(&live.stored()),
            Some(finished) => {
                let configuration = "{}".to_owned();
                let run = Run { id: run, created_ms: now_ms(), kind: "page".to_owned(), configuration };
                let mut store = self.store();
                let saved = store.create_or_resume_run(&run).and_then(|_| {
                    if store.match_by_id(&live.id)?.is_none() {
                        store.save_match(&finished)?;
                    }
                    store.remove_live(&live.id)
                });
                drop(store);
                live.dismiss_bots();
                saved
            }
        };
        if let Err(error) = saved {
            log(&format!("match {}: {error}", live.id));
        }
    }

    /// Looks at the clocks, for ever.
    pub(crate) async fn keep_time(self: Arc<Arena>) {
        let mut swept = Instant::now();
        while !self.closing.load(Ordering::Relaxed) {
            tokio::time::sleep(TICK).await;
            for live in self.live() {
                if live.expire() {
                    self.changed(&live);
                }
            }
            if swept.elapsed() >= SWEEP {
                swept = Instant::now();
                self.sweep();
            }
        }
    }

    /// Puts away what nobody looks at: the store has it.
    fn sweep(&self) {
        let idle = |live: &LiveMatch| {
            let state = live.state();
            live.spectators() == 0 && !state.setting.timed.contains(&true) && state.turn_began.elapsed() > SWEEP
        };
        let away: Vec<Arc<LiveMatch>> =
            self.live().into_iter().filter(|live| idle(live) && !live.awaits_bot()).collect();
        for live in away {
            self.matches().remove(&live.id);
            live.dismiss_bots();
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
    pub(crate) fn news(&self) -> broadcast::Receiver<Arc<str>> {
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
