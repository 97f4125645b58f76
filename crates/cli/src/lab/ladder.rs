//! The ladder of the house bots, measured.

use std::{fs, path::PathBuf};

use agon_lab::{
    Effort, LabError,
    ladder::{self, Measure, Meeting},
};
use agon_rating::{Interval, Score};
use clap::Args;
use serde_json::json;

use super::{
    contest::{stopped_by_signals, threads},
    openings,
};
use crate::{error::CliError, progress::progress, setup::GameArgs};

/// Measure the ladder of the house bots, and draw it
///
/// Neighbours play pairs of games from balanced openings, each opening once from either side. The lower rungs are held back by
/// their skill; the effort is what the highest one has for a move.
#[derive(Args)]
pub(super) struct Ladder {
    #[command(flatten)]
    game: GameArgs,
    /// Pairs of games that each two play
    #[arg(long, default_value_t = 100)]
    pairs: usize,
    /// Pairs of games where the highest rung plays: its thinking takes almost all of the time; as many as the others if absent
    #[arg(long, value_name = "PAIRS")]
    master_pairs: Option<usize>,
    /// What the highest rung may spend on a move: nodes=N, depth=N or time=SECONDS (of its thread on a core); the time for which the
    /// game's levels were chosen if absent
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
    /// Keep finished pairs in files of this folder; the same command goes on where a stopped one was
    #[arg(long, value_name = "FOLDER")]
    log: Option<PathBuf>,
    /// Draw the ladder into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// End with a line of JSON
    #[arg(long)]
    json: bool,
}

impl Ladder {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let start = self.game.lab_start()?;
        let openings = openings::find(&start, self.openings.as_ref())?;
        let effort = match self.effort {
            Some(effort) => effort,
            None => start.ladder_effort().map_err(CliError::input)?,
        };
        let name = start.game.clone();
        println!("{name} {}, {} rules; the highest rung has {effort} for a move", start.variant, start.rules);
        let stop = stopped_by_signals()?;
        let bar = progress(!self.json);
        let watch = |(lower, higher): Meeting, done: usize, pairs: usize| {
            bar.set_message(format!("{higher}, {lower}: {done} of {pairs} pairs"));
        };
        let measure = Measure {
            start,
            effort,
            pairs: self.pairs,
            master_pairs: self.master_pairs.unwrap_or(self.pairs),
            openings,
            seed: self.seed,
            threads: threads(self.threads),
            log: self.log.clone(),
            watch: &watch,
            stop: &stop,
        };
        let scores = measure.run(|(lower, higher), score| {
            let share = score.fraction().map_or_else(String::new, |share| format!("{:5.1} %", 100.0 * share));
            let step = ladder::step(score);
            bar.suspend(|| println!("{higher:<11} against {lower:<9} {share:>8}  {step:<15} {score}"));
        })?;
        bar.finish_and_clear();
        let worth = ladder::worth(&scores).ok_or(LabError::NothingPlayed)?;
        self.report(&name, &scores, &worth)
    }

    fn report(&self, name: &str, scores: &[(Meeting, Score)], worth: &[Interval]) -> Result<(), CliError> {
        println!();
        for (rung, elo) in ladder::RUNGS.iter().zip(worth) {
            println!("{rung:<10} {:>6.0} ± {:.0}", elo.value, elo.error());
        }
        if let Some(file) = &self.svg {
            let title = format!("The house bots of {name}: Elo above level 1, with 95 % intervals");
            fs::write(file, ladder::picture(&title, worth))
                .map_err(|e| CliError::Host(format!("cannot write {}: {e}", file.display())))?;
        }
        if self.json {
            let meetings = scores.iter().map(|((lower, higher), score)| {
                json!({ "higher": higher, "lower": lower, "wins": score.wins, "draws": score.draws, "losses": score.losses })
            });
            let rungs = ladder::RUNGS
                .iter()
                .zip(worth)
                .map(|(rung, elo)| json!({ "bot": rung, "elo": elo.value, "error": elo.error() }));
            println!("{}", json!({ "meetings": meetings.collect::<Vec<_>>(), "rungs": rungs.collect::<Vec<_>>() }));
        }
        Ok(())
    }
}
