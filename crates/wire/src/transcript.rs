//! What was said between a referee and a bot, for those who look for a mistake.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

/// Lines that are kept; older ones are forgotten.
const MOST_LINES: usize = 400;
/// Letters of a line that are kept.
const LONGEST_LINE: usize = 400;

/// Who said a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speaker {
    /// The referee, to the bot.
    Referee,
    /// The bot, to the referee.
    Bot,
    /// The bot, to stderr.
    Stderr,
    /// Nobody: something happened.
    Event,
}

/// One line of a transcript.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spoken {
    /// Who said it.
    pub speaker: Speaker,
    /// What was said.
    pub line: String,
}

impl fmt::Display for Spoken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.speaker {
            Speaker::Referee => "> ",
            Speaker::Bot => "< ",
            Speaker::Stderr => "! ",
            Speaker::Event => "  ",
        };
        write!(f, "{sign}{}", self.line)
    }
}

/// A list of lines that several parts of the program add to.
#[derive(Clone, Debug, Default)]
pub struct Transcript(Arc<Mutex<VecDeque<Spoken>>>);

impl Transcript {
    /// Adds a text, line by line.
    pub fn add(&self, speaker: Speaker, text: &str) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for line in text.lines() {
            let mut kept: String = line.chars().take(LONGEST_LINE).collect();
            if kept.len() < line.len() {
                kept.push('…');
            }
            lines.push_back(Spoken { speaker, line: kept });
            if lines.len() > MOST_LINES {
                lines.pop_front();
            }
        }
    }

    /// The last lines, oldest first.
    pub fn last(&self, count: usize) -> Vec<Spoken> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().skip(lines.len().saturating_sub(count)).cloned().collect()
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
