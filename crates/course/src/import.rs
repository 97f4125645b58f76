//! What was handed in, from whatever it was collected with: each to its team, every version kept.

mod gradescope;
mod layout;
mod matching;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use agon_entrants::{ArchiveError, ArchiveLimits, is_archive, unpack};
use agon_rules::quote;
use sha2::{Digest, Sha256};

use crate::{
    folder::{CourseError, CourseFolder},
    formalities::{Copy, Formalities, examine},
    ledger::{Event, Unmatched, Version},
    roster::{Roster, Team, teams_of},
};
use layout::Found;
use matching::Matched;

/// Where what came is kept, as it came.
const SUBMISSIONS: &str = "submissions";
/// Below it, what nobody knows whose it is.
const UNMATCHED: &str = "unmatched";
/// Where the mended copies are.
const BOTS: &str = "bots";

/// Why nothing could be imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The path names nothing that could be handed in.
    #[error("{}: {problem}", .path.display())]
    Path {
        /// The path.
        path: PathBuf,
        /// What was expected.
        problem: String,
    },
    /// A file of the host.
    #[error(transparent)]
    Host(#[from] io::Error),
}

/// What became of something that was handed in.
#[derive(Clone, PartialEq, Debug)]
pub struct Imported {
    /// What it was called.
    pub called: String,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of something that was handed in.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// It is a new version of a team.
    New(Version),
    /// It is what the team handed in before.
    Known {
        /// The team.
        team: String,
        /// Its version.
        version: u32,
    },
    /// Nobody knows whose it is.
    Unmatched {
        /// Teams whose it might be, the likeliest first.
        candidates: Vec<String>,
    },
}

/// Imports what lies at some paths: archives, folders of them, or what Moodle and Gradescope let one download. One that is bad never
/// stops the others.
///
/// # Errors
/// If a path is none of these, or the host fails; what was imported before stays.
pub fn import(
    folder: &mut CourseFolder,
    paths: &[PathBuf],
    tell: &mut dyn FnMut(&Imported),
) -> Result<Vec<Imported>, CourseError> {
    let mut all = Vec::new();
    let roster = folder.roster.clone();
    let teams = teams_of(&roster, "");
    for path in paths {
        let listing = layout::list(path, folder.course.game(), &|called| matching::is_teams(&teams, called))?;
        for found in &listing.found {
            let imported = one(folder, found)?;
            tell(&imported);
            all.push(imported);
        }
    }
    Ok(all)
}

/// Says whose something is that could not be matched: what it was called, or the beginning of its digest.
///
/// # Errors
/// If nothing is called so, several are, or there is no such team.
pub fn assign(folder: &mut CourseFolder, called: &str, team: &str) -> Result<Imported, CourseError> {
    let roster = folder.roster.clone();
    let team = team_named(&roster, team)?.name.to_owned();
    let unmatched = folder.ledger.unmatched();
    let fits =
        |waiting: &&Unmatched<'_>| waiting.called == called || called.len() >= 6 && waiting.digest.starts_with(called);
    let found: Vec<&Unmatched<'_>> = unmatched.iter().filter(fits).collect();
    let [Unmatched { kept, called: name, digest, .. }] = found[..] else {
        let names: Vec<&str> = unmatched.iter().map(|waiting| waiting.called).collect();
        let names = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
        return Err(CourseError::Unknown(match found.is_empty() {
            true => format!("nothing unmatched is called {}; waiting: {names}", quote(called)),
            false => format!("several are called {}; name one by its digest: see `agon course status`", quote(called)),
        }));
    };
    let (kept, name, digest) = ((*kept).to_owned(), (*name).to_owned(), (*digest).to_owned());
    folder.ledger.add(Event::Assigned { called: name.clone(), digest, team })?;
    let path = folder.path.join(kept);
    let found = Found { path, called: name, person: None, entry: None, email: None };
    one(folder, &found)
}

