//! Tuning parameters by self-play. Weights of evaluations are fitted next door.

use std::{path::PathBuf, sync::atomic::Ordering};

use agon_lab::{Contender, Contest, Effort, SelfPlay, Setting, Spsa};
use agon_rules::quote;
use agon_search::{Parameter, Parameters, SearchVisitor, Searchable, Weight};
use clap::Args;

use super::{contest::stopped_by_signals, openings, weights};
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

/// The game's own parameters and weights.
struct Own;

impl SearchVisitor for Own {
    type Output = (Parameters, Vec<Weight>);

    fn visit<P: Searchable>(self, start: P) -> Self::Output {
        (P::parameters(), start.weights())
    }
}

impl Tune {
    pub(super) fn run(&self) -> Result<(), CliError> {
        match &self.parameters {
            Some(parameters) => self.tune(parameters),
            None => self.fit(),
        }
    }

    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    fn fit(&self) -> Result<(), CliError> {
        let (game, variant, rules) = self.game.names()?;
        let openings = openings::find(&game, &variant, rules, self.openings.as_ref())?;
        let stop = stopped_by_signals()?;
        weights::fit(SelfPlay {
            game,
            variant,
            rules,
            effort: self.effort.unwrap_or(Effort::Nodes(1000)),
            games: self.games,
            seed: self.seed,
            threads: self.threads(),
            openings,
            data: self.data.as_deref(),
            watch: &|_| {},
            stop: &stop,
        })
    }

    fn tune(&self, parameters: &str) -> Result<(), CliError> {
        let (name, variant, rules) = self.game.names()?;
        let openings = openings::find(&name, &variant, rules, self.openings.as_ref())?;
        let own = agon_all::start_search(&name, &variant, rules, Own).map_err(CliError::input)?;
        let (known, values) = chosen(parameters, &own.0, &own.1)?;
        let mut spsa = Spsa::new(known, &values, self.steps, self.rate, self.seed);
        let stop = stopped_by_signals()?;
        let mut number = 0;
        while !spsa.is_finished() && !stop.load(Ordering::Relaxed) {
            let step = spsa.next_step();
            let read = |text: &str| text.parse::<Contender>().map_err(CliError::Input);
            let setting = Setting {
                game: name.clone(),
                variant: variant.clone(),
                rules,
                contenders: [read(&step.plus)?, read(&step.minus)?],
                effort: self.effort.unwrap_or(Effort::Nodes(2000)),
                pairs: self.pairs,
                sprt: None,
                // Each step has openings of its own.
                seed: self.seed.wrapping_add(number),
                threads: self.threads(),
            };
            let shift = number as usize * self.pairs;
            let lines: Vec<&str> = openings.lines().filter(|line| !line.trim().is_empty()).collect();
            let mine: Vec<&str> = (0..self.pairs).map(|pair| lines[(shift + pair) % lines.len()]).collect();
            let contest = Contest { setting, openings: mine.join("\n"), log: None, watch: &|_| {}, stop: &stop };
            let played = agon_all::start_search(&name, &variant, rules, contest).map_err(CliError::input)?;
            let progress = played.map_err(CliError::Input)?;
            let fraction = progress.score().fraction().unwrap_or(0.5);
            spsa.learn(&step, 2.0 * fraction - 1.0);
            number += 1;
            if number.is_multiple_of(10) {
                println!("step {number}: {}", words(&spsa));
            }
        }
        println!("{}", words(&spsa));
        Ok(())
    }
}

/// What is known of the named parameters and weights, and the game's values of them.
fn chosen(names: &str, own: &Parameters, weights: &[Weight]) -> Result<(Vec<Parameter>, Vec<i32>), CliError> {
    let searched = Parameters::LIST.iter().copied().zip(own.values());
    let judged = weights.iter().map(|weight| (Spsa::weight(weight), weight.value));
    let all: Vec<(Parameter, i32)> = searched.chain(judged.clone()).collect();
    let mut chosen = Vec::new();
    for name in names.split(',').map(str::trim) {
        match all.iter().find(|(known, _)| known.name == name) {
            Some(&found) => chosen.push(found),
            None if name == "weights" => chosen.extend(judged.clone()),
            None => {
                return Err(CliError::Input(format!(
                    "unknown parameter or weight {}: `agon lab parameters` and `agon lab weights GAME` list them",
                    quote(name)
                )));
            }
        }
    }
    Ok(chosen.into_iter().unzip())
}

fn words(spsa: &Spsa) -> String {
    let values: Vec<String> = spsa.values().iter().map(|(name, value)| format!("{name}={value}")).collect();
    values.join(",")
}
