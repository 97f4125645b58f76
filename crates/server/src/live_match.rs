//! A match in progress.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use agon_referee::{Containment, CoreRule, MatchSpec, OpenMatch, Record, Termination, TimeControl, TurnMade};
use agon_rules::{BySide, Side, TurnError};
use agon_store::{Live, Match};
use agon_wire::{Bot, GameSetup, HostError, Original};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::{
    seat::{self, Seat},
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
}

/// Everything about a match that changes.
pub(crate) struct State {
    pub(crate) open: OpenMatch,
    pub(crate) setting: Setting,
    pub(crate) ended: Option<Termination>,
    /// When the side to move began to think.
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
    state: Mutex<State>,
    /// What everybody sees, as JSON: written once for all who look on.
    news: watch::Sender<Arc<str>>,
    /// Bots are asked without holding the state.
    bots: Mutex<BySide<Option<Box<dyn Bot>>>>,
    containment: Arc<Containment>,
    /// Whether a worker is busy with the bots.
    driven: AtomicBool,
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
}

impl From<HostError> for Refusal {
    fn from(error: HostError) -> Refusal {
        Refusal::Host(error.0)
    }
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
        let state = State {
            open,
            setting,
            ended,
            turn_began: Instant::now(),
            revision: 0,
            started_ms: now_ms(),
            sandbox,
            memory,
        };
        let live = LiveMatch {
            news: watch::Sender::new(Arc::from("")),
            id,
            game,
            state: Mutex::new(state),
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
    pub(crate) fn subscribe(&self) -> watch::Receiver<Arc<str>> {
        self.news.subscribe()
    }

    /// How many look on.
    pub(crate) fn spectators(&self) -> usize {
        self.news.receiver_count()
    }

    /// Changes the match, and tells everybody.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut State) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let mut state = self.state();
        let done = change(&mut state)?;
        state.revision += 1;
        self.tell(&state);
        Ok(done)
    }

    fn tell(&self, state: &State) {
        let view = MatchView::of(self, state);
        self.news.send_replace(Arc::from(serde_json::to_string(&view).unwrap_or_default()));
    }

    /// Whether a bot is to move.
    pub(crate) fn awaits_bot(&self) -> bool {
        let state = self.state();
        state.ended.is_none() && state.setting.seats[state.open.position().turn().index()].is_bot()
    }

    /// A person's turn.
    pub(crate) fn play(&self, client: &str, turn: &str, after: Option<usize>) -> Result<(), Refusal> {
        self.change(|state| {
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
        self.change(|state| match late(state) {
            Some(used) => {
                state.ended = Some(state.open.out_of_time(used));
                Ok(())
            }
            None => Err(Refusal::Over),
        })
        .is_ok()
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
        let ask = question.ask();
        let mut bots = self.bots.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = &mut bots[ask.side];
        let answer = match slot {
            Some(bot) => bot.awake_turn(&ask, false),
            None => match seat::bot(&spec, self.game, seed, &self.containment) {
                Ok(mut bot) => {
                    let begun = bot.begin(&setup, ask.side, ask.budget);
                    begun.and_then(|()| slot.insert(bot).awake_turn(&ask, false))
                }
                Err(error) => Err(agon_wire::Fault::WouldNotStart(error.to_string()).into()),
            },
        };
        drop(bots);
        self.change(|state| {
            if state.revision != revision || state.ended.is_some() {
                // Somebody resigned or took back a turn meanwhile: the answer is for a position that is gone.
                return Ok(());
            }
            state.ended = state.open.answered(answer)?;
            state.begin_turn();
            Ok(())
        })
        .is_ok()
    }

    /// Ends the bots' programs.
    pub(crate) fn dismiss_bots(&self) {
        let mut bots = self.bots.lock().unwrap_or_else(PoisonError::into_inner);
        for side in Side::BOTH {
            if let Some(mut bot) = bots[side].take() {
                bot.end();
            }
        }
    }

    /// For the store, while it goes on.
    pub(crate) fn stored(&self) -> Live {
        let state = self.state();
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
    pub(crate) fn finished(&self, run: &str) -> Option<Match> {
        let state = self.state();
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
    }

    /// How long the side to move has thought.
    pub(crate) fn thinking(&self) -> Duration {
        if self.ended.is_some() || self.waits_for_players() { Duration::ZERO } else { self.turn_began.elapsed() }
    }

    /// The seat of a client, the one to move first if both are theirs.
    pub(crate) fn seat_of(&self, client: &str) -> Option<Side> {
        let turn = self.open.position().turn();
        [turn, turn.other()].into_iter().find(|side| self.setting.seats[side.index()].belongs_to(client))
    }
}
