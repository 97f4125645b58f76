//! Every turn of a recorded game.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use agon_analysis::{Judged, ReviewError, curve, json, review};
use agon_referee::Record;
use agon_rules::AnyGame;
use agon_runs::one_record;

use super::Analyse;
use crate::{describe, error::CliError};

pub(super) fn run(command: &Analyse, file: &Path) -> Result<(), CliError> {
    let text = fs::read_to_string(file).map_err(|e| CliError::Input(format!("cannot read {}: {e}", file.display())))?;
    let wrong = |problem: &dyn std::fmt::Display| CliError::Input(format!("{}: {problem}", file.display()));
    let text = one_record(&text, command.number).map_err(|e| wrong(&e))?;
    let record = Record::parse(&text).map_err(|e| wrong(&e))?;
    let (game, _) = record.start(agon_all::rules).map_err(|e| wrong(&e))?;
    if game.name() != command.game.game()?.name() {
        return Err(wrong(&format!("this is a game of {}", game.name())));
    }
    let judged = review(&record, command.options(), &command.limits(0.2)).map_err(|error| match error {
        ReviewError::Record(error) => wrong(&error),
        other => CliError::input(other),
    })?;
    if let Some(svg) = &command.svg {
        fs::write(svg, curve(&judged, game))
            .map_err(|e| CliError::Host(format!("cannot write {}: {e}", svg.display())))?;
    }
    print(command, game, &judged)
}

fn print(command: &Analyse, game: &dyn AnyGame, judged: &[Judged]) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    if command.json {
        writeln!(out, "{}", json::judged(game, judged))?;
        return Ok(());
    }
    let widest = judged.iter().map(|row| row.turn.chars().count()).max().unwrap_or(4).clamp(4, 40);
    for (number, row) in judged.iter().enumerate() {
        let side = game.sides()[row.mover.index()];
        let better = if row.mark().is_empty() { String::new() } else { format!("  {}: {}", row.mark(), row.best) };
        let line = format!("{:>4}. {side:<8} {:<widest$}  {:<24}{better}", number + 1, row.turn, row.verdict);
        writeln!(out, "{}", describe::clean(line.trim_end()))?;
    }
    Ok(())
}
