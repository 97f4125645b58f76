//! Tuning parameters by self-play. Weights of evaluations are fitted next door.

use std::path::PathBuf;

use agon_lab::{Effort, SelfPlay, Spsa, Start, Tuning};
use clap::Args;

use super::{
    contest::{stopped_by_signals, threads},
    openings, weights,
};
use crate::{error::CliError, setup::GameArgs};

/// Tune parameters by self-play, or fit the weights of an evaluation to it
#[derive(Args)]
pub(super) struct Tune {
    #[command(flatten)]
    game: GameArgs,
    /// Parameters and weights, separated by commas (see `agon lab parameters` and `agon lab weights`); `weights` for all weights
    #[arg(required_unless_present = "weights", conflicts_with = "weights")]
    parameters: Option<String>,
    /// Fit the weights of the evaluation to the results of self-play: see `agon lab weights`
    #[arg(long)]
    weights: bool,
    /// How many steps; early ones are longer
    #[arg(long, default_value_t = 500, conflicts_with = "weights")]
    steps: u32,
    /// Pairs of games in each step
    #[arg(long, default_value_t = 8, conflicts_with = "weights")]
    pairs: usize,
    /// How fast values follow the results, as a multiple of the usual; weights want less, about 0.2
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = rate, conflicts_with = "weights")]
    rate: f64,
    /// Games to fit the weights to
    #[arg(long, value_name = "N", default_value_t = 2000, conflicts_with = "parameters")]
    games: usize,
    /// Keep what was counted in each game in this file; the same command goes on where a stopped one was
    #[arg(long, value_name = "FILE", conflicts_with = "parameters")]
    data: Option<PathBuf>,
    /// What each side may spend on a move; nodes=2000 if absent, nodes=1000 with --weights
    #[arg(long, value_name = "EFFORT")]
    effort: Option<Effort>,
    /// Openings, one a line; those of `agon lab openings` if absent
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Where random choices begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once; all cores if absent
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

fn rate(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|rate| (0.001..=100.0).contains(rate));
    number.ok_or_else(|| "expected a number from 0.001 to 100".to_owned())
}

impl Tune {
    pub(super) fn run(&self) -> Result<(), CliError> {
        match &self.parameters {
            Some(parameters) => self.tune(parameters),
            None => self.fit(),
        }
    }

    fn fit(&self) -> Result<(), CliError> {
        let start = self.game.lab_start()?;
        let openings = openings::find(&start, self.openings.as_ref())?;
        let stop = stopped_by_signals()?;
        let Start { game, variant, rules } = start.clone();
        let play = SelfPlay {
            game,
            variant,
            rules,
            effort: self.effort.unwrap_or(Effort::Nodes(1000)),
            games: self.games,
            seed: self.seed,
            threads: threads(self.threads),
            openings,
            data: self.data.as_deref(),
            watch: &|_| {},
            stop: &stop,
        };
        weights::fit(&start, play)
    }

    fn tune(&self, parameters: &str) -> Result<(), CliError> {
        let start = self.game.lab_start()?;
        let openings = openings::find(&start, self.openings.as_ref())?;
        let stop = stopped_by_signals()?;
        let tuning = Tuning {
            start,
            parameters,
            steps: self.steps,
            pairs: self.pairs,
            rate: self.rate,
            effort: self.effort.unwrap_or(Effort::Nodes(2000)),
            openings,
            seed: self.seed,
            threads: threads(self.threads),
            stop: &stop,
        };
        let tuned = tuning.run(|number, spsa| {
            if number.is_multiple_of(10) {
                println!("step {number}: {}", words(spsa));
            }
        })?;
        println!("{}", words(&tuned));
        Ok(())
    }
}

fn words(spsa: &Spsa) -> String {
    let values: Vec<String> = spsa.values().iter().map(|(name, value)| format!("{name}={value}")).collect();
    values.join(",")
}
