//! Everything that goes on.

mod upkeep;

use std::{
    collections::{HashMap, HashSet},
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use agon_rules::AnyPosition;
use agon_store::{Live, Match, Readable, Run, Store, StoreError, Wanted};
use axum::http::StatusCode;
use tokio::sync::{broadcast, watch};

use crate::{
    Options,
    access::Access,
    analysts::Analysts,
    api::ApiError,
    external::External,
    guard::RateLimits,
    live_match::{LiveMatch, Refusal, now_ms},
    news::News,
    state::{Setting, State},
    tournaments::Tournaments,
    workers::Workers,
};

/// The arena.
pub(crate) struct Arena {
    store: Mutex<Store>,
    /// The same database for those who only read: they wait for nobody who writes. None where it is in memory.
    reader: Option<Mutex<Store>>,
    /// Damaged rows that were reported.
    reported: Mutex<HashSet<String>>,
    matches: Mutex<HashMap<String, Arc<LiveMatch>>>,
    /// Matches by link that each address began, and that wait for somebody.
    invitations: Mutex<HashMap<IpAddr, Vec<String>>>,
    workers: Workers,
    pub(crate) analysts: Analysts,
    pub(crate) limits: RateLimits,
    pub(crate) access: Access,
    pub(crate) options: Options,
    /// Matches that other programs play.
    pub(crate) external: External,
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
const MOST_EXTERNAL: u32 = 24;
/// Open invitations of one address; more are refused.
const MOST_INVITATIONS: usize = 48;
/// A match in which nothing has happened for so long is not listed among those to watch.
const STALE: Duration = Duration::from_secs(30 * 60);
/// The kind of matches and runs that the arena plays.
pub(crate) const PAGE: &str = "page";
/// What such runs are called if their matches are not listed.
pub(crate) const PRIVATE: &str = "private";
/// Matches in progress that are kept at hand; more are refused.
pub(crate) const MOST_MATCHES: usize = 5000;

impl Arena {
    pub(crate) fn open(store: Store, options: Options) -> Result<Arc<Arena>, StoreError> {
        // What the arena acknowledges stays, whatever happens to this machine.
        store.outlive_power_cuts()?;
        let reader = options.db.as_ref().map(Store::open_read_only).transpose()?;
        let waiting = store.readable_live_since(0, u32::MAX)?;
        let access = Access::open(options.token.as_deref(), &store)?;
        let arena = Arc::new_cyclic(|arena: &Weak<Arena>| {
            let (saving, announcing) = (arena.clone(), arena.clone());
            Arena {
                store: Mutex::new(store),
                reader: reader.map(Mutex::new),
                reported: Mutex::default(),
                matches: Mutex::default(),
                invitations: Mutex::default(),
                workers: Workers::start(
                    move |live, state| saving.upgrade().map_or(Ok(()), |arena| arena.save(live, state)),
                    move |live| {
                        if let Some(arena) = announcing.upgrade() {
                            arena.announce(live);
                        }
                    },
                ),
                analysts: Analysts::start(),
                limits: RateLimits::default(),
                access,
                options,
                external: External::default(),
                tournaments: Tournaments::default(),
                closing: AtomicBool::new(false),
                closed: watch::Sender::new(false),
                news: broadcast::Sender::new(MOST_NEWS),
            }
        });
        // Clocks and bots of a match that was going on go on without anybody looking.
        for stored in arena.undamaged(waiting).into_iter().filter(|live| live.kind == PAGE) {
            // What is wrong with one of them is in the log, and hinders no other.
            let _ = arena.find(&stored.id);
        }
        Ok(arena)
    }

    /// For writing; others may hold it for seconds.
    pub(crate) fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// For reading.
    pub(crate) fn reader(&self) -> MutexGuard<'_, Store> {
        self.reader.as_ref().unwrap_or(&self.store).lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The rows that can be read; the others are reported, once.
    fn undamaged<T>(&self, found: Readable<T>) -> Vec<T> {
        found.damaged.iter().for_each(|damage| self.report(damage));
        found.rows
    }

    fn report(&self, damage: &str) {
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if reported.insert(damage.to_owned()) {
            tracing::error!(damage, "left out of every list");
        }
    }

    fn matches(&self) -> MutexGuard<'_, HashMap<String, Arc<LiveMatch>>> {
        self.matches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a new match on, once it is written down.
    pub(crate) fn add(&self, live: Arc<LiveMatch>) -> Result<(), Refusal> {
        if self.matches().len() >= MOST_MATCHES {
            return Err(Refusal::TooMany);
        }
        let state = live.state().clone();
        self.save(&live, &state).map_err(Refusal::Storage)?;
        self.matches().insert(live.id.clone(), Arc::clone(&live));
        self.changed(&live);
        Ok(())
    }

    /// Notes an invitation of somebody at this address, unless there are too many that nobody has followed.
    pub(crate) fn invite(&self, address: IpAddr, id: &str) -> Result<(), ApiError> {
        let mut invitations = self.invitations.lock().unwrap_or_else(PoisonError::into_inner);
        let own = invitations.entry(address).or_default();
        own.retain(|id| self.is_open(id));
        if own.len() >= MOST_INVITATIONS {
            let sentence =
                format!("{MOST_INVITATIONS} of your matches by link still wait for somebody: use one of those");
            return Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, sentence));
        }
        own.push(id.to_owned());
        Ok(())
    }

    /// Whether a match waits for somebody to sit down.
    fn is_open(&self, id: &str) -> bool {
        let live = self.matches().get(id).map(Arc::clone);
        match live {
            Some(live) => live.state().waits_for_players(),
            None => self.reader().live_by_id(id).ok().flatten().is_some_and(|stored| waits_for_players(&stored)),
        }
    }

    /// A match in progress, or one that was over a moment ago.
    pub(crate) fn find(&self, id: &str) -> Result<Option<Arc<LiveMatch>>, ApiError> {
        if let Some(live) = self.matches().get(id) {
            return Ok(Some(Arc::clone(live)));
        }
        let stored = self.reader().live_by_id(id)?.filter(|live| live.kind == PAGE);
        let Some(stored) = stored else { return Ok(None) };
        if self.finished(id)?.is_some() {
            // An older version that was stopped between the two left both.
            let _ = self.store().remove_live(id);
            return Ok(None);
        }
        let live = LiveMatch::from_stored(&stored, Arc::clone(&self.options.containment)).map_err(|why| {
            self.report(&format!("match {id} cannot be gone on with: {why}"));
            ApiError::host(format!("what is stored of this match cannot be read: {why}"))
        })?;
        let state = live.state().clone();
        if state.ended.is_some() {
            // It came to its end while nothing could be stored. If that is still so, it is tried again when it is next looked for.
            self.save(&live, &state)?;
        }
        let live = Arc::clone(self.matches().entry(id.to_owned()).or_insert(Arc::new(live)));
        self.changed(&live);
        Ok(Some(live))
    }

    /// A match that another program plays on the same database.
    pub(crate) fn external_match(&self, id: &str) -> Result<Option<Live>, StoreError> {
        Ok(self.reader().live_by_id(id)?.filter(|live| live.kind != PAGE))
    }

    /// Matches in progress by the store that are still played by somebody, as far as one can tell.
    pub(crate) fn stored_in_progress(&self) -> Result<Vec<Live>, StoreError> {
        let since = now_ms() - STILL_ALIVE.as_millis() as i64;
        let found = self.reader().readable_live_since(0, u32::MAX)?;
        let alive = |live: &Live| live.kind == PAGE || live.updated_ms >= since;
        Ok(self.undamaged(found).into_iter().filter(alive).collect())
    }

    /// Matches that other programs play now.
    pub(crate) fn external_matches(&self) -> Result<Vec<Live>, StoreError> {
        let since = now_ms() - STILL_ALIVE.as_millis() as i64;
        let found = self.reader().readable_live_since(since, MOST_EXTERNAL)?;
        Ok(self.undamaged(found).into_iter().filter(|live| live.kind != PAGE).collect())
    }

    /// A finished match.
    pub(crate) fn finished(&self, id: &str) -> Result<Option<Match>, StoreError> {
        self.reader().match_by_id(id)
    }

    /// Finished matches that are wanted, the newest first.
    pub(crate) fn all_finished(&self, wanted: &Wanted, most: u32) -> Result<Vec<Match>, StoreError> {
        let found = self.reader().find_readable_matches(wanted, most)?;
        Ok(self.undamaged(found))
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

    /// Whether two people who did not agree to ask the engine are playing around this position.
    pub(crate) fn is_protected(&self, game: &str, position: &dyn AnyPosition) -> bool {
        let text = position.text();
        let competes = |live: &Arc<LiveMatch>| live.game.name() == game && live.state().is_competitive();
        self.live().into_iter().filter(competes).any(|live| live.protects(&text))
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
        let done = live.change(&|live, state| self.save(live, state), change)?;
        self.changed(live);
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
        live.play(&|live, state| self.save(live, state), client, turn, after)?;
        self.changed(live);
        Ok(())
    }

    /// Those who watch hear of it, and bots go on.
    fn changed(&self, live: &Arc<LiveMatch>) {
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
            let _ = self.news.send(live.news());
        }
        if over {
            live.dismiss_bots();
        }
    }

    /// Writes a match down as it stands, all at once.
    fn save(&self, live: &LiveMatch, state: &State) -> Result<(), StoreError> {
        let saved = self.try_save(live, state);
        if let Err(error) = &saved
            && !live.is_halted()
        {
            tracing::error!(id = live.id, %error, "the match waits until it can be stored");
        }
        saved
    }

    fn try_save(&self, live: &LiveMatch, state: &State) -> Result<(), StoreError> {
        let kind = if state.setting.private { PRIVATE } else { PAGE };
        let run = format!("{kind}-{}", live.id);
        let Some(finished) = live.finished(state, &run) else {
            return self.store().save_live(&live.stored(state));
        };
        if live.is_stored() {
            // It is over and stored: what changes now is only known while it is at hand.
            return Ok(());
        }
        let run = Run { id: run, created_ms: now_ms(), kind: PAGE.to_owned(), configuration: "{}".to_owned() };
        self.store().finish(&run, &finished)?;
        live.set_stored();
        Ok(())
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

/// Whether a stored match waits for somebody to sit down.
fn waits_for_players(stored: &Live) -> bool {
    serde_json::from_str::<Setting>(&stored.setting).is_ok_and(|setting| setting.waits_for_players())
}

#[cfg(test)]
mod tests;
