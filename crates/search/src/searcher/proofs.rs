//! What is known without a search: ends that a game sees for itself, and proofs by df-pn before the search begins: a forced win is
//! played, and moves that are proven to lose are not looked at.

use std::time::Duration;

use super::Searcher;
use crate::{
    Dfpn, ForcedEnd, Objective, Proof, Searchable, Skill,
    score::{distance, loss_in, win_in},
};

/// Nodes between two looks at the clock. A proof begins again at the root each time, which costs little: it remembers.
const SLICE: u64 = 1000;

/// How much proofs may cost in all.
#[derive(Clone, Copy)]
struct Budget {
    nodes: Option<u64>,
    time: Option<Duration>,
}

impl<P: Searchable> Searcher<P> {
    /// Whether it asks the game for ends that are seen without a search. Points may depend on how it comes; and who is held back must be able to
    /// overlook it.
    #[inline]
    pub(super) fn uses_foresight(&self) -> bool {
        // Whoever is held back to a ply or two does not see ends that are further away.
        let short_sighted = self.timer.limits.depth.is_some_and(|depth| depth <= 2) && self.skill.depth != 0;
        self.parameters.foresight != 0 && self.objective == Objective::Win && !short_sighted
    }

    /// The score of an end that the game sees without a search.
    #[inline]
    pub(super) fn score_of_forced_end(&self, position: &P, ply: usize) -> Option<i32> {
        if !self.uses_foresight() {
            return None;
        }
        Some(match position.forced_end()? {
            ForcedEnd::WinIn(moves) => win_in(ply + moves),
            ForcedEnd::LossIn(moves) => loss_in(ply + moves),
        })
    }

    /// Spends a share of what the search has on proofs. Says the move that wins, if one does; otherwise moves that lose may be
    /// known.
    pub(super) fn prove_first(&mut self, position: &P, history: &[u64]) -> Option<P::Move> {
        let expected = self.knowledge.last_score[position.turn()];
        // An end that the search has seen it will see again, and how far away it is.
        let fit = self.parameters.proof_share != 0
            && distance(expected).is_none()
            && self.uses_foresight()
            && self.skill == Skill::FULL
            && self.root.wanted_lines == 1
            && !self.root.nested
            && position.worth_proving();
        if !fit {
            return None;
        }
        let share = self.parameters.proof_share as u32;
        let time = self.timer.limits.soft.or(self.timer.limits.hard).map(|time| time * share / 100);
        let nodes = self.timer.limits.nodes.map(|nodes| nodes * u64::from(share) / 100);
        if time.is_none() && nodes.is_none() {
            return None;
        }
        // Who stands better may have won, who stands worse may have lost: the other question would be answered with "no", and late.
        let attacker = if expected >= 0 { position.turn() } else { position.turn().other() };
        let mut dfpn = self.knowledge.dfpn[attacker].take().unwrap_or_else(|| Dfpn::of(attacker));
        let proof = self.prove(&mut dfpn, position, history, Budget { nodes, time });
        let best = if proof == Proof::Win { dfpn.winning_move(position) } else { None };
        if attacker != position.turn() && proof == Proof::Unknown {
            let mut moves = Vec::new();
            position.generate(&mut moves);
            moves.retain(|&m| dfpn.wins_after(position, m));
            self.root.losing = moves;
        }
        self.knowledge.dfpn[attacker] = Some(dfpn);
        best
    }

    /// Goes on with a proof until it is found, or all that was spent here reaches the budget.
    fn prove(&mut self, dfpn: &mut Dfpn<P>, position: &P, history: &[u64], budget: Budget) -> Proof {
        dfpn.follow(history);
        loop {
            let left = budget.nodes.map_or(SLICE, |most| most.saturating_sub(self.timer.nodes).min(SLICE));
            if left == 0 || self.timer.is_told_to_stop() || budget.time.is_some_and(|most| self.timer.elapsed() >= most)
            {
                return Proof::Unknown;
            }
            let before = dfpn.nodes();
            let proof = dfpn.go_on(position, left);
            self.timer.nodes += dfpn.nodes() - before;
            if proof != Proof::Unknown || dfpn.nodes() == before {
                return proof;
            }
        }
    }
}
