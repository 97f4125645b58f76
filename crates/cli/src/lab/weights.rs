//! The weights of evaluations: listed, and fitted to self-play.

use std::io::{self, Write};

use agon_lab::{Fit, Games, Harvest, Losses, SelfPlay, Start};
use clap::Args;

use crate::{error::CliError, progress::progress, setup::GameArgs};

/// List the weights of a game's evaluation
#[derive(Args)]
pub(super) struct ListWeights {
    #[command(flatten)]
    game: GameArgs,
}

impl ListWeights {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        for weight in self.game.lab_start()?.weights().map_err(CliError::input)? {
            writeln!(out, "{:<26}{:>6}  {}", weight.name, weight.value, weight.meaning)?;
        }
        Ok(())
    }
}

/// Plays, fits and says what came of it. What was played before a Ctrl-C is enough.
pub(super) fn fit(start: &Start, play: SelfPlay<'_>) -> Result<(), CliError> {
    let (bar, count) = (progress(true), play.games);
    let watch = |games: &Games| bar.set_message(format!("{} of {count} games", games.len()));
    let play = SelfPlay { watch: &watch, ..play };
    let played = start.search(play).map_err(CliError::input)?;
    bar.finish_and_clear();
    let Harvest { weights, unit, games } = played.map_err(CliError::input)?;
    let fit = agon_lab::fit(&weights, unit, &games).map_err(CliError::input)?;
    Ok(report(&fit, unit)?)
}

fn report(fit: &Fit, unit: i32) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{} games: {} quiet positions from {} of them", fit.games, fit.positions, fit.used)?;
    writeln!(out, "{:<22}{:>7}{:>7}{:>9}{:>9}  meaning", "weight", "old", "new", "±", "seen")?;
    for fitted in &fit.weights {
        let weight = fitted.weight;
        let remark = if fitted.seen == 0 { " (never seen: left as it is)" } else { "" };
        let (name, old, new, error, seen) = (weight.name, weight.value, fitted.value, fitted.error, fitted.seen);
        writeln!(out, "{name:<22}{old:>7}{new:>7}{error:>9.1}{seen:>9}  {}{remark}", weight.meaning)?;
    }
    let [learnt, held_out] = [&fit.learnt, &fit.held_out];
    writeln!(out, "loss where learnt: {:.5} before, {:.5} after", learnt.before, learnt.after)?;
    let change = held_out.after - held_out.before;
    let Losses { before, after } = held_out;
    writeln!(out, "loss where held out: {before:.5} before, {after:.5} after: {change:+.5} ± {:.5}", fit.error)?;
    let [before, after] = fit.unit_chance.map(|chance| 100.0 * chance);
    writeln!(out, "a score of {unit} stands for {before:.1} % of the points before, {after:.1} % after")
}
