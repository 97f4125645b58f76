//! A match in progress.

mod bots;

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, TryLockError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use agon_entrants::Containment;
use agon_originals::Original;
use agon_referee::{CoreRule, MatchSpec, OpenMatch, Record, Termination, TimeControl, TurnMade};
use agon_rules::{BySide, Side, TurnError};
use agon_store::{Live, StoreError};
use agon_wire::{Bot, BotFailure, Fault, GameSetup, HostError, Reply};
use tokio::sync::watch;

use crate::{
    earnest::{self, Around},
    news::News,
    presence::Presence,
    seat::Seat,
    state::{Setting, State},
    view::MatchView,
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
    held: Mutex<Option<State>>,
    /// Whether the store has the finished match.
    stored: AtomicBool,
    /// The positions about which the engine is silent.
    around: Mutex<Option<Around>>,
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
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The seat is not theirs.
    NotYours,
    /// It is not their turn, or the game has moved on.
    Stale(String),
    /// The game is over.
    Over,
    /// The turn is not legal.
    Turn(TurnError),
    /// The host failed.
    Host(String),
    /// It could not be written down, so it was not done.
    Storage(StoreError),
}

impl From<HostError> for Refusal {
    fn from(error: HostError) -> Refusal {
        Refusal::Host(error.0)
    }
}

