//! The organiser's token: what needs it, and which browsers have given it.

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

use agon_store::{Store, StoreError};
use axum::http::{HeaderMap, header};

use crate::invite::{digest, word};

/// Letters of a token that nobody chose: 130 bits.
const LETTERS: usize = 26;

/// Who may do what only the organiser may.
pub(crate) struct Access {
    token: String,
    chosen: bool,
    /// Browsers that gave the token, by the digests of their secrets.
    browsers: Mutex<HashSet<String>>,
}

impl Access {
    /// With the token that was chosen, or a new one. Browsers that gave it before need not give it again: a chosen token as long as it
    /// stays the same, others never. Where the system has no randomness to give, a token that nobody chose lets nobody in.
    pub(crate) fn open(chosen: Option<&str>, store: &Store) -> Result<Access, StoreError> {
        let token = chosen.map_or_else(|| word(LETTERS).unwrap_or_default(), str::to_owned);
        let access = Access { token, chosen: chosen.is_some(), browsers: Mutex::default() };
        let known = store.entered(&access.kind())?.into_iter().collect();
        Ok(Access { browsers: Mutex::new(known), ..access })
    }

    /// What a browser is stored with: who gave a chosen token did not give another one.
    fn kind(&self) -> String {
        if self.chosen { digest(&self.token) } else { String::new() }
    }

    /// Whether everything that changes anything needs the token, and not only what would start programs here.
    pub(crate) fn guards_changes(&self) -> bool {
        self.chosen
    }

    /// The token, unless somebody chose it and knows it.
    pub(crate) fn made_token(&self) -> Option<&str> {
        (!self.chosen).then_some(self.token.as_str()).filter(|token| !token.is_empty())
    }

    /// Whether a request comes from somebody who has given the token, now or before.
    pub(crate) fn knows(&self, headers: &HeaderMap, client: &str) -> bool {
        let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let given = given.and_then(|value| value.strip_prefix("Bearer "));
        given.is_some_and(|given| self.is_token(given))
            || self.browsers.lock().unwrap_or_else(PoisonError::into_inner).contains(client)
    }

    /// Compares digests, in a time that says nothing about where the texts differ.
    fn is_token(&self, given: &str) -> bool {
        !self.token.is_empty() && digest(given) == digest(&self.token)
    }

    /// Remembers a browser if it gives the token; says whether it did.
    pub(crate) fn enter(&self, given: &str, client: &str, store: &mut Store) -> Result<bool, StoreError> {
        if !self.is_token(given) {
            return Ok(false);
        }
        store.enter(client, &self.kind())?;
        self.browsers.lock().unwrap_or_else(PoisonError::into_inner).insert(client.to_owned());
        Ok(true)
    }
}
