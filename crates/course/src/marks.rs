//! What every student gets, and how it adds up.

use std::{
    collections::{BTreeMap, HashMap},
    io,
    path::Path,
};

use agon_store::StoreError;
use agon_tournament::{StoredTournament, TournamentError};

use crate::{
    config::{Penalty, Phase},
    folder::{CourseError, CourseFolder},
    formalities::Demand,
    grade::tournament_of,
    ledger::Version,
    roster::Student,
};

/// What a student has for a phase.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PhaseMarks {
    /// The phase.
    pub phase: String,
    /// What the team won, before anything is taken off; `None` while it is not over.
    pub won: Option<f64>,
    /// What is taken off for findings, as a negative number.
    pub deducted: f64,
    /// The findings that cost something: the rule, what it costs, and why it costs that if the organiser decided so.
    pub deductions: Vec<(String, Penalty, Option<String>)>,
}

/// How a student's marks come about. All numbers are rounded as the course says, so they add up.
#[derive(Clone, PartialEq, Debug)]
pub struct Breakdown {
    /// The entry number.
    pub entry: String,
    /// Each phase.
    pub phases: Vec<PhaseMarks>,
    /// What judges gave.
    pub judged: Vec<(String, f64)>,
    /// What was added or taken, with the reasons.
    pub adjusted: Vec<(f64, String)>,
    /// Everything.
    pub total: f64,
    /// What the organiser should know.
    pub note: String,
}

impl Breakdown {
    /// What adds up to the total: what it is for, the marks, and why.
    pub(crate) fn parts(&self) -> Vec<(String, f64, String)> {
        let mut parts = Vec::new();
        for phase in &self.phases {
            let played = if phase.won.is_some() { "" } else { "not over, or not played" };
            parts.push((phase.phase.clone(), phase.won.unwrap_or(0.0), played.to_owned()));
            if phase.deducted < 0.0 {
                parts.push((format!("{}: deducted", phase.phase), phase.deducted, phase.why()));
            }
        }
        parts.extend(self.judged.iter().map(|(name, marks)| (name.clone(), *marks, String::new())));
        parts.extend(self.adjusted.iter().map(|(marks, why)| ("adjusted".to_owned(), *marks, why.clone())));
        parts
    }
}

impl PhaseMarks {
    /// What was deducted for.
    pub(crate) fn why(&self) -> String {
        let why = self.deductions.iter().map(|(rule, penalty, why)| match why {
            Some(why) => format!("{rule}: {penalty} ({why})"),
            None => format!("{rule}: {penalty}"),
        });
        why.collect::<Vec<_>>().join("; ")
    }
}

