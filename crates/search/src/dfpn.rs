//! Forced wins: depth-first proof-number search (df-pn).
//!
//! A tree of "the attacker wins" is an AND/OR tree: where the attacker moves, one winning move will do; where the defender moves, all
//! must win. A proof number says how many leaves must still be shown to win, a disproof number how many to fail; the search
//! always goes where the least is missing.

mod table;

use agon_rules::Side;

use crate::{DfpnLeaf, ForcedEnd, Searchable};
use table::{Cell, DfpnTable};

/// What a proof search has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The attacker wins, whatever the defender does.
    Win,
    /// The attacker cannot force a win.
    NoWin,
    /// It was not found out in time.
    Unknown,
}

/// Numbers beyond this one mean the same: impossible.
const NEVER: u32 = u32::MAX / 4;
/// Going back and forth between two children costs more than looking a little deeper at once: a child's threshold is one more than the
/// number of the second best child, and a third of that number besides.
const EXTRA_DIVISOR: u32 = 3;

/// How much is missing to show that the attacker wins, and that it does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    const WON: Numbers = Numbers { proof: 0, disproof: NEVER };
    const FAILED: Numbers = Numbers { proof: NEVER, disproof: 0 };

    /// A position that nobody has looked at: one good move of the side to move will do, and to refute it all of them must fail.
    fn guess(width: u32, attacking: bool) -> Numbers {
        if attacking { Numbers { proof: 1, disproof: width } } else { Numbers { proof: width, disproof: 1 } }
    }
}

/// An end that a game sees without a search: whether `attacker` wins, and in how many moves.
fn wins<P: Searchable>(position: &P, seen: ForcedEnd, attacker: Side) -> (bool, usize) {
    let attacking = position.turn() == attacker;
    match seen {
        ForcedEnd::WinIn(moves) => (attacking, moves),
        ForcedEnd::LossIn(moves) => (!attacking, moves),
    }
}

/// A position after one move of the one that is looked at.
struct Child<P> {
    position: P,
    numbers: Numbers,
    /// Whether nothing can change the numbers.
    settled: bool,
}

/// Looks for forced wins of one side, the attacker.
pub struct Dfpn<P: Searchable> {
    attacker: Side,
    table: DfpnTable,
    /// How many wins were proven. Each has its number and rests on earlier ones only, so whoever follows earlier and earlier ones arrives.
    proven: u32,
    history: Vec<u64>,
    /// Where the search began: repetitions of earlier positions are the rules' business.
    begun: usize,
    nodes: u64,
    most_nodes: u64,
    /// Whether some line came back to where it had been: then "no win" may be wrong, because it was judged by its way there (the field
    /// calls that graph history interaction).
    repeated: bool,
    /// Lists that are not in use.
    spare: Vec<Vec<Child<P>>>,
    moves: Vec<P::Move>,
}

impl<P: Searchable> Dfpn<P> {
    /// Tries to prove a win of the side to move within `most_nodes`. `history` is what came before.
    pub fn new(position: &P, history: &[u64], most_nodes: u64) -> Dfpn<P> {
        let mut dfpn = Dfpn { most_nodes, ..Dfpn::of(position.turn()) };
        dfpn.follow(history);
        dfpn
    }

