//! A match in progress.

mod bots;
mod waiting;

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, TryLockError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use agon_entrants::Containment;
use agon_originals::Original;
use agon_referee::{CoreRule, MatchSpec, OpenMatch, Record, TimeControl, TurnMade};
use agon_rules::{BySide, TurnError};
use agon_store::{Live, StoreError};
use agon_wire::{Bot, GameSetup, HostError};
use thiserror::Error;
use tokio::sync::watch;

use crate::{
    fair_play::Protected,
    news::News,
    presence::Presence,
    seat::Seat,
    state::{Setting, State},
};

/// A match between people and bots is broken off as a draw after so many turns.
const MOST_TURNS: usize = 2000;

/// A match in progress, with those who look on.
pub(crate) struct LiveMatch {
    pub(crate) id: String,
    pub(crate) game: &'static dyn Original,
    /// Tells this match apart from what it was before it was put away, or before the arena was started again: `revision` begins anew.
    pub(crate) epoch: u64,
    /// Held by whoever changes the match, while the change is stored too: the state can be looked at meanwhile.
    changing: Mutex<()>,
    state: Mutex<State>,
    /// What a bot did that could not be stored yet: nobody sees it before it is.
    unsaved: Mutex<Option<State>>,
    /// Whether the store has the finished match.
    stored: AtomicBool,
    /// The positions about which the engine is silent.
    protected: Mutex<Option<Protected>>,
    /// Who has its page open.
    presence: Arc<Presence>,
    /// What everybody sees.
    news: watch::Sender<Arc<News>>,
    /// Bots are asked without holding the state.
    bots: Mutex<BySide<Option<Box<dyn Bot>>>>,
    containment: Arc<Containment>,
    /// Whether a worker is busy with the bots.
    driven: AtomicBool,
}

/// Writes a match down as it stands.
pub(crate) type Save<'a> = &'a dyn Fn(&LiveMatch, &State) -> Result<(), StoreError>;

/// Why something could not be done in a match.
#[derive(Debug, Error)]
pub(crate) enum Refusal {
    /// The seat is not theirs.
    #[error("you have no seat in this match")]
    NotYours,
    /// It is not their turn, or the game has moved on.
    #[error("{0}")]
    Stale(String),
    /// The game is over.
    #[error("the match is over")]
    Over,
    /// The turn is not legal.
    #[error(transparent)]
    Turn(TurnError),
    /// So many matches are going on that no other can begin.
    #[error("too many matches are being played: try again later")]
    TooMany,
    /// The host failed.
    #[error("{0}")]
    Host(String),
    /// It could not be written down, so it was not done.
    #[error(transparent)]
    Storage(StoreError),
}

impl From<HostError> for Refusal {
    fn from(error: HostError) -> Refusal {
        Refusal::Host(error.to_string())
    }
}

/// Differs from all before, also from those of earlier runs.
fn new_epoch() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let now = now_ms().unsigned_abs();
    let next = |last: u64| Some(now.max(last + 1));
    LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).map_or(now, |last| now.max(last + 1))
}

pub(crate) fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

