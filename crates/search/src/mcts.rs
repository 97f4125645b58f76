//! Monte-Carlo tree search (MCTS) with proven values: a rival of another design.
//!
//! The tree grows where the estimates are good and where little is known. Leaves are worth their static estimate; no random
//! games are played. What is decided is proven up the tree, and never looked at again.

use crate::{Searchable, score::win_chance};

/// How strongly what is little known attracts: the constant that PUCT calls c.
const EXPLORATION: f64 = 1.2;
/// Nodes that a tree may have.
const MOST_NODES: usize = 8_000_000;

/// What a subtree is proven to be for the side to move at its root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Proven {
    Open,
    Win,
    Loss,
    Draw,
}

struct TreeNode<M> {
    m: Option<M>,
    /// Whether the side that moved here is also the one to move.
    same_side: bool,
    visits: u32,
    /// The sum of values for the side to move here.
    sum: f64,
    proven: Proven,
    children: std::ops::Range<usize>,
    expanded: bool,
}

/// A tree below one position.
pub struct Mcts<P: Searchable> {
    nodes: Vec<TreeNode<P::Move>>,
    root: P,
    history: Vec<u64>,
    most_nodes: usize,
}

impl<P: Searchable> Mcts<P> {
    /// A tree for a position that is not over.
    pub fn new(root: P, history: &[u64]) -> Mcts<P> {
        let node = TreeNode {
            m: None,
            same_side: false,
            visits: 0,
            sum: 0.0,
            proven: Proven::Open,
            children: 0..0,
            expanded: false,
        };
        Mcts { nodes: vec![node], root, history: history.to_vec(), most_nodes: MOST_NODES }
    }

    /// The same tree with a limit of its own to how large it grows.
    pub fn with_most_nodes(self, most_nodes: usize) -> Mcts<P> {
        Mcts { most_nodes, ..self }
    }

    /// How many leaves were looked at.
    pub fn leaves(&self) -> u64 {
        u64::from(self.nodes[0].visits)
    }

    /// What it expects: the moves that were looked at most.
    pub fn line(&self) -> Vec<P::Move> {
        let (mut at, mut line) = (0, Vec::new());
        while let Some(child) = self.best_child(at).filter(|&child| line.is_empty() || self.nodes[child].visits > 1) {
            line.extend(self.nodes[child].m);
            at = child;
        }
        line
    }

    /// Lets the tree grow by some leaves; by fewer if everything is decided.
    pub fn grow(&mut self, leaves: u64) {
        for _ in 0..leaves {
            if self.nodes[0].proven != Proven::Open || self.nodes.len() > self.most_nodes {
                return;
            }
            let root = self.root.clone();
            self.visit(0, &root);
        }
    }

    /// The move to play: a proven win, else the one that was looked at most and is not proven to lose.
    pub fn best_move(&self) -> Option<P::Move> {
        self.best_child(0).and_then(|child| self.nodes[child].m)
    }

    fn best_child(&self, at: usize) -> Option<usize> {
        let worth = |child: &TreeNode<P::Move>| {
            let proven = match (child.proven, child.same_side) {
                (Proven::Loss, false) | (Proven::Win, true) => 2,
                (Proven::Win, false) | (Proven::Loss, true) => 0,
                (Proven::Open | Proven::Draw, _) => 1,
            };
            (proven, child.visits)
        };
        // Of equals the first, which gains most.
        self.nodes[at].children.clone().rev().max_by_key(|&child| worth(&self.nodes[child]))
    }

    /// The chance to win for the side to move at the root.
    pub fn chance(&self) -> f64 {
        self.nodes[0].sum / f64::from(self.nodes[0].visits.max(1))
    }

    /// Whether the root is proven to be a win (`Some(true)`) or a loss.
    pub fn proven(&self) -> Option<bool> {
        match self.nodes[0].proven {
            Proven::Win => Some(true),
            Proven::Loss => Some(false),
            Proven::Open | Proven::Draw => None,
        }
    }

