//! Turns that somebody typed or copied, in a row.

use agon_rules::{AnyPosition, TurnError, quote};
use thiserror::Error;

/// No turn has more words than this.
const LONGEST_TURN: usize = 160;

/// One of the turns is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("turn {number}, {}: {rule}", quote(.turn))]
pub struct TypedError {
    /// Which; the first is 1.
    pub number: usize,
    /// What was typed.
    pub turn: String,
    /// The rule that it breaks.
    pub rule: TurnError,
}

/// Plays turns separated by ';', line ends or commas (unless a turn is a JSON object). Turns that are only separated by blanks
/// are found too, because no complete turn is the beginning of another one. Gives the turns as the game prints them.
///
/// # Errors
/// If a turn is refused; those before it are played.
pub fn play_typed(position: &mut dyn AnyPosition, turns: &str) -> Result<Vec<String>, TypedError> {
    let objects = turns.contains('{');
    let separator = |letter: char| letter == ';' || letter == '\n' || (letter == ',' && !objects);
    let mut played = Vec::new();
    for piece in turns.split(separator) {
        let words: Vec<&str> = piece.split_ascii_whitespace().collect();
        let mut rest = words.as_slice();
        while !rest.is_empty() {
            let legal = |&count: &usize| position.boxed().play(&rest[..count].join(" ")).is_ok();
            let count = (1..=rest.len().min(LONGEST_TURN)).find(legal).unwrap_or(rest.len());
            let turn = rest[..count].join(" ");
            let number = played.len() + 1;
            let text = position.play(&turn).map_err(|rule| TypedError { number, turn, rule })?;
            played.push(text);
            rest = &rest[count..];
        }
    }
    Ok(played)
}
