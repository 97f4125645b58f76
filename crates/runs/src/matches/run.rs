//! Playing a plan: it hands out battles, slots play them, this thread stores and counts them.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use agon_rating::Decision;
use agon_store::{Live, Match, Store, StoreError};
use thiserror::Error;

use super::{
    OpeningsError, Plan, Tally,
    silence::Silence,
    stored::{self, Stored},
};
use crate::{
    Battle, Boards, FixtureError, Heard, Key, News as Said, Pool, SandboxError, Slot,
    lock::{Holder, LockError},
    on_this_machine,
};

/// How often to look around while nobody says anything.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// What happens while a plan is played.
pub enum News<'a> {
    /// An older program began the run without looking at the files that commands name: these bots may have changed since.
    MayHaveChanged(&'a str),
    /// The first match is about to begin.
    Begins(&'a Tally),
    /// A match began.
    Started(Key),
    /// A match is over, and counted.
    Finished(&'a Match, &'a Tally),
    /// Time passes.
    Tick(&'a Tally),
}

/// What came of a run.
pub struct End {
    /// What was counted, in this run of the program and before.
    pub counts: Counts,
    /// Whether it was stopped before all that is needed was played.
    pub stopped: bool,
    /// Which bot can neither start nor speak, and why, if the run ended for that.
    pub silent: Option<String>,
}

/// Why a plan is not played to its end.
#[derive(Debug, Error)]
pub enum RunError {
    /// The database fails, or holds the same run with other settings.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It cannot be found out whether somebody else plays the run.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// Somebody else plays it.
    #[error("run {run} is being played by {holder}: wait for its end, or give this one another name with --run")]
    Busy {
        /// The run.
        run: String,
        /// Who.
        holder: Holder,
    },
    /// The bots cannot be contained as when the run was begun.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// There is no opening for a battle.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// This host cannot play a match.
    #[error(transparent)]
    Match(#[from] FixtureError),
    /// The file of the records cannot be written.
    #[error("cannot write the records to {}: {reason}", .file.display())]
    Records {
        /// The file.
        file: PathBuf,
        /// Why.
        reason: io::Error,
    },
}

/// Plays everything that the plan asks for and is not in the database yet. `stop` ends it: matches in progress are abandoned, and a
/// later run plays them again. It is also set when the run ends because a bot is silent.
///
/// # Errors
/// If the host or the database fails; what is stored stays, and the run can go on later.
pub fn run(plan: &mut Plan, stop: &AtomicBool, tell: &mut dyn FnMut(&Plan, News<'_>)) -> Result<End, RunError> {
    let Stored { store, .. } = &mut stored::open(plan, tell)?;
    let plan = &*plan;
    let mut counts = Counts::default();
    let mut done = BTreeSet::new();
    for played in store.matches_of(&plan.run)? {
        if played.battle < plan.battles {
            done.insert((played.battle, played.half));
            counts.add(plan, &played);
        }
    }
    tracing::debug!(run = plan.run, played = counts.tally.matches(), of = plan.matches(), "a run begins");
    tell(plan, News::Begins(&counts.tally));
    if plan.time.is_a_clock() {
        agon_wire::discount_stalls();
    }
    play(plan, store, &mut counts, &done, stop, tell)?;
    if let Some(file) = &plan.records {
        write_records(store, &plan.run, file)?;
    }
    let stopped = counts.tally.matches() < plan.matches() && !counts.decided(plan);
    let silent = counts.silent(plan).map(str::to_owned);
    tracing::debug!(run = plan.run, played = counts.tally.matches(), stopped, silent, "a run ends");
    Ok(End { counts, stopped, silent })
}

/// What is counted of the matches that were played.
#[derive(Debug, Default)]
pub struct Counts {
    /// Results.
    pub tally: Tally,
    silence: Silence,
}

impl Counts {
    fn add(&mut self, plan: &Plan, played: &Match) {
        self.tally.add(played);
        self.silence.look(&plan.contestants, played);
    }

    /// Which bot can neither start nor speak, unless the run is to go on all the same.
    fn silent(&self, plan: &Plan) -> Option<&str> {
        self.silence.found().filter(|_| !plan.go_on)
    }

    /// Whether the sequential test is decided, if there is one.
    fn decided(&self, plan: &Plan) -> bool {
        plan.sprt.as_ref().is_some_and(|sprt| self.tally.decision(sprt) != Decision::Continue)
    }

    /// Whether no more matches are needed.
    fn enough(&self, plan: &Plan) -> bool {
        self.decided(plan) || self.silent(plan).is_some()
    }
}

/// The battles of a plan of which matches are missing, each as far as it is to be played.
struct Missing<'a> {
    plan: &'a Plan,
    done: &'a BTreeSet<Key>,
    number: u32,
}

impl Iterator for Missing<'_> {
    type Item = Result<Battle, OpeningsError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.number < self.plan.battles {
            let number = self.number;
            self.number += 1;
            let halves: Vec<u8> = [0, 1].into_iter().filter(|&half| !self.done.contains(&(number, half))).collect();
            if !halves.is_empty() {
                return Some(self.plan.battle(number, &halves));
            }
        }
        None
    }
}

fn play(
    plan: &Plan,
    store: &mut Store,
    counts: &mut Counts,
    done: &BTreeSet<Key>,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&Plan, News<'_>),
) -> Result<(), RunError> {
    let missing = Missing { plan, done, number: 0 };
    let enough = AtomicBool::new(counts.enough(plan));
    let over = || enough.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed);
    // Both matches of a battle are played on one slot.
    let play = |slot: &Slot<'_>, battle: &Battle| {
        for half in &battle.halves {
            if over() {
                return;
            }
            let show = |live: Live| slot.show(live);
            let watched = plan.db.is_some().then_some(&show as &dyn Fn(Live));
            slot.say(Said::Started(battle.key(half)));
            let fixture = battle.fixture(half, plan.contestants.each_ref(), &plan.launcher);
            let played = match fixture {
                Ok(fixture) => fixture.play(slot.number, stop, watched),
                Err(error) => Err(error.into()),
            };
            slot.report(battle.key(half), played);
        }
    };
    on_this_machine(
        plan.concurrency,
        |battle: &Battle| battle.key(&battle.halves[0]),
        play,
        |pool| {
            let mut run = Running { plan, store, counts, tell, stop, enough: &enough, boards: Boards::default() };
            let failure = run.direct(pool, missing, &over);
            run.boards.clear(run.store);
            failure.map_or(Ok(()), Err)
        },
    )
}

