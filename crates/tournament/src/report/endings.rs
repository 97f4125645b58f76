//! How matches ended, and whose fault it was.

use std::collections::{BTreeMap, HashMap};

use agon_referee::Record;
use maud::{Markup, html};

use super::{Replay, Sheet, records::Records};

/// Letters of evidence that are shown; the record has them all.
const MOST_EVIDENCE: usize = 600;

/// Endings, counted, and faults by team with what was seen.
pub(super) fn endings(sheet: &Sheet, all: &Records, films: &HashMap<(u32, u8), usize>) -> Markup {
    let counted: Vec<(u32, u8)> = sheet
        .state
        .battles
        .iter()
        .flat_map(|battle| &battle.halves)
        .filter(|half| half.outcome.is_some_and(|outcome| !outcome.forfeit))
        .map(|half| (half.number, half.half))
        .collect();
    let records: Vec<((u32, u8), &Record)> = counted.iter().filter_map(|key| Some((*key, all.get(key)?))).collect();
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (_, record) in &records {
        let count = counts.entry(record.tag("Termination").unwrap_or("unknown")).or_default();
        count.0 += 1;
        count.1 += record.turns.len();
    }
    let mut counts: Vec<(&str, (usize, usize))> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, (matches, _))| std::cmp::Reverse(matches));
    html! {
        @if counts.is_empty() { p { "No records." } } @else {
            div .scroll tabindex="0" role="group" aria-label="How matches ended" {
                table {
                    caption { "Matches by how they ended" }
                    thead { tr {
                        th scope="col" { "Ending" }
                        th scope="col" .number { "Matches" }
                        th scope="col" .number { "Turns on average" }
                    } }
                    tbody { @for (ending, (matches, turns)) in &counts { tr {
                        th scope="row" { (ending) }
                        td .number { (matches) }
                        td .number { (turns / matches) }
                    } } }
                }
            }
            (faults(&records, films))
            (not_counted(all, &counted, films))
        }
    }
}

/// Who was at fault: the tags of its name and of what was seen.
struct Culprit {
    team: &'static str,
    evidence: &'static str,
}

/// Who was at fault, by name and then in the order of the matches.
fn faults(records: &[((u32, u8), &Record)], films: &HashMap<(u32, u8), usize>) -> Markup {
    let mut faults: Vec<(&str, (u32, u8), &Record, &str)> = records
        .iter()
        .flat_map(|&(key, record)| {
            let culprits: &[Culprit] = match record.tag("FaultBy") {
                None => &[],
                Some("1") => &[Culprit { team: "First", evidence: "Evidence" }],
                Some("2") => &[Culprit { team: "Second", evidence: "Evidence" }],
                Some(_) => &[
                    Culprit { team: "First", evidence: "FirstFault" },
                    Culprit { team: "Second", evidence: "SecondFault" },
                ],
            };
            let fault = move |culprit: &Culprit| {
                Some((record.tag(culprit.team)?, key, record, record.tag(culprit.evidence).unwrap_or_default()))
            };
            culprits.iter().filter_map(fault)
        })
        .collect();
    faults.sort_by_key(|&(name, key, ..)| (name, key));
    html! {
        @if faults.is_empty() { p { "No bot was at fault." } } @else {
            div .scroll tabindex="0" role="group" aria-label="Faults" {
                table .faults {
                    caption { "Faults by team, with what was seen" }
                    thead { tr {
                        th scope="col" { "Team" }
                        th scope="col" { "Fault" }
                        th scope="col" { "Match" }
                        th scope="col" { "Evidence" }
                    } }
                    tbody { @for (name, key, record, evidence) in &faults { tr {
                        th scope="row" { (name) }
                        td { (record.tag("Termination").unwrap_or_default()) }
                        td { (link(record, films.get(key).copied())) }
                        td .fault { (evidence.chars().take(MOST_EVIDENCE).collect::<String>()) }
                    } } }
                }
            }
        }
    }
}

fn link(record: &Record, film: Option<usize>) -> Markup {
    let tag = |name: &str| record.tag(name).unwrap_or_default();
    let words = format!("{} – {}", tag("First"), tag("Second"));
    match film.map_or(Replay::None, Replay::Film) {
        Replay::Film(film) => html! {
            span .unplayable { (words) }
            button .film type="button" data-film=(film) { (words) }
        },
        _ => html! { (words) },
    }
}

/// Matches that were declared void: played, and kept, but worth nothing.
fn not_counted(all: &Records, counted: &[(u32, u8)], films: &HashMap<(u32, u8), usize>) -> Markup {
    let counted: std::collections::HashSet<&(u32, u8)> = counted.iter().collect();
    let void: Vec<(&(u32, u8), &Record)> = all.iter().filter(|(key, _)| !counted.contains(key)).collect();
    html! {
        @if !void.is_empty() {
            h3 { "Matches that do not count" }
            ul { @for (key, record) in void {
                li { (record.tag("Round").unwrap_or_default()) ": " (link(record, films.get(key).copied())) }
            } }
        }
    }
}
