//! Strengths that somebody wrote down.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use agon_rules::quote;

use crate::plan::Team;

/// No strength is further from 0.
const MOST: f64 = 1e6;

/// A text is no number that can be computed with.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a number, found {}", quote(.0))]
pub struct NumberError(String);

/// Reads a number of Elo.
///
/// # Errors
/// If the text is something else, or beyond everything that makes sense.
pub fn finite_number(text: &str) -> Result<f64, NumberError> {
    let number: Option<f64> = text.parse().ok().filter(|number: &f64| number.abs() <= MOST);
    number.ok_or_else(|| NumberError(text.to_owned()))
}

/// A table of strengths cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StrengthsError {
    /// It cannot be read.
    #[error("strengths {}: {reason}", .path.display())]
    Unreadable {
        /// The table.
        path: PathBuf,
        /// Why.
        #[source]
        reason: io::Error,
    },
    /// It has other columns.
    #[error("strengths {}: line 1: expected the columns team and strength: team,strength", .0.display())]
    Columns(PathBuf),
    /// A line is something else.
    #[error("strengths {}: line {line}: expected a team and a number, found {}", .path.display(), quote(.found))]
    Line {
        /// The table.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What it says.
        found: String,
    },
    /// It has no teams.
    #[error("strengths {}: expected at least one team", .0.display())]
    Empty(PathBuf),
    /// A team of the tournament is not in it.
    #[error("strengths: {} is not in the table", quote(.0))]
    Missing(String),
}

/// Teams and their strengths, as a table says them.
pub(super) fn read_strengths(path: &Path) -> Result<Vec<(String, f64)>, StrengthsError> {
    let text =
        fs::read_to_string(path).map_err(|reason| StrengthsError::Unreadable { path: path.to_owned(), reason })?;
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    if lines.next().map(|(_, head)| head.replace(' ', "")) != Some("team,strength".to_owned()) {
        return Err(StrengthsError::Columns(path.to_owned()));
    }
    let entry = |line: &str| {
        let (team, strength) = line.rsplit_once(',')?;
        let strength = finite_number(strength.trim()).ok()?;
        Some((team.trim().to_owned(), strength)).filter(|(team, _)| !team.is_empty())
    };
    let wrong = |index: usize, line: &str| StrengthsError::Line {
        path: path.to_owned(),
        line: index + 1,
        found: line.to_owned(),
    };
    let teams: Vec<(String, f64)> =
        lines.map(|(index, line)| entry(line).ok_or_else(|| wrong(index, line))).collect::<Result<_, _>>()?;
    if teams.is_empty() { Err(StrengthsError::Empty(path.to_owned())) } else { Ok(teams) }
}

/// The strengths of a tournament's teams by such a table.
pub(super) fn by_name(teams: &[Team], table: &[(String, f64)]) -> Result<Vec<f64>, StrengthsError> {
    let of = |team: &Team| table.iter().find(|(name, _)| *name == team.name).map(|(_, strength)| *strength);
    teams.iter().map(|team| of(team).ok_or_else(|| StrengthsError::Missing(team.name.clone()))).collect()
}
