//! What those who look on are told: written once for all of them, with clocks as they are when it is sent.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use agon_rules::{BySide, Side};

use crate::view::{ClockView, MatchView};

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

/// A message for everybody.
#[derive(Clone, Debug)]
pub(crate) struct News {
    /// The message as JSON; of a match everything but the clocks, and open at its end.
    text: String,
    clocks: Option<Clocks>,
}

impl News {
    /// A match as it stands.
    pub(crate) fn of_match(view: &MatchView, clocks: Clocks) -> Arc<News> {
        let mut text = serde_json::to_string(view).unwrap_or_default();
        // The clocks come last.
        let end = text.rfind(",\"clocks\":").unwrap_or(text.len());
        text.truncate(end);
        Arc::new(News { text, clocks: Some(clocks) })
    }

    /// Something that has no clocks.
    pub(crate) fn plain(text: String) -> Arc<News> {
        Arc::new(News { text, clocks: None })
    }

    /// Whether there is nothing to tell yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// What is sent now.
    pub(crate) fn now(&self) -> String {
        match &self.clocks {
            None => self.text.clone(),
            Some(clocks) => {
                let clocks = serde_json::to_string(&clocks.view()).unwrap_or_default();
                format!("{},\"clocks\":{clocks}}}", self.text)
            }
        }
    }
}
