//! The rules by which a search leaves out what it need not see. Each says what it means and what it is worth: Elo against the same
//! search without it, with 95 % intervals, where it is worth least and most; `bench/search.md` has every game.

use crate::{Parameters, score::is_decided};

/// What a rule looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Situation {
    pub(crate) depth: i32,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    /// The static estimate.
    pub(crate) estimate: i32,
    /// Whether it is better than two moves ago.
    pub(crate) improving: bool,
    /// The score of a clear advantage in this game.
    pub(crate) unit: i32,
}

impl Situation {
    #[inline]
    fn margin(&self, hundredths: i32, plies: i32) -> i32 {
        self.unit * hundredths * plies.max(0) / 100
    }
}

/// So far back a repetition is looked for.
const MOST_PLIES_BACK: usize = 100;

/// **Repetition**: the position was there before, so whoever stands better must find something else. Where the rules know no such
/// draw, games of two careful sides would never end. Worth +23 ± 10 where it is on.
#[inline]
pub(crate) fn repeats(key: u64, history: &[u64], parameters: &Parameters) -> bool {
    parameters.repetition != 0 && history.iter().rev().take(MOST_PLIES_BACK).any(|&before| before == key)
}

/// So many circles count.
const MOST_CIRCLES: usize = 5;

/// **Impatience**: how often both sides have gone round in circles of late, in circles of four moves. Who takes that for a draw may still
/// think everything else worse, move after move; against somebody who only waits, that draws games that were there to be won. No more than
/// a few count: a draw is never as bad as a loss.
pub(crate) fn circles(history: &[u64]) -> i32 {
    let late = &history[history.len().saturating_sub(MOST_PLIES_BACK)..];
    let again = (1..late.len()).filter(|&ply| late[..ply].contains(&late[ply])).count();
    (again / 4).min(MOST_CIRCLES) as i32
}

/// **Reverse futility**: the position stands so far above beta that the few plies left will not bring it down.
/// Worth from +13 ± 18 to +36 ± 23.
#[inline]
pub(crate) fn stands_too_high(at: &Situation, parameters: &Parameters) -> bool {
    let plies = at.depth - i32::from(at.improving);
    parameters.reverse_futility != 0
        && at.depth <= 7
        && !is_decided(at.beta)
        && at.estimate - at.margin(parameters.reverse_futility_margin, plies) >= at.beta
}

/// **Late-move pruning**: near the leaves, quiet moves that the ordering put behind so many others are not tried.
/// Worth from +10 ± 23 to +78 ± 23.
#[inline]
pub(crate) fn enough_quiet_moves(at: &Situation, tried: usize, parameters: &Parameters) -> bool {
    let plies = at.depth.max(1);
    let allowed = (parameters.late_move_base + plies * plies) / if at.improving { 1 } else { 2 };
    parameters.late_move_pruning != 0 && at.depth <= 8 && tried as i32 > allowed.max(1)
}

/// **Futility**: a quiet move near the leaves cannot make up for so much.
/// Worth from −7 ± 23 to +21 ± 16.
#[inline]
pub(crate) fn too_far_below(at: &Situation, reduced: i32, parameters: &Parameters) -> bool {
    parameters.futility != 0
        && reduced <= 6
        && !is_decided(at.alpha)
        && at.estimate + at.margin(parameters.futility_margin, reduced + 1) <= at.alpha
}

/// **Late-move reductions**: how many plies the `number`-th move of a node is searched less deeply, in whole plies. Worth nothing in
/// shallow searches; with 20,000 nodes a move from +21 ± 19 to +37 ± 22. Off where it does not pay.
pub(crate) struct Reductions(Vec<i32>);

const MOST_DEPTH: usize = 64;
const MOST_MOVES: usize = 256;

impl Reductions {
    pub(crate) fn new(parameters: &Parameters) -> Reductions {
        let of = |depth: usize, number: usize| {
            let logs = (depth.max(1) as f64).ln() * (number.max(1) as f64).ln();
            let hundredths =
                f64::from(parameters.reduction_base) + 1e4 * logs / f64::from(parameters.reduction_divisor);
            (hundredths / 100.0) as i32
        };
        let table = (0..MOST_DEPTH).flat_map(|depth| (0..MOST_MOVES).map(move |number| of(depth, number)));
        Reductions(table.collect())
    }

    #[inline]
    pub(crate) fn of(&self, depth: i32, number: usize) -> i32 {
        self.0[(depth.max(0) as usize).min(MOST_DEPTH - 1) * MOST_MOVES + number.min(MOST_MOVES - 1)]
    }
}

/// **History in reductions**: how much less deeply than that a quiet move is searched, going by how it did elsewhere.
/// Worth from −3 ± 25 to +17 ± 18.
#[inline]
pub(crate) fn correction_by_history(rank: i32, parameters: &Parameters) -> i32 {
    if parameters.history_reductions == 0 { 0 } else { -(rank / A_PLY_OF_HISTORY).clamp(-1, 2) }
}

/// Ranks of quiet moves that are so much apart are worth a ply.
const A_PLY_OF_HISTORY: i32 = 8192;

#[cfg(test)]
mod tests {
    use super::*;

    const CALM: Situation = Situation { depth: 3, alpha: 0, beta: 1, estimate: 0, improving: false, unit: 100 };

    #[test]
    fn rules_that_are_off_never_apply() {
        let off = Parameters::exact();
        let wild = Situation { estimate: 9000, ..CALM };
        assert!(!stands_too_high(&wild, &off));
        assert!(!enough_quiet_moves(&CALM, 200, &off));
        assert!(!too_far_below(&Situation { estimate: -9000, ..CALM }, 1, &off));
    }

    #[test]
    fn circles_are_counted_while_they_are_remembered() {
        assert_eq!(circles(&[]), 0);
        let to_and_fro: Vec<u64> = (0..60).map(|ply| ply % 4).collect();
        assert_eq!([7, 8, 20, 60].map(|plies| circles(&to_and_fro[..plies])), [0, 1, 4, 5]);
        let new = to_and_fro.iter().copied().chain(100..200).collect::<Vec<u64>>();
        assert_eq!(circles(&new), 0, "that was long ago");
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let reductions = Reductions::new(&Parameters::default());
        assert!(reductions.of(1, 1) <= reductions.of(8, 4) && reductions.of(8, 4) < reductions.of(20, 40));
        assert_eq!(reductions.of(1000, 1000), reductions.of(63, 255));
    }
}
