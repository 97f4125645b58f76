//! Proofs before a search: a forced win is played, and moves that are proven to lose are not looked at.

use std::time::Duration;

use crate::{
    Dfpn, ForcedEnd, Objective, Proof, Searchable, Skill,
    score::{distance, loss_in, win_in},
    searcher::Searcher,
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
    /// Whether it listens when the game sees an end coming. Points may depend on how it comes; and who is held back must be able to
    /// overlook it.
    #[inline]
    pub(crate) fn sees_ahead(&self) -> bool {
        // Whoever is held back to a ply or two does not see ends that are further away.
        let short_sighted = self.limits.depth.is_some_and(|depth| depth <= 2) && self.skill.depth != 0;
        self.parameters.foresight != 0 && self.objective == Objective::Win && !short_sighted
    }

    /// The score of an end that the game sees coming.
    #[inline]
    pub(crate) fn foreseen(&self, position: &P, ply: usize) -> Option<i32> {
        if !self.sees_ahead() {
            return None;
        }
        Some(match position.forced_end()? {
            ForcedEnd::WinIn(moves) => win_in(ply + moves),
            ForcedEnd::LossIn(moves) => loss_in(ply + moves),
        })
    }

    /// Spends a share of what the search has on proofs. Says the move that wins, if one does; otherwise moves that lose may be
    /// known.
    pub(crate) fn prove_first(&mut self, position: &P, history: &[u64]) -> Option<P::Move> {
        let expected = self.expected[position.turn()];
        // An end that the search has seen it will see again, and how far away it is.
        let fit = self.parameters.proof_share != 0
            && distance(expected).is_none()
            && self.sees_ahead()
            && self.skill == Skill::FULL
            && self.wanted_lines == 1
            && !self.aside
            && position.worth_proving();
        if !fit {
            return None;
        }
        let share = self.parameters.proof_share as u32;
        let time = self.limits.soft.or(self.limits.hard).map(|time| time * share / 100);
        let nodes = self.limits.nodes.map(|nodes| nodes * u64::from(share) / 100);
        if time.is_none() && nodes.is_none() {
            return None;
        }
        // Who stands better may have won, who stands worse may have lost: the other question would be answered with "no", and late.
        let attacker = if expected >= 0 { position.turn() } else { position.turn().other() };
        let mut dfpn = self.dfpn[attacker].take().unwrap_or_else(|| Dfpn::of(attacker));
        let proof = self.prove(&mut dfpn, position, history, Budget { nodes, time });
        let best = if proof == Proof::Win { dfpn.winning_move(position) } else { None };
        if attacker != position.turn() && proof == Proof::Unknown {
            let mut moves = Vec::new();
            position.generate(&mut moves);
            moves.retain(|&m| dfpn.wins_after(position, m));
            self.proven_losses = moves;
        }
        self.dfpn[attacker] = Some(dfpn);
        best
    }

    /// Goes on with a proof until it is found, or all that was spent here reaches the budget.
    fn prove(&mut self, dfpn: &mut Dfpn<P>, position: &P, history: &[u64], budget: Budget) -> Proof {
        dfpn.follow(history);
        loop {
            let left = budget.nodes.map_or(SLICE, |most| most.saturating_sub(self.nodes).min(SLICE));
            if left == 0 || self.is_told_to_stop() || budget.time.is_some_and(|most| self.started.elapsed() >= most) {
                return Proof::Unknown;
            }
            let before = dfpn.nodes();
            let proof = dfpn.go_on(position, left);
            self.nodes += dfpn.nodes() - before;
            if proof != Proof::Unknown || dfpn.nodes() == before {
                return proof;
            }
        }
    }
}
