//! Playing a plan: workers play battles, this thread stores and reports them.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use agon_rating::Decision;
use agon_referee::{Played, Record, TurnMade, Watch, play_match};
use agon_rules::{AnyPosition, BySide, Side};
use agon_store::{Bot, BotRef, Live, Match, Resume, Run, Store, StoreError};
use agon_wire::HostError;

use super::{
    plan::Plan,
    report::{Report, llr},
    tally::Tally,
};
use crate::error::CliError;

/// A match that the host spoiled is played again, but not for ever.
const MOST_TRIES: u32 = 3;

/// Set by Ctrl-C; matches in progress are abandoned, and a later run plays them again.
static STOP: AtomicBool = AtomicBool::new(false);

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
pub(super) fn run(plan: &Plan, mut report: Report) -> Result<(), CliError> {
    let mut store = open_store(plan)?;
    let mut tally = Tally::default();
    let mut done = BTreeSet::new();
    for played in store.matches_of(&plan.run).map_err(store_error)? {
        if played.battle < plan.battles {
            done.insert((played.battle, played.half));
            tally.add(&played);
        }
    }
    report.begin(plan, &tally);
    if plan.time.is_a_clock() {
        agon_wire::discount_stalls();
    }
    // A second handler cannot be set; then Ctrl-C simply ends the program, and nothing stored is lost.
    let _ = ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed));
    let stopped_early = play(plan, &mut store, &mut tally, &done, &mut report)?;
    if let Some(file) = &plan.records {
        write_records(&store, &plan.run, file)?;
    }
    report.end(plan, &tally, stopped_early)
}

/// A run that was begun with other settings is the user's mistake; everything else is the host's trouble.
fn store_error(error: StoreError) -> CliError {
    match error {
        StoreError::RunDiffers { .. } => CliError::Input(error.to_string()),
        _ => CliError::Host(error.to_string()),
    }
}

fn now_ms() -> i64 {
    unix_ms(SystemTime::now())
}

fn unix_ms(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

fn open_store(plan: &Plan) -> Result<Store, CliError> {
    let mut store = match &plan.db {
        Some(path) => Store::open(path),
        None => Store::in_memory(),
    }
    .map_err(store_error)?;
    let configuration = plan.configuration.to_string();
    let run = Run { id: plan.run.clone(), created_ms: now_ms(), kind: "match".to_owned(), configuration };
    let resume = store.create_or_resume_run(&run).map_err(store_error)?;
    if resume == Resume::New {
        for entrant in &plan.entrants {
            let protocol = entrant.protocol.map_or("house", agon_referee::Protocol::name);
            let bot = Bot {
                hash: entrant.hash.clone(),
                name: entrant.name.clone(),
                game: plan.setup.game.name().to_owned(),
                protocol: protocol.to_owned(),
                language: entrant.language.name().to_owned(),
                first_seen_ms: now_ms(),
            };
            store.save_bot(&bot).map_err(store_error)?;
        }
    }
    Ok(store)
}

/// Says whether matches of the plan are left unplayed.
fn play(
    plan: &Plan,
    store: &mut Store,
    tally: &mut Tally,
    done: &BTreeSet<(u32, u8)>,
    report: &mut Report,
) -> Result<bool, CliError> {
    let halves = |battle| [0, 1].into_iter().filter(|&half| !done.contains(&(battle, half))).collect::<Vec<u8>>();
    let jobs = (0..plan.battles).map(|battle| Job { battle, halves: halves(battle) });
    let jobs = Mutex::new(jobs.filter(|job| !job.halves.is_empty()));
    let enough = AtomicBool::new(decided(plan, tally));
    let (sender, news) = mpsc::sync_channel(4 * plan.concurrency);
    thread::scope(|scope| {
        for worker in 0..plan.concurrency {
            let (sender, jobs, enough) = (sender.clone(), &jobs, &enough);
            scope.spawn(move || work(plan, worker, jobs, enough, &sender));
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
                Ok(News::Finished(played)) => {
                    if let Err(error) = store.save_match(&played) {
                        failure.get_or_insert(store_error(error));
                        enough.store(true, Ordering::Relaxed);
                        continue;
                    }
                    tally.add(&played);
                    report.finished(plan, &played, tally);
                    if seen.remove(&played.id) {
                        let _ = store.remove_live(&played.id);
                    }
                    if decided(plan, tally) {
                        enough.store(true, Ordering::Relaxed);
                    }
                }
                Ok(News::Failed(error)) => {
                    failure.get_or_insert(error);
                    enough.store(true, Ordering::Relaxed);
                }
                Err(mpsc::RecvTimeoutError::Timeout) => report.tick(plan, tally),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
        }
        for abandoned in &seen {
            let _ = store.remove_live(abandoned);
        }
        match failure {
            Some(error) => Err(error),
            None => Ok(tally.matches() < 2 * u64::from(plan.battles)),
        }
    })
}

fn decided(plan: &Plan, tally: &Tally) -> bool {
    let Some(sprt) = &plan.sprt else { return false };
    sprt.decide(llr(sprt, tally)) != Decision::Continue
}

/// One worker: plays battles until there are none, or it is enough.
fn work(
    plan: &Plan,
    worker: usize,
    jobs: &Mutex<impl Iterator<Item = Job>>,
    enough: &AtomicBool,
    news: &mpsc::SyncSender<News>,
) {
    let over = || enough.load(Ordering::Relaxed) || STOP.load(Ordering::Relaxed);
    while !over() {
        let Some(job) = jobs.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next() else { return };
        for half in job.halves {
            if news.send(News::Started { battle: job.battle, half }).is_err() || over() {
                return;
            }
            let message = match play_half(plan, worker, job.battle, half, news) {
                Ok(Some(played)) => News::Finished(Box::new(played)),
                Ok(None) => return,
                Err(error) => News::Failed(error),
            };
            if news.send(message).is_err() {
                return;
            }
        }
    }
}

/// Plays a half; `None` if it was stopped.
fn play_half(
    plan: &Plan,
    worker: usize,
    battle: u32,
    half: u8,
    news: &mpsc::SyncSender<News>,
) -> Result<Option<Match>, CliError> {
    let spec = plan.spec(battle, half)?;
    let seats = Plan::seats(half);
    let mut tries = 0;
    loop {
        tries += 1;
        let mut first = plan.bot(seats.first, battle, worker);
        let mut second = plan.bot(seats.second, battle, worker);
        let mut watched = Watched { plan, spec: &spec, battle, half, news, told: None };
        match play_match(&spec, &mut *first, &mut *second, &mut watched) {
            Ok(played) => return Ok(Some(written(plan, battle, half, &spec, &played))),
            Err(_) if STOP.load(Ordering::Relaxed) => return Ok(None),
            Err(HostError(problem)) if tries == MOST_TRIES => {
                let name = plan.match_id(battle, half);
                return Err(CliError::Host(format!(
                    "match {name} failed {MOST_TRIES} times, and no bot is to blame: {problem}"
                )));
            }
            Err(_) => {}
        }
    }
}

/// A match that can be stopped, and looked at in the arena if it has the same database.
struct Watched<'a> {
    plan: &'a Plan,
    spec: &'a agon_referee::MatchSpec,
    battle: u32,
    half: u8,
    news: &'a mpsc::SyncSender<News>,
    told: Option<Instant>,
}