impl LiveMatch {
    /// Sets up a match; `turns` were made before.
    pub(crate) fn new(
        id: String,
        game: &'static dyn Original,
        setup: GameSetup,
        setting: Setting,
        turns: Vec<TurnMade>,
        containment: Arc<Containment>,
    ) -> Result<LiveMatch, HostError> {
        let time: TimeControl = setting.time.parse().map_err(|e| HostError(format!("{e}")))?;
        let spec = MatchSpec {
            grace: game.grace(&setup.variant),
            setup,
            time,
            languages: BySide::from_fn(|side| setting.seats[side.index()].language(time, game, &containment)),
            opening: Vec::new(),
            most_turns: MOST_TURNS,
            cores: CoreRule::default(),
        };
        let timed = BySide::new(setting.timed[0], setting.timed[1]);
        let open = OpenMatch::new(spec, timed, turns)?;
        let ended = open.over();
        let (sandbox, memory) = (containment.level().name(), containment.memory_tag(open.spec().languages));
        let mut state = State {
            open,
            setting,
            ended,
            turn_began: Instant::now(),
            revision: 0,
            halted: None,
            unseen: false,
            started_ms: now_ms(),
            sandbox,
            memory,
        };
        state.begin_turn();
        let epoch = new_epoch();
        Ok(LiveMatch {
            news: watch::Sender::new(News::of(&id, epoch, &state)),
            id,
            game,
            epoch,
            changing: Mutex::default(),
            state: Mutex::new(state),
            unsaved: Mutex::default(),
            stored: AtomicBool::new(false),
            protected: Mutex::default(),
            presence: Arc::default(),
            bots: Mutex::new(BySide::new(None, None)),
            containment,
            driven: AtomicBool::new(false),
        })
    }

