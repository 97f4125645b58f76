//! A position's text is refused, or round trips and can be played on.

use super::setup::setup;
use agon_rules::Random;

/// What is to hold for any input.
pub(crate) fn holds(data: &[u8]) {
    let Some((mut position, text)) = setup(data) else { return };
    if position.set_up(text).is_err() {
        return;
    }
    let printed = position.text();
    let key = position.key();
    position.set_up(&printed).expect("own text");
    assert_eq!(position.text(), printed);
    assert_eq!(position.key(), key);
    let picture = position.picture();
    agon_picture::svg::render(&picture, "#123456");
    let mut random = Random::new(1);
    for _ in 0..4 {
        let Ok(turns) = position.legal_turns(2000) else { return };
        assert_eq!(turns.is_empty(), position.outcome().is_some());
        if turns.is_empty() {
            return;
        }
        let turn = &turns[random.below(turns.len())].spellings[0];
        position.play(turn).expect("a legal turn");
        let mut again = position.boxed();
        again.set_up(&position.text()).expect("own text");
        assert_eq!(again.key(), position.key());
    }
}
