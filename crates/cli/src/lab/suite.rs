//! Suites of forced wins: made once, kept in the tree, and solved to compare searches.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use agon_lab::{Attempt, Problem, WantedSuite};
use clap::Args;

use crate::error::CliError;

/// Make a suite of forced wins from played games, or solve one
#[derive(Args)]
pub(super) struct Suite {
    /// The game's short name: see `agon games`
    game: String,
    /// How many problems, over all variants and rule sets
    #[arg(long, default_value_t = 24)]
    count: usize,
    /// Where random choices begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write; stdout if absent
    #[arg(long, value_name = "FILE", conflicts_with = "solve")]
    out: Option<PathBuf>,
    /// Solve the suite in FILE, the game's own in the source tree if absent
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    solve: Option<Option<PathBuf>>,
    /// Changes to the parameters of the search that solves: see `agon lab parameters`
    #[arg(long, value_name = "CHANGES", default_value = "", requires = "solve")]
    parameters: String,
    /// Nodes that the search and the prover may spend on a problem
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    nodes: u64,
}

impl Suite {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let game = agon_all::find(&self.game).map_err(CliError::input)?;
        let Some(file) = &self.solve else { return self.make() };
        let usual = || ["games", game.name(), "wins.suite"].iter().collect();
        self.solve(&Problem::read_all(&file.clone().unwrap_or_else(usual))?)
    }

    fn make(&self) -> Result<(), CliError> {
        // Whoever makes a suite wants to know what the search does not see.
        let mut too_hard = |problem: &Problem, attempt: &Attempt| {
            let _ = writeln!(io::stderr(), "not taken: {problem}: {}", words(attempt));
        };
        let wanted = WantedSuite { game: self.game.clone(), count: self.count, seed: self.seed, nodes: self.nodes };
        let text = wanted.make(&mut too_hard)?;
        match &self.out {
            Some(file) => {
                fs::write(file, text).map_err(|e| CliError::Host(format!("cannot write {}: {e}", file.display())))
            }
            None => Ok(io::stdout().write_all(text.as_bytes())?),
        }
    }

    fn solve(&self, problems: &[Problem]) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        let count = |nodes: Option<u64>| nodes.map_or("-".to_owned(), |nodes| nodes.to_string());
        writeln!(
            out,
            "{:>4}  {:<10}{:<8}{:>6}{:>12}{:>7}{:>12}",
            "", "variant", "rules", "moves", "searched", "claim", "proven"
        )?;
        let mut attempts = Vec::new();
        for (number, problem) in problems.iter().enumerate() {
            let attempt = problem.attempt(&self.game, &self.parameters, self.nodes)?;
            let (variant, rules, distance) = (&problem.variant, problem.rules.name(), problem.distance);
            let claim = count(attempt.claim.map(u64::from));
            let (solved, proven) = (count(attempt.solved), count(attempt.proven));
            writeln!(out, "{:>4}  {variant:<10}{rules:<8}{distance:>6}{solved:>12}{claim:>7}{proven:>12}", number + 1)?;
            attempts.push(attempt);
        }
        // What is not solved has cost all that it may.
        let total = |nodes: fn(&Attempt) -> Option<u64>| {
            let solved = attempts.iter().filter(|attempt| nodes(attempt).is_some()).count();
            let spent: u64 = attempts.iter().map(|attempt| nodes(attempt).unwrap_or(self.nodes)).sum();
            format!("{solved} of {} ({spent} nodes)", attempts.len())
        };
        writeln!(out, "searched: {}; proven: {}", total(|attempt| attempt.solved), total(|attempt| attempt.proven))?;
        Ok(())
    }
}

fn words(attempt: &Attempt) -> String {
    let way = |found: Option<u64>, way: &str| if found.is_some() { String::new() } else { format!("not {way}") };
    let missing = [way(attempt.solved, "found by the search"), way(attempt.proven, "proven")];
    missing.iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join(", ")
}