    /// A match of the store that goes on.
    pub(crate) fn from_stored(stored: &Live, containment: Arc<Containment>) -> Result<LiveMatch, String> {
        let setting: Setting = serde_json::from_str(&stored.setting).map_err(|e| e.to_string())?;
        let record = Record::parse(&stored.record).map_err(|e| e.to_string())?;
        let game = agon_all::find(&stored.game).map_err(|e| e.to_string())?;
        let (_, start) = record.start(agon_all::rules).map_err(|e| e.to_string())?;
        let rules = stored.rules.parse().map_err(|e| format!("{e}"))?;
        let setup =
            GameSetup { game, variant: stored.variant.clone(), rules, position: start.start_text(), swapped: false };
        LiveMatch::new(stored.id.clone(), game, setup, setting, record.turns, containment).map_err(|e| e.to_string())
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // A panic while somebody held it must not end this match: its state is only ever replaced as a whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What everybody sees, now and whenever it changes.
    pub(crate) fn subscribe(&self) -> watch::Receiver<Arc<News>> {
        self.news.subscribe()
    }

    /// What everybody sees now.
    pub(crate) fn news(&self) -> Arc<News> {
        Arc::clone(&self.news.borrow())
    }

    /// How many look on.
    pub(crate) fn spectators(&self) -> usize {
        self.news.receiver_count()
    }

    /// The match has just been set up, and those who play it need not know.
    pub(crate) fn wait_to_be_seen(&self) {
        let mut state = self.state();
        state.start_clock_when_seen();
        self.news.send_replace(News::of(&self.id, self.epoch, &state));
    }

    /// Those who have the page open.
    pub(crate) fn presence(&self) -> &Arc<Presence> {
        &self.presence
    }

    fn unsaved(&self) -> MutexGuard<'_, Option<State>> {
        self.unsaved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until nobody else changes the match.
    fn begin_change(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same for those who can come back later.
    fn try_begin_change(&self) -> Option<MutexGuard<'_, ()>> {
        match self.changing.try_lock() {
            Ok(begun) => Some(begun),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Changes the match once `save` has written the change down, and tells everybody. What cannot be written down does not happen.
    pub(crate) fn change<T>(
        &self,
        save: Save,
        change: impl FnOnce(&mut State) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let _changing = self.begin_change();
        let mut next = self.state().clone();
        next.go_on();
        let done = change(&mut next)?;
        self.commit(save, next).map_err(|refused| Refusal::Storage(refused.1))?;
        Ok(done)
    }

    /// Makes `next` the match, if it can be stored; else clocks stop until it can. Only for those who have begun a change.
    fn commit(&self, save: Save, mut next: State) -> Result<(), Box<(State, StoreError)>> {
        let asked = Instant::now();
        if let Err(error) = save(self, &next) {
            let mut state = self.state().clone();
            if state.halted.is_none() {
                state.halted = Some(asked);
                self.replace(state);
            }
            next.revision = self.state().revision;
            return Err(Box::new((next, error)));
        }
        // Nobody thinks about a turn that is not shown yet.
        next.turn_began += asked.elapsed();
        self.replace(next);
        *self.unsaved() = None;
        Ok(())
    }

    /// Makes `next` the match and tells everybody: what was decided for how it stood is out of date. Only for those who have begun a
    /// change: nobody else replaces it meanwhile.
    fn replace(&self, mut next: State) {
        next.revision = self.state().revision + 1;
        // Drawn before anybody must wait for the state.
        let news = News::of(&self.id, self.epoch, &next);
        let mut state = self.state();
        *state = next;
        self.news.send_replace(news);
    }

    /// Whether something could not be stored, and nobody's clock runs until it can be.
    pub(crate) fn is_halted(&self) -> bool {
        self.state().halted.is_some()
    }

    /// Tries again to store what could not be stored. Says whether the match goes on.
    pub(crate) fn retry(&self, save: Save) -> bool {
        let Some(_changing) = self.try_begin_change() else { return false };
        let state = self.state().clone();
        let mut unsaved = self.unsaved();
        let (waited, mut next) = match unsaved.take().filter(|unsaved| unsaved.revision == state.revision) {
            Some(next) => (true, next),
            None => (false, state),
        };
        drop(unsaved);
        if waited {
            next.start_clock();
        }
        next.go_on();
        match self.commit(save, next) {
            Ok(()) => true,
            Err(refused) => {
                *self.unsaved() = Some(refused.0).filter(|_| waited);
                false
            }
        }
    }

    /// Whether the engine says nothing about this position because of this match: it has been there, or may be after the next turn. A
    /// start that everybody begins with is no secret.
    pub(crate) fn protects(&self, position: &str) -> bool {
        let mut protected = self.protected.lock().unwrap_or_else(PoisonError::into_inner);
        let (open, revision) = {
            let state = self.state();
            if protected.as_ref().is_some_and(|protected| protected.revision == state.revision) {
                return protected.as_ref().is_some_and(|protected| protected.positions.contains(position));
            }
            (state.open.clone(), state.revision)
        };
        protected.insert(Protected::of(&open, revision)).positions.contains(position)
    }

    /// Whether the store has the finished match.
    pub(crate) fn is_stored(&self) -> bool {
        self.stored.load(Ordering::Relaxed)
    }

    pub(crate) fn set_stored(&self) {
        self.stored.store(true, Ordering::Relaxed);
    }

    /// Whether the side to move has the page open.
    pub(crate) fn is_watched_by_mover(&self, state: &State) -> bool {
        match &state.setting.seats[state.open.position().turn().index()] {
            Seat::Person { owner: Some(owner), .. } => self.presence.has(owner),
            Seat::Person { owner: None, .. } | Seat::Bot { .. } => false,
        }
    }

    /// A person's turn.
    pub(crate) fn play(&self, save: Save, client: &str, turn: &str, after: Option<usize>) -> Result<(), Refusal> {
        self.change(save, |state| {
            state.refuse_if_over()?;
            let side = state.open.position().turn();
            let mine = state.setting.seats.iter().any(|seat| seat.belongs_to(client));
            if !mine {
                return Err(Refusal::NotYours);
            }
            if !state.setting.seats[side.index()].belongs_to(client) {
                return Err(Refusal::Stale("it is not your turn".to_owned()));
            }
            if after.is_some_and(|after| after != state.open.turns().len()) {
                return Err(Refusal::Stale("the game has moved on: look at the board again".to_owned()));
            }
            let used = state.used();
            if state.open.patience(side).is_some_and(|patience| used > patience) {
                state.ended = Some(state.open.out_of_time(used));
                return Ok(());
            }
            state.open.play_human(turn, used).map_err(Refusal::Turn)?;
            state.begin_turn();
            Ok(())
        })
    }
}
