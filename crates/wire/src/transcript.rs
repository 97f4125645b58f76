//! What was said between a referee and a bot, for those who look for a mistake.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Lines that are kept; older ones are forgotten.
const MOST_LINES: usize = 400;
/// Letters of a line that are kept.
const LONGEST_LINE: usize = 400;
/// Stands where the rest of a line is missing.
const CUT: char = '…';

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

impl Spoken {
    /// Adds to the line, as far as it is kept.
    fn extend(&mut self, text: &str) {
        if self.line.ends_with(CUT) {
            return;
        }
        let room = LONGEST_LINE.saturating_sub(self.line.chars().count());
        self.line.extend(text.chars().take(room));
        if text.chars().nth(room).is_some() {
            self.line.push(CUT);
        }
    }
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
pub struct Transcript(Arc<Mutex<Written>>);

#[derive(Debug, Default)]
struct Written {
    lines: VecDeque<Spoken>,
    /// Who said the last line, if it has not come to its end yet: pipes cut lines where they like.
    unfinished: Option<Speaker>,
}

impl Transcript {
    /// Adds whole lines.
    pub fn add(&self, speaker: Speaker, text: &str) {
        self.lock().unfinished = None;
        // An empty line is a line too.
        self.add_bytes_of(speaker, if text.is_empty() { "\n" } else { text });
        self.lock().unfinished = None;
    }

    /// Adds what came through a pipe: the last line may be unfinished, and what comes next from there ends it.
    pub fn add_bytes_of(&self, speaker: Speaker, text: &str) {
        let mut written = self.lock();
        let mut goes_on = written.unfinished == Some(speaker);
        for line in text.split_inclusive('\n') {
            if !goes_on {
                written.lines.push_back(Spoken { speaker, line: String::new() });
            }
            goes_on = false;
            if let Some(last) = written.lines.back_mut() {
                last.extend(line.trim_end_matches(['\n', '\r']));
            }
            if written.lines.len() > MOST_LINES {
                written.lines.pop_front();
            }
        }
        written.unfinished = (!text.is_empty() && !text.ends_with('\n')).then_some(speaker);
    }

    fn lock(&self) -> MutexGuard<'_, Written> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The last lines, oldest first.
    pub fn last(&self, count: usize) -> Vec<Spoken> {
        let written = self.lock();
        let lines = &written.lines;
        lines.iter().skip(lines.len().saturating_sub(count)).cloned().collect()
    }

    /// Forgets everything.
    pub fn clear(&self) {
        *self.lock() = Written::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(transcript: &Transcript) -> Vec<String> {
        transcript.last(99).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn lines_are_whole_however_a_pipe_cuts_them() {
        let transcript = Transcript::default();
        transcript.add(Speaker::Referee, "go");
        transcript.add_bytes_of(Speaker::Stderr, "Traceb");
        transcript.add_bytes_of(Speaker::Stderr, "ack:\n  line 1\nErr");
        transcript.add_bytes_of(Speaker::Stderr, "or\n");
        transcript.add_bytes_of(Speaker::Stderr, "next");
        transcript.add(Speaker::Bot, "bestmove");
        assert_eq!(lines(&transcript), ["> go", "! Traceback:", "!   line 1", "! Error", "! next", "< bestmove"]);
    }

    #[test]
    fn long_lines_and_old_lines_are_cut() {
        let transcript = Transcript::default();
        transcript.add_bytes_of(Speaker::Bot, &"é".repeat(LONGEST_LINE - 1));
        transcript.add_bytes_of(Speaker::Bot, "abc");
        transcript.add_bytes_of(Speaker::Bot, "def");
        let line = &transcript.last(1)[0].line;
        assert!(line.ends_with("éa…") && line.chars().count() == LONGEST_LINE + 1);
        for number in 0..2 * MOST_LINES {
            transcript.add(Speaker::Event, &number.to_string());
        }
        assert_eq!(transcript.last(2 * MOST_LINES).len(), MOST_LINES);
    }
}
