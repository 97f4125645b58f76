//! The first byte of an input chooses game, variant and rule set, of the examples last, so that it means the same without them; the
//! rest is text.

use agon_rules::AnyPosition;

/// The game's start position, and the text.
pub(crate) fn setup(data: &[u8]) -> Option<(Box<dyn AnyPosition>, &str)> {
    let (&choice, text) = data.split_first()?;
    let text = std::str::from_utf8(text).ok()?;
    let (games, examples) = agon_all::apart();
    let mut setups = Vec::new();
    for game in [games, examples].concat() {
        for &rules in game.rule_sets() {
            setups.extend(game.variants().iter().map(|variant| (game, *variant, rules)));
        }
    }
    let (game, variant, rules) = setups[usize::from(choice) % setups.len()];
    Some((game.open(variant, rules).expect("a listed variant"), text))
}