/// The team of this name in the last phase; a member's entry number will do.
pub(crate) fn team_named<'a>(roster: &'a Roster, name: &str) -> Result<Team<'a>, CourseError> {
    let teams = teams_of(roster, "");
    let member = |team: &&Team<'_>| team.members.iter().any(|student| student.entry.eq_ignore_ascii_case(name));
    let place = teams.iter().position(|team| team.name == name).or_else(|| teams.iter().position(|team| member(&team)));
    if let Some(place) = place {
        return Ok(teams.into_iter().nth(place).expect("its place was found"));
    }
    let nearest = teams.iter().map(|team| team.name).min_by_key(|known| crate::folder::distance(known, name));
    let nearest = nearest.filter(|known| crate::folder::distance(known, name) <= 3).map(str::to_owned);
    Err(CourseError::Team { name: name.to_owned(), nearest })
}

fn one(folder: &mut CourseFolder, found: &Found) -> Result<Imported, CourseError> {
    let digest = digest_of(&found.path).map_err(CourseError::file(&found.path))?;
    let roster = folder.roster.clone();
    let teams = teams_of(&roster, "");
    let outcome = match matching::team_of(&folder.ledger, &teams, found, &digest) {
        Matched::Team(place) => hand_in(folder, &teams[place], found, digest)?,
        Matched::Nobody { candidates } => {
            let kept = keep(folder, &format!("{UNMATCHED}/{}", &digest[..12]), &found.path)?;
            let (called, candidates_kept) = (found.called.clone(), candidates.clone());
            on_disk(folder)?;
            folder.ledger.add(Event::Unmatched { kept, called, digest, candidates: candidates_kept })?;
            Outcome::Unmatched { candidates }
        }
    };
    Ok(Imported { called: found.called.clone(), outcome })
}

fn hand_in(folder: &mut CourseFolder, team: &Team<'_>, found: &Found, digest: String) -> Result<Outcome, CourseError> {
    let versions = folder.ledger.versions(team.name);
    if let Some(known) = versions.iter().find(|version| version.digest == digest) {
        return Ok(Outcome::Known { team: team.name.to_owned(), version: known.version });
    }
    let number = versions.len() as u32 + 1;
    let place = format!("{}/v{number}", file_name(team.name));
    let kept = keep(folder, &place, &found.path)?;
    let root = folder.path.join(BOTS).join(&place);
    let (formalities, refused) = unpacked(folder, team, found, &folder.path.join(&kept), &root)?;
    let version = Version {
        team: team.name.to_owned(),
        version: number,
        called: found.called.clone(),
        kept,
        digest,
        bot: refused.is_none().then(|| format!("{BOTS}/{place}")),
        refused,
        formalities,
    };
    on_disk(folder)?;
    folder.ledger.add(Event::HandedIn(version.clone()))?;
    Ok(Outcome::New(version))
}

/// Unpacks what came into `root`, mends it there, and looks at it. What cannot be unpacked is no error: its reason is kept.
fn unpacked(
    folder: &CourseFolder,
    team: &Team<'_>,
    found: &Found,
    kept: &Path,
    root: &Path,
) -> Result<(Formalities, Option<String>), CourseError> {
    // What is left of an import that was killed.
    let _ = fs::remove_dir_all(root);
    let parent = root.parent().unwrap_or(root);
    fs::create_dir_all(parent).map_err(CourseError::file(parent))?;
    // Weights hardly shrink when they are packed: who allows much unpacked allows as much packed.
    let (usual, unpacked) = (ArchiveLimits::default(), folder.course.submission.size << 20);
    let limits = ArchiveLimits { unpacked, packed: usual.packed.max(unpacked), ..usual };
    let packed = kept.is_file() && layout::is_packed(&found.called);
    let archive = packed.then_some(found.called.as_str());
    if kept.is_dir() {
        copy_folder(kept, root).map_err(CourseError::file(kept))?;
    } else if layout::is_packed(&found.called) || is_archive(kept).map_err(CourseError::file(kept))? {
        match unpack(kept, root, &limits) {
            Ok(()) => {}
            Err(ArchiveError::Host(problem)) => return Err(ImportError::Host(io::Error::other(problem)).into()),
            Err(refused) => {
                // Its author knows it by another name.
                let place = format!("{}: ", kept.display());
                let reason = refused.to_string().replace(&place, "");
                return Ok((Formalities::default(), Some(reason)));
            }
        }
    } else {
        fs::create_dir_all(root).map_err(CourseError::file(root))?;
        // Whoever has no name of its own would be the folder itself.
        let name = if matches!(found.called.as_str(), "" | "." | "..") { "submission" } else { &found.called };
        fs::copy(kept, root.join(name)).map_err(CourseError::file(kept))?;
    }
    let looked = Copy::of(root, archive, Some(team)).and_then(|copy| {
        let copy = if kept.is_file() { copy.packed_in(kept) } else { copy };
        examine(&folder.course, copy)
    });
    Ok((looked.map_err(CourseError::file(root))?, None))
}

