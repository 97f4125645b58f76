//! Plain minimax: slow, obviously right, and what everything else is compared with.

use agon_rules::Side;

use crate::{
    Objective, Searchable,
    objective::{PointScale, TurnsMade, final_score},
};

/// The value of a position for the side to move, `depth` moves deep, with the estimate at the leaves.
///
/// `history` is what came before, as [`agon_rules::Position::adjudicate`] wants it.
pub fn minimax<P: Searchable>(position: &P, history: &mut Vec<u64>, depth: u32, objective: Objective) -> i32 {
    value(position, history, depth, 0, TurnsMade::default(), objective)
}

fn value<P: Searchable>(
    position: &P,
    history: &mut Vec<u64>,
    depth: u32,
    ply: usize,
    made: TurnsMade,
    objective: Objective,
) -> i32 {
    let mut moves = Vec::new();
    if let Some(outcome) = position.generate(&mut moves).or_else(|| position.adjudicate(history)) {
        return final_score(position, outcome, ply, made, objective, PointScale::Tenths);
    }
    if depth == 0 {
        return position.evaluate();
    }
    history.push(position.history_key());
    let values = moves.into_iter().map(|m| {
        let mut next = position.clone();
        next.play(m);
        let made = made.after(position.turn(), next.turn());
        let value = value(&next, history, depth - 1, ply + 1, made, objective);
        if next.turn() == position.turn() { value } else { -value }
    });
    let best = values.max().expect("a game that is not over has a move");
    history.pop();
    best
}

/// Whether `attacker` can force a win within `depth` moves: no estimates, only the rules.
pub fn wins<P: Searchable>(position: &P, history: &mut Vec<u64>, depth: u32, attacker: Side) -> bool {
    let mut moves = Vec::new();
    if let Some(outcome) = position.generate(&mut moves).or_else(|| position.adjudicate(history)) {
        return outcome.winner == Some(attacker);
    }
    if depth == 0 {
        return false;
    }
    history.push(position.history_key());
    let mut forced = |m| {
        let mut next = position.clone();
        next.play(m);
        wins(&next, history, depth - 1, attacker)
    };
    let won = if position.turn() == attacker {
        moves.into_iter().any(&mut forced)
    } else {
        moves.into_iter().all(&mut forced)
    };
    history.pop();
    won
}