/// A plan while it is played.
struct Running<'a> {
    plan: &'a Plan,
    store: &'a mut Store,
    counts: &'a mut Counts,
    tell: &'a mut dyn FnMut(&Plan, News<'_>),
    stop: &'a AtomicBool,
    /// Set when no further matches are needed, or none can be played.
    enough: &'a AtomicBool,
    boards: Boards,
}

impl Running<'_> {
    /// Hands out battles until it is enough; gives the first failure of this host.
    fn direct(
        &mut self,
        pool: &mut dyn Pool<Battle>,
        mut battles: Missing<'_>,
        over: &dyn Fn() -> bool,
    ) -> Option<RunError> {
        let mut failure = None;
        loop {
            while pool.has_room() && !over() {
                match battles.next() {
                    Some(Ok(battle)) => pool.begin(battle),
                    Some(Err(error)) => self.fail(&mut failure, error.into()),
                    None => break,
                }
            }
            if pool.is_idle() {
                return failure;
            }
            match pool.hear(BETWEEN_LOOKS) {
                Heard::News(news) => self.hear(news).unwrap_or_else(|error| self.fail(&mut failure, error)),
                Heard::Free => {}
                Heard::Nothing => (self.tell)(self.plan, News::Tick(&self.counts.tally)),
            }
        }
    }

    /// What is being played is played to its end; the first failure is the one that is told.
    fn fail(&self, first: &mut Option<RunError>, error: RunError) {
        first.get_or_insert(error);
        self.enough.store(true, Ordering::Relaxed);
    }

    fn hear(&mut self, news: Said) -> Result<(), RunError> {
        let plan = self.plan;
        match news {
            Said::Started(key) => (self.tell)(plan, News::Started(key)),
            Said::Goes(live) => self.boards.show(self.store, *live),
            // What is still in progress tells no more than what was seen.
            Said::Finished(_) if self.counts.silent(plan).is_some() => {}
            Said::Finished(played) => {
                self.boards.finish(self.store, &played)?;
                self.counts.add(plan, &played);
                (self.tell)(plan, News::Finished(&played, &self.counts.tally));
                if self.counts.enough(plan) {
                    self.enough.store(true, Ordering::Relaxed);
                }
                if self.counts.silent(plan).is_some() {
                    self.stop.store(true, Ordering::Relaxed);
                }
            }
            Said::Stopped(_) => {}
            Said::Failed(_, problem) => return Err(problem.into()),
        }
        Ok(())
    }
}

/// All records of the run, in order, written beside the file and moved into place.
fn write_records(store: &Store, run: &str, file: &Path) -> Result<(), RunError> {
    let matches = store.matches_of(run)?;
    let text: Vec<String> = matches.into_iter().map(|played| played.record).collect();
    let draft = file.with_extension("partial");
    fs::write(&draft, text.join("\n"))
        .and_then(|()| fs::rename(&draft, file))
        .map_err(|reason| RunError::Records { file: file.to_owned(), reason })
}
