//! Turns, separated by line ends, are refused and change nothing, or lead where a legal turn leads.

use super::setup::setup;

/// What is to hold for any input.
pub(crate) fn holds(data: &[u8]) {
    let Some((mut position, text)) = setup(data) else { return };
    for turn in text.lines().take(40) {
        let before = position.text();
        let turns = position.legal_turns(5000);
        let mut next = position.boxed();
        if next.play(turn).is_err() {
            assert_eq!(next.text(), before, "the refused turn {turn:?} changed the position");
            continue;
        }
        let Ok(turns) = turns else { return };
        let reaches = |spelling: &String| {
            let mut legal = position.boxed();
            legal.play(spelling).expect("a legal turn");
            legal.text() == next.text()
        };
        let listed = turns.iter().any(|legal| reaches(&legal.spellings[0]));
        assert!(listed, "{before}: {turn:?} leads where no legal turn does");
        position = next;
    }
}
