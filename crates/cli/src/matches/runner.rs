//! Playing a plan: slots play battles, this thread stores and reports them.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use agon_rating::Decision;
use agon_runs::{Boards, Heard, Key, News, Pool, Slot, on_this_machine};
use agon_store::{Live, Match, Store};

use super::{
    openings::Opening,
    plan::Plan,
    report::{Report, llr},
    silent::Silence,
    stored::{self, Stored, store_error},
    tally::Tally,
};
use crate::{error::CliError, interrupt};

/// How often to look around while nobody says anything.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// A battle, and which halves of it are missing. Both are played on one slot.
struct Job {
    battle: u32,
    halves: Vec<u8>,
    opening: Opening,
}

/// Plays everything that the plan asks for and is not in the database yet.
pub(super) fn run(mut plan: Plan, mut report: Report) -> Result<(), CliError> {
    let Stored { store, .. } = &mut stored::open(&mut plan)?;
    let plan = &plan;
    let mut counts = Counts::default();
    let mut done = BTreeSet::new();
    for played in store.matches_of(&plan.run).map_err(store_error)? {
        if played.battle < plan.battles {
            done.insert((played.battle, played.half));
            counts.add(plan, &played);
        }
    }
    report.begin(plan, &counts.tally);
    if plan.time.is_a_clock() {
        agon_wire::discount_stalls();
    }
    // Matches in progress are abandoned, and a later run plays them again.
    let stop = interrupt::listen();
    let stopped_early = play(plan, store, &mut counts, &done, stop, &mut report)?;
    if let Some(file) = &plan.records {
        write_records(store, &plan.run, file)?;
    }
    report.end(plan, &counts.tally, stopped_early, counts.silent(plan))
}

/// What is counted of the matches that were played.
#[derive(Default)]
struct Counts {
    tally: Tally,
    silence: Silence,
}

impl Counts {
    fn add(&mut self, plan: &Plan, played: &Match) {
        self.tally.add(played);
        self.silence.look(plan, played);
    }

    /// Which bot can neither start nor speak, unless the run is to go on all the same.
    fn silent(&self, plan: &Plan) -> Option<&str> {
        self.silence.found().filter(|_| !plan.go_on)
    }

    /// Whether no more matches are needed.
    fn enough(&self, plan: &Plan) -> bool {
        decided(plan, &self.tally) || self.silent(plan).is_some()
    }
}

/// Says whether matches of the plan are left unplayed.
fn play(
    plan: &Plan,
    store: &mut Store,
    counts: &mut Counts,
    done: &BTreeSet<(u32, u8)>,
    stop: &AtomicBool,
    report: &mut Report,
) -> Result<bool, CliError> {
    let halves = |battle| [0, 1].into_iter().filter(|&half| !done.contains(&(battle, half))).collect::<Vec<u8>>();
    let missing = (0..plan.battles).map(|battle| (battle, halves(battle))).filter(|(_, halves)| !halves.is_empty());
    let jobs = missing.map(|(battle, halves)| Ok(Job { battle, halves, opening: plan.opening(battle)? }));
    let enough = AtomicBool::new(counts.enough(plan));
    let over = || enough.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed);
    let play = |slot: &Slot<'_>, job: &Job| {
        for &half in &job.halves {
            if over() {
                return;
            }
            let key = (job.battle, half);
            slot.say(News::Started(key));
            slot.report(key, play_half(plan, key, &job.opening, slot, stop));
        }
    };
    on_this_machine(
        plan.concurrency,
        |job| (job.battle, job.halves[0]),
        play,
        |pool| {
            let mut run = Running { plan, store, counts, report, stop, enough: &enough, boards: Boards::default() };
            let failure = run.direct(pool, jobs, &over);
            run.boards.clear(run.store);
            failure.map_or(Ok(()), Err)?;
            Ok(counts.tally.matches() < 2 * u64::from(plan.battles))
        },
    )
}

/// Plays a half; `None` if it was stopped.
fn play_half(
    plan: &Plan,
    (battle, half): Key,
    opening: &Opening,
    slot: &Slot<'_>,
    stop: &AtomicBool,
) -> Result<Option<Match>, String> {
    let show = |live: Live| slot.show(live);
    let watched = plan.db.is_some().then_some(&show as &dyn Fn(Live));
    plan.fixture(battle, half, opening).play(slot.number, stop, watched)
}

/// A plan while it is played.
struct Running<'a> {
    plan: &'a Plan,
    store: &'a mut Store,
    counts: &'a mut Counts,
    report: &'a mut Report,
    stop: &'a AtomicBool,
    /// Set when no further matches are needed, or none can be played.
    enough: &'a AtomicBool,
    boards: Boards,
}

impl Running<'_> {
    /// Hands out jobs until it is enough; gives the first failure of this host.
    fn direct(
        &mut self,
        pool: &mut dyn Pool<Job>,
        mut jobs: impl Iterator<Item = Result<Job, CliError>>,
        over: &dyn Fn() -> bool,
    ) -> Option<CliError> {
        let mut failure = None;
        loop {
            while pool.has_room() && !over() {
                match jobs.next() {
                    Some(Ok(job)) => pool.begin(job),
                    Some(Err(error)) => self.fail(&mut failure, error),
                    None => break,
                }
            }
            if pool.is_idle() {
                return failure;
            }
            match pool.hear(BETWEEN_LOOKS) {
                Heard::News(news) => self.hear(news).unwrap_or_else(|error| self.fail(&mut failure, error)),
                Heard::Free => {}
                Heard::Nothing => self.report.tick(self.plan, &self.counts.tally),
            }
        }
    }

    /// What is being played is played to its end; the first failure is the one that is told.
    fn fail(&self, first: &mut Option<CliError>, error: CliError) {
        first.get_or_insert(error);
        self.enough.store(true, Ordering::Relaxed);
    }

    fn hear(&mut self, news: News) -> Result<(), CliError> {
        let plan = self.plan;
        match news {
            News::Started((battle, half)) => self.report.started(plan, battle, half),
            News::Goes(live) => self.boards.show(self.store, *live),
            // What is still in progress tells no more than what was seen.
            News::Finished(_) if self.counts.silent(plan).is_some() => {}
            News::Finished(played) => {
                self.boards.finish(self.store, &played).map_err(store_error)?;
                self.counts.add(plan, &played);
                self.report.finished(plan, &played, &self.counts.tally);
                if self.counts.enough(plan) {
                    self.enough.store(true, Ordering::Relaxed);
                }
                if self.counts.silent(plan).is_some() {
                    self.stop.store(true, Ordering::Relaxed);
                }
            }
            News::Stopped(_) => {}
            News::Failed(_, problem) => return Err(CliError::Host(problem)),
        }
        Ok(())
    }
}

fn decided(plan: &Plan, tally: &Tally) -> bool {
    let Some(sprt) = &plan.sprt else { return false };
    sprt.decide(llr(sprt, tally)) != Decision::Continue
}

/// All records of the run, in order, written beside the file and moved into place.
fn write_records(store: &Store, run: &str, file: &std::path::Path) -> Result<(), CliError> {
    let matches = store.matches_of(run).map_err(store_error)?;
    let text: Vec<String> = matches.into_iter().map(|played| played.record).collect();
    let draft = file.with_extension("partial");
    std::fs::write(&draft, text.join("\n"))
        .and_then(|()| std::fs::rename(&draft, file))
        .map_err(|e| CliError::Host(format!("cannot write the records to {}: {e}", file.display())))
}
