//! What each team is told, and nobody else: how its bot fared, and where it went wrong.

mod gather;
mod page;
mod text;

use std::{
    fs,
    path::{Path, PathBuf},
};

use agon_analysis::LosingTurn;

use crate::{
    folder::{CourseError, CourseFolder},
    import::{file_name, team_named},
    ledger::Version,
    marks::{Breakdown, MarksError, marks},
    roster::teams_of,
};
use gather::{Field, phases_of};

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub struct FeedbackOptions {
    /// Nodes for each position; a turn that is named is looked at with ten times as many.
    pub nodes: u64,
    /// Nodes for each team and phase; matches that are lost after they are spent are not analysed.
    pub budget: u64,
}

impl Default for FeedbackOptions {
    // A core searches about a million nodes a second: half a minute a team for a course of two phases.
    fn default() -> FeedbackOptions {
        FeedbackOptions { nodes: 10_000, budget: 12_000_000 }
    }
}

/// What a team is told.
pub(crate) struct Feedback<'a> {
    pub title: &'a str,
    pub team: &'a str,
    pub pseudonym: Option<&'a str>,
    pub version: Option<&'a Version>,
    pub marks: Vec<&'a Breakdown>,
    pub phases: Vec<PhaseFeedback>,
    pub nodes: u64,
    pub digits: usize,
    /// The colour of the game.
    pub accent: &'static str,
}

/// How its bot fared in a phase.
pub(crate) struct PhaseFeedback {
    pub name: String,
    /// Why the bot could not play.
    pub broken: Option<String>,
    pub place: Option<(usize, usize)>,
    /// Shares of the field that it is better than.
    pub ranks: Vec<(&'static str, f64)>,
    pub matches: Vec<MatchFeedback>,
    /// Matches that were lost and not analysed, since the budget was spent.
    pub unlooked: usize,
}

/// A match of the team.
pub(crate) struct MatchFeedback {
    pub round: String,
    pub opponent: String,
    pub side: &'static str,
    pub variant: String,
    pub result: &'static str,
    pub ended: String,
    pub evidence: String,
    /// Ours and theirs.
    pub points: [f64; 2],
    pub clock: String,
    /// Turns of ours: the number in the match, the turn, seconds, what the bot wrote to stderr.
    pub turns: Vec<(usize, String, f64, String)>,
    /// The last position, as a picture.
    pub board: String,
    pub losing: Option<(LosingTurn, Vec<Board>)>,
}

/// A position with what led to it.
pub(crate) struct Board {
    pub caption: String,
    pub picture: String,
}

impl MatchFeedback {
    /// All time that it used, and the slowest turn.
    pub(crate) fn used(&self) -> (f64, f64) {
        let seconds = || self.turns.iter().map(|(_, _, seconds, _)| *seconds);
        (seconds().sum::<f64>() + 0.0, seconds().fold(0.0, f64::max))
    }
}

/// Writes a folder for each team with a page and a text, and says for whom. Teams of which nobody is left get none.
///
/// # Errors
/// If the database cannot be read or the folder not be written.
pub fn feedback(
    folder: &CourseFolder,
    into: &Path,
    only: Option<&str>,
    options: FeedbackOptions,
    tell: &mut dyn FnMut(&str, usize, usize),
) -> Result<Vec<PathBuf>, MarksError> {
    let only = only.map(|only| team_named(&folder.roster, only)).transpose()?;
    let marks = marks(folder)?;
    let fields = Field::all(folder)?;
    let teams: Vec<_> = teams_of(&folder.roster, "")
        .into_iter()
        .filter(|team| !team.is_gone() && only.as_ref().is_none_or(|only| only.name == team.name))
        .collect();
    let mut written = Vec::new();
    for (place, team) in teams.iter().enumerate() {
        tell(team.name, place + 1, teams.len());
        let of_team = |breakdown: &&Breakdown| team.members.iter().any(|student| student.entry == breakdown.entry);
        let feedback = Feedback {
            title: &folder.course.title,
            team: team.name,
            pseudonym: folder.ledger.pseudonym(team.name),
            version: folder.ledger.active(team.name),
            marks: marks.iter().filter(of_team).collect(),
            phases: phases_of(folder, team.name, &fields, options),
            nodes: options.nodes,
            digits: folder.course.digits,
            accent: folder.course.game().accent(),
        };
        let home = into.join(file_name(team.name));
        fs::create_dir_all(&home).map_err(CourseError::file(&home))?;
        for (name, text) in [("feedback.html", page::page(&feedback)), ("feedback.txt", text::text(&feedback))] {
            let file = home.join(name);
            fs::write(&file, text).map_err(CourseError::file(&file))?;
        }
        written.push(home);
    }
    Ok(written)
}
