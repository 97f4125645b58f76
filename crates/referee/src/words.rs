//! What is known of a match, in words for people.

use std::time::Duration;

use agon_rules::{AnyGame, BySide, Side};
use agon_wire::{Info, Score};

/// A short time: `0.004 s`, `12.3 s`.
pub fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1.0 { format!("{seconds:.3} s") } else { format!("{seconds:.1} s") }
}

/// Points without the noise of binary fractions.
pub fn round(points: f64) -> f64 {
    (points * 1e9).round() / 1e9
}

/// `1 turn`, `2 turns`.
pub fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Why a match ended, from the word that records have for it.
pub fn reason(word: &str) -> &str {
    match word {
        "double fault" => "neither bot could play",
        "win" => "the goal of the game was reached",
        "stalemate" => "the side to move has no legal turn",
        "annihilation" => "the side to move has no men left that could move",
        "stagnant" => "the same position came up a third time after moves of the same side",
        "threefold" => "the same position came up a third time",
        "repetition" => "the same position came up again and again",
        "move limit" => "both sides made all the moves that the rules allow",
        "full board" => "no empty place is left",
        "both clocks" => "both clocks ran out",
        "broken off" => "it had gone on for too many turns",
        other => other,
    }
}

/// What a bot reported of a position with `mover` to move: `circle 62 %, depth 9`, `cross wins in 3 turns, depth 12`.
pub fn belief(info: &Info, mover: Side, sides: [&str; 2]) -> String {
    let name = |side: Side| sides[side.index()];
    let score = info.score.map(|score| match score {
        Score::Mate(turns) => {
            let winner = if turns > 0 { mover } else { mover.other() };
            format!("{} wins in {}", name(winner), count(turns.unsigned_abs().max(1) as usize, "turn"))
        }
        Score::Estimate(_) if score.chance() >= 0.5 => format!("{} {:.0} %", name(mover), 100.0 * score.chance()),
        Score::Estimate(_) => format!("{} {:.0} %", name(mover.other()), 100.0 * (1.0 - score.chance())),
    });
    let depth = info.depth.map(|depth| format!("depth {depth}"));
    score.into_iter().chain(depth).collect::<Vec<_>>().join(", ")
}

/// What a clock shows: `1:57`, or `9.3 s` when it matters.
pub fn clock(left: Duration) -> String {
    if left < Duration::from_secs(20) {
        return format!("{:.1} s", left.as_secs_f64());
    }
    // A second that has begun counts, as on the clocks that people know.
    let whole = left.as_secs() + u64::from(left.subsec_nanos() > 0);
    format!("{}:{:02}", whole / 60, whole % 60)
}

/// Points of both sides: `circle 1, square 0`.
pub fn points(game: &dyn AnyGame, points: BySide<f64>) -> String {
    let of = |side: Side| format!("{} {}", game.sides()[side.index()], round(points[side]));
    format!("{}, {}", of(Side::First), of(Side::Second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_well() {
        assert_eq!(clock(Duration::from_secs(117)), "1:57");
        assert_eq!(clock(Duration::from_millis(59_999)), "1:00");
        assert_eq!(clock(Duration::from_millis(9_300)), "9.3 s");
    }

    #[test]
    fn short_times_read_well() {
        assert_eq!(seconds(Duration::from_millis(4)), "0.004 s");
        assert_eq!(seconds(Duration::from_millis(12_340)), "12.3 s");
    }
}
