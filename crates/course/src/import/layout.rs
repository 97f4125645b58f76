//! How courses collect what was handed in.
//!
//! - A single archive.
//! - A folder with an archive or a folder for each team.
//! - Moodle's download: a folder `Name_123_assignsubmission_file_` for each student, or all files beside each other with that before
//!   their names.
//! - Gradescope's export: a folder for each submission, and `submission_metadata.yml`.
//!
//! Moodle and Gradescope pack these as one archive; it is unpacked first.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use agon_entrants::{ArchiveLimits, is_archive, unpack};
use agon_originals::Original;

use super::{ImportError, gradescope};

/// Something that was handed in, and what is known of whose it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Found {
    /// The archive, the file or the folder.
    pub path: PathBuf,
    /// What its author called it.
    pub called: String,
    /// The name of a person.
    pub person: Option<String>,
    /// An entry number.
    pub entry: Option<String>,
    /// An e-mail address.
    pub email: Option<String>,
}

/// What was found; what had to be unpacked for it is removed with it.
pub(super) struct Listing {
    pub found: Vec<Found>,
    _unpacked: Option<tempfile::TempDir>,
}

/// What Moodle puts between the name of a student and that of the file.
const MOODLE: &str = "_assignsubmission_file";
const METADATA: &str = "submission_metadata.yml";

/// A download of a whole course is larger than any submission.
const DOWNLOAD: ArchiveLimits =
    ArchiveLimits { packed: 16 << 30, unpacked: 32 << 30, files: 1_000_000, depth: 40, name: 255, path: 2048 };

pub(super) fn list(path: &Path, game: &dyn Original) -> Result<Listing, ImportError> {
    let wrong = |problem: String| ImportError::Path { path: path.to_owned(), problem };
    let about = fs::metadata(path).map_err(|error| wrong(error.to_string()))?;
    if about.is_dir() {
        return Ok(Listing { found: in_folder(path, game)?, _unpacked: None });
    }
    let called = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if !is_packed(&called) && !is_archive(path)? && !is_alone(game, path) {
        return Err(wrong("expected an archive, or a folder with what was handed in".to_owned()));
    }
    if let Some(unpacked) = download(path)? {
        let found = in_folder(&root_of(&unpacked.path().join("download"))?, game)?;
        return Ok(Listing { found, _unpacked: Some(unpacked) });
    }
    Ok(Listing { found: vec![known_by_name(path.to_owned(), called)], _unpacked: None })
}

/// The unpacked download, if an archive is one by the names in it: nothing of a mere submission is unpacked here.
fn download(path: &Path) -> Result<Option<tempfile::TempDir>, ImportError> {
    // What cannot be read is somebody's submission, which is refused with its reason later.
    let Ok(archive) = zip::ZipArchive::new(io::BufReader::new(fs::File::open(path)?)) else { return Ok(None) };
    let names = archive.file_names().map_while(Result::ok);
    let names: Vec<_> = names.filter(|name| !name.ends_with('/') && !name.starts_with("__MACOSX/")).collect();
    let whole = names.iter().any(|name| name.contains(MOODLE) || name.rsplit('/').next() == Some(METADATA));
    if !whole && (names.is_empty() || !names.iter().all(|name| is_packed(name))) {
        return Ok(None);
    }
    let folder = tempfile::tempdir()?;
    let refused = |error| ImportError::Path { path: path.to_owned(), problem: format!("{error}") };
    unpack(path, &folder.path().join("download"), &DOWNLOAD).map_err(refused)?;
    Ok(Some(folder))
}

/// Whether somebody means a file to be an archive.
pub(super) fn is_packed(name: &str) -> bool {
    let name = name.to_lowercase();
    [".zip", ".tar", ".tar.gz", ".tgz", ".rar", ".7z"].iter().any(|end| name.ends_with(end))
}

/// Whether a single file is a bot.
fn is_alone(game: &dyn Original, path: &Path) -> bool {
    game.submissions().is_some_and(|form| form.recognise(path).is_some())
}

/// A folder, or the only one in it.
fn root_of(folder: &Path) -> io::Result<PathBuf> {
    let names = names_in(folder)?;
    match names.as_slice() {
        [only] if folder.join(only).is_dir() && !only.contains(MOODLE) => Ok(folder.join(only)),
        _ => Ok(folder.to_owned()),
    }
}

fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names: Vec<String> = names.collect::<io::Result<_>>()?;
    names.retain(|name| !name.starts_with('.') && name != "__MACOSX");
    names.sort();
    Ok(names)
}

fn in_folder(folder: &Path, game: &dyn Original) -> Result<Vec<Found>, ImportError> {
    if folder.join(METADATA).is_file() {
        return gradescope::list(folder, &folder.join(METADATA));
    }
    let mut found = Vec::new();
    for name in names_in(folder)? {
        let path = folder.join(&name);
        match name.split_once(MOODLE) {
            Some((student, _)) if path.is_dir() => found.extend(of_student(&path, student)?),
            Some((student, file)) => found.push(Found {
                called: file.trim_start_matches('_').to_owned(),
                person: Some(person(student)),
                path,
                entry: None,
                email: None,
            }),
            None if path.is_dir() || is_packed(&name) || is_archive(&path)? || is_alone(game, &path) => {
                found.push(known_by_name(path, name));
            }
            // Lists and notes of the organiser lie beside.
            None => {}
        }
    }
    if found.is_empty() {
        let problem = "expected archives, or what Moodle or Gradescope lets one download; found neither".to_owned();
        return Err(ImportError::Path { path: folder.to_owned(), problem });
    }
    Ok(found)
}

/// What one student handed in at Moodle: an archive, or files that belong together.
fn of_student(folder: &Path, student: &str) -> io::Result<Vec<Found>> {
    let names = names_in(folder)?;
    let known =
        |path: PathBuf, called: String| Found { path, called, person: Some(person(student)), entry: None, email: None };
    if let [only] = names.as_slice() {
        return Ok(vec![known(folder.join(only), only.clone())]);
    }
    let archives: Vec<&String> = names.iter().filter(|name| is_archive(&folder.join(name)).unwrap_or(false)).collect();
    if archives.is_empty() || archives.len() < names.len() {
        let called = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return Ok(vec![known(folder.to_owned(), called)]);
    }
    Ok(archives.into_iter().map(|name| known(folder.join(name), name.clone())).collect())
}

/// `Ada Lovelace_2716` is Ada Lovelace.
fn person(student: &str) -> String {
    student.rsplit_once('_').map_or(student, |(name, _)| name).to_owned()
}

fn known_by_name(path: PathBuf, called: String) -> Found {
    Found { path, called, person: None, entry: None, email: None }
}
