//! What those who look on are sent: written once for all of them, with clocks as they are when it is sent.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use agon_rules::{BySide, Side};
use axum::{
    http::header,
    response::{IntoResponse, Response},
};

use crate::{
    state::State,
    view::{ClockView, MatchView},
};

/// The clocks of a match at some moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clocks {
    /// What is left to each side; `None` where no clock runs.
    pub(crate) left: BySide<Option<Duration>>,
    /// Whose clock runs, and since when. That may lie ahead: then it will begin to run.
    pub(crate) running: Option<(Side, Instant)>,
}

impl Clocks {
    /// What they show now.
    pub(crate) fn view(&self) -> ClockView {
        let used = |side: Side| match self.running {
            Some((running, since)) if running == side => since.elapsed(),
            _ => Duration::ZERO,
        };
        let left = |side: Side| self.left[side].map(|left| left.saturating_sub(used(side)).as_millis() as u64);
        let running = self.running.map(|(side, _)| side).filter(|&side| self.left[side].is_some());
        ClockView { left: Side::BOTH.map(left), running: running.map(Side::number) }
    }
}

/// How a match that is played here stands, for everybody who looks: drawn and written once whenever it changes.
#[derive(Debug)]
pub(crate) struct News {
    /// For pages. Its clocks are those of the moment when it was drawn.
    pub(crate) view: MatchView,
    /// The view as JSON but for the clocks, and open at its end.
    text: String,
    clocks: Clocks,
}

impl News {
    pub(crate) fn of(id: &str, epoch: u64, state: &State) -> Arc<News> {
        let view = MatchView::of(id, epoch, state);
        let mut text = serde_json::to_string(&view).unwrap_or_default();
        // The clocks come last.
        let end = text.rfind(",\"clocks\":").unwrap_or(text.len());
        text.truncate(end);
        Arc::new(News { view, text, clocks: state.clocks() })
    }

    /// What is sent now.
    pub(crate) fn json(&self) -> String {
        let clocks = serde_json::to_string(&self.clocks.view()).unwrap_or_default();
        format!("{},\"clocks\":{clocks}}}", self.text)
    }

    /// The same before it is written.
    pub(crate) fn view_now(&self) -> MatchView {
        MatchView { clocks: self.clocks.view(), ..self.view.clone() }
    }
}

/// A match as an answer: what is written of it already is not written again.
pub(crate) struct MatchJson(pub(crate) String);

impl IntoResponse for MatchJson {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}
