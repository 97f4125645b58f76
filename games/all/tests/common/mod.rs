//! What several tests of the search share.

use std::collections::HashSet;

use agon_search::{Dfpn, Searchable};

/// Plays the proven win against every defence. Where the prover has forgotten nothing, the attacker always has its move.
pub(crate) fn play_out<P: Searchable>(position: &P, prover: &mut Dfpn<P>, most_moves: u32, name: &str) {
    PlayOut { prover, won: HashSet::new(), name }.from(position, most_moves);
}

struct PlayOut<'a, P: Searchable> {
    prover: &'a mut Dfpn<P>,
    /// Positions from which every line was followed to its end: lines meet again, and once is enough.
    won: HashSet<u64>,
    name: &'a str,
}

impl<P: Searchable> PlayOut<'_, P> {
    fn from(&mut self, position: &P, most_moves: u32) {
        let (attacker, name) = (self.prover.attacker(), self.name);
        let mut moves = Vec::new();
        if let Some(outcome) = position.generate(&mut moves) {
            assert_eq!(outcome.winner, Some(attacker), "{name}: {}", position.text());
            return;
        }
        if self.won.contains(&position.key()) {
            return;
        }
        assert!(most_moves > 0, "{name}: a win that takes for ever in {}", position.text());
        if position.turn() == attacker {
            let m = self.prover.winning_move(position);
            moves = vec![m.unwrap_or_else(|| panic!("{name}: no move in {}", position.text()))];
        }
        for m in moves {
            let mut next = position.clone();
            next.play(m);
            self.from(&next, most_moves - 1);
        }
        // Only now: a line that comes back to where it was must not pass for a won one.
        self.won.insert(position.key());
    }
}
