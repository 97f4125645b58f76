//! A tournament in a database.

use std::{collections::HashMap, path::Path};

use agon_referee::Record;
use agon_rules::Verdict;
use agon_runs::now_ms;
use agon_store::{Brief, Logged, Match, Resume, Run, Store, StoreError};

use crate::{
    battle::{Battle, Outcome, Results},
    derive::{Deriver, State},
    number::MOST_ATTEMPTS,
    plan::{Entry, Event, Interventions, Plan},
    run::brief,
};

/// The kind of run that a tournament is.
pub const KIND: &str = "tournament";

/// Something cannot be done to a tournament.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TournamentError {
    /// What was asked for makes no sense here.
    #[error("{0}")]
    Refused(String),
    /// A bot is not the one that was entered.
    #[error("{0}")]
    Changed(String),
    /// Something else goes on with it.
    #[error("{0}")]
    Busy(String),
    /// The database or the host failed.
    #[error("{0}")]
    Store(String),
}

/// A file that is missing or is no database of ours is the user's mistake.
impl From<StoreError> for TournamentError {
    fn from(error: StoreError) -> TournamentError {
        match &error {
            StoreError::Missing { .. }
            | StoreError::IsFolder { .. }
            | StoreError::NotADatabase { .. }
            | StoreError::Foreign { .. }
            | StoreError::Newer { .. } => TournamentError::Refused(error.to_string()),
            _ => TournamentError::Store(error.to_string()),
        }
    }
}

/// A tournament in a database, as it was when it was last looked at.
pub struct StoredTournament {
    store: Store,
    /// Its name in the database.
    pub name: String,
    /// What it is.
    pub plan: Plan,
    /// What happened to it.
    pub log: Vec<Entry>,
    /// The results that are known.
    pub results: Results,
    /// The matches behind them, in brief.
    pub briefs: Vec<Brief>,
}

impl StoredTournament {
    /// Sets a tournament up.
    ///
    /// # Errors
    /// If there is one of this name.
    pub fn create(
        db: &Path,
        name: &str,
        plan: Plan,
        memory: Option<String>,
    ) -> Result<StoredTournament, TournamentError> {
        let mut store = Store::open(db)?;
        if store.run_by_id(name)?.is_some() {
            return Err(TournamentError::Refused(format!(
                "there is a run called '{name}' in {} already; choose another --name, or go on with `agon tournament run {name}`",
                db.display()
            )));
        }
        let configuration = serde_json::to_string(&plan).map_err(|e| TournamentError::Store(e.to_string()))?;
        let run = Run { id: name.to_owned(), created_ms: now_ms(), kind: KIND.to_owned(), configuration };
        if store.create_or_resume_run(&run)? == Resume::Resumed {
            return Err(TournamentError::Refused(format!(
                "a run called '{name}' was set up at this moment by somebody else"
            )));
        }
        let digest = plan.secret.digest();
        let mut tournament = StoredTournament::unplayed(store, name, plan);
        tournament.add(Event::Created { digest, memory })?;
        Ok(tournament)
    }

    /// Opens a tournament to go on with it, if its database is whole. Creates nothing.
    ///
    /// # Errors
    /// If there is none of this name, or no such database, or a damaged one.
    pub fn open(db: &Path, name: &str) -> Result<StoredTournament, TournamentError> {
        drop(StoredTournament::reader(db)?);
        let store = Store::open_existing(db)?;
        store.check()?;
        StoredTournament::of(store, name)
    }

    /// Opens a tournament to look at it.
    ///
    /// # Errors
    /// If there is none of this name, or no such database.
    pub fn look(db: &Path, name: &str) -> Result<StoredTournament, TournamentError> {
        StoredTournament::of(StoredTournament::reader(db)?, name)
    }

    /// Opens a database to look at it. One of an older agon has to be upgraded first.
    ///
    /// # Errors
    /// If there is no such database.
    pub fn reader(db: &Path) -> Result<Store, StoreError> {
        match Store::open_read_only(db) {
            // An empty file is no older database: upgrading it would write one.
            Err(StoreError::Older { found: 0, .. }) => Err(StoreError::NotADatabase { path: db.into() }),
            Err(StoreError::Older { .. }) => Store::open_existing(db),
            other => other,
        }
    }

