//! A search of fixed positions: the same number of nodes means the same behaviour.

use std::time::Duration;

use agon_rules::Random;
use agon_search::{EngineOptions, Limits};

use crate::{LabError, Start};

/// Positions from random games after so many turns of both sides.
const AFTER_TURNS: [usize; 5] = [0, 6, 14, 24, 40];
/// How deep each is searched: a depth, not a number of nodes, or the count would say nothing.
const DEPTH: i32 = 7;
/// Where a game branches so widely that the depth would take too long.
const MOST_NODES: u64 = 400_000;

/// Searches fixed positions of a game; gives the nodes, which never vary unless the search does, and the time.
///
/// # Errors
/// If there is no such game, variant or rule set.
pub fn bench(start: &Start) -> Result<(u64, Duration), LabError> {
    let Start { game, variant, rules } = start;
    let game = agon_all::find(game)?;
    let mut engine = game.engine(variant, *rules, EngineOptions::default())?;
    let start = game.open(variant, *rules)?;
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (seed, &count) in AFTER_TURNS.iter().enumerate() {
        let mut position = start.boxed();
        let mut random = Random::new(seed as u64);
        let mut turns = Vec::new();
        while turns.len() < count {
            let Some(turn) = position.random_turn(&mut random) else { break };
            position.play(&turn)?;
            turns.push(turn);
        }
        engine.forget();
        engine.follow(None, &turns)?;
        let limits = Limits { depth: Some(DEPTH), nodes: Some(MOST_NODES), ..Limits::default() };
        if let Some(thought) = engine.think(1, &limits, &mut |_| {}) {
            nodes += thought.nodes;
            time += thought.time;
        }
    }
    Ok((nodes, time))
}
