//! Counting move trees.

use crate::Position;

/// The number of move sequences of length `depth`; a finished game has no continuation. Rules about the game so far
/// (repetition, move limits) are left out: a position has no history.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    let mut buffers = vec![Vec::new(); depth.saturating_sub(1) as usize];
    count_moves(position, depth, &mut buffers)
}

fn count_moves<P: Position>(position: &P, depth: u32, buffers: &mut [Vec<P::Move>]) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return position.count();
    }
    let (moves, deeper) = buffers.split_first_mut().expect("a buffer for each depth");
    moves.clear();
    if position.generate(moves).is_some() {
        return 0;
    }
    let mut total = 0;
    for &m in moves.iter() {
        let mut next = position.clone();
        next.play(m);
        total += count_moves(&next, depth - 1, deeper);
    }
    total
}

/// The number of sequences of `depth` complete turns, each counted once for every canonical spelling.
pub fn perft_turns<P: Position>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    if position.generate(&mut moves).is_some() {
        return 0;
    }
    let mut total = 0;
    for m in moves {
        let mut next = position.clone();
        next.play(m);
        total += position.count_spellings(m) * after_move(position, &next, depth);
    }
    total
}

/// The count below `next`, which `before` led to: the turn goes on while the same side is to move.
fn after_move<P: Position>(before: &P, next: &P, depth: u32) -> u64 {
    if next.turn() != before.turn() {
        return perft_turns(next, depth - 1);
    }
    let mut moves = Vec::new();
    if next.generate(&mut moves).is_some() {
        // The turn ended the game.
        return u64::from(depth == 1);
    }
    let mut total = 0;
    for m in moves {
        let mut after = next.clone();
        after.play(m);
        total += next.count_spellings(m) * after_move(next, &after, depth);
    }
    total
}
