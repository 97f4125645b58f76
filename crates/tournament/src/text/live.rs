//! What is shown while a tournament is played.

use std::time::Instant;

use agon_rules::inert;

use super::{stage_text, summary};
use crate::{forecast::forecast, stored::StoredTournament};

/// Rows of a table.
const ROWS: usize = 12;
/// Lines above the one that says how far it is.
const LINES: usize = 22;
/// Letters of a line: every terminal has so many.
const WIDTH: usize = 79;

/// A few lines about a tournament that is played, which fit on every terminal.
pub struct LiveText {
    begun: Instant,
    /// How many matches were played before.
    before: usize,
    /// How many matches it will be, as far as that can be known.
    total: usize,
}

impl LiveText {
    /// Of a tournament that is played from now on, with so many matches at once.
    pub fn new(tournament: &StoredTournament, slots: usize) -> LiveText {
        let total = forecast(&tournament.plan, slots, None).matches();
        LiveText { begun: Instant::now(), before: tournament.results.len(), total }
    }
    /// How it stands.
    pub fn lines(&self, tournament: &StoredTournament) -> Vec<String> {
        // Results that came since the last state are counted already.
        let state = tournament.state();
        let mut text = format!("{}\n", summary(tournament, &state));
        if let Some(stage) = state.parts.last().and_then(|part| part.stages.last()) {
            text += &stage_text(&tournament.plan, &state, stage, ROWS);
        }
        let progress = self.progress(tournament.results.len());
        let lines = text.lines().take(LINES).chain([progress.as_str()]);
        // A line that the terminal breaks would count twice when the screen is cleared.
        lines.map(|line| inert(line).chars().take(WIDTH).collect()).collect()
    }

    /// How far it is, and how long it will still take.
    fn progress(&self, played: usize) -> String {
        let now = played - self.before.min(played);
        // Rematches come on top.
        let total = self.total.max(played);
        let rate = now as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        let left = total.saturating_sub(played);
        let bar = "#".repeat(20 * played.min(total) / total.max(1));
        if now == 0 {
            return format!("[{bar:<20}] {played} of about {total} matches");
        }
        let minutes = (left as f64 / rate / 60.0).ceil();
        format!("[{bar:<20}] {played} of about {total} matches, {minutes} min left (Ctrl-C stops)")
    }
}
