//! A probe line always gets one JSON object with all keys. The first byte chooses the game, examples last.

use serde_json::Value;

/// What is to hold for any input.
pub(crate) fn holds(data: &[u8]) {
    let Some((&choice, line)) = data.split_first() else { return };
    let Ok(line) = std::str::from_utf8(line) else { return };
    let (games, examples) = agon_all::apart();
    let games = [games, examples].concat();
    let answer = agon_probe::answer_line(games[usize::from(choice) % games.len()], line);
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(answer.as_object().expect("an object").len(), 7);
}
