//! What those see who look on.

use std::collections::HashSet;

use agon_store::{Live, Match, Store, StoreError};

/// Matches in progress that the database shows.
#[derive(Debug, Default)]
pub struct Boards(HashSet<String>);

impl Boards {
    /// Shows how a match stands.
    pub fn show(&mut self, store: &mut Store, live: Live) {
        // Whoever looks on can do without it; the match cannot.
        if let Err(error) = store.save_live(&live) {
            tracing::debug!(id = live.id, %error, "a match in progress is not shown");
        }
        self.0.insert(live.id);
    }

    /// Stores a match that is over, which is no longer shown as one in progress.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub fn finish(&mut self, store: &mut Store, played: &Match) -> Result<(), StoreError> {
        store.save_match(played)?;
        if self.0.remove(&played.id) {
            hide(store, &played.id);
        }
        Ok(())
    }

    /// Nobody plays any more: what was abandoned is not shown.
    pub fn clear(&mut self, store: &mut Store) {
        for abandoned in self.0.drain() {
            hide(store, &abandoned);
        }
    }
}

fn hide(store: &mut Store, id: &str) {
    if let Err(error) = store.remove_live(id) {
        tracing::debug!(id, %error, "a match that nobody plays is still shown as one in progress");
    }
}
