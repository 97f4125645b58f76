//! A match in progress.

mod bots;

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, TryLockError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use agon_referee::{Containment, CoreRule, MatchSpec, OpenMatch, Record, Termination, TimeControl, TurnMade};
use agon_rules::{BySide, Side, TurnError};
use agon_store::{Live, Match, StoreError};
use agon_wire::{Bot, Fault, GameSetup, HostError, Original};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::{
    before::Before,
    news::{Clocks, News},
    seat::Seat,
    view::MatchView,
};

/// A match between people and bots is broken off as a draw after so many turns.
const MOST_TURNS: usize = 2000;

/// What must be known besides the record to go on with a match after a restart.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Setting {
    pub(crate) seats: [Seat; 2],
    /// The time control.
    pub(crate) time: String,
    /// For whom the clock runs.
    pub(crate) timed: [bool; 2],
    /// Where the random choices of bots begin.
    pub(crate) seed: u64,
    /// The match that was played again with sides swapped, or goes on from a position of another one.
    pub(crate) rematch: Option<String>,
    /// The side that would like to play again, while the other one has not answered.
    #[serde(default)]
    pub(crate) rematch_offer: Option<u8>,
    /// Whether two people agreed that the engine may be asked.
    #[serde(default)]
    pub(crate) casual: bool,
    /// Whether only those who have its link are to find it.
    #[serde(default)]
    pub(crate) private: bool,
    /// How long each turn stays on the board before a bot answers it, in milliseconds.
    #[serde(default)]
    pub(crate) pace_ms: u64,
}

/// Everything about a match that changes.
pub(crate) struct State {
    pub(crate) open: OpenMatch,
    pub(crate) setting: Setting,
    pub(crate) ended: Option<Termination>,
    /// When the side to move began to think; in a match with a pace it may only begin in a moment.
    pub(crate) turn_began: Instant,
    /// Counts the changes: what was decided for an earlier one is out of date.
    pub(crate) revision: u64,
    started_ms: i64,
    /// How bots are contained.
    sandbox: &'static str,
    /// Mebibytes of memory that they may use.
    memory: Option<String>,
}

