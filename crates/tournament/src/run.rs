//! Playing a tournament: workers play matches, one thread stores them and finds out what comes next.

mod written;

use std::{
    collections::{BTreeMap, HashSet, VecDeque},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use agon_runs::{
    Battle as WrittenBattle, Boards, Contestant, FixtureError, Heard, Key, News as MatchNews, Pool, Slot,
    on_this_machine,
};
use agon_store::{Brief, ChangeMark, Match};
use agon_wire::Launcher;

use crate::{
    battle::Battle,
    derive::{Deriver, State},
    plan::{Event, Interventions, Plan},
    stored::{StoredTournament, TournamentError},
};

pub(crate) use written::version_tag;
use written::{VersionedBot, written};

/// How often the log is looked at, in case the organiser did something in another terminal.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// A host that fails to play so many matches one after the other would fail to play the others, too.
const MOST_FAILURES: usize = 4;

/// What a tournament needs to be played.
pub struct Resources<'a> {
    /// The bots: those of the teams, then the house bots, as [`Plan::players`] numbers them.
    pub contestants: &'a [Contestant],
    /// The bot of a team that has another one than before, or that is back.
    pub renew: &'a dyn Fn(&StoredTournament, usize) -> Result<Contestant, TournamentError>,
    /// What starts their programs.
    pub launcher: &'a Arc<dyn Launcher>,
    /// Matches at once.
    pub slots: usize,
    /// Set to stop; matches in progress are abandoned and played again later.
    pub stop: &'a AtomicBool,
}

/// What happens while a tournament is played.
pub enum News<'a> {
    /// Something changed.
    State(&'a State),
    /// A match ended.
    Finished(&'a Match),
    /// No further matches begin until somebody resumes it.
    Paused,
    /// Time passes.
    Tick,
}

/// Why it is no longer played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Everything is played.
    Over,
    /// It was stopped.
    Stopped,
    /// The organiser has to decide ties first.
    Undecided,
}

/// A match to be played: written down, and the players of its battle, who are at hand here.
struct Job {
    battle: WrittenBattle,
    contestants: [Arc<Contestant>; 2],
}

impl Job {
    fn key(&self) -> Key {
        self.battle.key(&self.battle.halves[0])
    }

    fn play(
        &self,
        slot: &Slot<'_>,
        launcher: &Arc<dyn Launcher>,
        stop: &AtomicBool,
    ) -> Result<Option<Match>, FixtureError> {
        let contestants = self.contestants.each_ref().map(|contestant| &**contestant);
        let fixture = self.battle.fixture(&self.battle.halves[0], contestants, launcher);
        fixture?.play(slot.number, stop, Some(&|live| slot.show(live)))
    }
}

/// Plays everything that is left.
///
/// # Errors
/// If the host or the database fails; what is stored stays, and the tournament can go on later.
pub fn run(
    tournament: &mut StoredTournament,
    resources: &Resources,
    notify: &mut dyn FnMut(&StoredTournament, News),
) -> Result<End, TournamentError> {
    let plan = tournament.plan.clone();
    agon_all::find(&plan.format.game).map_err(|e| TournamentError::Refused(e.to_string()))?;
    // Slots need no more than this.
    let (launcher, stop) = (resources.launcher, resources.stop);
    let play = |slot: &Slot<'_>, job: &Job| slot.report(job.key(), job.play(slot, launcher, stop));
    on_this_machine(resources.slots, Job::key, play, |pool| {
        let end = Director::new(&plan, tournament, resources).and_then(|mut director| director.run(pool, notify));
        if end.is_err() {
            resources.stop.store(true, Ordering::Relaxed);
        }
        end
    })
}

