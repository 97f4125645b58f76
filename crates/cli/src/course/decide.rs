//! What the organiser decides; every decision is kept with its reason.

use std::{io::Write, path::PathBuf};

use agon_course::{Decision, Penalty, PenaltyWord, decide, judge_table};
use clap::Args;

use super::Folder;
use crate::error::CliError;

fn enter(folder: &Folder, decision: Decision) -> Result<(), CliError> {
    let said = decide(&mut folder.open()?, decision)?;
    writeln!(std::io::stdout(), "{}", agon_rules::inert(&said))?;
    Ok(())
}

/// Let another version of a team's submissions count
#[derive(Args)]
pub(super) struct Activate {
    /// The team, or the entry number of a member
    team: String,
    /// The version
    version: u32,
    #[command(flatten)]
    folder: Folder,
}

impl Activate {
    pub(super) fn run(&self) -> Result<(), CliError> {
        enter(&self.folder, Decision::Activate { team: self.team.clone(), version: self.version })
    }
}

/// Decide what a finding costs: zero, a share such as 0.1, or waived
#[derive(Args)]
pub(super) struct Settle {
    /// The team, or the entry number of a member
    team: String,
    /// The finding's rule: see `agon course status`
    rule: String,
    /// `zero`, `waived`, or a share of the marks from 0 to 1
    #[arg(value_parser = penalty)]
    penalty: Penalty,
    /// Why; kept, and told to the team
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Which version of the team's submissions; the one that counts if absent. An earlier phase may have been played with another
    #[arg(long, value_name = "N")]
    version: Option<u32>,
    #[command(flatten)]
    folder: Folder,
}

fn penalty(text: &str) -> Result<Penalty, String> {
    match text {
        "zero" => Ok(Penalty::Word(PenaltyWord::Zero)),
        "waived" => Ok(Penalty::NONE),
        _ => text
            .parse()
            .ok()
            .filter(|share: &f64| (0.0..=1.0).contains(share))
            .map(Penalty::Share)
            .ok_or_else(|| "expected zero, waived, or a share from 0 to 1 such as 0.1".to_owned()),
    }
}

impl Settle {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let (team, rule, why) = (self.team.clone(), self.rule.clone(), self.reason.clone());
        enter(&self.folder, Decision::Settle { team, version: self.version, rule, penalty: self.penalty, why })
    }
}

/// Enter judges' marks: one, or a table with the columns team and the names of what is judged
#[derive(Args)]
pub(super) struct Judge {
    /// What is judged: a name of the course's [[judged]]
    #[arg(required_unless_present = "csv", requires = "team", conflicts_with = "csv")]
    name: Option<String>,
    /// The team, or the entry number of a member
    #[arg(requires = "marks")]
    team: Option<String>,
    /// The marks
    marks: Option<f64>,
    /// A table with the columns team and the names of what is judged
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    folder: Folder,
}

impl Judge {
    pub(super) fn run(&self) -> Result<(), CliError> {
        if let Some(file) = &self.csv {
            let entered = judge_table(&mut self.folder.open()?, file)?;
            writeln!(std::io::stdout(), "{entered} marks were entered.")?;
            return Ok(());
        }
        let (Some(name), Some(team), Some(marks)) = (self.name.clone(), self.team.clone(), self.marks) else {
            return Err(CliError::Input("expected what is judged, a team and marks, or --csv FILE".to_owned()));
        };
        enter(&self.folder, Decision::Judge { name, team, marks })
    }
}

/// Add to or take from a student's marks, with the reason
#[derive(Args)]
pub(super) struct Adjust {
    /// The student's entry number
    entry: String,
    /// How many marks; with a minus they are taken
    #[arg(allow_negative_numbers = true)]
    marks: f64,
    /// Why; kept, and told to the student
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    folder: Folder,
}

impl Adjust {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let (entry, why) = (self.entry.clone(), self.reason.clone());
        enter(&self.folder, Decision::Adjust { entry, marks: self.marks, why })
    }
}
