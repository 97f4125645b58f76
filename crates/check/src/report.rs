//! What a check prints: a line for each step, then warnings, the first fault, and the verdict.

use std::io::Write;

use serde_json::{Value, json};

use crate::{explain::Explanation, run::MatchSeen};

/// No line of prose is longer.
pub(crate) const WIDTH: usize = 80;
/// Letters of a transcript's line that are shown.
const LONGEST_LINE: usize = 110;

/// Prints steps as they happen. A label stands there while its step runs, what came of it is added afterwards.
pub(crate) struct Report {
    out: Box<dyn Write + Send>,
    /// Where the second column begins.
    column: usize,
    open: bool,
}

impl Report {
    /// `longest` is the longest label.
    pub(crate) fn new(out: Box<dyn Write + Send>, longest: &str) -> Report {
        Report { out, column: longest.chars().count() + 2, open: false }
    }

    // A reader that goes away in the middle, as `head` does, is noticed when the verdict is printed.
    fn put(&mut self, text: &str) {
        let _ = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
    }

    /// A step begins.
    pub(crate) fn begin(&mut self, label: &str) {
        let column = self.column;
        self.end("");
        self.put(&format!("{label:<column$}"));
        self.open = true;
    }

    /// The step that began last is done; nothing happens if there is none.
    pub(crate) fn end(&mut self, what: &str) {
        if std::mem::take(&mut self.open) {
            self.put(&format!("{}\n", agon_rules::inert(what)));
        }
    }

    /// A step that takes no time.
    pub(crate) fn step(&mut self, label: &str, what: &str) {
        self.begin(label);
        self.end(what);
    }
}

/// The first fault, with everything that helps to understand it.
pub(crate) struct FaultReport {
    /// The word for programs.
    pub(crate) kind: &'static str,
    /// The number of the match; `None` if there was none yet.
    pub(crate) number: Option<usize>,
    /// The step that failed.
    pub(crate) step: String,
    /// At which clock: `official`, `shortened` or `as asked`; empty if none ran.
    pub(crate) clock: &'static str,
    /// What was seen, in a sentence.
    pub(crate) evidence: String,
    pub(crate) explanation: Explanation,
    /// What was said last between referee and bot.
    pub(crate) transcript: Vec<String>,
}

/// Everything that a check has found.
pub struct Verdict {
    pub(crate) game: &'static str,
    pub(crate) protocol: &'static str,
    pub(crate) matches: Vec<MatchSeen>,
    pub(crate) warnings: Vec<String>,
    pub(crate) fault: Option<FaultReport>,
    /// Commands that show the fault again, with what they show.
    pub(crate) again: Vec<(String, &'static str)>,
}

impl Verdict {
    /// What the steps have not said yet.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for warning in &self.warnings {
            text.push_str(&wrapped("warning: ", "         ", warning));
        }
        match &self.fault {
            Some(fault) => text.push_str(&self.fault_text(fault)),
            None if self.warnings.is_empty() => text.push_str("ready for the official run\n"),
            None => text.push_str("ready for the official run, but see the warnings\n"),
        }
        text
    }

    /// Why it is not ready, in a line; `None` if it is.
    pub fn failure(&self) -> Option<String> {
        let fault = self.fault.as_ref()?;
        let whose = match fault.number {
            Some(number) => format!("match {number}, {}", fault.step),
            None => fault.step.clone(),
        };
        Some(format!("not ready for the official run ({whose}: {})", fault.kind))
    }

    fn fault_text(&self, fault: &FaultReport) -> String {
        let Explanation { happened, picture, remedies, command } = &fault.explanation;
        let mut text = String::from("\nWhat to do\n");
        for remedy in remedies {
            text.push_str(&wrapped("  - ", "    ", remedy));
        }
        text.push_str("\nWhat happened\n");
        for paragraph in happened {
            text.push_str(&wrapped("  ", "  ", paragraph));
        }
        if let Some(picture) = picture {
            text.push('\n');
            text.push_str(picture);
        }
        if !fault.transcript.is_empty() {
            text.push_str("\nThe last that was said (> to the bot, < by the bot, ! its stderr)\n");
            for line in &fault.transcript {
                text.push_str(&format!("  {line}\n"));
            }
        }
        let commands: Vec<&(String, &'static str)> = self.again.iter().chain(command).collect();
        if !commands.is_empty() {
            text.push_str("\nTo look closer\n");
        }
        for (command, shows) in commands {
            text.push_str(&format!("  {command}   # {shows}\n"));
        }
        text
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let matches: Vec<Value> = self.matches.iter().map(MatchSeen::json).collect();
        let fault = self.fault.as_ref().map(|fault| {
            json!({
                "kind": fault.kind,
                "match": fault.number,
                "step": fault.step,
                "clock": Some(fault.clock).filter(|clock| !clock.is_empty()),
                "evidence": fault.evidence,
                "explanation": fault.explanation.happened.join(" "),
                "remedies": fault.explanation.remedies,
                "transcript": fault.transcript,
            })
        });
        json!({
            "ok": self.fault.is_none(),
            "game": self.game,
            "protocol": self.protocol,
            "matches": matches,
            "warnings": self.warnings,
            "fault": fault,
        })
    }
}

/// A line of a transcript, fit for a terminal. Long ones lose their middle: the end of a list of turns says what
/// happened last.
pub(crate) fn shown(line: &str) -> String {
    let letters: Vec<char> = agon_rules::inert(line).chars().collect();
    if letters.len() <= LONGEST_LINE {
        return letters.into_iter().collect();
    }
    let (head, tail) = (LONGEST_LINE * 2 / 3, LONGEST_LINE / 3);
    let part = |letters: &[char]| letters.iter().collect::<String>();
    format!("{} … {}", part(&letters[..head]), part(&letters[letters.len() - tail..]))
}

/// Prose in lines that fit, each with something before it.
fn wrapped(first: &str, rest: &str, text: &str) -> String {
    let mut lines = Vec::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for word in agon_rules::inert(text).split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut line, rest.to_owned()));
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    lines.push(line);
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_wrapped_under_its_first_word() {
        let text = "word ".repeat(30);
        let lines: Vec<String> = wrapped("  - ", "    ", &text).lines().map(str::to_owned).collect();
        assert!(lines.len() > 1 && lines.iter().all(|line| line.chars().count() <= WIDTH), "{lines:?}");
        assert!(lines[0].starts_with("  - word") && lines[1].starts_with("    word"), "{lines:?}");
    }

    #[test]
    fn long_lines_keep_both_ends() {
        let line = format!("> begin{}end", "x".repeat(500));
        let shown = shown(&line);
        assert!(shown.starts_with("> begin") && shown.ends_with("end") && shown.contains(" … "), "{shown}");
        assert!(shown.chars().count() < 120);
    }
}
