//! The table of students.

use std::{collections::HashMap, fs, io, path::Path};

use agon_rules::quote;

use super::{Roster, Student};

/// Why a roster could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct RosterError {
    /// The file, as it was named.
    pub file: String,
    /// What is wrong with it.
    #[source]
    pub problem: RosterProblem,
}

/// What is wrong with a roster.
#[derive(Debug, thiserror::Error)]
pub enum RosterProblem {
    /// The file cannot be read.
    #[error("cannot read it: {0}")]
    File(#[from] io::Error),
    /// It is no table.
    #[error("{0}")]
    Table(#[from] csv::Error),
    /// A row that has more or fewer cells than there are columns.
    #[error("line {line}: expected {columns} cells, as line 1 has, found {found}")]
    Cells {
        /// Where.
        line: u64,
        /// How many columns there are.
        columns: usize,
        /// How many cells it has.
        found: usize,
    },
    /// A column that must be there is not.
    #[error("line 1: expected the columns entry, name and team, found no column {0}")]
    Column(&'static str),
    /// Two columns have the same header.
    #[error("line 1: two columns are called {}", quote(.0))]
    SameColumns(String),
    /// A student without an entry number.
    #[error("line {line}: expected an entry number in the column entry, found nothing")]
    NoEntry {
        /// Where.
        line: u64,
    },
    /// An entry number that stands in two rows.
    #[error("line {line}: the entry number {} is that of line {first} too", quote(.entry))]
    Twice {
        /// Where.
        line: u64,
        /// Where it stood first.
        first: u64,
        /// The entry number.
        entry: String,
    },
    /// A score that is no number.
    #[error("line {line}: expected a number in the column score, found {}", quote(.found))]
    Score {
        /// Where.
        line: u64,
        /// What stands there.
        found: String,
    },
    /// The members of a team have different bots.
    #[error("line {line}: the bot of team {} is called {} here and {} in line {first}", quote(.team), quote(.found), quote(.known))]
    Bots {
        /// Where.
        line: u64,
        /// Where it was called otherwise.
        first: u64,
        /// The team.
        team: String,
        /// Its bot's name here.
        found: String,
        /// Its bot's name there.
        known: String,
    },
    /// Nobody is in it.
    #[error("expected at least one student")]
    Empty,
}

/// Reads a roster from a file.
///
/// # Errors
/// What is wrong with the first bad line.
pub fn read_roster(path: &Path) -> Result<Roster, RosterError> {
    let about = |problem| RosterError { file: path.display().to_string(), problem };
    let text = fs::read_to_string(path).map_err(|error| about(error.into()))?;
    parse(&text).map_err(about)
}

const TEAM_IN: &str = "team.";

pub(super) fn parse(text: &str) -> Result<Roster, RosterProblem> {
    // Spreadsheets begin a table in UTF-8 with a mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(text.as_bytes());
    let columns: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
    let place = |name: &str| columns.iter().position(|column| column == name);
    for name in ["entry", "name", "team"] {
        place(name).ok_or(RosterProblem::Column(name))?;
    }
    if let Some((_, twice)) = columns.iter().enumerate().find(|(index, name)| place(name) != Some(*index)) {
        return Err(RosterProblem::SameColumns(twice.clone()));
    }
    let mut roster = Roster { columns: columns.clone(), students: Vec::new() };
    let mut lines: HashMap<String, u64> = HashMap::new();
    let mut bots: HashMap<String, (String, u64)> = HashMap::new();
    for row in reader.records() {
        let row = row?;
        let line = row.position().map_or(0, csv::Position::line);
        if row.len() != columns.len() {
            return Err(RosterProblem::Cells { line, columns: columns.len(), found: row.len() });
        }
        let cell = |name: &str| place(name).and_then(|place| row.get(place)).unwrap_or_default().to_owned();
        let entry = cell("entry");
        if entry.is_empty() {
            return Err(RosterProblem::NoEntry { line });
        }
        if let Some(&first) = lines.get(&entry.to_lowercase()) {
            return Err(RosterProblem::Twice { line, first, entry });
        }
        lines.insert(entry.to_lowercase(), line);
        let score = Some(cell("score")).filter(|text| !text.is_empty());
        let score = score.map(|text| number(&text).ok_or(RosterProblem::Score { line, found: text })).transpose()?;
        let team_in = columns.iter().filter_map(|name| Some((name.strip_prefix(TEAM_IN)?.to_owned(), cell(name))));
        let student = Student {
            name: cell("name"),
            team: cell("team"),
            team_in: team_in.collect(),
            score,
            bot: cell("bot"),
            before: cell("before").split([' ', ';', ',']).filter(|word| !word.is_empty()).map(str::to_owned).collect(),
            dropped: said(&cell("dropped")),
            permission: cell("permission"),
            cells: row.iter().map(str::to_owned).collect(),
            entry,
        };
        if !student.bot.is_empty() {
            let team = student.team_in("").to_owned();
            match bots.get(&team) {
                Some((known, first)) if *known != student.bot => {
                    let (known, first) = (known.clone(), *first);
                    return Err(RosterProblem::Bots { line, first, team, found: student.bot, known });
                }
                _ => bots.insert(team, (student.bot.clone(), line)),
            };
        }
        roster.students.push(student);
    }
    if roster.students.is_empty() { Err(RosterProblem::Empty) } else { Ok(roster) }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Whether a cell that is ticked says so.
fn said(cell: &str) -> bool {
    !matches!(cell.to_lowercase().as_str(), "" | "no" | "0" | "false" | "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_header_and_free_ones_are_kept() {
        let roster = parse(
            "\u{feff}team,hall,name,entry,score,team.A2,dropped,before\n\
             Otters, Kumaon ,Ada,2018CS1,12.5,Old,no,2018CS7;2018CS8\n,,Bob,2018CS2,,,yes,\n",
        );
        let roster = roster.expect("a roster");
        let [ada, bob] = roster.students.as_slice() else { panic!("{roster:?}") };
        assert_eq!((ada.cell(&roster, "hall"), ada.score, ada.dropped), (Some("Kumaon"), Some(12.5), false));
        assert_eq!((ada.team_in("A2"), ada.team_in("A5")), ("Old", "Otters"));
        assert_eq!(ada.before, ["2018CS7", "2018CS8"]);
        assert_eq!((bob.team_in("A5"), bob.dropped, bob.cell(&roster, "hall")), ("2018CS2", true, None));
        assert!(roster.student("2018cs1").is_some());
    }

    #[test]
    fn the_first_bad_line_is_named() {
        let cases = [
            ("entry,name\n1,Ada\n", "no column team"),
            ("entry,name,team,team\n1,Ada,x,x\n", "two columns are called 'team'"),
            ("entry,name,team\n1,Ada,x\n,Bob,y\n", "line 3: expected an entry number"),
            ("entry,name,team\na1,Ada,x\nA1,Bob,y\n", "line 3: the entry number 'A1' is that of line 2 too"),
            ("entry,name,team,score\n1,Ada,x,many\n", "line 2: expected a number in the column score, found 'many'"),
            ("entry,name,team,bot\n1,Ada,x,Hex\n2,Bob,x,hex\n", "is called 'hex' here and 'Hex' in line 2"),
            ("entry,name,team\n", "at least one student"),
            ("entry,name,team\n1,Ada\n", "line 2: expected 3 cells, as line 1 has, found 2"),
        ];
        for (text, problem) in cases {
            let error = parse(text).expect_err(text).to_string();
            assert!(error.contains(problem), "{text:?}: {error}");
        }
    }
}