/// Those who look on are told no more often: bots may make thousands of turns a second.
const BETWEEN_NEWS: Duration = Duration::from_millis(300);

impl Watch for Watched<'_> {
    fn position(&mut self, position: &dyn AnyPosition, turns: &[TurnMade]) {
        // A match that is over in a moment is not worth a look.
        let told = *self.told.get_or_insert_with(Instant::now);
        if self.plan.db.is_none() || told.elapsed() < BETWEEN_NEWS {
            return;
        }
        self.told = Some(Instant::now());
        let (names, more) = (names(self.plan, self.half), tags(self.plan, self.battle, self.half));
        let setup = &self.plan.setup;
        let live = Live {
            id: self.plan.match_id(self.battle, self.half),
            kind: "terminal".to_owned(),
            game: setup.game.name().to_owned(),
            variant: setup.variant.clone(),
            rules: setup.rules.to_string(),
            first: names.first.clone(),
            second: names.second.clone(),
            turns: turns.len() as u32,
            updated_ms: now_ms(),
            setting: "{}".to_owned(),
            record: Record::unfinished(self.spec, turns, position, &names, &more).text(),
        };
        // The match does not wait for those who look on.
        let _ = self.news.try_send(News::Goes(Box::new(live)));
    }

    fn stop(&self) -> bool {
        STOP.load(Ordering::Relaxed)
    }
}

fn names(plan: &Plan, half: u8) -> BySide<String> {
    let seats = Plan::seats(half);
    BySide::from_fn(|side| plan.entrants[seats[side]].name.clone())
}

/// What a record says besides the match itself.
fn tags(plan: &Plan, battle: u32, half: u8) -> [(&'static str, String); 7] {
    let seats = Plan::seats(half);
    let entrant = |side: Side| &plan.entrants[seats[side]];
    [
        ("Event", format!("agon match {}", plan.run)),
        ("Site", format!("agon {}", env!("CARGO_PKG_VERSION"))),
        ("Round", format!("{}.{}", battle + 1, half + 1)),
        ("Seed", plan.seed.to_string()),
        ("Sandbox", plan.launcher.level().to_owned()),
        ("FirstHash", entrant(Side::First).hash.clone()),
        ("SecondHash", entrant(Side::Second).hash.clone()),
    ]
}

/// A played match as it is stored.
fn written(plan: &Plan, battle: u32, half: u8, spec: &agon_referee::MatchSpec, played: &Played) -> Match {
    let seats = Plan::seats(half);
    let entrant = |side: Side| &plan.entrants[seats[side]];
    let record = Record::of(spec, played, &names(plan, half), &tags(plan, battle, half));
    let bot = |side: Side| BotRef { name: entrant(side).name.clone(), hash: entrant(side).hash.clone() };
    Match {
        id: plan.match_id(battle, half),
        run: plan.run.clone(),
        battle,
        half,
        game: plan.setup.game.name().to_owned(),
        variant: plan.setup.variant.clone(),
        rules: plan.setup.rules.to_string(),
        first: bot(Side::First),
        second: bot(Side::Second),
        result: record.tag("Result").unwrap_or("*").to_owned(),
        first_points: played.points.first,
        second_points: played.points.second,
        termination: played.termination.name().to_owned(),
        evidence: played.termination.evidence().unwrap_or_default(),
        turns: played.turns.len() as u32,
        started_ms: unix_ms(played.started),
        duration_ms: played.duration.as_millis() as i64,
        record: record.text(),
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
