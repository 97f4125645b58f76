//! Records of other programs' matches as everybody may read them: where bots lie and what they write is for those who have the token.

use agon_referee::Record;
use agon_store::StoreError;
use agon_tournament::Curtain;
use serde_json::Value;

use crate::{
    api::ApiError,
    arena::{Arena, PAGE},
};

/// The record of a match that another program plays.
pub(crate) fn in_progress(arena: &Arena, record: String, id: &str, has_token: bool) -> Result<String, ApiError> {
    // Names of matches begin with those of their runs.
    let run = id.rsplit_once('/').map_or(id, |(run, _)| run);
    finished(arena, record, run, has_token)
}

/// The record of a finished match of this run. Matches of the arena's own pages have nothing to hide.
pub(crate) fn finished(arena: &Arena, record: String, run: &str, has_token: bool) -> Result<String, ApiError> {
    if has_token {
        return Ok(record);
    }
    let Some(words) = words(arena, run)? else { return Ok(record) };
    let curtain = Curtain::of_words(words.iter().map(String::as_str));
    let record = curtain.record(&record).and_then(|open| Record::parse(&open).ok());
    let mut record = record.ok_or_else(|| ApiError::host("the record of this match cannot be read"))?;
    for (_, value) in record.tags.iter_mut().filter(|(tag, _)| NAMES.contains(&tag.as_str())) {
        *value = name(value);
    }
    Ok(record.text())
}

/// Tags with the names of bots.
const NAMES: [&str; 4] = ["First", "Second", "White", "Black"];

/// What a bot is called in a list. Without a name of its own it is called by its command, and everybody reads lists.
pub(crate) fn name(name: &str) -> String {
    if !name.contains('/') {
        return name.to_owned();
    }
    Curtain::of_words(std::iter::once(format!("cmd:{name}").as_str())).text(name)
}

/// Everything by which a bot may have been named in a run; `None` for the arena's own.
fn words(arena: &Arena, run: &str) -> Result<Option<Vec<String>>, StoreError> {
    let store = arena.reader();
    let mut words = Vec::new();
    if let Some(run) = store.run_by_id(run)? {
        if run.kind == PAGE {
            return Ok(None);
        }
        collect(&run.configuration, &mut words);
    }
    for entry in store.log_of(run)? {
        collect(&entry.entry, &mut words);
    }
    words.sort_unstable();
    words.dedup();
    Ok(Some(words))
}

fn collect(json: &str, words: &mut Vec<String>) {
    let mut open = vec![serde_json::from_str(json).unwrap_or(Value::Null)];
    while let Some(value) = open.pop() {
        match value {
            Value::String(word) => words.push(word),
            Value::Array(values) => open.extend(values),
            Value::Object(values) => open.extend(values.into_iter().map(|(_, value)| value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
