//! How a match in progress stands.

use std::time::{Duration, Instant};

use agon_referee::{OpenMatch, Record, Termination};
use agon_rules::{BySide, Side};
use serde::{Deserialize, Serialize};

use crate::{live_match::Refusal, news::Clocks, seat::Seat};

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

impl Setting {
    /// Whether a seat is still empty.
    pub(crate) fn waits_for_players(&self) -> bool {
        self.seats.iter().any(Seat::is_open)
    }
}

/// Everything about a match that changes.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) open: OpenMatch,
    pub(crate) setting: Setting,
    pub(crate) ended: Option<Termination>,
    /// When the side to move began to think; in a match with a pace it may only begin in a moment.
    pub(crate) turn_began: Instant,
    /// Counts the changes: what was decided for an earlier one is out of date.
    pub(crate) revision: u64,
    /// Since when what happens here cannot be stored: no clock runs meanwhile.
    pub(crate) halted: Option<Instant>,
    /// Whether whoever is to move does not know yet that the match has begun: the clock waits a while.
    pub(crate) unseen: bool,
    pub(crate) started_ms: i64,
    /// How bots are contained.
    pub(crate) sandbox: &'static str,
    /// Mebibytes of memory that they may use.
    pub(crate) memory: Option<String>,
}

/// How long a clock waits for somebody who does not know that a match has begun.
const UNSEEN: Duration = Duration::from_secs(60);

impl State {
    pub(crate) fn names(&self) -> BySide<String> {
        BySide::from_fn(|side| self.setting.seats[side.index()].name().to_owned())
    }

    /// Whether a seat is still empty: nobody's clock runs before both are there.
    pub(crate) fn waits_for_players(&self) -> bool {
        self.setting.waits_for_players()
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
        if self.ended.is_none() {
            self.ended = self.open.over();
        }
        self.start_clock();
    }

    /// Whoever is to move thinks from now on; a bot in a match with a pace from a moment later.
    pub(crate) fn start_clock(&mut self) {
        self.turn_began = Instant::now();
        self.unseen = false;
        if self.awaits_bot() {
            self.turn_began += Duration::from_millis(self.setting.pace_ms);
        }
    }

    /// The match begins, and whoever is to move may be elsewhere: the clock waits for them, but not for ever.
    pub(crate) fn start_clock_when_seen(&mut self) {
        self.start_clock();
        self.unseen = self.person_is_timed();
        if self.unseen {
            self.turn_began += UNSEEN;
        }
    }

    /// How long whoever is to move has thought; what could not be stored stopped the clock.
    pub(crate) fn used(&self) -> Duration {
        self.halted.unwrap_or_else(Instant::now).saturating_duration_since(self.turn_began)
    }

    /// The clock that was stopped goes on where it stood.
    pub(crate) fn go_on(&mut self) {
        if let Some(since) = self.halted.take() {
            self.turn_began += since.elapsed();
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
    pub(crate) fn is_competitive(&self) -> bool {
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
        let runs = self.ended.is_none() && !self.waits_for_players() && self.halted.is_none() && !self.unseen;
        let turn = self.open.position().turn();
        let used = |side| if self.halted.is_some() && side == turn { self.used() } else { Duration::ZERO };
        let left = BySide::from_fn(|side| Some(self.open.allowed(side)?.saturating_sub(used(side))));
        Clocks { left, running: runs.then_some((turn, self.turn_began)) }
    }

    /// The seat of a client, the one to move first if both are theirs.
    pub(crate) fn seat_of(&self, client: &str) -> Option<Side> {
        let turn = self.open.position().turn();
        [turn, turn.other()].into_iter().find(|side| self.setting.seats[side.index()].belongs_to(client))
    }
}
