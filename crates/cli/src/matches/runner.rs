//! Playing a plan: workers play battles, this thread stores and reports them.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use agon_rating::Decision;
use agon_store::{Live, Match, Store};

use super::{
    plan::Plan,
    report::{Report, llr},
    silent::Silence,
    stored::{self, Stored, store_error},
    tally::Tally,
};
use crate::{error::CliError, interrupt};

/// A battle, and which halves of it are missing.
struct Job {
    battle: u32,
    halves: Vec<u8>,
}

enum News {
    Started {
        battle: u32,
        half: u8,
    },
    /// A match as it stands, for those who look on.
    Goes(Box<Live>),
    Finished(Box<Match>),
    Failed(CliError),
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
    let jobs = (0..plan.battles).map(|battle| Job { battle, halves: halves(battle) });
    let jobs = Mutex::new(jobs.filter(|job| !job.halves.is_empty()));
    let enough = AtomicBool::new(counts.enough(plan));
    let (sender, news) = mpsc::sync_channel(4 * plan.concurrency);
    thread::scope(|scope| {
        for worker in 0..plan.concurrency {
            let (sender, jobs, enough) = (sender.clone(), &jobs, &enough);
            let worker = Worker { plan, number: worker, stop, news: sender };
            scope.spawn(move || worker.work(jobs, enough));
        }
        drop(sender);
        let mut failure = None;
        let mut seen = BTreeSet::new();
        loop {
            match news.recv_timeout(Duration::from_millis(200)) {
                Ok(News::Started { battle, half }) => report.started(plan, battle, half),
                Ok(News::Goes(live)) => {
                    // Whoever looks on can do without it; the match cannot.
                    let _ = store.save_live(&live);
                    seen.insert(live.id);
                }
                // What is still in progress tells no more than what was seen.
                Ok(News::Finished(_)) if counts.silent(plan).is_some() => {}
                Ok(News::Finished(played)) => {
                    if let Err(error) = store.save_match(&played) {
                        failure.get_or_insert(store_error(error));
                        enough.store(true, Ordering::Relaxed);
                        continue;
                    }
                    counts.add(plan, &played);
                    report.finished(plan, &played, &counts.tally);
                    if seen.remove(&played.id) {
                        let _ = store.remove_live(&played.id);
                    }
                    if counts.enough(plan) {
                        enough.store(true, Ordering::Relaxed);
                    }
                    if counts.silent(plan).is_some() {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                Ok(News::Failed(error)) => {
                    failure.get_or_insert(error);
                    enough.store(true, Ordering::Relaxed);
                }
                Err(mpsc::RecvTimeoutError::Timeout) => report.tick(plan, &counts.tally),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
        }
        for abandoned in &seen {
            let _ = store.remove_live(abandoned);
        }
        match failure {
            Some(error) => Err(error),
            None => Ok(counts.tally.matches() < 2 * u64::from(plan.battles)),
        }
    })
}

fn decided(plan: &Plan, tally: &Tally) -> bool {
    let Some(sprt) = &plan.sprt else { return false };
    sprt.decide(llr(sprt, tally)) != Decision::Continue
}

/// Plays battles, one match at a time.
struct Worker<'a> {
    plan: &'a Plan,
    number: usize,
    stop: &'a AtomicBool,
    news: mpsc::SyncSender<News>,
}

impl Worker<'_> {
    /// Plays until there are no more battles, or it is enough.
    fn work(&self, jobs: &Mutex<impl Iterator<Item = Job>>, enough: &AtomicBool) {
        let over = || enough.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed);
        while !over() {
            let Some(job) = jobs.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next() else { return };
            for half in job.halves {
                if self.news.send(News::Started { battle: job.battle, half }).is_err() || over() {
                    return;
                }
                let message = match self.play_half(job.battle, half) {
                    Ok(Some(played)) => News::Finished(Box::new(played)),
                    Ok(None) => return,
                    Err(error) => News::Failed(error),
                };
                if self.news.send(message).is_err() {
                    return;
                }
            }
        }
    }

    /// Plays a half; `None` if it was stopped.
    fn play_half(&self, battle: u32, half: u8) -> Result<Option<Match>, CliError> {
        // The match does not wait for those who look on.
        let tell = |live: Live| {
            let _ = self.news.try_send(News::Goes(Box::new(live)));
        };
        let watched = self.plan.db.is_some().then_some(&tell as &dyn Fn(Live));
        self.plan.fixture(battle, half)?.play(self.number, self.stop, watched).map_err(CliError::Host)
    }
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
