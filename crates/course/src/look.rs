//! A submission as its author has it, looked at before it is handed in.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use agon_entrants::{ArchiveError, ArchiveLimits, is_archive, unpack};

use crate::{
    config::Course,
    formalities::{Copy, Formalities, examine},
    import::copy_folder,
    roster::{Student, Team},
};

/// What was found, and the mended copy, which lives as long as this.
pub struct Looked {
    /// What was found.
    pub formalities: Formalities,
    /// The bot as the course would let it play.
    pub bot: PathBuf,
    _home: tempfile::TempDir,
}

/// Why a submission could not be looked at.
#[derive(Debug, thiserror::Error)]
pub enum LookError {
    /// It cannot be unpacked.
    #[error("{0}")]
    Refused(String),
    /// It cannot be read, or the copy not be written.
    #[error("{}: {problem}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        problem: io::Error,
    },
}

/// Does what an import does, without a course's folder. `entries` are the entry numbers of the team's members, if they are known: the
/// name of the archive and the lines that name the team are compared with them.
///
/// # Errors
/// If it cannot be unpacked, or the host fails.
pub fn look(course: &Course, path: &Path, entries: &[String]) -> Result<Looked, LookError> {
    let file = |problem| LookError::File { path: path.to_owned(), problem };
    let home = tempfile::tempdir().map_err(file)?;
    let bot = home.path().join("bot");
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let packed = path.is_file() && is_archive(path).map_err(file)?;
    if path.is_dir() {
        copy_folder(path, &bot).map_err(file)?;
    } else if packed {
        let limits = ArchiveLimits { unpacked: course.submission.size << 20, ..ArchiveLimits::default() };
        unpack(path, &bot, &limits).map_err(|error| match error {
            ArchiveError::Refused(reason) => LookError::Refused(reason),
            ArchiveError::Host(problem) => file(io::Error::other(problem)),
        })?;
    } else {
        fs::create_dir_all(&bot).and_then(|()| fs::copy(path, bot.join(&name)).map(drop)).map_err(file)?;
    }
    let members: Vec<Student> =
        entries.iter().map(|entry| Student { entry: entry.clone(), ..Student::default() }).collect();
    let team = Team { name: "", members: members.iter().collect() };
    let team = (!members.is_empty()).then_some(&team);
    let copy = Copy::of(&bot, packed.then_some(name.as_str()), team).map_err(file)?;
    let copy = if packed { copy.packed_in(path) } else { copy };
    let formalities = examine(course, copy).map_err(file)?;
    Ok(Looked { formalities, bot, _home: home })
}
