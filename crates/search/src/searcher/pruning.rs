//! The rules by which a search leaves out what it need not see. Each says what it means and what it is worth: Elo against the same
//! search without it, with 95 % intervals, where it is worth least and most; `bench/search.md` has every game.

use super::node::{Known, Node};
use crate::{Parameters, score::is_decided};

impl Known {
    #[inline]
    fn margin(&self, hundredths: i32, plies: i32) -> i32 {
        self.unit * hundredths * plies.max(0) / 100
    }
}

/// **Reverse futility**: the position stands so far above beta that the few plies left will not bring it down.
/// Worth from +13 ± 18 to +36 ± 23.
#[inline]
pub(super) fn reverse_futility(node: &Node, known: &Known, parameters: &Parameters) -> bool {
    let plies = node.depth - i32::from(known.improving);
    parameters.reverse_futility != 0
        && node.depth <= 7
        && !is_decided(node.beta)
        && known.estimate - known.margin(parameters.reverse_futility_margin, plies) >= node.beta
}

/// **Late-move pruning**: near the leaves, quiet moves that the ordering put behind many others are not tried; where the estimate does not
/// improve, half as many are.
/// Worth from +10 ± 23 to +78 ± 23.
#[inline]
pub(super) fn late_move(node: &Node, known: &Known, tried: usize, parameters: &Parameters) -> bool {
    let plies = node.depth.max(1);
    let allowed = (parameters.late_move_base + plies * plies) / if known.improving { 1 } else { 2 };
    parameters.late_move_pruning != 0 && node.depth <= 8 && tried as i32 > allowed.max(1)
}

/// **Futility**: a quiet move near the leaves cannot lift the estimate to alpha. `reduced` is the depth to which it would be searched.
/// Worth from −7 ± 23 to +21 ± 16.
#[inline]
pub(super) fn futility(node: &Node, known: &Known, reduced: i32, parameters: &Parameters) -> bool {
    parameters.futility != 0
        && reduced <= 6
        && !is_decided(node.alpha)
        && known.estimate + known.margin(parameters.futility_margin, reduced + 1) <= node.alpha
}

/// **Late-move reductions**: how many plies the `number`-th move of a node is searched less deeply, in whole plies. Worth nothing in
/// shallow searches; with 20,000 nodes a move from +21 ± 19 to +37 ± 22.
pub(super) struct Reductions(Vec<i32>);

const MOST_DEPTH: usize = 64;
const MOST_MOVES: usize = 256;

impl Reductions {
    pub(super) fn new(parameters: &Parameters) -> Reductions {
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
    pub(super) fn of(&self, depth: i32, number: usize) -> i32 {
        self.0[(depth.max(0) as usize).min(MOST_DEPTH - 1) * MOST_MOVES + number.min(MOST_MOVES - 1)]
    }
}

/// So much rank is worth a ply of depth.
const HISTORY_PER_PLY: i32 = 8192;

/// **History in reductions**: a correction of the reduction of a quiet move, by how it did elsewhere: from one ply more to two plies
/// less.
/// Worth from −3 ± 25 to +17 ± 18.
#[inline]
pub(super) fn history_reduction(rank: i32, parameters: &Parameters) -> i32 {
    if parameters.history_reductions == 0 { 0 } else { -(rank / HISTORY_PER_PLY).clamp(-1, 2) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::TurnsMade;

    const QUIET: Known = Known { entry: None, estimate: 0, improving: false, threatened: false, unit: 100 };

    fn node() -> Node {
        Node { alpha: 0, beta: 1, depth: 3, ply: 1, made: TurnsMade::default(), excluded: 0 }
    }

    #[test]
    fn rules_that_are_off_never_apply() {
        let off = Parameters::exact();
        assert!(!reverse_futility(&node(), &Known { estimate: 9000, ..QUIET }, &off));
        assert!(!late_move(&node(), &QUIET, 200, &off));
        assert!(!futility(&node(), &Known { estimate: -9000, ..QUIET }, 1, &off));
    }

    #[test]
    fn rules_that_are_on_apply_beyond_their_margins() {
        let on = Parameters { futility: 1, reverse_futility: 1, late_move_pruning: 1, ..Parameters::exact() };
        let (high, low) = (Known { estimate: 9000, ..QUIET }, Known { estimate: -9000, ..QUIET });
        assert!(reverse_futility(&node(), &high, &on) && !reverse_futility(&node(), &QUIET, &on));
        assert!(futility(&node(), &low, 1, &on) && !futility(&node(), &QUIET, 1, &on));
        assert!(late_move(&node(), &QUIET, 200, &on) && !late_move(&node(), &QUIET, 1, &on));
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let reductions = Reductions::new(&Parameters::default());
        assert!(reductions.of(1, 1) <= reductions.of(8, 4) && reductions.of(8, 4) < reductions.of(20, 40));
        assert_eq!(reductions.of(1000, 1000), reductions.of(63, 255));
    }
}
