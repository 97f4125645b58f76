//! Playing the phases, one after the other.

use std::{
    collections::HashMap,
    fs, io,
    sync::atomic::{AtomicBool, Ordering},
};

use agon_runs::SandboxOptions;
use agon_store::StoreError;
use agon_tournament::{
    CreateError, Database, End, News, PlayError, PlayOptions, Preparing, Published, Session, Settings,
    StoredTournament, TournamentError, create, random_secret, ties,
};
use sha2::{Digest, Sha256};

use crate::{
    config::{Phase, Seeds},
    folder::{CourseError, CourseFolder},
    ledger::{Event, LedgerError},
    pseudonym::pseudonym,
    roster::{Team, teams_of},
};

/// Where the tables of teams are that went into the tournaments.
const PHASES: &str = "phases";

/// How phases are played.
#[derive(Clone, Debug)]
pub struct GradeOptions {
    /// A time control instead of the phases' own: for rehearsals.
    pub time: Option<String>,
    /// What coins are tossed with and pseudonyms are drawn with; random if absent.
    pub secret: Option<String>,
    /// Where the random choices of bots begin.
    pub seed: u64,
    /// Keep the number of groups that a format announces, however few teams there are.
    pub as_announced: bool,
    /// Matches at once.
    pub slots: usize,
    /// How far the bots are trusted.
    pub sandbox: SandboxOptions,
}

