//! What every student gets.

use std::{io::Write, path::PathBuf};

use agon_course::{marks, marks_csv};
use clap::Args;

use super::Folder;
use crate::error::CliError;

/// What every student gets, and how it adds up
#[derive(Args)]
pub(super) struct Marks {
    /// Write a table for Moodle, Gradescope or a spreadsheet: the roster's columns, then the marks
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    folder: Folder,
}

impl Marks {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let folder = self.folder.open()?;
        let mut out = std::io::stdout().lock();
        if let Some(path) = &self.csv {
            let written = std::fs::write(path, marks_csv(&folder)?);
            written.map_err(|error| CliError::Host(format!("cannot write {}: {error}", path.display())))?;
            writeln!(out, "The marks of {} students are in {}.", folder.roster.students.len(), path.display())?;
            return Ok(());
        }
        let digits = folder.course.digits;
        let width = folder.roster.students.iter().map(|student| student.entry.len()).max().unwrap_or(0).max(5);
        for breakdown in marks(&folder)? {
            let phases = breakdown.phases.iter().map(|phase| {
                let won = phase.won.map_or_else(|| "-".to_owned(), |won| format!("{won:.digits$}"));
                let deducted =
                    if phase.deducted < 0.0 { format!(" {:.digits$}", phase.deducted) } else { String::new() };
                format!("{} {won}{deducted}", phase.phase)
            });
            let judged = breakdown.judged.iter().map(|(name, marks)| format!("{name} {marks:.digits$}"));
            let adjusted = breakdown.adjusted.iter().map(|(marks, why)| format!("{marks:+.digits$} ({why})"));
            let parts: Vec<String> = phases.chain(judged).chain(adjusted).collect();
            let note = if breakdown.note.is_empty() { String::new() } else { format!("  [{}]", breakdown.note) };
            let line =
                format!("{:<width$}  {:>8.digits$}  = {}{note}", breakdown.entry, breakdown.total, parts.join(", "));
            writeln!(out, "{}", agon_rules::inert(&line))?;
        }
        Ok(())
    }
}
