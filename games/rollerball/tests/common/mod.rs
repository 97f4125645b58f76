//! What the tests of the rules and of the texts share.

use agon_rollerball::Rollerball;
use agon_rules::{AnyGame, AnyPosition, RuleSet};

pub(crate) const BOTH: [RuleSet; 2] = [RuleSet::Text, RuleSet::Server];

pub(crate) fn open(variant: &str, rules: RuleSet) -> Box<dyn AnyPosition> {
    Rollerball.open(variant, rules).expect("a board that exists")
}

pub(crate) fn set_up(variant: &str, rules: RuleSet, position: &str) -> Box<dyn AnyPosition> {
    let mut game = open(variant, rules);
    game.set_up(position).unwrap_or_else(|e| panic!("{position}: {e}"));
    game
}

pub(crate) fn play(game: &mut dyn AnyPosition, moves: &str) {
    for m in moves.split(' ') {
        game.play(m).unwrap_or_else(|e| panic!("{m} in {}: {e}", game.text()));
    }
}

/// The targets of the man on `from`, sorted and joined by blanks.
pub(crate) fn targets(game: &dyn AnyPosition, from: &str) -> String {
    let turns = game.legal_turns(1000).expect("few moves");
    let texts = turns.iter().map(|turn| turn.spellings[0].as_str());
    let mut targets: Vec<&str> = texts.filter_map(|text| text.strip_prefix(from)).collect();
    targets.sort_unstable();
    targets.join(" ")
}

pub(crate) fn refusal(game: &mut dyn AnyPosition, turn: &str) -> String {
    let before = game.text();
    let error = game.play(turn).expect_err("a turn against the rules").to_string();
    assert_eq!(game.text(), before, "a refused turn changes nothing");
    error
}
