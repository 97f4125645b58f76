//! `agon analyse`: what the engine thinks of a position, or of every turn of a game.

mod game;

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
    time::Duration,
};

use agon_analysis::{json, progress, report};
use agon_rules::AnyPosition;
use agon_runs::table::play_typed;
use agon_search::{AnyEngine, EngineOptions, Limits, Objective, Thought};
use clap::Args;

use crate::{error::CliError, setup::GameArgs};

/// What the engine thinks of a position, or of every turn of a recorded game
#[derive(Args)]
pub(crate) struct Analyse {
    #[command(flatten)]
    game: GameArgs,
    /// The position as text; the start position if absent
    #[arg(long, value_name = "P", conflicts_with = "record")]
    position: Option<String>,
    /// Turns to play from there, separated by ';'
    #[arg(long, value_name = "TURNS", conflicts_with = "record")]
    moves: Option<String>,
    /// Every turn of this record; its variant and rule set are the record's
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Which match, in a file with many records
    #[arg(long = "match", value_name = "N", requires = "record")]
    number: Option<usize>,
    /// So many of the best lines
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    lines: u16,
    /// Seconds for the position, or for each position of a record; 2 if neither --nodes nor --depth is given, 0.2 for a record
    #[arg(long, value_name = "T")]
    time: Option<f64>,
    /// Nodes for the position, or for each position of a record
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// How many moves deep at most
    #[arg(long, value_name = "D")]
    depth: Option<i32>,
    /// Look for the most points instead of the surest win
    #[arg(long)]
    points: bool,
    /// For a record: draw the curve of the chances into this file
    #[arg(long, value_name = "FILE", requires = "record")]
    svg: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Analyse {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        if let Some(time) = self.time.filter(|time| !(0.001..=1e6).contains(time)) {
            return Err(CliError::Input(format!("--time {time}: expected seconds, at least 0.001")));
        }
        match &self.record {
            Some(file) => game::run(self, file),
            None => self.one_position(),
        }
    }

    fn options(&self) -> EngineOptions {
        let objective = if self.points { Objective::Points } else { Objective::Win };
        EngineOptions { table_size: 64, objective, ..EngineOptions::default() }
    }

    fn limits(&self, usual: f64) -> Limits {
        let unlimited = self.nodes.is_none() && self.depth.is_none();
        let time = self.time.or(unlimited.then_some(usual)).map(Duration::from_secs_f64);
        Limits { nodes: self.nodes, depth: self.depth, hard: time, ..Limits::default() }
    }

    fn one_position(&self) -> Result<(), CliError> {
        let (mut position, mut engine) = (self.game.start()?, self.game.engine(self.options())?);
        if let Some(text) = &self.position {
            position.set_up(text).map_err(|e| CliError::Input(format!("position: {e}")))?;
        }
        let turns = match &self.moves {
            Some(text) => play_typed(&mut *position, text).map_err(CliError::input)?,
            None => Vec::new(),
        };
        engine.follow(position.start_text().as_deref(), &turns).map_err(CliError::input)?;
        let mut out = io::stdout().lock();
        let Some(thought) = self.watched(&mut *engine, &*position)? else {
            let over = position.outcome().map_or(String::new(), |outcome| format!(" ({})", outcome.reason));
            return Err(CliError::Failed(format!("there is nothing to analyse: the game is over{over}")));
        };
        if self.json {
            writeln!(out, "{}", json::thought(&thought, &*position))?;
        } else {
            write!(out, "{}", report(&thought, self.game.game()?, &*position))?;
        }
        Ok(())
    }

    /// Thinks, and shows each depth on a terminal as it is finished.
    fn watched(&self, engine: &mut dyn AnyEngine, position: &dyn AnyPosition) -> Result<Option<Thought>, CliError> {
        let show = !self.json && io::stderr().is_terminal();
        let game = self.game.game()?;
        let mut told = |thought: &Thought| {
            if show {
                // Whoever cannot see the progress can do without it.
                let _ = writeln!(io::stderr(), "{}", progress(thought, game, position));
            }
        };
        Ok(engine.think(self.lines.into(), &self.limits(2.0), &mut told))
    }
}
