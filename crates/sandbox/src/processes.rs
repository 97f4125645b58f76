//! The processes of this host or namespace, as `/proc` shows them. Where there is no `/proc` nothing is seen.

use std::{collections::BTreeMap, fs, time::Duration};

/// A tick of the times in `/proc`: Linux shows hundredths of a second whatever its own timer does.
const TICK: Duration = Duration::from_millis(10);

/// A process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    /// The program's name, cut to 15 letters by the system.
    pub name: String,
    /// How many threads it has.
    pub threads: usize,
    /// Processor time so far, with that of its threads that have ended.
    pub(crate) own: Duration,
    /// Processor time of its children that have ended and that it has waited for.
    pub(crate) children: Duration,
    /// Whether its first thread computes, or would if the machine had time for it.
    pub running: bool,
    parent: u32,
}

impl Process {
    /// Processor time so far, with that of its children that have ended.
    pub fn cpu(&self) -> Duration {
        self.own + self.children
    }

    /// One process.
    pub(crate) fn of(number: u32) -> Option<Process> {
        let text = fs::read(format!("/proc/{number}/stat")).ok()?;
        parse(&String::from_utf8_lossy(&text))
    }
}

/// All descendants of a process, by their numbers.
pub fn descendants(ancestor: u32) -> Vec<(u32, Process)> {
    let mut all: BTreeMap<u32, Process> = running().collect();
    let (mut family, mut found) = (vec![ancestor], Vec::new());
    while let Some(parent) = family.pop() {
        let children: Vec<u32> =
            all.iter().filter(|(_, each)| each.parent == parent).map(|(&number, _)| number).collect();
        for number in children {
            found.extend(all.remove(&number).map(|process| (number, process)));
            family.push(number);
        }
    }
    found
}

fn running() -> impl Iterator<Item = (u32, Process)> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let number: u32 = entry.file_name().to_str()?.parse().ok()?;
        Some((number, Process::of(number)?))
    })
}

/// Reads `/proc/N/stat`: the name stands in parentheses and may hold anything, parentheses too.
fn parse(text: &str) -> Option<Process> {
    let (head, rest) = text.rsplit_once(')')?;
    let name = head.split_once('(')?.1.to_owned();
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<i64>().ok();
    let time = |fields: std::ops::Range<usize>| {
        let ticks: i64 = fields.map(|index| number(index).unwrap_or(0).max(0)).sum();
        TICK.saturating_mul(ticks.try_into().unwrap_or(u32::MAX))
    };
    Some(Process {
        name,
        threads: number(17)?.try_into().ok()?,
        own: time(11..13),
        children: time(13..15),
        running: fields.first() == Some(&"R"),
        parent: number(1)?.try_into().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_proc_is_read() {
        let line = "42 (a (b) c) S 7 42 42 0 -1 4194304 99 0 0 0 120 30 5 1 20 0 3 0 12345 1000 200";
        let (own, children) = (Duration::from_millis(1500), Duration::from_millis(60));
        assert_eq!(
            parse(line),
            Some(Process { name: "a (b) c".to_owned(), threads: 3, own, children, running: false, parent: 7 })
        );
        assert_eq!(parse("42 (a) S"), None);
        assert_eq!(parse(""), None);
    }
}
