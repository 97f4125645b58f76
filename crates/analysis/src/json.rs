//! Thoughts for programs.

use agon_rules::{AnyGame, AnyPosition};
use agon_search::Thought;
use serde_json::{Value, json};

use crate::Judged;

/// What the engine thinks of a position.
pub fn thought(thought: &Thought, position: &dyn AnyPosition) -> Value {
    let lines = thought.lines.iter().map(|line| {
        json!({
            "score": line.score,
            "chance": rounded(line.chance),
            "winner": line.end.map(|end| end.winner.number()),
            "moves_to_end": line.end.map(|end| end.moves),
            "turns": line.turns,
        })
    });
    json!({
        "position": position.text(),
        "turn": position.turn().number(),
        "best": thought.turn,
        "depth": thought.depth,
        "nodes": thought.nodes,
        "lines": lines.collect::<Vec<_>>(),
    })
}

/// What it thinks of every turn of a game.
pub fn judged(game: &dyn AnyGame, judged: &[Judged]) -> Value {
    let turns = judged.iter().map(|row| {
        json!({
            "side": row.mover.number(),
            "turn": row.turn,
            "first_chance": rounded(row.chance),
            "believed_first_chance": row.believed.map(rounded),
            "lost": rounded(row.lost),
            "best": row.best,
            "mark": row.mark(),
        })
    });
    json!({ "game": game.name(), "turns": turns.collect::<Vec<_>>() })
}

/// A chance without digits that say nothing.
fn rounded(chance: f64) -> f64 {
    (chance * 1e4).round() / 1e4
}
