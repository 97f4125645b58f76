//! Contests between two searches.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use agon_lab::{Contender, Contest, Effort, Progress, Setting};
use agon_rating::{Model, Sprt};
use clap::Args;

use super::openings;
use crate::{error::CliError, progress::progress, setup::GameArgs};

/// What every contest needs.
#[derive(Args)]
pub(super) struct Common {
    #[command(flatten)]
    game: GameArgs,
    /// base, mcts, random, alphabetaN, a house bot (novice, level4, ...), or changes to parameters and weights: quiescence=0,reductions=0 (see `agon lab
    /// parameters` and `agon lab weights`)
    first: String,
    /// The other one, named in the same way
    second: String,
    /// What each may spend on a move: nodes=N, depth=N or time=SECONDS (of its thread on a core)
    #[arg(long, value_name = "EFFORT", default_value = "nodes=5000")]
    effort: Effort,
    /// Openings, one a line; those of `agon lab openings` if absent
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Where random choices begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once; all cores if absent
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Keep finished pairs in this file; the same command goes on where a stopped one was
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// End with a line of JSON
    #[arg(long)]
    json: bool,
}

/// Play pairs of games between two searches and say what the difference is worth
#[derive(Args)]
pub(super) struct Match {
    #[command(flatten)]
    common: Common,
    /// So many pairs
    #[arg(long, default_value_t = 200)]
    pairs: usize,
}

impl Match {
    pub(super) fn run(&self) -> Result<(), CliError> {
        self.common.run(self.pairs, None)
    }
}

/// Play until a sequential test is decided
#[derive(Args)]
pub(super) struct Test {
    #[command(flatten)]
    common: Common,
    /// The difference in normalised Elo that would be nothing
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// The difference that would be something
    #[arg(long, default_value_t = 10.0, allow_negative_numbers = true)]
    elo1: f64,
    /// At most so many pairs
    #[arg(long, default_value_t = 20_000)]
    pairs: usize,
}

impl Test {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let sprt = Sprt::new(Model::Normalised, self.elo0, self.elo1, 0.05, 0.05).map_err(CliError::input)?;
        self.common.run(self.pairs, Some(sprt))
    }
}

impl Common {
    fn run(&self, pairs: usize, sprt: Option<Sprt>) -> Result<(), CliError> {
        let start = self.game.lab_start()?;
        let read = |text: &str| text.parse::<Contender>().map_err(CliError::input);
        let setting = Setting {
            game: start.game.clone(),
            variant: start.variant.clone(),
            rules: start.rules,
            contenders: [read(&self.first)?, read(&self.second)?],
            effort: self.effort,
            pairs,
            sprt,
            seed: self.seed,
            threads: threads(self.threads),
        };
        let openings = openings::find(&start, self.openings.as_ref())?;
        let stop = stopped_by_signals()?;
        let bar = progress(!self.json);
        let watch = |progress: &Progress| bar.set_message(progress.line(pairs, sprt.as_ref()));
        let log = self.log.as_deref().map(Path::new);
        let contest = Contest { setting, openings, log, watch: &watch, stop: &stop };
        let progress = start.search(contest).map_err(CliError::input)?.map_err(CliError::input)?;
        bar.finish_and_clear();
        self.report(&progress, sprt)
    }

    fn report(&self, progress: &Progress, sprt: Option<Sprt>) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        write!(out, "{}", progress.report(sprt.as_ref()))?;
        if self.json {
            writeln!(out, "{}", progress.json(sprt.as_ref()))?;
        }
        Ok(())
    }
}

/// Games at once: all cores if nobody says otherwise.
pub(super) fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Ctrl-C ends a contest after the pairs that are being played.
pub(super) fn stopped_by_signals() -> Result<Arc<AtomicBool>, CliError> {
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    ctrlc::set_handler(move || told.store(true, Ordering::Relaxed))
        .map_err(|e| CliError::Host(format!("cannot listen to signals: {e}")))?;
    Ok(stop)
}
