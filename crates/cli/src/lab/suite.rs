//! Suites of forced wins: made once, kept in the tree, and solved to compare searches.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use agon_lab::{Attempt, MakeProblems, Problem, Try};
use agon_rules::keys::mix;
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
        let Some(file) = &self.solve else { return self.make(game.variants(), game.rule_sets()) };
        let usual = || ["games", game.name(), "wins.suite"].iter().collect();
        let file = file.clone().unwrap_or_else(usual);
        let text = fs::read_to_string(&file).map_err(|e| {
            let hint = "name a suite, or run this at the root of the source tree";
            CliError::Input(format!("cannot read {}: {e}; {hint}", file.display()))
        })?;
        let problems = Problem::parse_all(&text).map_err(|e| CliError::Input(format!("{}, {e}", file.display())))?;
        self.solve(&problems)
    }

    fn make(&self, variants: &[&str], rule_sets: &[agon_rules::RuleSet]) -> Result<(), CliError> {
        let each: Vec<_> =
            variants.iter().flat_map(|&variant| rule_sets.iter().map(move |&rules| (variant, rules))).collect();
        let mut suite = Vec::new();
        for (number, &(variant, rules)) in each.iter().enumerate() {
            // The first ones get one more where the count cannot be shared out evenly.
            let count = (self.count + each.len() - 1 - number) / each.len();
            let seed = mix(self.seed ^ mix(number as u64));
            // Whoever makes a suite wants to know what the search does not see.
            let mut too_hard = |problem: &Problem, attempt: &Attempt| {
                let _ = writeln!(io::stderr(), "not taken: {problem}: {}", words(attempt));
            };
            let most_nodes = self.nodes;
            let make =
                MakeProblems { variant, rules, seed, count, most_nodes, suite: &mut suite, too_hard: &mut too_hard };
            agon_all::start_search(&self.game, variant, rules, make)
                .map_err(CliError::input)?
                .map_err(CliError::Input)?;
        }
        let text = self.head() + &suite.iter().map(|problem| format!("{problem}\n")).collect::<String>();
        match &self.out {
            Some(file) => {
                fs::write(file, text).map_err(|e| CliError::Host(format!("cannot write {}: {e}", file.display())))
            }
            None => Ok(io::stdout().write_all(text.as_bytes())?),
        }
    }

    fn head(&self) -> String {
        let (game, count, seed, nodes) = (&self.game, self.count, self.seed, self.nodes);
        format!(
            "# Forced wins of the side to move: variant | rule set | moves of both sides until the win | position\n\
             # Positions of games that the engine played against itself with few nodes and some random moves, no two of one game. A search\n\
             # that looks at everything has found the distances; few first moves win as quickly. Nothing was played before.\n\
             # Made by: agon lab suite {game} --count {count} --seed {seed} --nodes {nodes} (another engine plays other games, and so makes another suite)\n"
        )
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
            let ask = Try { position: &problem.position, parameters: &self.parameters, most_nodes: self.nodes };
            let attempt = agon_all::start_search(&self.game, &problem.variant, problem.rules, ask)
                .map_err(CliError::input)?
                .map_err(CliError::Input)?;
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