    /// As it is before its log and its results are read.
    fn unplayed(store: Store, name: &str, plan: Plan) -> StoredTournament {
        let (log, results, briefs) = (Vec::new(), Results::new(), Vec::new());
        StoredTournament { store, name: name.to_owned(), plan, log, results, briefs }
    }

    /// A tournament of an open database.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn of(store: Store, name: &str) -> Result<StoredTournament, TournamentError> {
        let run = store.run_by_id(name)?.filter(|run| run.kind == KIND).ok_or_else(|| unknown(&store, name))?;
        let plan: Plan = serde_json::from_str(&run.configuration)
            .map_err(|e| TournamentError::Store(format!("tournament '{name}' cannot be read: {e}")))?;
        let mut tournament = StoredTournament::unplayed(store, name, plan);
        tournament.refresh()?;
        Ok(tournament)
    }

    /// The names of all tournaments of a database, the newest first.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn names(store: &Store) -> Result<Vec<String>, StoreError> {
        let runs = store.recent_runs(u32::MAX)?;
        Ok(runs.into_iter().filter(|run| run.kind == KIND).map(|run| run.id).collect())
    }

    /// Looks again.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn refresh(&mut self) -> Result<(), TournamentError> {
        self.refresh_log()?;
        self.briefs = self.store.briefs_of(&self.name)?;
        self.results = self.briefs.iter().map(|brief| ((brief.battle, brief.half), outcome(brief))).collect();
        if self.plan.counts_margins() {
            let matches = self.store.matches_of(&self.name)?;
            self.results =
                matches.iter().map(|played| ((played.battle, played.half), self.plan.outcome(played))).collect();
        }
        Ok(())
    }

    /// Looks at the log again.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn refresh_log(&mut self) -> Result<(), TournamentError> {
        let logged = self.store.log_of(&self.name)?;
        self.log =
            logged.into_iter().map(|logged| serde_json::from_str(&logged.entry)).collect::<Result<_, _>>().map_err(
                |e| TournamentError::Store(format!("the log of tournament '{}' cannot be read: {e}", self.name)),
            )?;
        Ok(())
    }

    /// Adds to the log.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn add(&mut self, event: Event) -> Result<(), TournamentError> {
        let entry = Entry { at_ms: now_ms(), event };
        let text = serde_json::to_string(&entry).map_err(|e| TournamentError::Store(e.to_string()))?;
        self.store.append_log(&self.name, &Logged { at_ms: entry.at_ms, entry: text })?;
        self.log.push(entry);
        Ok(())
    }

    /// Whether everything is played, and nobody needs its bots any more.
    pub fn is_finished(&self) -> bool {
        self.log.iter().any(|entry| entry.event == Event::Finished) && self.state().is_over()
    }

    /// The database.
    pub fn store(&mut self) -> &mut Store {
        &mut self.store
    }

    /// What the log says.
    pub fn interventions(&self) -> Interventions {
        Interventions::of(&self.plan, &self.log)
    }

    /// Where it stands.
    pub fn state(&self) -> State {
        Deriver::new(&self.plan).derive(&self.interventions(), &self.results)
    }

    /// Declares a match void, so that it is played again.
    ///
    /// # Errors
    /// If there is no such match, or later matches were paired by its result.
    pub fn declare_void(&mut self, id: &str, reason: &str) -> Result<(), TournamentError> {
        let refuse = |problem: String| Err(TournamentError::Refused(problem));
        let Some(found) = self.store.match_by_id(id)?.filter(|found| found.run == self.name) else {
            return refuse(format!("no match of '{}' is called '{id}'", self.name));
        };
        let state = self.state();
        let halves = state.battles.iter().flat_map(|battle| &battle.halves);
        let Some(half) = halves.clone().find(|half| (half.number, half.half) == (found.battle, found.half)) else {
            return refuse(format!("match '{id}' is void already"));
        };
        if half.attempt + 1 >= MOST_ATTEMPTS {
            return refuse(format!("match '{id}' was played {MOST_ATTEMPTS} times; decide it in another way"));
        }
        let pairs = self.plan.format.matches.div_ceil(2);
        let event =
            Event::Void { battle: half.number - half.attempt * pairs, half: half.half, reason: reason.to_owned() };
        let mut log = self.log.clone();
        log.push(Entry { at_ms: now_ms(), event: event.clone() });
        let after = Deriver::new(&self.plan).derive(&Interventions::of(&self.plan, &log), &self.results);
        if counted(&state) != counted(&after) + 1 {
            return refuse(format!("later matches were paired by the result of '{id}'; it cannot be undone any more"));
        }
        self.add(event)
    }

    /// Records how the organiser decides a tie.
    ///
    /// # Errors
    /// If there is no such tie.
    pub fn decide(&mut self, order: &[String], reason: &str) -> Result<(), TournamentError> {
        let state = self.state();
        let teams: Option<Vec<usize>> = order.iter().map(|team| self.plan.team(team)).collect();
        let fits = |tie: &&Vec<usize>| {
            teams.as_ref().is_some_and(|teams| teams.len() == tie.len() && teams.iter().all(|team| tie.contains(team)))
        };
        if state.undecided.iter().find(fits).is_none() {
            return Err(TournamentError::Refused(match ties(&self.plan, &state).as_slice() {
                [] => "there is nothing to decide".to_owned(),
                ties => format!("to be decided: {}; name the teams of one of them, the best first", ties.join("; ")),
            }));
        }
        self.add(Event::Decided { order: order.to_vec(), reason: reason.to_owned() })
    }
}

