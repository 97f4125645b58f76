//! Archives that check submissions where students hand them in: with this program, the course's description, and scripts.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    str::FromStr,
};

use zip::{ZipWriter, write::SimpleFileOptions};

/// Where students hand in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Host {
    /// Gradescope: an autograder.
    Gradescope,
    /// Moodle's Virtual Programming Lab: execution files.
    Vpl,
}

/// A host that is none of these.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected gradescope or vpl, found {}", agon_rules::quote(.0))]
pub struct UnknownHost(String);

impl FromStr for Host {
    type Err = UnknownHost;

    fn from_str(text: &str) -> Result<Host, UnknownHost> {
        match text {
            "gradescope" => Ok(Host::Gradescope),
            "vpl" => Ok(Host::Vpl),
            other => Err(UnknownHost(other.to_owned())),
        }
    }
}

/// The archive could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", .path.display())]
pub struct AutograderError {
    /// The file that could not be read or written.
    pub path: PathBuf,
    /// Why.
    #[source]
    pub problem: io::Error,
}

impl Host {
    /// The scripts: their names and texts.
    fn scripts(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Host::Gradescope => &[
                ("setup.sh", include_str!("autograder/setup.sh")),
                ("run_autograder", include_str!("autograder/run_autograder")),
            ],
            Host::Vpl => &[
                ("vpl_run.sh", include_str!("autograder/vpl_run.sh")),
                ("vpl_evaluate.sh", include_str!("autograder/vpl_evaluate.sh")),
                ("agon_check.sh", include_str!("autograder/agon_check.sh")),
                ("README.txt", include_str!("autograder/vpl.txt")),
            ],
        }
    }
}

/// Writes the archive for a host: `agon` is this program, `course` the course's description.
///
/// # Errors
/// If a file cannot be read or the archive not be written.
pub fn autograder(host: Host, agon: &Path, course: &str, into: &Path) -> Result<(), AutograderError> {
    let about = |path: &Path| {
        let path = path.to_owned();
        |problem| AutograderError { path, problem }
    };
    let program = fs::read(agon).map_err(about(agon))?;
    let mut archive = ZipWriter::new(fs::File::create(into).map_err(about(into))?);
    let files = host.scripts().iter().map(|(name, text)| (*name, text.as_bytes()));
    for (name, contents) in files.chain([("course.toml", course.as_bytes()), ("agon", &program)]) {
        let mode = if name == "course.toml" || name.ends_with(".txt") { 0o644 } else { 0o755 };
        let options = SimpleFileOptions::default().unix_permissions(mode);
        let started = archive.start_file(name, options).map_err(|error| about(into)(io::Error::other(error)));
        started.and_then(|()| archive.write_all(contents).map_err(about(into)))?;
    }
    let file = archive.finish().map_err(|error| about(into)(io::Error::other(error)))?;
    file.sync_all().map_err(about(into))
}
