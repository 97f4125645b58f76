//! The positions about which the engine says nothing, because two people are playing around them who did not agree to ask it.

use std::collections::HashSet;

use agon_referee::OpenMatch;
use agon_rules::AnyPosition;

/// More turns than this from one position are not looked at; such positions are rare, and what follows them is many.
const MOST_TURNS: usize = 4000;

/// The protected positions of a match as it stood.
pub(crate) struct Protected {
    pub(crate) revision: u64,
    /// As texts: however somebody came there, it is the same position.
    pub(crate) positions: HashSet<String>,
}

impl Protected {
    /// Every position that the match has been in, and those after each turn that can be made now. The start position belongs to
    /// everybody, and before the first turn what follows it does too.
    pub(crate) fn of(open: &OpenMatch, revision: u64) -> Protected {
        let setup = &open.spec().setup;
        let mut positions = HashSet::new();
        let Ok(mut position) = setup.game.open(&setup.variant, setup.rules) else {
            return Protected { revision, positions };
        };
        let start = position.text();
        if let Some(text) = &setup.position {
            // A match is only played from a position that can be set up.
            let _ = position.set_up(text);
        }
        positions.insert(position.text());
        for turn in open.turns() {
            if position.play(&turn.text).is_err() {
                break;
            }
            positions.insert(position.text());
        }
        if position.text() != start {
            positions.extend(after_each_turn(open.position()));
        }
        positions.remove(&start);
        Protected { revision, positions }
    }
}

fn after_each_turn(position: &dyn AnyPosition) -> Vec<String> {
    let after = |turn: agon_rules::LegalTurn| {
        let mut next = position.boxed();
        next.play(turn.spellings.first()?).ok()?;
        Some(next.text())
    };
    position.legal_turns(MOST_TURNS).unwrap_or_default().into_iter().filter_map(after).collect()
}
