//! What happens in a match, or does not, because time passes.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use agon_referee::Termination;
use agon_wire::Fault;

use super::{LiveMatch, Save};
use crate::state::State;

impl LiveMatch {
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
        let mut next = self.state().clone();
        if awaited(&next) {
            next.start_clock();
            self.replace(next);
        }
    }

    /// A clock that has waited long enough for somebody who does not come runs from now on.
    pub(crate) fn wait_no_longer(&self) {
        let waited = |state: &State| state.unseen && state.turn_began <= Instant::now();
        if !waited(&self.state()) {
            return;
        }
        let Some(_changing) = self.try_begin_change() else { return };
        let mut next = self.state().clone();
        if waited(&next) {
            next.unseen = false;
            self.replace(next);
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
        next.ended.is_some() && self.commit(save, next).is_ok()
    }

    /// For how long nothing has happened, unless a bot is to move.
    pub(crate) fn waits_since(&self) -> Option<Duration> {
        let state = self.state();
        (!state.awaits_bot()).then(|| state.turn_began.elapsed())
    }
}
