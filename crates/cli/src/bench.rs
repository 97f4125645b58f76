//! `agon bench`: a search of fixed positions. The same number of nodes means the same behaviour.

use std::{io, io::Write};

use agon_lab::{Start, bench};
use clap::Args;
use serde_json::{Map, json};

use crate::error::CliError;

/// Search fixed positions of every game; the node counts never vary unless the search does
#[derive(Args)]
pub(crate) struct Bench {
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    /// Only this game
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
}

impl Bench {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        let mut games = Map::new();
        for game in agon_all::GAMES {
            if self.game.as_ref().is_some_and(|only| only != game.name()) {
                continue;
            }
            let (variant, rules) = (game.variants()[0].to_owned(), game.rule_sets()[0]);
            let (nodes, time) = bench(&Start { game: game.name().to_owned(), variant, rules })?;
            let speed = nodes as f64 / time.as_secs_f64().max(1e-9);
            if !self.json {
                writeln!(out, "{:<12}{nodes:>12} nodes{:>12.0} nodes/s", game.name(), speed)?;
            }
            games.insert(game.name().to_owned(), json!({ "nodes": nodes, "nps": speed.round() }));
        }
        if let Some(unknown) = self.game.as_deref().filter(|_| games.is_empty()) {
            agon_all::find(unknown).map_err(CliError::input)?;
        }
        if self.json {
            writeln!(out, "{}", json!({ "games": games }))?;
        }
        Ok(())
    }
}