/// How many results count.
fn counted(state: &State) -> usize {
    let halves = state.battles.iter().flat_map(|battle| &battle.halves);
    halves.filter(|half| half.outcome.is_some_and(|outcome| !outcome.forfeit)).count()
}

/// Ties that wait for the organiser, in words.
pub fn ties(plan: &Plan, state: &State) -> Vec<String> {
    let names = |tie: &Vec<usize>| tie.iter().map(|&team| plan.name(team)).collect::<Vec<_>>().join(", ");
    state.undecided.iter().map(names).collect()
}

fn unknown(store: &Store, name: &str) -> TournamentError {
    let names = StoredTournament::names(store).unwrap_or_default();
    TournamentError::Refused(match names.as_slice() {
        [] => format!(
            "no tournament is called '{name}'; there is none in this database yet: see `agon tournament new --help`"
        ),
        names => format!("no tournament is called '{name}'; there are {}", names.join(", ")),
    })
}

/// A stored match as a result.
pub fn outcome(brief: &Brief) -> Outcome {
    // The store keeps nothing that is no result.
    let verdict = brief.result.parse().unwrap_or(Verdict::Drawn);
    Outcome { verdict, points: brief.points, margins: None, turns: brief.turns, forfeit: false }
}

impl Plan {
    /// A stored match as a result of this tournament.
    pub(crate) fn outcome(&self, played: &Match) -> Outcome {
        let record = Some(&played.record).filter(|_| self.counts_margins());
        let record = record.and_then(|text| Record::parse(text).ok());
        let margins = record.and_then(|record| record.margins(agon_all::rules));
        let margins = margins.map(|margins| [margins.first, margins.second]);
        Outcome { margins, ..outcome(&brief(played)) }
    }
}

/// What a match is called in the database.
pub fn match_id(run: &str, battle: &Battle, index: usize) -> String {
    let half = &battle.halves[index];
    let again = if half.attempt > 0 { format!(".again{}", half.attempt) } else { String::new() };
    format!("{run}/{}.{}{again}", battle.place, index + 1)
}

/// Matches by the number of their battle and half.
pub fn by_number(briefs: &[Brief]) -> HashMap<(u32, u8), &Brief> {
    briefs.iter().map(|brief| ((brief.battle, brief.half), brief)).collect()
}
