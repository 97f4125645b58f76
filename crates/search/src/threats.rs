//! What the side to move should beware of.

use std::collections::BTreeMap;

use agon_picture::Click;
use agon_rules::Side;

use crate::Searchable;

/// Positions that may be looked at for one answer.
const MOST_NODES: u32 = 200_000;
/// Moves of the side to move that are tried; where there are more, some of them stand for all.
const MOST_TRIED: usize = 48;

/// A move that is possible after fewer than one in ten answers is no threat: the answer was a mistake. More are not asked for, since
/// in some games every answer says where the other side may move.
const RARE: usize = 10;

/// A reply of the other side.
struct Reply {
    possible: usize,
    wins: usize,
    clicks: Vec<Click>,
}

/// The moves by which the other side would win in its next turn, whenever the answer lets it: the clicks that enter each.
pub(crate) fn threats<P: Searchable>(position: &P) -> Vec<Vec<Click>> {
    let (side, mut moves) = (position.turn(), Vec::new());
    if position.generate(&mut moves).is_some() {
        return Vec::new();
    }
    let mut nodes = 0;
    let mut seen: BTreeMap<u16, Reply> = BTreeMap::new();
    let every = moves.len().div_ceil(MOST_TRIED);
    let tried: Vec<P> = moves.iter().step_by(every).filter_map(|&m| after_turn(position, m, side)).collect();
    for answer in &tried {
        let mut replies = Vec::new();
        answer.generate(&mut replies);
        for m in replies {
            let mut next = answer.clone();
            next.play(m);
            let wins = wins_this_turn(&next, side.other(), &mut nodes);
            let new = || Reply { possible: 0, wins: 0, clicks: answer.clicks(m) };
            let reply = seen.entry(P::code(m)).or_insert_with(new);
            reply.possible += 1;
            reply.wins += usize::from(wins);
        }
        if nodes > MOST_NODES {
            return Vec::new();
        }
    }
    let counts = |reply: &Reply| RARE * reply.possible >= tried.len() && 2 * reply.wins > reply.possible;
    seen.into_values().filter(counts).map(|reply| reply.clicks).collect()
}

/// The position when the turn that begins with `m` is over; `None` if the game is, too. What else belongs to the turn hardly matters here.
fn after_turn<P: Searchable>(position: &P, m: P::Move, side: Side) -> Option<P> {
    let (mut next, mut moves) = (position.clone(), Vec::new());
    next.play(m);
    loop {
        moves.clear();
        if next.generate(&mut moves).is_some() {
            return None;
        }
        if next.turn() != side {
            return Some(next);
        }
        next.play(*moves.first()?);
    }
}

/// Whether `side` has won, or can win with what is left of its turn.
fn wins_this_turn<P: Searchable>(position: &P, side: Side, nodes: &mut u32) -> bool {
    *nodes += 1;
    let mut moves = Vec::new();
    if let Some(outcome) = position.over(&mut moves) {
        return outcome.winner == Some(side);
    }
    if position.turn() != side || *nodes > MOST_NODES {
        return false;
    }
    moves.clear();
    position.generate(&mut moves);
    moves.into_iter().any(|m| {
        let mut next = position.clone();
        next.play(m);
        wins_this_turn(&next, side, nodes)
    })
}
