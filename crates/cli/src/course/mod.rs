//! `agon course`: from a folder of submissions to marks.

mod autograder;
mod decide;
mod feedback;
mod grade;
mod import;
mod marks;
mod publish;
mod similar;
mod status;

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use agon_course::{CourseError, CourseFolder, GradeError, MarksError, create};
use clap::{Args, Subcommand};

use crate::error::CliError;

/// Run a course: roster, submissions, formalities, phases, marks for each student
#[derive(Args)]
pub(crate) struct Course {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the presets: courses that the games come from
    Presets(Presets),
    /// Make the folder of a course: course.toml to read and change, roster.csv to fill in
    New(New),
    /// What is there, what is missing, and what to do next
    Status(status::Status),
    /// Take in what was handed in: an archive, a folder of them, Moodle's or Gradescope's download
    Import(import::Import),
    /// Say whose a submission is that could not be matched
    Assign(import::Assign),
    /// Let another version of a team's submissions count
    Activate(decide::Activate),
    /// Decide what a finding costs: zero, a share such as 0.1, or waived
    Settle(decide::Settle),
    /// Enter judges' marks: one, or a table with the columns team and the names of what is judged
    Judge(decide::Judge),
    /// Add to or take from a student's marks, with the reason
    Adjust(decide::Adjust),
    /// Play the phases, one after the other; goes on where it was stopped
    Grade(Box<grade::Grade>),
    /// What every student gets, and how it adds up
    Marks(marks::Marks),
    /// Write a page and a text for each team: formalities, marks, every match, the turns that lost
    Feedback(feedback::Feedback),
    /// Write an archive that checks submissions where students hand them in: with this program, course.toml and scripts
    Autograder(autograder::Autograder),
    /// List pairs of submissions that are alike, for you to look at; it accuses nobody
    Similar(similar::Similar),
    /// Write the results of the phases for everybody, under pseudonyms, to be checked with `agon verify`
    Publish(publish::Publish),
}

impl Course {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match &self.command {
            Command::Presets(command) => command.run(),
            Command::New(command) => command.run(),
            Command::Status(command) => command.run(),
            Command::Import(command) => command.run(),
            Command::Assign(command) => command.run(),
            Command::Activate(command) => command.run(),
            Command::Settle(command) => command.run(),
            Command::Judge(command) => command.run(),
            Command::Adjust(command) => command.run(),
            Command::Grade(command) => command.run(),
            Command::Marks(command) => command.run(),
            Command::Feedback(command) => command.run(),
            Command::Autograder(command) => command.run(),
            Command::Similar(command) => command.run(),
            Command::Publish(command) => command.run(),
        }
    }
}

/// Which course.
#[derive(Args, Clone)]
struct Folder {
    /// The course's folder; the one you are in if absent
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
}

impl Folder {
    fn open(&self) -> Result<CourseFolder, CliError> {
        Ok(CourseFolder::open(&self.dir)?)
    }
}

/// List the presets: courses that the games come from
#[derive(Args)]
struct Presets {
    /// Print this one
    name: Option<String>,
}

impl Presets {
    fn run(&self) -> Result<(), CliError> {
        let mut out = std::io::stdout().lock();
        if let Some(name) = &self.name {
            return Ok(write!(out, "{}", agon_course::preset(name).map_err(CliError::input)?)?);
        }
        for (name, title) in agon_course::presets() {
            writeln!(out, "{name:<26}{title}")?;
        }
        Ok(())
    }
}

/// Make the folder of a course: course.toml to read and change, roster.csv to fill in
#[derive(Args)]
struct New {
    /// The preset: see `agon course presets`
    preset: String,
    /// The folder; it must not exist or be empty
    dir: PathBuf,
}

impl New {
    fn run(&self) -> Result<(), CliError> {
        create(&self.preset, &self.dir)?;
        let dir = shown(&self.dir);
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "{dir}/course.toml says what the course asks for and gives: read it, and change what is marked \"ours\"."
        )?;
        writeln!(out, "{dir}/roster.csv gets a row for each student, with at least entry, name and team.")?;
        writeln!(out, "Then `agon course status --dir {dir}` says what to do next.")?;
        Ok(())
    }
}

fn shown(path: &Path) -> String {
    agon_rules::inert(&path.display().to_string())
}

impl From<CourseError> for CliError {
    fn from(error: CourseError) -> CliError {
        if error.is_hosts() { CliError::Host(error.to_string()) } else { CliError::input(error) }
    }
}

impl From<MarksError> for CliError {
    fn from(error: MarksError) -> CliError {
        match error {
            MarksError::Course(error) => error.into(),
            MarksError::Tournament(error) => error.into(),
            MarksError::Store(error) => error.into(),
        }
    }
}

impl From<GradeError> for CliError {
    fn from(error: GradeError) -> CliError {
        match error {
            GradeError::Course(error) => error.into(),
            GradeError::Tournament(error) => error.into(),
            GradeError::Store(error) => error.into(),
            GradeError::Ledger(error) => CliError::Host(error.to_string()),
            GradeError::Stopped | GradeError::Undecided { .. } => CliError::Failed(error.to_string()),
            GradeError::Nobody => CliError::input(error),
            GradeError::Create { phase, problem } => CliError::from(*problem).about(&phase),
            GradeError::Play { phase, problem } => CliError::from(*problem).about(&phase),
        }
    }
}

impl CliError {
    /// Says which phase it is about.
    fn about(self, phase: &str) -> CliError {
        let named = |problem: String| format!("phase {phase}: {problem}");
        match self {
            CliError::Failed(problem) => CliError::Failed(named(problem)),
            CliError::Input(problem) => CliError::Input(named(problem)),
            CliError::Host(problem) => CliError::Host(named(problem)),
            CliError::ReaderGone => CliError::ReaderGone,
        }
    }
}