fn end_all(bots: &mut BySide<Option<Box<dyn Bot>>>) {
    for side in Side::BOTH {
        if let Some(mut bot) = bots[side].take() {
            bot.end();
        }
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
        let live = LiveMatch {
            news: watch::Sender::new(News::plain(String::new())),
            id,
            game,
            epoch: new_epoch(),
            changing: Mutex::default(),
            state: Mutex::new(state),
            held: Mutex::default(),
            stored: AtomicBool::new(false),
            around: Mutex::default(),
            presence: Arc::default(),
            bots: Mutex::new(BySide::new(None, None)),
            containment,
            driven: AtomicBool::new(false),
        };
        live.tell(&live.state());
        Ok(live)
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
        LiveMatch::new(stored.id.clone(), game, setup, setting, record.turns, containment).map_err(|e| e.0)
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere must not end this match: its state is only ever replaced as a whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What everybody sees, now and whenever it changes.
    pub(crate) fn subscribe(&self) -> watch::Receiver<Arc<News>> {
        self.news.subscribe()
    }

    /// How many look on.
    pub(crate) fn spectators(&self) -> usize {
        self.news.receiver_count()
    }

    /// The match has just been set up, and those who play it need not know.
    pub(crate) fn wait_to_be_seen(&self) {
        let mut state = self.state();
        state.start_clock_when_seen();
        self.tell(&state);
    }

    /// Those who have the page open.
    pub(crate) fn presence(&self) -> &Arc<Presence> {
        &self.presence
    }

    fn held(&self) -> MutexGuard<'_, Option<State>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.keep(save, next).map_err(|refused| Refusal::Storage(refused.1))?;
        Ok(done)
    }

    /// Makes `next` the match, if it can be stored; else clocks stop until it can. Only for those who have begun a change.
    fn keep(&self, save: Save, mut next: State) -> Result<(), Box<(State, StoreError)>> {
        let asked = Instant::now();
        if let Err(error) = save(self, &next) {
            let mut state = self.state();
            if state.halted.is_none() {
                state.halted = Some(asked);
                self.advance(&mut state);
            }
            next.revision = state.revision;
            return Err(Box::new((next, error)));
        }
        // Nobody thinks about a turn that is not shown yet.
        next.turn_began += asked.elapsed();
        let mut state = self.state();
        next.revision = state.revision;
        *state = next;
        *self.held() = None;
        self.advance(&mut state);
        Ok(())
    }

    /// Whether something could not be stored, and nobody's clock runs until it can be.
    pub(crate) fn is_halted(&self) -> bool {
        self.state().halted.is_some()
    }

    /// Tries again to store what could not be stored. Says whether the match goes on.
    pub(crate) fn settle(&self, save: Save) -> bool {
        let Some(_changing) = self.try_begin_change() else { return false };
        let state = self.state().clone();
        let mut held = self.held();
        let (waited, mut next) = match held.take().filter(|held| held.revision == state.revision) {
            Some(next) => (true, next),
            None => (false, state),
        };
        drop(held);
        if waited {
            next.start_clock();
        }
        next.go_on();
        match self.keep(save, next) {
            Ok(()) => true,
            Err(refused) => {
                *self.held() = Some(refused.0).filter(|_| waited);
                false
            }
        }
    }

    /// The match has changed: what was decided for how it stood is out of date.
    fn advance(&self, state: &mut State) {
        state.revision += 1;
        self.tell(state);
    }

    fn tell(&self, state: &State) {
        self.news.send_replace(News::of_match(&MatchView::of(self, state), state.clocks()));
    }

    /// Whether the match has been in this position, or may be there after the next turn. A start that everybody begins with is no secret.
    pub(crate) fn is_about(&self, position: &str) -> bool {
        let mut around = self.around.lock().unwrap_or_else(PoisonError::into_inner);
        let (open, revision) = {
            let state = self.state();
            if around.as_ref().is_some_and(|around| around.revision == state.revision) {
                return around.as_ref().is_some_and(|around| around.positions.contains(position));
            }
            (state.open.clone(), state.revision)
        };
        let positions = earnest::around(&open);
        around.insert(Around { revision, positions }).positions.contains(position)
    }

    /// Whether the store has the finished match.
    pub(crate) fn is_stored(&self) -> bool {
        self.stored.load(Ordering::Relaxed)
    }

    pub(crate) fn set_stored(&self) {
        self.stored.store(true, Ordering::Relaxed);
    }

    /// Somebody sees the match: if they are to move and did not know of it, their clock begins to run.
    pub(crate) fn seen_by(&self, client: &str) {
        let awaited = |state: &State| {
            state.unseen && state.setting.seats[state.open.position().turn().index()].belongs_to(client)
        };
        if !awaited(&self.state()) {
            return;
        }
        // While the match changes it is not known yet whose turn comes next; the page asks again.
        let Some(_changing) = self.try_begin_change() else { return };
        let mut state = self.state();
        if awaited(&state) {
            state.start_clock();
            self.advance(&mut state);
        }
    }

    /// A clock that has waited long enough for somebody who does not come runs from now on.
    pub(crate) fn wait_no_longer(&self) {
        let waited = |state: &State| state.unseen && state.turn_began <= Instant::now();
        if !waited(&self.state()) {
            return;
        }
        let Some(_changing) = self.try_begin_change() else { return };
        let mut state = self.state();
        if waited(&state) {
            state.unseen = false;
            self.advance(&mut state);
        }
    }

    /// Whether the side to move has the page open.
    pub(crate) fn is_watched_by_mover(&self, state: &State) -> bool {
        match &state.setting.seats[state.open.position().turn().index()] {
            Seat::Person { owner: Some(owner), .. } => self.presence.has(owner),
            Seat::Person { owner: None, .. } | Seat::Bot { .. } => false,
        }
    }

    /// Whether a bot is to move.
    pub(crate) fn awaits_bot(&self) -> bool {
        let state = self.state();
        // What could not be stored comes first.
        state.awaits_bot() && state.turn_began <= Instant::now() && state.halted.is_none()
    }

    /// Whether a bot is to move whose time to think has come while nobody was driving it.
    pub(crate) fn is_due(&self) -> bool {
        let paced = |state: &State| state.setting.pace_ms > 0 && !self.driven.load(Ordering::Acquire);
        let state = self.state();
        paced(&state) && state.awaits_bot() && state.turn_began <= Instant::now() && state.halted.is_none()
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

    /// Ends the turn of somebody whose time is up; says whether it did.
    pub(crate) fn expire(&self, save: Save) -> bool {
        let late = |state: &State| {
            let side = state.open.position().turn();
            let person = !state.setting.seats[side.index()].is_bot();
            let waits = state.ended.is_none() && person && !state.waits_for_players() && state.halted.is_none();
            let used = state.used();
            (waits && state.open.patience(side).is_some_and(|patience| used > patience)).then_some(used)
        };
        self.end_if(save, |state| Some(state.open.out_of_time(late(state)?)))
    }

    /// Ends a match that nobody has gone on with for `most`; says whether it did.
    pub(crate) fn give_up(&self, save: Save, most: Duration) -> bool {
        let days = most.as_secs() / (24 * 3600);
        let evidence = format!("no turn for {days} days: the match was given up");
        self.end_if(save, |state| {
            let waits = state.ended.is_none() && !state.awaits_bot() && state.halted.is_none();
            let side = state.open.position().turn();
            waits.then(|| Termination::Fault { side, fault: Fault::Timeout(evidence.clone()) })
        })
    }

    /// Ends the match if there is a reason; says whether it did. Whoever changes the match just now may have a better reason.
    fn end_if(&self, save: Save, reason: impl Fn(&State) -> Option<Termination>) -> bool {
        if reason(&self.state()).is_none() {
            return false;
        }
        let Some(_changing) = self.try_begin_change() else { return false };
        let mut next = self.state().clone();
        next.ended = reason(&next);
        next.ended.is_some() && self.keep(save, next).is_ok()
    }

    /// Lets bots move until a person is to move, the match is over, or a turn cannot be stored. `told` is called after every turn.
    pub(crate) fn drive(&self, save: Save, told: &dyn Fn(&LiveMatch)) {
        while self.awaits_bot() {
            if self.driven.swap(true, Ordering::AcqRel) {
                return;
            }
            let went_on = self.ask_bot(save);
            self.driven.store(false, Ordering::Release);
            if went_on {
                told(self);
            } else {
                return;
            }
        }
    }

    /// Asks the bot that is to move; says whether the match changed.
    fn ask_bot(&self, save: Save) -> bool {
        let (question, revision, spec, setup, seed) = {
            let state = self.state();
            let side = state.open.position().turn();
            let Seat::Bot { spec, .. } = &state.setting.seats[side.index()] else { return false };
            let seed = state.setting.seed.wrapping_add(state.open.turns().len() as u64);
            (state.open.question(), state.revision, spec.clone(), state.open.spec().setup.clone(), seed)
        };
        let answer = self.answer_of(&spec, seed, &setup, &question.ask());
        self.answered(save, revision, answer, seed)
    }

    /// Takes a bot's answer to how the match stood; says whether the match changed.
    fn answered(&self, save: Save, revision: u64, answer: Result<Reply, BotFailure>, seed: u64) -> bool {
        // Somebody may resign or take back a turn meanwhile: then the answer is for a position that is gone.
        let is_gone = |state: &State| state.revision != revision || state.ended.is_some();
        let mut changing = self.begin_change();
        let mut next = self.state().clone();
        if is_gone(&next) {
            return true;
        }
        let Ok(mut ended) = next.open.answered(answer) else { return false };
        if let Some((termination, trial, other)) = ended.as_ref().and_then(|ended| next.trial_of_other(ended)) {
            // It may take as long as a turn: nobody waits for it.
            drop(changing);
            let setup = next.open.spec().setup.clone();
            let Ok(found) = self.try_out(&other, seed, &setup, &trial) else { return false };
            ended = Some(termination.with_fault_of_other(found));
            changing = self.begin_change();
            if is_gone(&self.state()) {
                return true;
            }
        }
        next.ended = ended;
        next.begin_turn();
        let kept = self.keep(save, next);
        if let Err(refused) = kept {
            *self.held() = Some(refused.0);
            return false;
        }
        drop(changing);
        true
    }

    /// Ends the bots' programs.
    pub(crate) fn dismiss_bots(&self) {
        end_all(&mut self.bots.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// For how long nothing has happened, unless a bot is to move.
    pub(crate) fn waits_since(&self) -> Option<Duration> {
        let state = self.state();
        (!state.awaits_bot()).then(|| state.turn_began.elapsed())
    }

    /// Ends the bots' programs, unless one of them is just being asked: then it is not waiting any more.
    pub(crate) fn dismiss_waiting_bots(&self) {
        let mut bots = match self.bots.try_lock() {
            Ok(bots) => bots,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        end_all(&mut bots);
    }
}
