//! The shortest forced win, found by looking at everything.

use std::collections::HashMap;

use agon_rules::Side;
use agon_search::Searchable;

/// Looks for wins on the board of one side within so many moves, full width: no estimates, nothing left out.
///
/// What is remembered of a position does not depend on how it was reached. That is right for wins: whoever comes closer to one with
/// every move never meets a position twice, so no rule about repetitions can interfere.
pub struct ShortestWin<P: Searchable> {
    attacker: Side,
    known: HashMap<u64, Known>,
    /// The code of the move that last decided a position, for each side and number of moves left: it is tried first.
    deciding: [Vec<u16>; 2],
    nodes: u64,
    most_nodes: u64,
    types: std::marker::PhantomData<P>,
}

/// No win within `none` moves; a win within `some`.
#[derive(Clone, Copy)]
struct Known {
    none: u32,
    some: u32,
}

/// A win and how special it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Win {
    /// Moves of both sides until the end.
    pub distance: u32,
    /// First moves that win as quickly.
    pub solutions: usize,
    /// Legal first moves.
    pub choices: usize,
}

impl<P: Searchable> ShortestWin<P> {
    /// The shortest win of the side to move; `None` if there is none within `most_moves`, or it takes more than `most_nodes` to say.
    pub fn find(position: &P, most_moves: u32, most_nodes: u64) -> Option<Win> {
        let room = || vec![0; most_moves as usize + 1];
        let mut search = ShortestWin {
            attacker: position.turn(),
            known: HashMap::new(),
            deciding: [room(), room()],
            nodes: 0,
            most_nodes,
            types: std::marker::PhantomData::<P>,
        };
        let mut moves = Vec::new();
        if position.generate(&mut moves).is_some() {
            return None;
        }
        for distance in 1..=most_moves {
            if search.wins_within(position, distance)? {
                return search.count_solutions(position, &moves, distance);
            }
        }
        None
    }

    fn count_solutions(&mut self, position: &P, moves: &[P::Move], distance: u32) -> Option<Win> {
        let mut solutions = 0;
        for &m in moves {
            let mut next = position.clone();
            next.play(m);
            solutions += usize::from(self.wins_within(&next, distance - 1)?);
        }
        Some(Win { distance, solutions, choices: moves.len() })
    }

    /// Whether the attacker wins within so many moves; `None` if that took too long.
    fn wins_within(&mut self, position: &P, left: u32) -> Option<bool> {
        self.nodes += 1;
        if self.nodes > self.most_nodes {
            return None;
        }
        let mut moves = Vec::new();
        let outcome = if left == 0 { position.over(&mut moves) } else { position.generate(&mut moves) };
        if let Some(outcome) = outcome {
            return Some(outcome.winner == Some(self.attacker));
        }
        let known = self.known.get(&position.key()).copied().unwrap_or(Known { none: 0, some: u32::MAX });
        if left <= known.none || left >= known.some {
            return Some(left >= known.some);
        }
        let won = self.try_moves(position, moves, left)?;
        let learnt = if won { Known { some: left, ..known } } else { Known { none: left, ..known } };
        self.known.insert(position.key(), learnt);
        Some(won)
    }

    fn try_moves(&mut self, position: &P, mut moves: Vec<P::Move>, left: u32) -> Option<bool> {
        let side = position.turn();
        let attacking = side == self.attacker;
        let first = self.deciding[side.index()][left as usize];
        moves.sort_by_cached_key(|&m| (P::code(m) != first, -position.gain(m)));
        for m in moves {
            let mut next = position.clone();
            next.play(m);
            // One winning move is enough for the attacker, one that does not lose for the defender.
            if self.wins_within(&next, left - 1)? == attacking {
                self.deciding[side.index()][left as usize] = P::code(m);
                return Some(attacking);
            }
        }
        Some(!attacking)
    }
}