/// Who hears how far it is.
pub trait Watcher: Send {
    /// A phase is prepared or goes on.
    fn phase(&mut self, name: &str);
    /// Bots are built and started.
    fn preparing(&mut self, what: Preparing<'_>);
    /// Matches are played.
    fn playing(&mut self, tournament: &StoredTournament, news: &News<'_>);
}

/// Why phases could not be played to the end.
#[derive(Debug, thiserror::Error)]
pub enum GradeError {
    /// Nobody is in the roster.
    #[error("the roster has no students: fill in roster.csv, then import what they handed in")]
    Nobody,
    /// The course's folder.
    #[error(transparent)]
    Course(#[from] CourseError),
    /// The ledger.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A phase could not be set up.
    #[error("phase {phase}: {problem}")]
    Create {
        /// The phase.
        phase: String,
        /// Why.
        #[source]
        problem: Box<CreateError>,
    },
    /// A phase could not be played.
    #[error("phase {phase}: {problem}")]
    Play {
        /// The phase.
        phase: String,
        /// Why.
        #[source]
        problem: Box<PlayError>,
    },
    /// A stored phase.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Somebody stopped it.
    #[error("stopped; `agon course grade` goes on from here")]
    Stopped,
    /// The organiser has to decide a tie first.
    #[error(
        "phase {phase}: decide a tie of {ties}: `agon tournament decide {phase} TEAM TEAM … --db {db}`, the best first; then `agon course grade` goes on"
    )]
    Undecided {
        /// The phase.
        phase: String,
        /// The teams.
        ties: String,
        /// The database.
        db: String,
    },
}

/// Plays every phase that is not over, in order.
///
/// # Errors
/// If a phase cannot be set up or played; what was played is kept, and the next call goes on from there.
pub fn grade(
    folder: &mut CourseFolder,
    options: &GradeOptions,
    stop: &AtomicBool,
    watcher: &mut dyn Watcher,
) -> Result<(), GradeError> {
    if folder.roster.students.is_empty() {
        return Err(GradeError::Nobody);
    }
    for phase in folder.course.phase.clone() {
        play_phase(folder, &phase, options, stop, watcher)?;
    }
    Ok(())
}

fn play_phase(
    folder: &mut CourseFolder,
    phase: &Phase,
    options: &GradeOptions,
    stop: &AtomicBool,
    watcher: &mut dyn Watcher,
) -> Result<(), GradeError> {
    let database = Database::at(folder.database());
    let play_options =
        PlayOptions { database: database.clone(), slots: options.slots, sandbox: options.sandbox.clone() };
    let failed = |problem: PlayError| GradeError::Play { phase: phase.name.clone(), problem: Box::new(problem) };
    let mut session = match tournament_of(folder, phase)? {
        Some(held) if held.is_finished() => return Ok(()),
        Some(held) => {
            drop(held);
            watcher.phase(&phase.name);
            Session::resume(database.open(&phase.name)?, &play_options).map_err(failed)?
        }
        None => {
            watcher.phase(&phase.name);
            // What was imported or decided while the phase before was played counts.
            *folder = CourseFolder::open(&folder.path)?;
            let settings = settings(folder, phase, options, database)?;
            let created = create(&settings, stop, &mut |what| watcher.preparing(what)).map_err(|problem| {
                if stop.load(Ordering::Relaxed) {
                    return GradeError::Stopped;
                }
                GradeError::Create { phase: phase.name.clone(), problem: Box::new(problem) }
            })?;
            Session::begin(created, &play_options).map_err(failed)?
        }
    };
    match session.play(stop, &mut |held, news| watcher.playing(held, &news)).map_err(failed)? {
        End::Over => Ok(()),
        End::Stopped => Err(GradeError::Stopped),
        End::Undecided => {
            let held = session.tournament();
            let ties = ties(&held.plan, &held.state()).join("; and of ");
            Err(GradeError::Undecided { phase: phase.name.clone(), ties, db: folder.database().display().to_string() })
        }
    }
}

/// The tournament of a phase, if it has begun, to look at.
pub(crate) fn tournament_of(folder: &CourseFolder, phase: &Phase) -> Result<Option<StoredTournament>, TournamentError> {
    let database = Database::at(folder.database());
    match database.names()?.contains(&phase.name) {
        true => database.look(&phase.name).map(Some),
        false => Ok(None),
    }
}

/// Writes the table of the teams of a phase, and says how its tournament is set up.
fn settings(
    folder: &mut CourseFolder,
    phase: &Phase,
    options: &GradeOptions,
    database: Database,
) -> Result<Settings, GradeError> {
    let roster = folder.roster.clone();
    let mut teams: Vec<Team<'_>> = teams_of(&roster, &phase.name).into_iter().filter(|team| !team.is_gone()).collect();
    name_teams(folder, &phase.name, &teams, options.secret.as_deref())?;
    // Results list the teams as they were entered: the order of the roster, which everybody knows, would tell who they are.
    teams.sort_by(|one, other| folder.ledger.pseudonym(one.name).cmp(&folder.ledger.pseudonym(other.name)));
    let seeds = seeds(folder, phase, &teams)?;
    let file = folder.path.join(PHASES).join(format!("{}.csv", phase.name));
    let parent = folder.path.join(PHASES);
    fs::create_dir_all(&parent).map_err(CourseError::file(&parent))?;
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write =
        |row: [String; 5]| writer.write_record(row).map_err(|error| CourseError::file(&file)(io::Error::other(error)));
    write(["team", "bot", "score", "house", "version"].map(str::to_owned))?;
    for (team, (score, house)) in teams.iter().zip(&seeds) {
        let number = |number: &Option<f64>| number.map_or_else(String::new, |number| number.to_string());
        let version = folder.ledger.active(team.name);
        // What could not be unpacked is entered as it came: its team loses, and everybody sees why.
        let bot = version.map_or(String::new(), |version| {
            let bot = folder.path.join(version.bot.as_ref().unwrap_or(&version.kept));
            bot.to_string_lossy().into_owned()
        });
        let pseudonym = folder.ledger.pseudonym(team.name).unwrap_or(team.name).to_owned();
        let number_of = version.map_or_else(String::new, |version| version.version.to_string());
        write([pseudonym, bot, number(score), number(house), number_of])?;
    }
    let table = writer.into_inner().map_err(|error| CourseError::file(&file)(io::Error::other(error.to_string())))?;
    fs::write(&file, table).map_err(CourseError::file(&file))?;
    let own = folder.path.join(&phase.format);
    let format = if own.is_file() { own.to_string_lossy().into_owned() } else { phase.format.clone() };
    Ok(Settings {
        format,
        teams: Some(file),
        bots: None,
        name: Some(phase.name.clone()),
        time: options.time.clone(),
        rules: None,
        as_announced: options.as_announced,
        seed: options.seed,
        secret: options.secret.as_ref().map(|secret| secret_of(secret, &phase.name)),
        database,
        sandbox: options.sandbox.clone(),
    })
}

/// With what the coins of a phase are tossed. It is published when the phase is over, and the organiser's own secret must not
/// follow from it: pseudonyms are drawn with that.
fn secret_of(secret: &str, phase: &str) -> String {
    let digest = Sha256::digest(format!("coins of {phase}:{secret}").as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Gives every team that has none a pseudonym.
fn name_teams(
    folder: &mut CourseFolder,
    phase: &str,
    teams: &[Team<'_>],
    secret: Option<&str>,
) -> Result<(), GradeError> {
    for team in teams {
        if folder.ledger.pseudonym(team.name).is_some() {
            continue;
        }
        let seed = match secret {
            Some(secret) => format!("{secret}:{}", team.name),
            None => random_secret()
                .map_err(|problem| GradeError::Create { phase: phase.to_owned(), problem: Box::new(problem) })?,
        };
        let taken: Vec<String> = folder.ledger.pseudonyms().map(str::to_owned).collect();
        let pseudonym = pseudonym(&seed, |name| taken.iter().any(|taken| taken == name));
        folder.ledger.add(Event::Named { team: team.name.to_owned(), pseudonym })?;
    }
    Ok(())
}

/// A score, and what the house bots scored: the one that is known.
type Seed = (Option<f64>, Option<f64>);

/// For each team its score and what the house bots scored against it, in the phase before or by the roster. Partners that had other
/// teams then have the mean.
fn seeds(folder: &CourseFolder, phase: &Phase, teams: &[Team<'_>]) -> Result<Vec<Seed>, GradeError> {
    if phase.seeds == Seeds::Roster {
        return Ok(teams.iter().map(|team| (team.mean(|student| student.score), None)).collect());
    }
    let earlier = folder.course.phase(&phase.name).and_then(|(_, before)| before);
    let (Seeds::Before, Some(earlier)) = (&phase.seeds, earlier) else {
        return Ok(vec![(None, None); teams.len()]);
    };
    let Some(mut held) = tournament_of(folder, earlier)? else { return Ok(vec![(None, None); teams.len()]) };
    let scores = scores(&Published::of(&mut held, false)?.csv());
    let of = |team: &Team<'_>, which: fn(&Seed) -> Option<f64>| {
        team.mean(|student| {
            let name = folder.ledger.pseudonym(student.team_in(&earlier.name))?;
            scores.get(name).and_then(which)
        })
    };
    Ok(teams.iter().map(|team| (of(team, |scores| scores.0), of(team, |scores| scores.1))).collect())
}

/// The columns `score` and `house` of standings, by team.
fn scores(standings: &str) -> HashMap<String, Seed> {
    let mut reader = csv::Reader::from_reader(standings.as_bytes());
    let Ok(headers) = reader.headers().cloned() else { return HashMap::new() };
    let place = |name: &str| headers.iter().position(|header| header == name);
    let rows = reader.records().filter_map(Result::ok).filter_map(|row| {
        let number = |name| place(name).and_then(|place| row.get(place)).and_then(|text| text.parse().ok());
        Some((row.get(place("team")?)?.to_owned(), (number("score"), number("house"))))
    });
    rows.collect()
}
