//! Thoughts in words.

use agon_referee::words::count;
use agon_rules::{AnyGame, AnyPosition};
use agon_search::{Thought, ThoughtLine};

/// `circle wins in 5 turns`, or `circle 62 %`.
pub fn verdict(line: &ThoughtLine, game: &dyn AnyGame, position: &dyn AnyPosition) -> String {
    let side = position.turn();
    if let Some(end) = line.end {
        let name = game.sides()[end.winner.index()];
        return format!("{name} wins in {}", count(end.turns, "turn"));
    }
    let (name, chance) = if line.chance >= 0.5 {
        (game.sides()[side.index()], line.chance)
    } else {
        (game.sides()[side.other().index()], 1.0 - line.chance)
    };
    format!("{name} {:.0} %", 100.0 * chance)
}

/// One depth, on one line.
pub fn progress(thought: &Thought, game: &dyn AnyGame, position: &dyn AnyPosition) -> String {
    let best = &thought.lines[0];
    format!(
        "depth {:>2}  {:>10} nodes  {:<24} {}",
        thought.depth,
        thought.nodes,
        verdict(best, game, position),
        best.turns.join("; ")
    )
}

/// All lines.
pub fn report(thought: &Thought, game: &dyn AnyGame, position: &dyn AnyPosition) -> String {
    let mut text = format!(
        "{} to move: {}\ndepth {}, {} nodes, {:.2} s\n",
        game.sides()[position.turn().index()],
        thought.turn,
        thought.depth,
        thought.nodes,
        thought.time.as_secs_f64()
    );
    for (number, line) in thought.lines.iter().enumerate() {
        text.push_str(&format!("{:>3}. {:<24} {}\n", number + 1, verdict(line, game, position), line.turns.join("; ")));
    }
    text
}
