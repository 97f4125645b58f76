//! The files of a published folder: all that were published, as they were published, and no others.

use std::{collections::BTreeSet, fs, io, path::Path};

use agon_rules::quote;
use serde_json::Value;

use super::{Files, VerifyError, differs, first_line};
use crate::published::{PROGRAM, Published, digest};

/// Letters of a page that are shown around a difference.
const AROUND: usize = 40;

/// Compares files with what is derived and with the digests that were published. Gives the program that made the page, if it is not
/// this one.
pub(super) fn check(
    folder: &Path,
    stored: &Value,
    derived: &Published,
    records: &Files,
) -> Result<Option<String>, VerifyError> {
    for (name, text) in records {
        check_digest(stored, &format!("records/{name}"), text)?;
    }
    let expected: BTreeSet<&str> =
        stored["digests"].as_object().into_iter().flatten().map(|(name, _)| &**name).collect();
    let lost = |name: &&str| name.strip_prefix("records/").is_some_and(|name| !records.contains_key(name));
    if let Some(lost) = expected.iter().copied().find(lost) {
        return differs(format!("{lost}: it was published, but is not there"));
    }
    let invented = |name: &&str| !name.starts_with("records/") && !["standings.csv", "report.html"].contains(name);
    if let Some(invented) = expected.iter().copied().find(invented) {
        return differs(format!(
            "{}: results.json has a digest of it, but it is nothing that is published",
            quote(invented)
        ));
    }
    let read =
        |name: &str| fs::read_to_string(folder.join(name)).map_err(|e| VerifyError::Differs(format!("{name}: {e}")));
    let (table, own) = (read("standings.csv")?, derived.csv());
    if table != own {
        return differs(format!("standings.csv: {}", first_line(&table, &own)));
    }
    check_digest(stored, "standings.csv", &table)?;
    let page = read("report.html")?;
    let program = stored["program"].as_str().unwrap_or("an unknown program");
    if program == PROGRAM {
        let own = derived.html();
        if page != own {
            return differs(format!("report.html: {}", first_letters(&page, &own)));
        }
    }
    check_digest(stored, "report.html", &page)?;
    nothing_else(folder)?;
    Ok((program != PROGRAM).then(|| program.to_owned()))
}

fn check_digest(stored: &Value, name: &str, text: &str) -> Result<(), VerifyError> {
    let found = digest(text.as_bytes());
    match stored["digests"][name].as_str() {
        Some(published) if published == found => Ok(()),
        Some(published) => differs(format!(
            "{name}: it was changed: its digest is {}, published was {}",
            short(&found),
            short(published)
        )),
        None => differs(format!("{name}: results.json knows no digest of it")),
    }
}

/// Letters of a digest that are enough to see the difference.
fn short(digest: &str) -> String {
    digest.chars().take(12).chain(['…']).collect()
}

/// Nobody vouches for a file that was not published.
fn nothing_else(folder: &Path) -> Result<(), VerifyError> {
    let unreadable = |e: io::Error| VerifyError::Differs(e.to_string());
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names: Vec<String> = names.collect::<Result<_, io::Error>>().map_err(unreadable)?;
    names.sort();
    let known = ["records", "report.html", "results.json", "standings.csv"];
    match names.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => differs(format!("{name}: it does not belong to what was published; take it out of the folder")),
        None => Ok(()),
    }
}

/// Where two pages differ first.
fn first_letters(stored: &str, derived: &str) -> String {
    let (one, other): (Vec<char>, Vec<char>) = (stored.chars().collect(), derived.chars().collect());
    let at = one.iter().zip(&other).position(|(a, b)| a != b).unwrap_or(one.len().min(other.len()));
    let around = |text: &[char]| -> String {
        text[at.saturating_sub(AROUND).min(text.len())..(at + AROUND).min(text.len())].iter().collect()
    };
    format!("it says {:?}, derived is {:?}", around(&one), around(&other))
}
