//! Names that nobody can guess.

use sha2::{Digest, Sha256};

/// Letters and digits that are not mistaken for each other.
const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";

/// A new random word of so many letters. `None` if the system has no randomness to give.
pub(crate) fn word(letters: usize) -> Option<String> {
    let mut bytes = vec![0; letters];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes.into_iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

/// A new random number.
pub(crate) fn seed() -> Option<u64> {
    getrandom::u64().ok()
}

/// What is stored of a secret.
pub(crate) fn digest(secret: &str) -> String {
    Sha256::digest(secret.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
