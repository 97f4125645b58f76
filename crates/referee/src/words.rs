//! What is known of a match, in words for people.

use std::time::Duration;

/// A short time: `0.004 s`, `12.3 s`.
pub fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1.0 { format!("{seconds:.3} s") } else { format!("{seconds:.1} s") }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_times_read_well() {
        assert_eq!(seconds(Duration::from_millis(4)), "0.004 s");
        assert_eq!(seconds(Duration::from_millis(12_340)), "12.3 s");
    }
}
