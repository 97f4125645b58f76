//! How much of a tournament is luck.

use std::{io::Write, path::PathBuf};

use agon_rules::quote;
use agon_tournament::{SimulateOptions, Subject, SubjectOptions, finite_number, simulate};
use clap::Args;

use super::{Database, slots};
use crate::error::CliError;

/// How much of a tournament is luck: play it many times with results drawn from strengths
#[derive(Args)]
pub(crate) struct Simulate {
    /// A tournament that was set up, whose ratings are the strengths if it has been played; or a preset; or a file with a format
    #[arg(value_name = "NAME|PRESET|FILE")]
    which: String,
    /// How many teams, for a preset or a format
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=2000))]
    teams: u16,
    /// Keep the number of groups that the format announces, however few teams there are
    #[arg(long)]
    as_announced: bool,
    /// Strengths in Elo: a table with the columns team and strength, instead of assumed ones
    #[arg(long, value_name = "CSV", conflicts_with_all = ["teams", "spread"])]
    strengths: Option<PathBuf>,
    /// Assume strengths that differ by this many Elo (the standard deviation); 200 if nothing is known
    #[arg(long, value_name = "ELO", value_parser = finite_number)]
    spread: Option<f64>,
    /// The earlier phase seeds teams by strength, with errors of this many Elo; without it the seeds say nothing
    #[arg(long, value_name = "ELO", value_parser = finite_number)]
    seed_error: Option<f64>,
    /// How often it is played
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    runs: u32,
    /// Where random choices begin
    #[arg(long, default_value_t = 1, allow_negative_numbers = true, value_parser = crate::input::whole_number)]
    seed: u64,
    /// What the first move is worth, in Elo
    #[arg(long, value_name = "ELO", default_value = "30", value_parser = finite_number, allow_negative_numbers = true)]
    first_move: f64,
    /// How often equals draw, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 10, value_parser = clap::value_parser!(u8).range(0..=99))]
    draws: u8,
    /// Numbers of matches in a battle to compare
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', default_value = "1,2,4,8", value_parser = clap::value_parser!(u32).range(1..=100))]
    matches: Vec<u32>,
    /// Matches at once, for the hours; as many as there are cores if absent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Draw the chance that the best team wins against the matches in a battle
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

impl Simulate {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let Subject { plan, strengths, measured, is_also_a_format } = Subject::find(&self.subject())?;
        if is_also_a_format {
            let (name, place) = (quote(&self.which), self.database.place());
            let db = place.path()?.display();
            let _ = writeln!(std::io::stderr(), "agon: {name} is the tournament in {db}, not the format of that name");
        }
        let options = SimulateOptions {
            runs: self.runs as usize,
            seed: self.seed,
            first_move: self.first_move,
            draws: f64::from(self.draws) / 100.0,
            house: strengths.iter().sum::<f64>() / strengths.len().max(1) as f64,
            matches: self.matches.clone(),
            slots: slots(self.concurrency),
            measured,
            ..SimulateOptions::default()
        };
        let simulation = simulate(&plan, &strengths, &options);
        if let Some(path) = &self.svg {
            let failed = |e: std::io::Error| CliError::Host(format!("cannot write {}: {e}", path.display()));
            std::fs::write(path, simulation.plot()).map_err(failed)?;
        }
        let mut out = std::io::stdout().lock();
        match self.json {
            true => writeln!(out, "{}", simulation.json())?,
            false => write!(out, "{}", agon_rules::inert_lines(&simulation.table()))?,
        }
        Ok(())
    }

    fn subject(&self) -> SubjectOptions {
        SubjectOptions {
            which: self.which.clone(),
            database: self.database.place(),
            teams: self.teams.into(),
            as_announced: self.as_announced,
            strengths: self.strengths.clone(),
            spread: self.spread,
            seed_error: self.seed_error,
            seed: self.seed,
        }
    }
}
