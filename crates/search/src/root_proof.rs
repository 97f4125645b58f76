//! What is known without a search: ends that a game sees coming, and proofs at the root: a forced win is played, and moves that are
//! proven to lose are not looked at.

use std::time::Duration;

use crate::{
    Foreseen, Objective, Proof, Prover, Searchable, Skill,
    score::{loss_in, win_in},
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
        Some(match position.foresee()? {
            Foreseen::WinIn(moves) => win_in(ply + moves),
            Foreseen::LossIn(moves) => loss_in(ply + moves),
        })
    }

    /// Spends a share of what the search has on proofs. Says the move that wins, if one does; otherwise moves that lose may be
    /// known.
    pub(crate) fn prove_first(&mut self, position: &P, history: &[u64]) -> Option<P::Move> {
        let fit = self.parameters.proof_share != 0
            && self.sees_ahead()
            && self.skill == Skill::FULL
            && self.wanted_lines == 1
            && position.provable();
        if !fit {
            return None;
        }
        let share = self.parameters.proof_share as u32;
        let time = self.limits.soft.or(self.limits.hard).map(|time| time * share / 100);
        let nodes = self.limits.nodes.map(|nodes| nodes * u64::from(share) / 100);
        if time.is_none() && nodes.is_none() {
            return None;
        }
        let (us, them) = (position.turn(), position.turn().other());
        let half = Budget { nodes: nodes.map(|nodes| nodes / 2), time: time.map(|time| time / 2) };
        let mut attack = self.provers[us].take().unwrap_or_else(|| Prover::of(us));
        let won = self.prove(&mut attack, position, history, half) == Proof::Win;
        let best = if won { attack.winning_move(position) } else { None };
        self.provers[us] = Some(attack);
        if best.is_some() {
            return best;
        }
        let mut defence = self.provers[them].take().unwrap_or_else(|| Prover::of(them));
        let proof = self.prove(&mut defence, position, history, Budget { nodes, time });
        if proof == Proof::Unknown {
            let mut moves = Vec::new();
            position.generate(&mut moves);
            moves.retain(|&m| defence.wins_after(position, m));
            self.proven_losses = moves;
        }
        self.provers[them] = Some(defence);
        None
    }

    /// Goes on with a proof until it is found, or all that was spent here reaches the budget.
    fn prove(&mut self, prover: &mut Prover<P>, position: &P, history: &[u64], budget: Budget) -> Proof {
        prover.follow(history);
        loop {
            let left = budget.nodes.map_or(SLICE, |most| most.saturating_sub(self.nodes).min(SLICE));
            if left == 0 || budget.time.is_some_and(|most| self.started.elapsed() >= most) {
                return Proof::Unknown;
            }
            let before = prover.nodes();
            let proof = prover.go_on(position, left);
            self.nodes += prover.nodes() - before;
            if proof != Proof::Unknown || prover.nodes() == before {
                return proof;
            }
        }
    }
}
