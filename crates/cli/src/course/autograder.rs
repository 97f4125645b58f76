//! Archives that check submissions where students hand them in.

use std::{fs, io::Write, path::PathBuf};

use agon_course::{Host, autograder};
use clap::Args;

use super::Folder;
use crate::error::CliError;

/// Write an archive that checks submissions where students hand them in: with this program, course.toml and scripts
#[derive(Args)]
pub(super) struct Autograder {
    /// `gradescope` for an autograder, `vpl` for Moodle's Virtual Programming Lab
    host: Host,
    /// The archive; `autograder-HOST.zip` in the course's folder if absent
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    folder: Folder,
}

impl Autograder {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let folder = self.folder.open()?;
        let host = |what: &str, error: std::io::Error| CliError::Host(format!("{what}: {error}"));
        let agon = std::env::current_exe().map_err(|error| host("this program cannot be found", error))?;
        let config = folder.path.join("course.toml");
        let course = fs::read_to_string(&config).map_err(|error| host(&config.display().to_string(), error))?;
        let name = if self.host == Host::Gradescope { "gradescope" } else { "vpl" };
        let out = self.out.clone().unwrap_or_else(|| folder.path.join(format!("autograder-{name}.zip")));
        autograder(self.host, &agon, &course, &out).map_err(|error| CliError::Host(error.to_string()))?;
        writeln!(std::io::stdout(), "The archive is {}.", out.display())?;
        Ok(())
    }
}
