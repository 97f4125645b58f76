//! A match as the store keeps it.

use agon_store::{Live, Match};

use crate::{
    live_match::{LiveMatch, now_ms},
    seat::Seat,
    state::State,
};

impl LiveMatch {
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
