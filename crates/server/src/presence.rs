//! Who has the page of a match open.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Browsers, and how many connections each has.
#[derive(Default)]
pub(crate) struct Presence(Mutex<HashMap<String, usize>>);

/// Somebody is there as long as this lives.
pub(crate) struct Visit {
    presence: Arc<Presence>,
    client: String,
}

impl Presence {
    fn browsers(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn has(&self, client: &str) -> bool {
        self.browsers().contains_key(client)
    }

    /// Somebody comes.
    pub(crate) fn enter(self: &Arc<Presence>, client: &str) -> Visit {
        *self.browsers().entry(client.to_owned()).or_default() += 1;
        Visit { presence: Arc::clone(self), client: client.to_owned() }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let mut browsers = self.presence.browsers();
        if let Some(connections) = browsers.get_mut(&self.client) {
            *connections -= 1;
            if *connections == 0 {
                browsers.remove(&self.client);
            }
        }
    }
}
