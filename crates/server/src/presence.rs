//! Who has the page of a match open.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Browsers, and how many connections each has.
#[derive(Default)]
pub(crate) struct Presence(Mutex<HashMap<String, usize>>);

/// Somebody is there as long as this lives.
pub(crate) struct Here {
    presence: Arc<Presence>,
    client: String,
}

impl Presence {
    fn here(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn has(&self, client: &str) -> bool {
        self.here().contains_key(client)
    }

    /// Somebody comes.
    pub(crate) fn enter(self: &Arc<Presence>, client: &str) -> Here {
        *self.here().entry(client.to_owned()).or_default() += 1;
        Here { presence: Arc::clone(self), client: client.to_owned() }
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        let mut here = self.presence.here();
        if let Some(connections) = here.get_mut(&self.client) {
            *connections -= 1;
            if *connections == 0 {
                here.remove(&self.client);
            }
        }
    }
}