/// Copies something below `submissions/`, and gives its path there. Whoever looks never finds half of it.
fn keep(folder: &CourseFolder, place: &str, from: &Path) -> Result<String, CourseError> {
    let ending = if from.is_dir() { String::new() } else { endings(from) };
    let relative = format!("{SUBMISSIONS}/{place}{ending}");
    let to = folder.path.join(&relative);
    if from == to {
        return Ok(relative);
    }
    let parent = to.parent().unwrap_or(&to);
    fs::create_dir_all(parent).map_err(CourseError::file(parent))?;
    let coming = to.with_extension("coming");
    let _ = fs::remove_dir_all(&coming);
    if from.is_dir() {
        copy_folder(from, &coming).map_err(CourseError::file(from))?;
        let _ = fs::remove_dir_all(&to);
    } else {
        fs::copy(from, &coming).map_err(CourseError::file(from))?;
    }
    fs::rename(&coming, &to).map_err(CourseError::file(&to))?;
    Ok(relative)
}

/// The ledger must not speak of files that a power cut would take back.
fn on_disk(folder: &CourseFolder) -> Result<(), CourseError> {
    let synced = fs::File::open(&folder.path).and_then(|root| Ok(rustix::fs::syncfs(root)?));
    synced.map_err(CourseError::file(&folder.path))
}

/// `.tar.gz` of a path, lower case.
fn endings(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    if name.ends_with(".tar.gz") {
        return ".tar.gz".to_owned();
    }
    name.rsplit_once('.').map_or(String::new(), |(_, ending)| format!(".{ending}"))
}

/// Plain files and folders; links and everything else stay behind.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, to) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy_folder(&entry.path(), &to)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

/// The digest of a file, or of the names and contents of all files of a folder.
fn digest_of(path: &Path) -> io::Result<String> {
    let mut digest = Sha256::new();
    if path.is_dir() {
        let mut files = Copy::of(path, None, None)?.files;
        files.sort();
        for file in files {
            digest.update(file.as_bytes());
            digest.update([0]);
            digest.update(fs::metadata(path.join(&file))?.len().to_le_bytes());
            io::copy(&mut fs::File::open(path.join(&file))?, &mut digest)?;
        }
    } else {
        io::copy(&mut fs::File::open(path)?, &mut digest)?;
    }
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A team's name as the name of a folder. Two teams never get the same.
pub(crate) fn file_name(team: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    if !team.is_empty() && team.chars().all(plain) && team.len() <= 60 && team != UNMATCHED {
        return team.to_owned();
    }
    let digest = Sha256::digest(team.as_bytes());
    let letters: String = team.chars().take(40).map(|letter| if plain(letter) { letter } else { '_' }).collect();
    // Plain names have no dot, so this is none of them.
    format!("{letters}.{:02x}{:02x}{:02x}", digest[0], digest[1], digest[2])
}
