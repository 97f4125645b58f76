//! How much of a tournament is luck.

use std::{io::Write, path::PathBuf, time::Duration};

use agon_rules::quote;
use agon_tournament::{
    Plan, Secret, SimulateOptions, Simulation, StoredTournament, Team, assumed_strengths, measured_plan,
    measured_strengths, simulate,
};
use clap::Args;
use serde_json::{Value, json};

use super::{Database, create::read_format};
use crate::error::CliError;

/// Elo by which teams differ of which nothing is known.
const USUAL_SPREAD: f64 = 200.0;

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
    #[arg(long, value_name = "ELO", value_parser = number)]
    spread: Option<f64>,
    /// The earlier phase seeds teams by strength, with errors of this many Elo; without it the seeds say nothing
    #[arg(long, value_name = "ELO", value_parser = number)]
    seed_error: Option<f64>,
    /// How often it is played
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    runs: u32,
    /// Where random choices begin
    #[arg(long, default_value_t = 1, allow_negative_numbers = true, value_parser = crate::input::whole_number)]
    seed: u64,
    /// What the first move is worth, in Elo
    #[arg(long, value_name = "ELO", default_value = "30", value_parser = number, allow_negative_numbers = true)]
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

/// A finite number.
fn number(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok().filter(|number: &f64| number.abs() <= 1e6);
    number.ok_or_else(|| format!("expected a number, found {}", quote(text)))
}

impl Simulate {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let (plan, strengths, measured) = self.subject()?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let options = SimulateOptions {
            runs: self.runs as usize,
            seed: self.seed,
            first_move: self.first_move,
            draws: f64::from(self.draws) / 100.0,
            house: strengths.iter().sum::<f64>() / strengths.len().max(1) as f64,
            matches: self.matches.clone(),
            slots: self.concurrency.map_or(cores, usize::from),
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
            true => writeln!(out, "{}", json_of(&simulation))?,
            false => write!(out, "{}", agon_rules::inert_lines(&simulation.table()))?,
        }
        Ok(())
    }

    /// What is played, by whom, and how long a match took if that is known.
    fn subject(&self) -> Result<(Plan, Vec<f64>, Option<Duration>), CliError> {
        // What was played is more than what a format says, and a tournament often has the name of its preset.
        let held = match (self.database.look(&self.which), read_format(&self.which)) {
            (Ok(held), Err(_)) => held,
            (Ok(held), Ok(_)) => {
                let (name, db) = (quote(&held.name), self.database.path()?);
                let _ = writeln!(
                    std::io::stderr(),
                    "agon: {name} is the tournament in {}, not the format of that name",
                    db.display()
                );
                held
            }
            (Err(_), Ok((written, _))) => return self.assumed(written),
            (Err(error), Err(unknown)) => return Err(unknown.after(error)),
        };
        let took = mean_duration(&held);
        let strengths = match (&self.strengths, self.spread) {
            (Some(_), _) => self.by_name(&held.plan)?,
            (None, None) if !held.results.is_empty() => {
                let state = held.state();
                return Ok((measured_plan(&held.plan, &state), measured_strengths(&held.plan, &state), took));
            }
            (None, spread) => assumed_strengths(held.plan.teams.len(), spread.unwrap_or(USUAL_SPREAD), self.seed),
        };
        Ok((held.plan, strengths, took))
    }

    fn assumed(&self, mut written: agon_tournament::Written) -> Result<(Plan, Vec<f64>, Option<Duration>), CliError> {
        let named = match &self.strengths {
            Some(_) => self.table()?,
            None => {
                let strengths =
                    assumed_strengths(usize::from(self.teams), self.spread.unwrap_or(USUAL_SPREAD), self.seed);
                strengths.into_iter().enumerate().map(|(i, elo)| (format!("team {}", i + 1), elo)).collect()
            }
        };
        let errors = assumed_strengths(named.len(), self.seed_error.unwrap_or(0.0), self.seed.wrapping_add(1));
        let score = |strength: f64, error: f64| self.seed_error.map(|_| strength + error);
        let teams = named.iter().zip(errors).map(|((name, strength), error)| Team {
            name: name.clone(),
            bot: String::new(),
            hash: String::new(),
            language: "other".to_owned(),
            score: score(*strength, error),
            house: None,
            broken: None,
            more: Vec::new(),
        });
        if !self.as_announced {
            written.fit(named.len());
        }
        let format = written.format;
        let plan = Plan { format, teams: teams.collect(), seed: self.seed, secret: Secret(String::new()) };
        Ok((plan, named.into_iter().map(|(_, strength)| strength).collect(), None))
    }

    /// The strengths of a tournament's teams by the table.
    fn by_name(&self, plan: &Plan) -> Result<Vec<f64>, CliError> {
        let table = self.table()?;
        let of = |team: &Team| table.iter().find(|(name, _)| *name == team.name).map(|(_, strength)| *strength);
        let missing = |team: &Team| CliError::Input(format!("strengths: {} is not in the table", quote(&team.name)));
        plan.teams.iter().map(|team| of(team).ok_or_else(|| missing(team))).collect()
    }

    /// The table of strengths.
    fn table(&self) -> Result<Vec<(String, f64)>, CliError> {
        let Some(path) = &self.strengths else { return Ok(Vec::new()) };
        let about = |problem: String| CliError::Input(format!("strengths {}: {problem}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|e| about(e.to_string()))?;
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        if lines.next().map(|(_, head)| head.replace(' ', "")) != Some("team,strength".to_owned()) {
            return Err(about("line 1: expected the columns team and strength: team,strength".to_owned()));
        }
        let teams: Vec<(String, f64)> = lines
            .map(|(index, line)| {
                let read = line
                    .rsplit_once(',')
                    .and_then(|(team, strength)| Some((team.trim(), number(strength.trim()).ok()?)));
                let (team, strength) = read.filter(|(team, _)| !team.is_empty()).ok_or_else(|| {
                    about(format!("line {}: expected a team and a number, found {}", index + 1, quote(line)))
                })?;
                Ok((team.to_owned(), strength))
            })
            .collect::<Result<_, CliError>>()?;
        if teams.is_empty() { Err(about("expected at least one team".to_owned())) } else { Ok(teams) }
    }
}

fn mean_duration(held: &StoredTournament) -> Option<Duration> {
    let took = held.briefs.iter().map(|brief| brief.duration_ms.max(0) as u64);
    let matches = held.briefs.len() as u64;
    (matches > 0).then(|| Duration::from_millis(took.sum::<u64>() / matches))
}

fn json_of(simulation: &Simulation) -> Value {
    let teams = simulation.teams.iter().map(|team| {
        json!({
            "team": team.name, "strength": team.strength, "first": team.wins, "first_two": team.final_,
            "first_four": team.semi_final, "last_stage": team.last_stage, "place": team.place, "marks": team.marks,
        })
    });
    let luck = simulation.luck.iter().map(|luck| {
        json!({
            "matches": luck.matches,
            "best_is_first": [luck.wins.low, luck.wins.value, luck.wins.high],
            "best_in_first_four": [luck.semi_final.low, luck.semi_final.value, luck.semi_final.high],
            "pairs_in_order": luck.in_order,
            "likely_hours": luck.likely.map(|time| time.as_secs_f64() / 3600.0),
        })
    });
    json!({
        "title": simulation.title, "runs": simulation.runs, "matches": simulation.matches,
        "teams": teams.collect::<Vec<_>>(), "luck": luck.collect::<Vec<_>>(),
    })
}
