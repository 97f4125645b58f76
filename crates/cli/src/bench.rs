//! `agon bench`: a search of fixed positions. The same number of nodes means the same behaviour.

use std::{io, io::Write, time::Duration};

use agon_rules::{Random, RuleSet};
use agon_search::{EngineOptions, Limits};
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

/// Positions from random games after so many turns of both sides.
const AFTER_TURNS: [usize; 5] = [0, 6, 14, 24, 40];
/// How deep each is searched: a depth, not a number of nodes, or the count would say nothing.
const DEPTH: i32 = 7;
/// Where a game branches so widely that the depth would take too long.
const MOST_NODES: u64 = 400_000;

impl Bench {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        let mut games = Map::new();
        for game in agon_all::GAMES {
            if self.game.as_ref().is_some_and(|only| only != game.name()) {
                continue;
            }
            let (nodes, time) = search(game.name(), game.variants()[0], game.rule_sets()[0])?;
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

fn search(game: &str, variant: &str, rules: RuleSet) -> Result<(u64, Duration), CliError> {
    let mut engine = agon_all::find(game)
        .and_then(|game| game.engine(variant, rules, EngineOptions::default()))
        .map_err(CliError::input)?;
    let start = agon_all::find(game).and_then(|game| game.open(variant, rules)).map_err(CliError::input)?;
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (seed, &count) in AFTER_TURNS.iter().enumerate() {
        let mut position = start.boxed();
        let mut random = Random::new(seed as u64);
        let mut turns = Vec::new();
        while turns.len() < count {
            let Some(turn) = position.random_turn(&mut random) else { break };
            position.play(&turn).map_err(CliError::input)?;
            turns.push(turn);
        }
        engine.forget();
        engine.follow(None, &turns).map_err(CliError::Input)?;
        let limits = Limits { depth: Some(DEPTH), nodes: Some(MOST_NODES), ..Limits::default() };
        if let Some(thought) = engine.think(1, &limits, &mut |_| {}) {
            nodes += thought.nodes;
            time += thought.time;
        }
    }
    Ok((nodes, time))
}
