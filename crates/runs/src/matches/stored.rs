//! The run in the database: begun, or gone on with.

use agon_entrants::same_bot;
use agon_store::{Bot, Resume, Run, Store};
use serde_json::Value;

use super::{News, Plan, RunError};
use crate::{
    lock::{self, Lock},
    now_ms,
    sandbox_options::OLDER_MEMORY,
};

/// An open database, in which this process alone plays the run.
pub(super) struct Stored {
    pub(super) store: Store,
    _lock: Option<Lock>,
}

/// Begins the run or goes on with it. One that an older program began under another name keeps that name.
pub(super) fn open(plan: &mut Plan, tell: &mut dyn FnMut(&Plan, News<'_>)) -> Result<Stored, RunError> {
    let mut store = match &plan.db {
        Some(path) => Store::open(path).and_then(|store| store.check().map(|()| store))?,
        None => Store::in_memory()?,
    };
    let begun = begun(plan, &store)?;
    let lock = plan.db.as_ref().map(|path| lock::take(path, &plan.run)).transpose()?.transpose();
    let lock = lock.map_err(|holder| RunError::Busy { run: plan.run.clone(), holder })?;
    if let Some(begun) = &begun {
        adopt(plan, begun, tell)?;
    }
    let configuration = plan.configuration.to_string();
    let run = Run { id: plan.run.clone(), created_ms: now_ms(), kind: "match".to_owned(), configuration };
    if store.create_or_resume_run(&run)? == Resume::New {
        save_bots(plan, &mut store)?;
    }
    Ok(Stored { store, _lock: lock })
}

/// The run as it was begun, if it was.
fn begun(plan: &mut Plan, store: &Store) -> Result<Option<Run>, RunError> {
    if let Some(run) = store.run_by_id(&plan.run)? {
        return Ok(Some(run));
    }
    let Some(older) = plan.older_run.take().filter(|older| *older != plan.run) else { return Ok(None) };
    let run = store.run_by_id(&older)?;
    if run.is_some() {
        plan.run = older;
    }
    Ok(run)
}

/// Takes over what an older program left out of a run's settings.
fn adopt(plan: &mut Plan, begun: &Run, tell: &mut dyn FnMut(&Plan, News<'_>)) -> Result<(), RunError> {
    let Ok(stored) = serde_json::from_str::<Value>(&begun.configuration) else { return Ok(()) };
    adopt_memory(plan, stored.get("memory").and_then(Value::as_str))?;
    let mut unknown = Vec::new();
    for (seat, contestant) in plan.contestants.iter().enumerate() {
        let (was, now) = (&stored["bots"][seat]["hash"], &mut plan.configuration["bots"][seat]["hash"]);
        let same = was.as_str().is_some_and(|was| same_bot(was, now.as_str().unwrap_or_default()));
        if same && was != now {
            *now = was.clone();
            unknown.push(contestant.name.as_str());
        }
    }
    if !unknown.is_empty() {
        let bots = unknown.join(" or ");
        tell(plan, News::MayHaveChanged(&bots));
    }
    Ok(())
}

/// All matches of a run have the memory that it was begun with, whatever this host would give now.
fn adopt_memory(plan: &mut Plan, stored: Option<&str>) -> Result<(), RunError> {
    let named = plan.sandbox.named_memory();
    let memory = match (stored, &named) {
        // A difference is refused with all others.
        (Some(_), Some(_)) => return Ok(()),
        (Some(stored), None) => {
            plan.configuration["memory"] = stored.into();
            stored
        }
        (None, named) => {
            if let Some(settings) = plan.configuration.as_object_mut() {
                settings.remove("memory");
            }
            named.as_deref().unwrap_or(OLDER_MEMORY)
        }
    };
    plan.sandbox = plan.sandbox.with_memory(memory)?;
    plan.launcher = plan.sandbox.containment()?.launcher(None);
    Ok(())
}

fn save_bots(plan: &Plan, store: &mut Store) -> Result<(), RunError> {
    for contestant in &plan.contestants {
        let Ok(entrant) = &contestant.bot else { continue };
        let protocol = entrant.protocol.map_or("house", |protocol| protocol.name);
        let bot = Bot {
            hash: contestant.hash.clone(),
            name: contestant.name.clone(),
            game: plan.setup.game.name().to_owned(),
            protocol: protocol.to_owned(),
            language: entrant.language.name().to_owned(),
            first_seen_ms: now_ms(),
        };
        store.save_bot(&bot)?;
    }
    Ok(())
}
