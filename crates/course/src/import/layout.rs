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
    collections::BTreeMap,
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

/// What was found, and the folders made for it, which go with it.
pub(super) struct Listing {
    pub found: Vec<Found>,
    scratch: Vec<tempfile::TempDir>,
}

/// What Moodle puts between the name of a student and that of the file; what students wrote into its form comes with the other.
const MOODLE: &str = "_assignsubmission_file";
const MOODLES_OWN: &str = "_assignsubmission_";
const METADATA: &str = "submission_metadata.yml";

/// A download of a whole course is larger than any submission.
const DOWNLOAD: ArchiveLimits =
    ArchiveLimits { packed: 16 << 30, unpacked: 32 << 30, files: 1_000_000, depth: 40, name: 255, path: 2048 };

/// Lists what lies at a path. `is_teams` knows the archives of teams by their names: whoever packs what looks like somebody else's
/// submission into their own hands in for themselves all the same.
pub(super) fn list(path: &Path, game: &dyn Original, is_teams: &dyn Fn(&str) -> bool) -> Result<Listing, ImportError> {
    let wrong = |problem: String| ImportError::Path { path: path.to_owned(), problem };
    let about = fs::metadata(path).map_err(|error| wrong(error.to_string()))?;
    if about.is_dir() {
        return in_folder(path, game);
    }
    let called = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if !is_packed(&called) && !is_archive(path)? && !is_alone(game, path) {
        return Err(wrong("expected an archive, or a folder with what was handed in".to_owned()));
    }
    if !is_teams(&called)
        && let Some(unpacked) = download(path)?
    {
        let mut listing = in_folder(&root_of(&unpacked.path().join("download"))?, game)?;
        listing.scratch.push(unpacked);
        return Ok(listing);
    }
    Ok(Listing { found: vec![known_by_name(path.to_owned(), called)], scratch: Vec::new() })
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

fn in_folder(folder: &Path, game: &dyn Original) -> Result<Listing, ImportError> {
    if folder.join(METADATA).is_file() {
        let found = gradescope::list(folder, &folder.join(METADATA))?;
        return Ok(Listing { found, scratch: Vec::new() });
    }
    let mut listing = Listing { found: Vec::new(), scratch: Vec::new() };
    // Of Moodle's flat layout: what each student handed in, file by file.
    let mut loose: BTreeMap<String, Vec<Loose>> = BTreeMap::new();
    for name in names_in(folder)? {
        let path = folder.join(&name);
        match name.split_once(MOODLE) {
            Some((student, _)) if path.is_dir() => listing.found.extend(of_student(&path, student)?),
            Some((student, file)) => {
                // One underscore is Moodle's; others are the student's.
                let called = file.strip_prefix('_').unwrap_or(file).to_owned();
                loose.entry(student.to_owned()).or_default().push(Loose { path, called });
            }
            None if name.contains(MOODLES_OWN) => {}
            None if path.is_dir() || is_packed(&name) || is_archive(&path)? || is_alone(game, &path) => {
                listing.found.push(known_by_name(path, name));
            }
            // Lists and notes of the organiser lie beside.
            None => {}
        }
    }
    for (student, files) in loose {
        listing.found.extend(of_files(&student, files, &mut listing.scratch)?);
    }
    if listing.found.is_empty() {
        let problem = "expected archives, or what Moodle or Gradescope lets one download; found neither".to_owned();
        return Err(ImportError::Path { path: folder.to_owned(), problem });
    }
    Ok(listing)
}

/// A file, and what its author called it.
struct Loose {
    path: PathBuf,
    called: String,
}

fn known_by_person(student: &str, path: PathBuf, called: String) -> Found {
    Found { path, called, person: Some(person(student)), entry: None, email: None }
}

fn packed(file: &Loose) -> bool {
    is_packed(&file.called) || is_archive(&file.path).unwrap_or(false)
}

/// What one student handed in at Moodle: an archive, or files that belong together. What lies beside an archive is no part of it.
fn of_student(folder: &Path, student: &str) -> io::Result<Vec<Found>> {
    let names = names_in(folder)?;
    let files: Vec<Loose> = names.into_iter().map(|called| Loose { path: folder.join(&called), called }).collect();
    let of = |file: &Loose| known_by_person(student, file.path.clone(), file.called.clone());
    let archives: Vec<Found> = files.iter().filter(|file| packed(file)).map(of).collect();
    if !archives.is_empty() {
        return Ok(archives);
    }
    if let [only] = files.as_slice() {
        return Ok(vec![of(only)]);
    }
    let called = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(if files.is_empty() { Vec::new() } else { vec![known_by_person(student, folder.to_owned(), called)] })
}

/// The same, where the files of all students lie beside each other: those of one are brought together.
fn of_files(student: &str, files: Vec<Loose>, scratch: &mut Vec<tempfile::TempDir>) -> io::Result<Vec<Found>> {
    if files.len() == 1 || files.iter().any(packed) {
        let single = files.len() == 1;
        let taken = files.into_iter().filter(|file| single || packed(file));
        return Ok(taken.map(|file| known_by_person(student, file.path, file.called)).collect());
    }
    let folder = tempfile::tempdir()?;
    for file in files.iter().filter(|file| file.path.is_file() && !matches!(file.called.as_str(), "" | "." | "..")) {
        fs::copy(&file.path, folder.path().join(&file.called))?;
    }
    let found = known_by_person(student, folder.path().to_owned(), format!("{student}{MOODLE}_"));
    scratch.push(folder);
    Ok(vec![found])
}

/// `Ada Lovelace_2716` is Ada Lovelace.
fn person(student: &str) -> String {
    student.rsplit_once('_').map_or(student, |(name, _)| name).to_owned()
}

fn known_by_name(path: PathBuf, called: String) -> Found {
    Found { path, called, person: None, entry: None, email: None }
}
