//! Tournaments of the database: looked at, never changed. Other programs play them; here they are shown.
//!
//! [`all`] and [`one`] read and compute: they are called where waiting is allowed.

mod news;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use agon_store::{Live, Progress, Store};
use agon_tournament::{Battle, Entry, Event, Plan, State, StoredTournament, TournamentError, report};

pub(crate) use news::messages;

use crate::{api::ApiError, arena::Arena, external::BoardView, live_match::now_ms, view::in_address};

/// Tournaments that are listed, the newest.
const MOST_LISTED: usize = 50;
/// Tournaments that are kept at hand.
const MOST_KEPT: usize = 64;
/// Boards of one tournament that are shown.
const MOST_BOARDS: u32 = 24;
/// Battles of a stage that a page lists.
pub(crate) const MOST_BATTLES: usize = 1000;
/// A match that was not written for so long is played by nobody.
const STILL_ALIVE: Duration = Duration::from_secs(600);
/// Bots that need no time to think leave no matches in progress behind: what ended so lately is taken for going on.
const LATELY: Duration = Duration::from_secs(60);

/// A tournament as it was when it last changed.
pub(crate) struct Snapshot {
    pub(crate) name: String,
    pub(crate) plan: Plan,
    pub(crate) log: Vec<Entry>,
    pub(crate) state: State,
    paused: bool,
    progress: Progress,
    ended_ms: Option<i64>,
    content: OnceLock<String>,
}

/// Where a tournament stands, in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// Nobody plays it at the moment.
    Waiting,
    /// Matches are played.
    Running,
    /// The organiser paused it.
    Paused,
    /// Everything is played.
    Over,
}

impl Phase {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Phase::Waiting => "waiting",
            Phase::Running => "running",
            Phase::Paused => "paused",
            Phase::Over => "over",
        }
    }
}

impl Snapshot {
    fn of(stored: StoredTournament, progress: Progress, ended_ms: Option<i64>) -> Snapshot {
        let (state, paused) = (stored.state(), stored.interventions().paused);
        let StoredTournament { name, plan, log, .. } = stored;
        Snapshot { name, plan, log, state, paused, progress, ended_ms, content: OnceLock::new() }
    }

    /// Changes whenever the tournament does.
    pub(crate) fn revision(&self) -> String {
        format!("{}.{}", self.progress.matches, self.progress.entries)
    }

    /// Where it stands, with so many boards in progress.
    pub(crate) fn phase(&self, boards: usize) -> Phase {
        let started = |entry: &&Entry| matches!(entry.event, Event::Started { .. } | Event::Resumed { .. });
        let started = self.log.iter().rev().find(started).map(|entry| entry.at_ms);
        let lately = |at: Option<i64>| at.is_some_and(|at| now_ms() - at < LATELY.as_millis() as i64);
        match () {
            () if self.state.is_over() => Phase::Over,
            () if self.paused => Phase::Paused,
            () if boards > 0 || lately(self.ended_ms) || lately(started) => Phase::Running,
            () => Phase::Waiting,
        }
    }

    /// Matches that are played or forfeited, and all that are known.
    pub(crate) fn matches(&self) -> (usize, usize) {
        let halves = || self.state.battles.iter().flat_map(|battle| &battle.halves);
        (halves().filter(|half| half.outcome.is_some()).count(), halves().count())
    }

    /// What is shown of it besides the boards, made once for everybody who looks.
    pub(crate) fn content(&self, make: impl FnOnce(&report::Sheet) -> String) -> &str {
        self.content.get_or_init(|| {
            let replay = |battle: &Battle, index: usize| match battle.halves[index].outcome {
                Some(_) => report::Replay::Address(self.page_of(battle, index)),
                None => report::Replay::None,
            };
            let (plan, state) = (&self.plan, &self.state);
            make(&report::Sheet { plan, state, replay: &replay, most_battles: MOST_BATTLES })
        })
    }

    fn page_of(&self, battle: &Battle, index: usize) -> String {
        format!("/match/{}", in_address(&agon_tournament::match_id(&self.name, battle, index)))
    }
}

/// Those that were looked at.
#[derive(Default)]
pub(crate) struct Tournaments {
    cache: Mutex<Cache>,
    news: news::Watched,
}

/// What was read and computed. One who asks has it at a time: so many who ask at once cannot take more than one core.
#[derive(Default)]
struct Cache {
    /// A connection of its own: whoever looks on waits for nobody who plays.
    store: Option<Store>,
    snapshots: HashMap<String, Arc<Snapshot>>,
}

impl Cache {
    fn store(&mut self, db: &Path) -> Result<&Store, ApiError> {
        let store = match self.store.take() {
            Some(store) => store,
            None => Store::open_read_only(db)?,
        };
        Ok(self.store.insert(store))
    }

    fn snapshot(&mut self, db: &Path, name: &str) -> Result<Arc<Snapshot>, ApiError> {
        let progress = self.store(db)?.progress_of(name)?;
        if let Some(snapshot) = self.snapshots.get(name).filter(|snapshot| snapshot.progress == progress) {
            return Ok(Arc::clone(snapshot));
        }
        let stored = StoredTournament::look(db, name).map_err(|error| match error {
            TournamentError::Refused(_) => ApiError::missing("tournament"),
            other => ApiError::host(other),
        })?;
        let ended = self.store(db)?.last_ended_ms(name)?;
        let snapshot = Arc::new(Snapshot::of(stored, progress, ended));
        if self.snapshots.len() >= MOST_KEPT {
            self.snapshots.clear();
        }
        self.snapshots.insert(name.to_owned(), Arc::clone(&snapshot));
        Ok(snapshot)
    }
}

/// All tournaments, the newest first.
pub(crate) fn all(arena: &Arena) -> Result<Vec<(Arc<Snapshot>, Phase)>, ApiError> {
    // An arena without a file has no tournaments: nobody else could play them.
    let Some(db) = &arena.options.db else { return Ok(Vec::new()) };
    let mut cache = arena.tournaments.cache.lock().unwrap_or_else(PoisonError::into_inner);
    let names = StoredTournament::names(cache.store(db)?).map_err(ApiError::host)?;
    let mut all = Vec::new();
    for name in names.into_iter().take(MOST_LISTED) {
        // One that cannot be read does not hide the others.
        let Ok(snapshot) = cache.snapshot(db, &name) else { continue };
        let boards = live(cache.store(db)?, &name)?.len();
        let phase = snapshot.phase(boards);
        all.push((snapshot, phase));
    }
    Ok(all)
}

/// A tournament with its matches in progress.
pub(crate) struct Shown {
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) phase: Phase,
    /// Their boards, but for those that cannot be read.
    pub(crate) boards: Vec<Arc<BoardView>>,
}

/// The tournament of this name.
pub(crate) fn one(arena: &Arena, name: &str) -> Result<Shown, ApiError> {
    let Some(db) = &arena.options.db else { return Err(ApiError::missing("tournament")) };
    let (snapshot, live) = {
        let mut cache = arena.tournaments.cache.lock().unwrap_or_else(PoisonError::into_inner);
        (cache.snapshot(db, name)?, live(cache.store(db)?, name)?)
    };
    let boards = live.iter().filter_map(|live| arena.external.board(live)).collect();
    Ok(Shown { phase: snapshot.phase(live.len()), snapshot, boards })
}

fn live(store: &Store, name: &str) -> Result<Vec<Live>, ApiError> {
    let since = now_ms() - STILL_ALIVE.as_millis() as i64;
    Ok(store.live_beginning_with(&format!("{name}/"), since, MOST_BOARDS)?)
}