    /// Goes down to a leaf and gives its value for the side to move at `at`.
    fn visit(&mut self, at: usize, position: &P) -> f64 {
        let value = if !self.nodes[at].expanded {
            self.expand(at, position)
        } else if self.nodes[at].proven != Proven::Open {
            value_of(self.nodes[at].proven)
        } else {
            let child = self.select(at);
            let mut next = position.clone();
            if let Some(m) = self.nodes[child].m {
                next.play(m);
            }
            self.history.push(position.history_key());
            let below = self.visit(child, &next);
            self.history.pop();
            self.back_up(at);
            if self.nodes[child].same_side { below } else { 1.0 - below }
        };
        let node = &mut self.nodes[at];
        node.visits += 1;
        node.sum += value;
        value
    }

    fn expand(&mut self, at: usize, position: &P) -> f64 {
        self.nodes[at].expanded = true;
        let mut moves = Vec::new();
        if let Some(outcome) = position.generate(&mut moves).or_else(|| position.adjudicate(&self.history)) {
            let proven = match outcome.winner {
                Some(winner) if winner == position.turn() => Proven::Win,
                Some(_) => Proven::Loss,
                None => Proven::Draw,
            };
            self.nodes[at].proven = proven;
            return value_of(proven);
        }
        moves.sort_by_key(|&m| -position.gain(m));
        let first = self.nodes.len();
        for m in moves {
            let mut next = position.clone();
            next.play(m);
            let same_side = next.turn() == position.turn();
            self.nodes.push(TreeNode {
                m: Some(m),
                same_side,
                visits: 0,
                sum: 0.0,
                proven: Proven::Open,
                children: 0..0,
                expanded: false,
            });
        }
        self.nodes[at].children = first..self.nodes.len();
        win_chance(position.evaluate(), P::UNIT)
    }

    /// The child to visit, by PUCT with equal priors: good, or little known. What is decided need not be visited.
    fn select(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let expected = node.sum / f64::from(node.visits.max(1));
        let spread = f64::from(node.visits).sqrt() / node.children.len() as f64;
        let puct = |child: &TreeNode<P::Move>| {
            let mean = match child.visits {
                0 => expected - 0.1,
                visits if child.same_side => child.sum / f64::from(visits),
                visits => 1.0 - child.sum / f64::from(visits),
            };
            mean + EXPLORATION * spread / (1.0 + f64::from(child.visits))
        };
        let open = node.children.clone().filter(|&child| self.nodes[child].proven == Proven::Open);
        let best = open.max_by(|&a, &b| puct(&self.nodes[a]).total_cmp(&puct(&self.nodes[b])));
        best.unwrap_or(node.children.start)
    }

    /// A node is won if some move wins, lost if all lose, and drawn if the best that is left is a draw.
    fn back_up(&mut self, at: usize) {
        let as_mover = |child: &TreeNode<P::Move>| match (child.proven, child.same_side) {
            (Proven::Win, false) | (Proven::Loss, true) => Proven::Loss,
            (Proven::Loss, false) | (Proven::Win, true) => Proven::Win,
            (proven, _) => proven,
        };
        let (mut open, mut draw) = (false, false);
        for child in &self.nodes[self.nodes[at].children.clone()] {
            match as_mover(child) {
                Proven::Win => {
                    self.nodes[at].proven = Proven::Win;
                    return;
                }
                Proven::Open => open = true,
                Proven::Draw => draw = true,
                Proven::Loss => {}
            }
        }
        if !open {
            self.nodes[at].proven = if draw { Proven::Draw } else { Proven::Loss };
        }
    }
}

fn value_of(proven: Proven) -> f64 {
    match proven {
        Proven::Win => 1.0,
        Proven::Loss => 0.0,
        Proven::Draw | Proven::Open => 0.5,
    }
}