    /// Tries to prove that `attacker` wins, whoever is to move. What is proven is kept for later positions of the same game.
    pub(crate) fn of(attacker: Side) -> Dfpn<P> {
        Dfpn {
            attacker,
            table: DfpnTable::new(),
            proven: 0,
            history: Vec::new(),
            begun: 0,
            nodes: 0,
            most_nodes: 0,
            repeated: false,
            spare: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// The game has gone on: this is what came before.
    pub(crate) fn follow(&mut self, history: &[u64]) {
        self.history.clear();
        self.history.extend_from_slice(history);
        self.begun = history.len();
    }

    /// Goes on with `position` for some nodes more.
    pub(crate) fn go_on(&mut self, position: &P, more: u64) -> Proof {
        self.most_nodes = self.nodes + more;
        self.prove(position)
    }

    /// Whether it is proven that the attacker wins after this move.
    pub(crate) fn wins_after(&mut self, position: &P, m: P::Move) -> bool {
        let mut next = position.clone();
        next.play(m);
        self.first_numbers(&next).0.proof == 0
    }

    /// The side that is to win.
    pub fn attacker(&self) -> Side {
        self.attacker
    }

    /// Positions looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches `position`, the one that it was made for or one after it.
    pub fn prove(&mut self, position: &P) -> Proof {
        let (numbers, settled) = self.first_numbers(position);
        let numbers = if settled { numbers } else { self.expand(position, NEVER, NEVER) };
        match numbers {
            Numbers { proof: 0, .. } => Proof::Win,
            Numbers { disproof: 0, .. } if !self.repeated => Proof::NoWin,
            _ => Proof::Unknown,
        }
    }

    /// The move that leads on to a proven win, for the attacker to move: not just any that keeps it, or the game might go round for ever.
    pub fn winning_move(&mut self, position: &P) -> Option<P::Move> {
        let mut moves = Vec::new();
        if position.generate(&mut moves).is_some() || position.turn() != self.attacker {
            return None;
        }
        let order = |&m: &P::Move| {
            let mut next = position.clone();
            next.play(m);
            let mut scratch = Vec::new();
            match next.over(&mut scratch) {
                Some(outcome) => (outcome.winner == Some(self.attacker)).then_some((0, 0)),
                None => match next.forced_end().map(|seen| wins(&next, seen, self.attacker)) {
                    Some((wins, moves)) => wins.then_some((1, moves as u32)),
                    None => {
                        self.table.get(next.key()).filter(|cell| cell.numbers.proof == 0).map(|cell| (2, cell.order))
                    }
                },
            }
        };
        let proven = moves.into_iter().filter_map(|m| Some((order(&m)?, m)));
        proven.min_by_key(|&(order, _)| order).map(|(_, m)| m)
    }

    /// What can be said of a position without looking deeper, and whether that is all there is to say: the game is over, its end is in
    /// sight, or the line goes round.
    fn first_numbers(&mut self, position: &P) -> (Numbers, bool) {
        let decided = |wins: bool| (if wins { Numbers::WON } else { Numbers::FAILED }, true);
        let known = self.table.get(position.key()).map(|cell| cell.numbers);
        let over = if known.is_some() { None } else { position.over(&mut self.moves) };
        self.moves.clear();
        if let Some(outcome) = over.or_else(|| position.adjudicate(&self.history)) {
            return decided(outcome.winner == Some(self.attacker));
        }
        // A win never needs to come back to where it was.
        if self.history[self.begun..].contains(&position.history_key()) {
            self.repeated = true;
            return decided(false);
        }
        if let Some(numbers) = known {
            return (numbers, numbers.proof == 0 || numbers.disproof == 0);
        }
        match position.dfpn_leaf() {
            DfpnLeaf::End(seen) => decided(wins(position, seen, self.attacker).0),
            DfpnLeaf::Open(width) => (Numbers::guess(width.max(1), position.turn() == self.attacker), false),
        }
    }

    /// Makes a list of what the moves of a position lead to.
    fn children(&mut self, position: &P) -> Vec<Child<P>> {
        let mut moves = std::mem::take(&mut self.moves);
        position.generate(&mut moves);
        position.drop_losing_moves(&mut moves);
        let mut children = self.spare.pop().unwrap_or_default();
        for m in moves.drain(..) {
            let mut next = position.clone();
            next.play(m);
            let (numbers, settled) = self.first_numbers(&next);
            children.push(Child { position: next, numbers, settled });
        }
        self.moves = moves;
        children
    }

    /// Expands a position until its numbers reach a threshold.
    fn expand(&mut self, position: &P, most_proof: u32, most_disproof: u32) -> Numbers {
        let before = self.nodes;
        self.nodes += 1;
        self.history.push(position.history_key());
        let mut children = self.children(position);
        let attacking = position.turn() == self.attacker;
        let numbers = loop {
            let (numbers, best, second) = gather(&children, attacking);
            if numbers.proof >= most_proof || numbers.disproof >= most_disproof || self.nodes >= self.most_nodes {
                break numbers;
            }
            let Some(best) = best.filter(|&best| !children[best].settled) else { break numbers };
            let child = &children[best];
            let wider = |second: u32, limit: u32| limit.min(second.saturating_add(1 + second / EXTRA_DIVISOR));
            // The child may use what the others leave of the sum.
            let rest = |limit: u32, sum: u32, own: u32| limit.saturating_sub(sum.saturating_sub(own)).min(NEVER);
            let (child_proof, child_disproof) = if attacking {
                (wider(second, most_proof), rest(most_disproof, numbers.disproof, child.numbers.disproof))
            } else {
                (rest(most_proof, numbers.proof, child.numbers.proof), wider(second, most_disproof))
            };
            self.expand(&child.position, child_proof, child_disproof);
            // Ways meet again: more may be known of the others, too.
            for child in children.iter_mut().filter(|child| !child.settled) {
                if let Some(cell) = self.table.get(child.position.key()) {
                    child.numbers = cell.numbers;
                }
            }
        };
        self.history.pop();
        children.clear();
        self.spare.push(children);
        let proven = numbers.proof == 0;
        self.proven += u32::from(proven);
        let order = if proven { self.proven } else { 0 };
        self.table.keep(Cell::new(position.key(), numbers, self.nodes - before, order));
        numbers
    }
}

/// The numbers of a node from those of its children, the child to look at next, and the second least number.
fn gather<P>(children: &[Child<P>], attacking: bool) -> (Numbers, Option<usize>, u32) {
    let (mut least, mut second, mut sum) = (NEVER, NEVER, 0u32);
    let mut best = None;
    for (number, Child { numbers, .. }) in children.iter().enumerate() {
        let (wanted, other) =
            if attacking { (numbers.proof, numbers.disproof) } else { (numbers.disproof, numbers.proof) };
        sum = sum.saturating_add(other).min(NEVER);
        if wanted < least || best.is_none() {
            second = least;
            least = wanted;
            best = Some(number);
        } else if wanted < second {
            second = wanted;
        }
    }
    // One child that is certain decides the node.
    let sum = if least == 0 { NEVER } else { sum };
    let numbers =
        if attacking { Numbers { proof: least, disproof: sum } } else { Numbers { proof: sum, disproof: least } };
    (numbers, best, second)
}
