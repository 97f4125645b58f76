//! What a bot may say, and what is kept of it.

use std::time::Duration;

/// How much output is too much, and how long a bot may take to come and to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BotLimits {
    /// Bytes in one line of stdout.
    pub line: usize,
    /// Bytes of stdout in one turn.
    pub turn: usize,
    /// Bytes of stderr that are kept for one turn; the rest is thrown away.
    pub stderr: usize,
    /// How long a bot may take to become ready for a game.
    pub start: Duration,
    /// How long a bot may take to go when it is told to; then it is killed.
    pub quit: Duration,
}

impl Default for BotLimits {
    fn default() -> BotLimits {
        BotLimits {
            line: 64 << 10,
            turn: 4 << 20,
            stderr: 16 << 10,
            start: Duration::from_secs(10),
            quit: Duration::from_millis(500),
        }
    }
}

/// Text of which only the beginning was kept.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Captured {
    bytes: Vec<u8>,
    dropped: usize,
}

impl Captured {
    pub(super) fn add(&mut self, bytes: &[u8], limit: usize) {
        let kept = bytes.len().min(limit.saturating_sub(self.bytes.len()));
        self.bytes.extend_from_slice(&bytes[..kept]);
        self.dropped += bytes.len() - kept;
    }

    /// The text, and a note of how much is missing.
    pub fn text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.bytes).into_owned();
        if self.dropped > 0 {
            text.push_str(&format!("\n[{} more bytes]", self.dropped));
        }
        text
    }
}
