//! A process that is spoken to over something else than its pipes: what it writes to stdout is chatter.

use std::time::{Duration, Instant};

use super::{BotProcess, LAST_BREATH, Speaker};
use crate::{
    bot::{BotFailure, Fault},
    lines::Lines,
};

/// Lines of chatter that are written down for a match.
const NOTED_LINES: usize = 20;

/// What is known of a stdout that nobody listens to.
#[derive(Debug, Default)]
pub(super) struct Chatter {
    noted: usize,
    /// The last line that was not blank.
    last: String,
}

impl BotProcess {
    /// From now on stdout is read, so that the bot never waits for a reader, and thrown away, however much it is. Its first lines
    /// are written down.
    pub(crate) fn ignore_stdout(&mut self) {
        self.chatter = Some(Chatter::default());
    }

    /// Takes the lines that have arrived, if nobody else will.
    pub(super) fn take_chatter(&mut self) {
        let Some(chatter) = &mut self.chatter else { return };
        while let Some(line) = self.lines.next() {
            let line = String::from_utf8_lossy(&line).into_owned();
            if line.trim().is_empty() {
                continue;
            }
            if chatter.noted < NOTED_LINES {
                chatter.noted += 1;
                if let Some(transcript) = &self.transcript {
                    transcript.add(Speaker::Event, &format!("stdout: {line}"));
                }
            }
            chatter.last = line;
        }
        if self.lines.waiting() > self.limits.line {
            self.lines = Lines::default();
        }
    }

    /// Whether it has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.poll_exit().is_some()
    }

    /// How it ended, for a bot that should be about to; `None` if it lives on.
    pub(crate) fn ending(&mut self, instead: &str) -> Result<Option<Fault>, BotFailure> {
        let patience = Instant::now() + LAST_BREATH;
        while self.poll_exit().is_none() && Instant::now() < patience {
            // Its pipes are read meanwhile: it may be writing down why it ends.
            self.wait_for_events(Some(Duration::from_millis(1)))?;
        }
        self.read_stdout()?;
        self.read_stderr()?;
        Ok(self.ended.clone().map(|exit| exit.fault(instead)))
    }

    /// The last thing that it wrote to stderr, or else to stdout, as far as it was kept.
    pub(crate) fn last_words(&self) -> Option<String> {
        let noise = self.noise.text();
        let stderr = noise.lines().map(str::trim).rfind(|line| !line.is_empty()).map(str::to_owned);
        stderr.or_else(|| self.chatter.as_ref().map(|chatter| chatter.last.clone()).filter(|last| !last.is_empty()))
    }
}
