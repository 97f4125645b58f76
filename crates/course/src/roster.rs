//! Who takes part: students and their teams, as a table with columns found by their headers.

mod table;
mod teams;

use std::collections::BTreeMap;

pub use table::{RosterError, read_roster};
pub use teams::{Team, TeamFinding, TeamRule, check_teams, teams_of};

/// A student.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Student {
    /// The entry number, by which the course knows them.
    pub entry: String,
    /// Their name.
    pub name: String,
    /// Their team, as the organiser calls it; empty is a team of its own.
    pub team: String,
    /// The team in phases in which it was another one: the column `team.A2` says it of phase A2.
    pub team_in: BTreeMap<String, String>,
    /// Their score in an earlier assignment, from which seeds are made.
    pub score: Option<f64>,
    /// The name under which their bot is registered, where the course has that; capitals matter.
    pub bot: String,
    /// With whom they worked in the assignment before: entry numbers.
    pub before: Vec<String>,
    /// Whether they have dropped the course.
    pub dropped: bool,
    /// What the organiser permitted, in words; empty is nothing.
    pub permission: String,
    /// All cells of their row, in the order of [`Roster::columns`].
    pub cells: Vec<String>,
}

impl Student {
    /// What the cell of a column says; `None` if there is no such column or it is empty.
    pub fn cell<'a>(&'a self, roster: &Roster, column: &str) -> Option<&'a str> {
        let place = roster.columns.iter().position(|name| name == column)?;
        self.cells.get(place).map(String::as_str).filter(|text| !text.is_empty())
    }

    /// The name of their team in a phase. Whoever names none is a team alone, called by the entry number.
    pub fn team_in(&self, phase: &str) -> &str {
        let named = self.team_in.get(phase).filter(|team| !team.is_empty()).unwrap_or(&self.team);
        if named.is_empty() { &self.entry } else { named }
    }
}

/// Everybody, in the order of the table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Roster {
    /// The headers, in their order.
    pub columns: Vec<String>,
    /// A row each.
    pub students: Vec<Student>,
}

impl Roster {
    /// The student with this entry number; capitals do not matter.
    pub fn student(&self, entry: &str) -> Option<&Student> {
        self.students.iter().find(|student| student.entry.eq_ignore_ascii_case(entry))
    }
}
