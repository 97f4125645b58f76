//! Bots that were written for another game.

use agon_originals::Original;
use agon_rules::quote;

/// A bot gives itself away by a turn with which another game begins: what to do then.
pub(crate) fn other_game(game: &dyn Original, turn: &str) -> Option<String> {
    let others: Vec<&str> = agon_all::GAMES
        .iter()
        .filter(|other| other.name() != game.name() && is_legal_at_first(**other, turn))
        .map(|other| other.name())
        .collect();
    let first = others.first()?;
    let (named, sent, here) = (others.join(" or "), quote(turn), game.name());
    Some(format!(
        "Is this a bot for {named}? Then check it with --game {first}: {sent} is a first turn there, and means nothing in {here}."
    ))
}

/// Whether this is a turn at the beginning of a game, by any of its rule sets.
fn is_legal_at_first(game: &dyn Original, turn: &str) -> bool {
    let opened = game.rule_sets().iter().filter_map(|rules| game.open(game.variants()[0], *rules).ok());
    opened.into_iter().any(|mut position| position.play(turn).is_ok())
}
