//! The folder of a course.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use agon_rules::quote;

use crate::{
    config::{ConfigError, Course, preset},
    import::ImportError,
    ledger::{Ledger, LedgerError},
    roster::{Roster, RosterError, read_roster},
};

const CONFIG: &str = "course.toml";
const ROSTER: &str = "roster.csv";
const DATABASE: &str = "course.db";

/// What a new roster says.
const EMPTY_ROSTER: &str = "entry,name,team\n";

/// A course on disk.
pub struct CourseFolder {
    /// The folder.
    pub path: PathBuf,
    /// What it asks for.
    pub course: Course,
    /// Who takes part.
    pub roster: Roster,
    /// What happened.
    pub ledger: Ledger,
}

/// A course cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CourseError {
    /// There is none.
    #[error(
        "{0} holds no course: expected course.toml there; `agon course new PRESET DIR` makes one, --dir names another folder"
    )]
    None(String),
    /// A new one would overwrite something.
    #[error("{0} exists and is not empty; a new course needs a folder of its own")]
    NotEmpty(String),
    /// Its description.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Its roster.
    #[error(transparent)]
    Roster(#[from] RosterError),
    /// Its ledger.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// An import.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// A team that is not in the roster.
    #[error("no team is called {}{}", quote(.name), .nearest.as_ref().map_or(String::new(), |near| format!("; did you mean {}?", quote(near))))]
    Team {
        /// The name.
        name: String,
        /// One that is almost called so.
        nearest: Option<String>,
    },
    /// Something else that was asked for does not exist.
    #[error("{0}")]
    Unknown(String),
    /// A decision that makes no sense.
    #[error("{0}")]
    Refused(String),
    /// A file of the folder.
    #[error("{}: {problem}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        problem: io::Error,
    },
}

impl CourseError {
    /// Something about a file.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> CourseError {
        let path = path.to_owned();
        |problem| CourseError::File { path, problem }
    }

    /// Whether the host failed, not the user.
    pub fn is_hosts(&self) -> bool {
        matches!(self, CourseError::Ledger(_) | CourseError::File { .. } | CourseError::Import(ImportError::Host(_)))
    }
}

/// Makes the folder of a course.
///
/// # Errors
/// If no preset has this name, or something is there already.
pub fn create(name: &str, path: &Path) -> Result<(), CourseError> {
    let text = preset(name)?;
    if fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(CourseError::NotEmpty(path.display().to_string()));
    }
    fs::create_dir_all(path).map_err(CourseError::file(path))?;
    for (file, text) in [(ROSTER, EMPTY_ROSTER), (CONFIG, text)] {
        let file = path.join(file);
        fs::write(&file, text).map_err(CourseError::file(&file))?;
    }
    Ok(())
}

impl CourseFolder {
    /// Opens the course in a folder.
    ///
    /// # Errors
    /// If there is none, or a part of it cannot be read.
    pub fn open(path: &Path) -> Result<CourseFolder, CourseError> {
        let config = path.join(CONFIG);
        if !config.is_file() {
            return Err(CourseError::None(path.display().to_string()));
        }
        // Bots are found from anywhere.
        let path = path.canonicalize().map_err(CourseError::file(path))?;
        let course = Course::read(&config)?;
        let roster = match fs::read_to_string(path.join(ROSTER)) {
            Ok(text) if text.trim() == EMPTY_ROSTER.trim() => Roster::default(),
            _ => read_roster(&path.join(ROSTER))?,
        };
        let ledger = Ledger::open(&path.join(DATABASE))?;
        Ok(CourseFolder { path, course, roster, ledger })
    }

    /// The database, in which the tournaments of the phases are too.
    pub fn database(&self) -> PathBuf {
        self.path.join(DATABASE)
    }
}

/// Whether a name is almost another: how many letters must be changed, put in or left out.
pub(crate) fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) =
        (one.to_lowercase().chars().collect(), other.to_lowercase().chars().collect());
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.iter().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, second) in other.iter().enumerate() {
            let least = (row[j] + 1).min(row[j + 1] + 1).min(before + usize::from(letter != second));
            before = std::mem::replace(&mut row[j + 1], least);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn names_that_are_almost_the_same_are_near() {
        assert_eq!(["kitten", "Sitting", "kitten", ""].map(|name| distance("kitten", name)), [0, 3, 0, 6]);
    }
}
