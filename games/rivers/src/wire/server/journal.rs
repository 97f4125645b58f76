//! What the server says while it runs.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    path::Path,
    sync::mpsc::{SyncSender, sync_channel},
    thread,
};

/// Lines that wait to be written; more are dropped. Nobody who plays waits for a reader of our stdout.
const WAITING: usize = 1000;

/// Writes lines to stdout and to a file.
pub(super) struct Journal {
    lines: SyncSender<Line>,
}

enum Line {
    /// For everyone.
    Said(String),
    /// For the file only.
    Noted(String),
}

impl Journal {
    /// `log` is the file; it is written on to.
    pub(super) fn open(log: Option<&Path>) -> io::Result<Journal> {
        let mut file = match log {
            Some(path) => {
                let opened = OpenOptions::new().create(true).append(true).open(path);
                Some(opened.map_err(|e| io::Error::new(e.kind(), format!("cannot write {}: {e}", path.display())))?)
            }
            None => None,
        };
        let (lines, waiting) = sync_channel(WAITING);
        thread::spawn(move || {
            for line in waiting {
                write(&line, file.as_mut());
            }
        });
        Ok(Journal { lines })
    }

    /// One that is not written.
    #[cfg(test)]
    pub(super) fn silent() -> Journal {
        Journal { lines: sync_channel(0).0 }
    }

    /// Says a line on stdout and in the file.
    pub(super) fn say(&mut self, line: &str) {
        let _ = self.lines.try_send(Line::Said(line.to_owned()));
    }

    /// Notes a line in the file.
    pub(super) fn note(&mut self, line: &str) {
        let _ = self.lines.try_send(Line::Noted(line.to_owned()));
    }
}

/// A full disk or a closed stdout ends no game.
fn write(line: &Line, file: Option<&mut File>) {
    let (Line::Said(text) | Line::Noted(text)) = line;
    if let Line::Said(text) = line {
        let mut out = io::stdout().lock();
        let _ = writeln!(out, "{text}").and_then(|()| out.flush());
    }
    if let Some(file) = file {
        let _ = writeln!(file, "{text}");
    }
}