/// Why marks could not be made.
#[derive(Debug, thiserror::Error)]
pub enum MarksError {
    /// A phase.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder.
    #[error(transparent)]
    Course(#[from] CourseError),
}

/// What a team got in a phase.
struct Result {
    marks: Option<f64>,
    version: Option<u32>,
    broken: bool,
}

/// The marks of every student of the roster, in its order.
///
/// # Errors
/// If the database cannot be read.
pub fn marks(folder: &CourseFolder) -> std::result::Result<Vec<Breakdown>, MarksError> {
    let mut results: Vec<HashMap<String, Result>> = Vec::new();
    for phase in &folder.course.phase {
        let held = tournament_of(folder, phase)?;
        results.push(held.map_or_else(HashMap::new, |held| results_of(phase, &held)));
    }
    let all = folder.roster.students.iter().map(|student| of_student(folder, student, &results));
    Ok(all.collect())
}

fn results_of(phase: &Phase, held: &StoredTournament) -> HashMap<String, Result> {
    let state = held.state();
    let over = state.is_over();
    let scale = phase.full.map_or(1.0, |full| phase.marks / full);
    let by_place = |place: usize| phase.places.get(place - 1).or(phase.places.last()).copied();
    let places: BTreeMap<usize, Option<f64>> = state
        .standings
        .iter()
        .flatten()
        .map(|standing| {
            let placed = by_place(standing.place).filter(|_| !standing.did_not_start() && standing.out != Some(true));
            (standing.team, standing.marks.or(placed))
        })
        .collect();
    let teams = held.plan.teams.iter().enumerate().map(|(place, team)| {
        let marks = places.get(&place).copied().flatten().map(|marks| (marks * scale).clamp(0.0, phase.marks));
        let version = team.more.iter().find(|(name, _)| name == "version").and_then(|(_, number)| number.parse().ok());
        let result = Result {
            marks: if over { Some(marks.unwrap_or(0.0)) } else { None },
            version,
            broken: team.broken.is_some() && !team.handed_in_nothing(),
        };
        (team.name.clone(), result)
    });
    teams.collect()
}

fn of_student(folder: &CourseFolder, student: &Student, results: &[HashMap<String, Result>]) -> Breakdown {
    let round = |number: f64| {
        let power = 10_f64.powi(folder.course.digits as i32);
        // 1.005 is a little less in binary, and half a unit is rounded up all the same. No -0.
        (number * power * (1.0 + 1e-12)).round() / power + 0.0
    };
    let mut notes: Vec<String> = Vec::new();
    let mut phases = Vec::new();
    for (phase, results) in folder.course.phase.iter().zip(results) {
        let team = student.team_in(&phase.name);
        let result = folder.ledger.pseudonym(team).and_then(|name| results.get(name));
        let mut marks = PhaseMarks { phase: phase.name.clone(), ..PhaseMarks::default() };
        match result {
            Some(result) => {
                marks.won = result.marks.map(round);
                let versions = folder.ledger.versions(team);
                let version = versions.into_iter().find(|version| Some(version.version) == result.version);
                match version {
                    None => notes.push(format!("{}: nothing was handed in", phase.name)),
                    Some(version) => {
                        marks.deductions = deductions(folder, version, result.broken);
                        let share: f64 = marks.deductions.iter().map(|(_, penalty, _)| penalty.share()).sum();
                        marks.deducted = round(-marks.won.unwrap_or(0.0) * share.min(1.0));
                    }
                }
            }
            None if student.dropped => {}
            None => notes.push(format!("{}: not played yet", phase.name)),
        }
        phases.push(marks);
    }
    if student.dropped {
        notes.push("dropped the course".to_owned());
    }
    let team = student.team_in("");
    let judged: Vec<(String, f64)> = folder
        .course
        .judged
        .iter()
        .map(|judged| (judged.name.clone(), round(folder.ledger.judged(&judged.name, team).unwrap_or(0.0))))
        .collect();
    let adjusted: Vec<(f64, String)> =
        folder.ledger.adjusted(&student.entry).into_iter().map(|(marks, why)| (round(marks), why.to_owned())).collect();
    let total = phases.iter().map(|phase| phase.won.unwrap_or(0.0) + phase.deducted).sum::<f64>()
        + judged.iter().map(|(_, marks)| marks).sum::<f64>()
        + adjusted.iter().map(|(marks, _)| marks).sum::<f64>();
    Breakdown { entry: student.entry.clone(), phases, judged, adjusted, total: round(total), note: notes.join("; ") }
}

/// The findings about what a team handed in that cost something.
fn deductions(folder: &CourseFolder, version: &Version, broken: bool) -> Vec<(String, Penalty, Option<String>)> {
    let mut all: Vec<(String, Penalty)> =
        version.formalities.findings.iter().map(|finding| (finding.rule.clone(), finding.penalty)).collect();
    let plays = folder.course.rule.iter().find(|rule| rule.demand == Demand::Plays);
    if let Some(plays) = plays {
        // Whether a bot that plays does so as it should is for the organiser to say.
        let settled = folder.ledger.settled(&version.team, version.version, &plays.id).is_some();
        if broken || settled {
            all.push((plays.id.clone(), plays.penalty));
        }
    }
    let settled =
        all.into_iter().map(|(rule, penalty)| match folder.ledger.settled(&version.team, version.version, &rule) {
            Some((penalty, why)) => (rule, penalty, Some(why.to_owned())),
            None => (rule, penalty, None),
        });
    settled.filter(|(_, penalty, _)| penalty.share() > 0.0).collect()
}

/// The marks as a table: the columns of the roster, then each phase and what was taken off, judges' marks, adjustments, the total.
///
/// # Errors
/// If the database cannot be read.
pub fn marks_csv(folder: &CourseFolder) -> std::result::Result<String, MarksError> {
    let all = marks(folder)?;
    let course = &folder.course;
    let mut added: Vec<String> = Vec::new();
    for phase in &course.phase {
        added.extend([phase.name.clone(), format!("{}: deducted", phase.name), format!("{}: why", phase.name)]);
    }
    added.extend(course.judged.iter().map(|judged| judged.name.clone()));
    added.extend(["adjusted", "adjusted: why", "total", "note"].map(str::to_owned));
    let own = folder.roster.columns.iter();
    let own = own.map(|column| if added.contains(column) { format!("roster: {column}") } else { column.clone() });
    let header: Vec<String> = own.chain(added.iter().cloned()).collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let rows = folder.roster.students.iter().zip(&all).map(|(student, breakdown)| row(folder, student, breakdown));
    for row in std::iter::once(header).chain(rows) {
        writer.write_record(row.iter().map(|cell| harmless(cell))).map_err(|error| written(io::Error::other(error)))?;
    }
    let bytes = writer.into_inner().map_err(|error| written(io::Error::other(error.to_string())))?;
    String::from_utf8(bytes).map_err(|error| written(io::Error::other(error)))
}

/// A cell that a spreadsheet does not take for a formula, as tables of standings have them: an apostrophe makes it a text. Names
/// of people and bots are what students wrote.
fn harmless(cell: &str) -> String {
    let bare = cell.trim_start_matches(['\'', ' ']);
    let begins = bare.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff20}']);
    let number = bare.starts_with(|letter: char| !letter.is_alphabetic())
        && bare.chars().all(|letter| letter.is_ascii_digit() || "+-.eE".contains(letter))
        && bare.parse::<f64>().is_ok();
    if begins && !number { format!("'{cell}") } else { cell.to_owned() }
}

fn written(problem: io::Error) -> MarksError {
    MarksError::Course(CourseError::file(Path::new("the table of marks"))(problem))
}

fn row(folder: &CourseFolder, student: &Student, breakdown: &Breakdown) -> Vec<String> {
    let number = |number: f64| format!("{number:.*}", folder.course.digits);
    let mut row: Vec<String> = student.cells.clone();
    for phase in &breakdown.phases {
        row.push(phase.won.map_or_else(String::new, number));
        row.push(number(phase.deducted));
        row.push(phase.why());
    }
    row.extend(breakdown.judged.iter().map(|(_, marks)| number(*marks)));
    // A sum of nothing is -0.
    row.push(number(breakdown.adjusted.iter().map(|(marks, _)| marks).sum::<f64>() + 0.0));
    let why = breakdown.adjusted.iter().map(|(marks, why)| format!("{why} ({marks:+})"));
    row.push(why.collect::<Vec<_>>().join("; "));
    row.push(number(breakdown.total));
    row.push(breakdown.note.clone());
    row
}