/// Stores results and finds out what comes next, on one thread.
struct Director<'a> {
    deriver: Deriver<'a>,
    tournament: &'a mut StoredTournament,
    resources: &'a Resources<'a>,
    interventions: Interventions,
    state: State,
    /// The bots, as [`Plan::players`] numbers them.
    players: Vec<VersionedBot>,
    /// Matches that can be played now: battles, and which match of each.
    queue: VecDeque<(Battle, usize)>,
    playing: HashSet<Key>,
    /// Matches that this host failed to play, and why. The rest is played.
    failed: BTreeMap<Key, String>,
    /// How many have failed since one was played.
    failures: usize,
    boards: Boards,
    mark: ChangeMark,
    /// The log changed: matches in progress end first, so that what they bring and what the log says cannot cross.
    log_changed: bool,
}

impl<'a> Director<'a> {
    fn new(
        plan: &'a Plan,
        tournament: &'a mut StoredTournament,
        resources: &'a Resources<'a>,
    ) -> Result<Director<'a>, TournamentError> {
        let mark = tournament.store().change_counter()?;
        // The bots are those of the log as it was when they were prepared; what it says by now is heeded like all that comes later.
        let interventions = tournament.interventions();
        let playing = |(player, contestant): (usize, &Contestant)| {
            VersionedBot::now(plan, &interventions, player, contestant.clone())
        };
        let players = resources.contestants.iter().enumerate().map(playing).collect();
        tournament.refresh()?;
        let deriver = Deriver::new(plan);
        let state = deriver.derive(&interventions, &tournament.results);
        let mut director = Director {
            deriver,
            players,
            tournament,
            resources,
            interventions,
            state,
            queue: VecDeque::new(),
            playing: HashSet::new(),
            failed: BTreeMap::new(),
            failures: 0,
            boards: Boards::default(),
            mark,
            log_changed: false,
        };
        director.apply_log()?;
        director.derive_again();
        Ok(director)
    }

    fn fill_queue(&mut self) {
        self.queue.clear();
        for battle in self.state.open() {
            for (index, half) in battle.halves.iter().enumerate() {
                let which = (half.number, half.half);
                if half.outcome.is_none() && !self.playing.contains(&which) && !self.failed.contains_key(&which) {
                    self.queue.push_back((battle.clone(), index));
                }
            }
        }
    }

    /// Written down only now: a queue may be long, and every match says what the whole format is.
    fn job(&self, battle: &Battle, index: usize) -> Job {
        let players = battle.players.map(|player| &self.players[player]);
        Job {
            battle: written(&self.tournament.plan, &self.tournament.name, battle, index, players),
            contestants: players.map(|player| Arc::clone(&player.contestant)),
        }
    }

    /// Why it does not go on, when there are matches that the host failed to play.
    fn failure(&self) -> TournamentError {
        let problems: Vec<&str> = self.failed.values().map(String::as_str).collect();
        let rest = if self.failures == MOST_FAILURES { "the host fails again and again" } else { "the rest is played" };
        TournamentError::Store(format!(
            "{}; {rest}, and what is missing is tried again when it is run again",
            problems.join("; ")
        ))
    }

    fn derive_again(&mut self) {
        self.state = self.deriver.derive(&self.interventions, &self.tournament.results);
        self.fill_queue();
    }

    fn run(
        &mut self,
        pool: &mut dyn Pool<Job>,
        notify: &mut dyn FnMut(&StoredTournament, News),
    ) -> Result<End, TournamentError> {
        notify(self.tournament, News::State(&self.state));
        let mut pause_announced = false;
        loop {
            let stopped = self.resources.stop.load(Ordering::Relaxed);
            let waits = self.interventions.paused || self.log_changed || stopped;
            while !waits && self.playing.len() < self.resources.slots {
                let Some((battle, index)) = self.queue.pop_front() else { break };
                let job = self.job(&battle, index);
                self.playing.insert(job.key());
                pool.begin(job);
            }
            if self.playing.is_empty() {
                if stopped {
                    return Ok(End::Stopped);
                }
                if self.log_changed {
                    self.log_changed = false;
                    self.apply_log()?;
                    self.derive_again();
                    notify(self.tournament, News::State(&self.state));
                    continue;
                }
                if self.state.is_over() {
                    self.finish()?;
                    notify(self.tournament, News::State(&self.state));
                    return Ok(End::Over);
                }
                if self.queue.is_empty() && !self.failed.is_empty() {
                    return Err(self.failure());
                }
                if self.queue.is_empty() && !self.state.undecided.is_empty() {
                    return Ok(End::Undecided);
                }
                if self.queue.is_empty() {
                    return Err(TournamentError::Store(
                        "nothing is left to play, and nobody has won: please report this".to_owned(),
                    ));
                }
            }
            if self.interventions.paused && !pause_announced {
                notify(self.tournament, News::Paused);
            }
            pause_announced = self.interventions.paused;
            match pool.hear(BETWEEN_LOOKS) {
                Heard::News(news) => self.hear(news, notify)?,
                Heard::Free => {}
                Heard::Nothing => {
                    self.check_log()?;
                    notify(self.tournament, News::Tick);
                }
            }
        }
    }

    fn hear(
        &mut self,
        news: MatchNews,
        notify: &mut dyn FnMut(&StoredTournament, News),
    ) -> Result<(), TournamentError> {
        match news {
            MatchNews::Started(_) => {}
            MatchNews::Goes(live) => self.boards.show(self.tournament.store(), *live),
            MatchNews::Finished(played) => {
                self.boards.finish(self.tournament.store(), &played)?;
                self.playing.remove(&(played.battle, played.half));
                self.failures = 0;
                let brief = brief(&played);
                self.tournament.results.insert((brief.battle, brief.half), self.tournament.plan.outcome(&played));
                self.tournament.briefs.push(brief);
                notify(self.tournament, News::Finished(&played));
                self.check_log()?;
                if self.queue.is_empty() {
                    self.derive_again();
                    notify(self.tournament, News::State(&self.state));
                }
            }
            MatchNews::Stopped(which) => {
                self.playing.remove(&which);
            }
            MatchNews::Failed(which, problem) => {
                self.playing.remove(&which);
                self.failed.insert(which, problem.to_string());
                self.failures += 1;
                if self.failures == MOST_FAILURES {
                    return Err(self.failure());
                }
                if self.queue.is_empty() {
                    self.derive_again();
                }
            }
        }
        Ok(())
    }

    /// Does what the log says, which may be that a team is back or plays with another bot.
    fn apply_log(&mut self) -> Result<(), TournamentError> {
        self.tournament.refresh_log()?;
        let before = std::mem::replace(&mut self.interventions, self.tournament.interventions());
        for team in 0..self.tournament.plan.teams.len() {
            let version = self.interventions.version(team);
            let back = before.out.contains_key(&team) && !self.interventions.out.contains_key(&team);
            if back || version != before.version(team) {
                let contestant = (self.resources.renew)(self.tournament, team)?;
                self.players[team] = VersionedBot::now(&self.tournament.plan, &self.interventions, team, contestant);
            }
        }
        Ok(())
    }

    fn check_log(&mut self) -> Result<(), TournamentError> {
        let mark = self.tournament.store().change_counter()?;
        if mark != self.mark {
            self.mark = mark;
            let before = self.tournament.log.len();
            self.tournament.refresh_log()?;
            self.log_changed |= self.tournament.log.len() != before;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), TournamentError> {
        if !self.tournament.log.iter().any(|entry| entry.event == Event::Finished) {
            self.tournament.add(Event::Finished)?;
        }
        self.boards.clear(self.tournament.store());
        Ok(())
    }
}

impl Drop for Director<'_> {
    fn drop(&mut self) {
        // Matches that were abandoned are no longer looked at.
        self.boards.clear(self.tournament.store());
    }
}

pub(crate) fn brief(played: &Match) -> Brief {
    Brief {
        battle: played.battle,
        half: played.half,
        result: played.result.clone(),
        points: [played.first_points, played.second_points],
        names: [played.first.name.clone(), played.second.name.clone()],
        termination: played.termination.clone(),
        turns: played.turns,
        duration_ms: played.duration_ms,
    }
}