/// A match in progress, with those who look on.
pub(crate) struct LiveMatch {
    pub(crate) id: String,
    pub(crate) game: &'static dyn Original,
    /// Tells this match apart from what it was before it was put away, or before the arena was started again: `revision` begins anew.
    pub(crate) epoch: u64,
    state: Mutex<State>,
    /// What everybody sees.
    news: watch::Sender<Arc<News>>,
    /// Bots are asked without holding the state.
    bots: Mutex<BySide<Option<Box<dyn Bot>>>>,
    containment: Arc<Containment>,
    /// Whether a worker is busy with the bots.
    driven: AtomicBool,
    /// Whether the store does not have the match as it stands, because it could not be written.
    unsaved: AtomicBool,
}

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
    Storage(String),
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
            state: Mutex::new(state),
            bots: Mutex::new(BySide::new(None, None)),
            containment,
            driven: AtomicBool::new(false),
            unsaved: AtomicBool::new(false),
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

    /// Changes the match once `save` has written the change down, and tells everybody. What cannot be written down does not happen.
    pub(crate) fn change<T>(
        &self,
        save: impl FnOnce(&LiveMatch, &State) -> Result<(), StoreError>,
        change: impl FnOnce(&mut State) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut state = self.state();
        let before = Before::of(&state);
        let done = change(&mut state)?;
        if let Err(error) = save(self, &state) {
            before.restore(&mut state)?;
            return Err(Refusal::Storage(error.to_string()));
        }
        self.unsaved.store(false, Ordering::Relaxed);
        self.advance(&mut state);
        Ok(done)
    }

    /// The match has changed: what was decided for how it stood is out of date.
    fn advance(&self, state: &mut State) {
        state.revision += 1;
        self.tell(state);
    }

    fn tell(&self, state: &State) {
        self.news.send_replace(News::of_match(&MatchView::of(self, state), state.clocks()));
    }

    /// Whether the store still has to be given the match as it stands.
    pub(crate) fn is_unsaved(&self) -> bool {
        self.unsaved.load(Ordering::Relaxed)
    }

    pub(crate) fn set_unsaved(&self, unsaved: bool) {
        self.unsaved.store(unsaved, Ordering::Relaxed);
    }

    /// Whether a bot is to move.
    pub(crate) fn awaits_bot(&self) -> bool {
        let state = self.state();
        state.awaits_bot() && state.turn_began <= Instant::now()
    }

    /// Whether a bot is to move whose time to think has come while nobody was driving it.
    pub(crate) fn is_due(&self) -> bool {
        let paced = |state: &State| state.setting.pace_ms > 0 && !self.driven.load(Ordering::Acquire);
        let state = self.state();
        paced(&state) && state.awaits_bot() && state.turn_began <= Instant::now()
    }

    /// A person's turn.
    pub(crate) fn play(
        &self,
        save: impl FnOnce(&LiveMatch, &State) -> Result<(), StoreError>,
        client: &str,
        turn: &str,
        after: Option<usize>,
    ) -> Result<(), Refusal> {
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
            let used = state.turn_began.elapsed();
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
    pub(crate) fn expire(&self) -> bool {
        let late = |state: &State| {
            let side = state.open.position().turn();
            let person = !state.setting.seats[side.index()].is_bot();
            let used = state.turn_began.elapsed();
            let waits = state.ended.is_none() && person && !state.waits_for_players();
            (waits && state.open.patience(side).is_some_and(|patience| used > patience)).then_some(used)
        };
        if late(&self.state()).is_none() {
            return false;
        }
        let mut state = self.state();
        let Some(used) = late(&state) else { return false };
        state.ended = Some(state.open.out_of_time(used));
        self.advance(&mut state);
        true
    }

    /// Ends a match that nobody has gone on with for `most`; says whether it did.
    pub(crate) fn give_up(&self, most: Duration) -> bool {
        let mut state = self.state();
        if state.ended.is_some() || state.awaits_bot() {
            return false;
        }
        let days = most.as_secs() / (24 * 3600);
        let evidence = format!("no turn for {days} days: the match was given up");
        let side = state.open.position().turn();
        state.ended = Some(Termination::Fault { side, fault: Fault::Timeout(evidence) });
        self.advance(&mut state);
        true
    }

    /// Lets bots move until a person is to move or the match is over. `saved` is called after every turn.
    pub(crate) fn drive(&self, saved: &dyn Fn(&LiveMatch)) {
        while self.awaits_bot() {
            if self.driven.swap(true, Ordering::AcqRel) {
                return;
            }
            let went_on = self.ask_bot();
            self.driven.store(false, Ordering::Release);
            if went_on {
                saved(self);
            } else {
                return;
            }
        }
    }

    /// Asks the bot that is to move; says whether the match changed.
    fn ask_bot(&self) -> bool {
        let (question, revision, spec, setup, seed) = {
            let state = self.state();
            let side = state.open.position().turn();
            let Seat::Bot { spec, .. } = &state.setting.seats[side.index()] else { return false };
            let seed = state.setting.seed.wrapping_add(state.open.turns().len() as u64);
            (state.open.question(), state.revision, spec.clone(), state.open.spec().setup.clone(), seed)
        };
        let answer = self.answer_of(&spec, seed, &setup, &question.ask());
        let mut state = self.state();
        if state.revision != revision || state.ended.is_some() {
            // Somebody resigned or took back a turn meanwhile: the answer is for a position that is gone.
            return true;
        }
        let Ok(mut ended) = state.open.answered(answer) else { return false };
        if let Some((termination, trial, other)) = ended.as_ref().and_then(|ended| state.trial_of_other(ended)) {
            drop(state);
            let Ok(found) = self.try_out(&other, seed, &setup, &trial) else { return false };
            ended = Some(termination.with_fault_of_other(found));
            state = self.state();
            if state.revision != revision || state.ended.is_some() {
                return true;
            }
        }
        state.ended = ended;
        state.begin_turn();
        self.advance(&mut state);
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

    /// For the store, while it goes on.
    pub(crate) fn stored(&self, state: &State) -> Live {
        let setup = &state.open.spec().setup;
        let names = state.names();
        Live {
            id: self.id.clone(),
            kind: "page".to_owned(),
            game: setup.game.name().to_owned(),
            variant: setup.variant.clone(),
            rules: setup.rules.to_string(),
            first: names.first.clone(),
            second: names.second.clone(),
            turns: state.open.turns().len() as u32,
            updated_ms: now_ms(),
            setting: serde_json::to_string(&state.setting).unwrap_or_default(),
            record: state.record(&self.id).text(),
        }
    }

    /// For the store, when it is over.
    pub(crate) fn finished(&self, state: &State, run: &str) -> Option<Match> {
        let ended = state.ended.as_ref()?;
        let setup = &state.open.spec().setup;
        let points = state.open.points(ended);
        let reference = |seat: &Seat| agon_store::BotRef {
            name: seat.name().to_owned(),
            hash: match seat {
                Seat::Person { .. } => "person".to_owned(),
                Seat::Bot { spec, .. } => spec.clone(),
            },
        };
        Some(Match {
            id: self.id.clone(),
            run: run.to_owned(),
            battle: 0,
            half: 0,
            game: setup.game.name().to_owned(),
            variant: setup.variant.clone(),
            rules: setup.rules.to_string(),
            first: reference(&state.setting.seats[0]),
            second: reference(&state.setting.seats[1]),
            result: ended.verdict().name().to_owned(),
            first_points: points.first,
            second_points: points.second,
            termination: ended.name().to_owned(),
            evidence: ended.evidence().unwrap_or_default(),
            turns: state.open.turns().len() as u32,
            started_ms: state.started_ms,
            duration_ms: (now_ms() - state.started_ms).max(0),
            record: state.record(&self.id).text(),
        })
    }
}

impl State {
    pub(crate) fn names(&self) -> BySide<String> {
        BySide::from_fn(|side| self.setting.seats[side.index()].name().to_owned())
    }

    /// Whether a seat is still empty: nobody's clock runs before both are there.
    pub(crate) fn waits_for_players(&self) -> bool {
        self.setting.seats.iter().any(Seat::is_open)
    }

    pub(crate) fn record(&self, id: &str) -> Record {
        let mut more =
            vec![("Id", id.to_owned()), ("Seed", self.setting.seed.to_string()), ("Sandbox", self.sandbox.to_owned())];
        more.extend(self.memory.clone().map(|memory| ("Memory", memory)));
        self.open.record(self.ended.as_ref(), &self.names(), BySide::default(), &more)
    }

    pub(crate) fn refuse_if_over(&self) -> Result<(), Refusal> {
        if self.ended.is_some() { Err(Refusal::Over) } else { Ok(()) }
    }

    /// A turn was made: the next one begins, unless it ended the match.
    pub(crate) fn begin_turn(&mut self) {
        self.turn_began = Instant::now();
        if self.ended.is_none() {
            self.ended = self.open.over();
        }
        if self.awaits_bot() {
            self.turn_began += Duration::from_millis(self.setting.pace_ms);
        }
    }

    /// Whether a bot is to move, now or in a moment.
    pub(crate) fn awaits_bot(&self) -> bool {
        self.ended.is_none() && self.setting.seats[self.open.position().turn().index()].is_bot()
    }

    /// Whether a person's clock runs.
    pub(crate) fn person_is_timed(&self) -> bool {
        let side = self.open.position().turn().index();
        self.ended.is_none() && self.setting.timed[side] && !self.setting.seats[side].is_bot()
    }

    /// Whether two people play each other who did not agree to ask the engine.
    pub(crate) fn is_serious(&self) -> bool {
        let owner = |seat: &Seat| match seat {
            Seat::Person { owner, .. } => Some(owner.clone()),
            Seat::Bot { .. } => None,
        };
        let [first, second] = [0, 1].map(|side: usize| owner(&self.setting.seats[side]));
        let people = first.is_some() && second.is_some() && (first != second || first == Some(None));
        people && !self.setting.casual && self.ended.is_none()
    }

    /// The clocks as they stand.
    pub(crate) fn clocks(&self) -> Clocks {
        let runs = self.ended.is_none() && !self.waits_for_players();
        let left = BySide::from_fn(|side| self.open.allowed(side));
        Clocks { left, running: runs.then_some((self.open.position().turn(), self.turn_began)) }
    }

    /// The seat of a client, the one to move first if both are theirs.
    pub(crate) fn seat_of(&self, client: &str) -> Option<Side> {
        let turn = self.open.position().turn();
        [turn, turn.other()].into_iter().find(|side| self.setting.seats[side.index()].belongs_to(client))
    }
}
