//! What the organiser decides, checked before it is written down.

use std::path::Path;

use agon_rules::quote;

use crate::{
    config::Penalty,
    folder::{CourseError, CourseFolder},
    formalities::Demand,
    import::team_named,
    ledger::Event,
};

/// A decision; teams may be named by the entry number of a member.
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// Another version counts.
    Activate {
        /// The team.
        team: String,
        /// The version.
        version: u32,
    },
    /// What a finding about a version costs.
    Settle {
        /// The team.
        team: String,
        /// The version; the one that counts if absent.
        version: Option<u32>,
        /// The rule of the finding.
        rule: String,
        /// What it costs.
        penalty: Penalty,
        /// Why.
        why: String,
    },
    /// A judge's marks.
    Judge {
        /// What is judged.
        name: String,
        /// The team.
        team: String,
        /// The marks.
        marks: f64,
    },
    /// Marks added or taken.
    Adjust {
        /// The student.
        entry: String,
        /// How many.
        marks: f64,
        /// Why.
        why: String,
    },
}

/// Writes a decision down, and says what was decided.
///
/// # Errors
/// If it is about something that does not exist, or marks are out of range.
pub fn decide(folder: &mut CourseFolder, decision: Decision) -> Result<String, CourseError> {
    let (event, said) = match decision {
        Decision::Activate { team, version } => activate(folder, &team, version)?,
        Decision::Settle { team, version, rule, penalty, why } => settle(folder, (&team, version), rule, penalty, why)?,
        Decision::Judge { name, team, marks } => judge(folder, name, &team, marks)?,
        Decision::Adjust { entry, marks, why } => adjust(folder, &entry, marks, why)?,
    };
    folder.ledger.add(event)?;
    Ok(said)
}

fn activate(folder: &CourseFolder, team: &str, version: u32) -> Result<(Event, String), CourseError> {
    let team = team_named(&folder.roster, team)?.name.to_owned();
    let known = folder.ledger.versions(&team).len();
    if !folder.ledger.versions(&team).iter().any(|known| known.version == version) {
        return Err(CourseError::Unknown(format!("{team} has {known} versions, and none is {version}")));
    }
    let said = format!("version {version} of {team} counts now, in phases that have not begun");
    Ok((Event::Activated { team, version }, said))
}

fn settle(
    folder: &CourseFolder,
    (team, version): (&str, Option<u32>),
    rule: String,
    penalty: Penalty,
    why: String,
) -> Result<(Event, String), CourseError> {
    let team = team_named(&folder.roster, team)?.name.to_owned();
    let versions = folder.ledger.versions(&team);
    let active = match version {
        None => folder.ledger.active(&team),
        Some(number) => versions.iter().copied().find(|version| version.version == number),
    };
    let active = active.ok_or_else(|| {
        CourseError::Unknown(match version {
            Some(number) if !versions.is_empty() => {
                format!("{team} has {} versions, and none is {number}", versions.len())
            }
            _ => format!("{team} has handed nothing in"),
        })
    })?;
    let plays = folder.course.rule.iter().filter(|known| known.demand == Demand::Plays).map(|known| known.id.as_str());
    let known: Vec<&str> =
        active.formalities.findings.iter().map(|finding| finding.rule.as_str()).chain(plays).collect();
    if !known.contains(&rule.as_str()) {
        let (rule, known) = (quote(&rule), known.join(", "));
        return Err(CourseError::Unknown(format!("nothing was found about {rule} of {team}; findings: {known}")));
    }
    if why.trim().is_empty() {
        return Err(CourseError::Refused("expected a reason, which the team will read".to_owned()));
    }
    let said = format!("{rule} costs {team} {penalty} (version {})", active.version);
    Ok((Event::Settled { version: active.version, team, rule, penalty, why }, said))
}

fn judge(folder: &CourseFolder, name: String, team: &str, marks: f64) -> Result<(Event, String), CourseError> {
    let judged = folder.course.judged.iter().find(|judged| judged.name == name);
    let judged = judged.ok_or_else(|| {
        let known: Vec<&str> = folder.course.judged.iter().map(|judged| judged.name.as_str()).collect();
        let known = if known.is_empty() { "nothing".to_owned() } else { known.join(", ") };
        CourseError::Unknown(format!("{} is not judged in this course; judged: {known}", quote(&name)))
    })?;
    if !(0.0..=judged.most).contains(&marks) {
        return Err(CourseError::Refused(format!("{name}: expected marks from 0 to {}, found {marks}", judged.most)));
    }
    let team = team_named(&folder.roster, team)?.name.to_owned();
    let said = format!("{team} has {marks} for {name}");
    Ok((Event::Judged { name, team, marks }, said))
}

fn adjust(folder: &CourseFolder, entry: &str, marks: f64, why: String) -> Result<(Event, String), CourseError> {
    let student = folder.roster.student(entry);
    let student =
        student.ok_or_else(|| CourseError::Unknown(format!("no student has the entry number {}", quote(entry))))?;
    if !marks.is_finite() || why.trim().is_empty() {
        return Err(CourseError::Refused(
            "expected a number of marks and a reason, which the student will read".to_owned(),
        ));
    }
    let said = format!("{} gets {marks:+}: {why}", student.entry);
    Ok((Event::Adjusted { entry: student.entry.clone(), marks, why }, said))
}

/// Enters judges' marks from a table with the column `team` and one for each thing that is judged. All lines are read before the
/// first is entered; empty cells are passed over. Says how many marks were entered.
///
/// # Errors
/// What is wrong with the first bad line.
pub fn judge_table(folder: &mut CourseFolder, file: &Path) -> Result<usize, CourseError> {
    let wrong = |line: u64, problem: String| CourseError::Refused(format!("{} line {line}: {problem}", file.display()));
    let text = std::fs::read_to_string(file).map_err(CourseError::file(file))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| wrong(1, error.to_string()))?.clone();
    let team = headers.iter().position(|header| header == "team");
    let team = team.ok_or_else(|| wrong(1, "expected a column team".to_owned()))?;
    let judged: Vec<(usize, String)> = headers
        .iter()
        .enumerate()
        .filter(|(_, header)| folder.course.judged.iter().any(|judged| judged.name == *header))
        .map(|(place, header)| (place, header.to_owned()))
        .collect();
    if judged.is_empty() {
        let known: Vec<&str> = folder.course.judged.iter().map(|judged| judged.name.as_str()).collect();
        return Err(wrong(1, format!("expected a column for something that is judged: {}", known.join(", "))));
    }
    let mut events = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| wrong(error.position().map_or(0, csv::Position::line), error.to_string()))?;
        let line = row.position().map_or(0, csv::Position::line);
        for (place, name) in &judged {
            let cell = row.get(*place).unwrap_or_default();
            if cell.is_empty() {
                continue;
            }
            let marks =
                cell.parse().map_err(|_| wrong(line, format!("expected marks for {name}, found {}", quote(cell))))?;
            let event = judge(folder, name.clone(), row.get(team).unwrap_or_default(), marks);
            events.push(event.map_err(|error| wrong(line, error.to_string()))?.0);
        }
    }
    let count = events.len();
    for event in events {
        folder.ledger.add(event)?;
    }
    Ok(count)
}
