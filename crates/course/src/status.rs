//! What is missing, and what to do next.

use agon_tournament::TournamentError;
use serde::Serialize;

use crate::{
    folder::CourseFolder,
    grade::tournament_of,
    ledger::Version,
    roster::{check_teams, teams_of},
};

/// Where a course stands.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Status {
    /// What people call it.
    pub title: String,
    /// Students in the roster, those included who dropped the course.
    pub students: usize,
    /// Teams of the last phase of which somebody is left.
    pub teams: usize,
    /// Teams that handed nothing in.
    pub missing: Vec<String>,
    /// Teams whose submission could not be unpacked, and why.
    pub refused: Vec<(String, String)>,
    /// What was found and not decided by the organiser: team, version, rule, what is so, what it costs.
    pub findings: Vec<OpenFinding>,
    /// What came of which nobody knows whose it is: what it was called, the beginning of its digest, whose it might be.
    pub unmatched: Vec<(String, String, Vec<String>)>,
    /// Teams that break a rule about teams, and how.
    pub team_findings: Vec<(String, String, String)>,
    /// The phases, and how far they are.
    pub phases: Vec<PhaseStatus>,
    /// What to do next.
    pub next: String,
}

/// A finding that the organiser has not settled: it costs what the course says.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OpenFinding {
    /// The team.
    pub team: String,
    /// The version of its submission.
    pub version: u32,
    /// The rule.
    pub rule: String,
    /// What is so.
    pub found: String,
    /// What it costs.
    pub penalty: String,
}

/// How far a phase is.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PhaseStatus {
    /// The phase.
    pub name: String,
    /// `not begun`, `playing` or `over`.
    pub state: &'static str,
    /// Its matches so far.
    pub matches: usize,
}

/// Looks at a course.
///
/// # Errors
/// If its database cannot be read.
pub fn status(folder: &CourseFolder) -> Result<Status, TournamentError> {
    let (course, ledger, roster) = (&folder.course, &folder.ledger, &folder.roster);
    let teams: Vec<_> = teams_of(roster, "").into_iter().filter(|team| !team.is_gone()).collect();
    let active: Vec<&Version> = teams.iter().filter_map(|team| ledger.active(team.name)).collect();
    let missing = teams.iter().filter(|team| ledger.active(team.name).is_none()).map(|team| team.name.to_owned());
    let refused = active.iter().filter_map(|version| Some((version.team.clone(), version.refused.clone()?)));
    let findings = active.iter().flat_map(|version| {
        let open = version.formalities.findings.iter().filter(|finding| {
            finding.penalty.share() > 0.0 && ledger.settled(&version.team, version.version, &finding.rule).is_none()
        });
        open.map(|finding| OpenFinding {
            team: version.team.clone(),
            version: version.version,
            rule: finding.rule.clone(),
            found: finding.found.clone(),
            penalty: finding.penalty.to_string(),
        })
    });
    let unmatched = ledger
        .unmatched()
        .into_iter()
        .map(|waiting| (waiting.called.to_owned(), waiting.digest[..12].to_owned(), waiting.candidates.to_vec()));
    let mut phases = Vec::new();
    let mut team_findings = Vec::new();
    for (place, phase) in course.phase.iter().enumerate() {
        let held = tournament_of(folder, phase)?;
        let state = held.as_ref().map_or("not begun", |held| if held.is_finished() { "over" } else { "playing" });
        phases.push(PhaseStatus { name: phase.name.clone(), state, matches: held.map_or(0, |held| held.briefs.len()) });
        let earlier = place.checked_sub(1).map(|before| course.phase[before].name.as_str());
        for finding in check_teams(&course.team, roster, &phase.name, earlier) {
            let known = (finding.team, finding.found, finding.section);
            if !team_findings.contains(&known) {
                team_findings.push(known);
            }
        }
    }
    let mut status = Status {
        title: course.title.clone(),
        students: roster.students.len(),
        teams: teams.len(),
        missing: missing.collect(),
        refused: refused.collect(),
        findings: findings.collect(),
        unmatched: unmatched.collect(),
        team_findings,
        phases,
        next: String::new(),
    };
    status.next = next(&status);
    Ok(status)
}

fn next(status: &Status) -> String {
    let over = status.phases.iter().filter(|phase| phase.state == "over").count();
    if status.students == 0 {
        "fill in roster.csv: a row for each student with entry, name and team".to_owned()
    } else if over == status.phases.len() {
        match status.findings.len() {
            0 => "all phases are over: `agon course marks --csv FILE`".to_owned(),
            open => format!(
                "{open} findings cost what the course says until you settle them; then `agon course marks --csv FILE`"
            ),
        }
    } else if let Some((called, digest, _)) = status.unmatched.first() {
        format!("say whose {called} is: `agon course assign {digest} TEAM`")
    } else if status.missing.len() == status.teams {
        "import what was handed in: `agon course import PATH…`".to_owned()
    } else {
        "`agon course grade` plays the next phase; import late submissions first".to_owned()
    }
}
