//! Forced wins: depth-first proof-number search.
//!
//! A tree of "the attacker wins" is an AND/OR tree: where the attacker moves, one winning move will do; where the defender moves, all
//! must win. A proof number says how many leaves must still be shown to win, a disproof number how many to fail; the search
//! always goes where the least is missing.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use agon_rules::Side;

use crate::Searchable;

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
/// Going back and forth between two children costs more than looking a little deeper at once: thresholds get so much more.
const EXTRA: u32 = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    const UNKNOWN: Numbers = Numbers { proof: 1, disproof: 1 };
    const WON: Numbers = Numbers { proof: 0, disproof: NEVER };
    const FAILED: Numbers = Numbers { proof: NEVER, disproof: 0 };
}

/// Keys are random bits already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// Looks for forced wins of one side.
pub struct Prover<P: Searchable> {
    attacker: Side,
    known: HashMap<u64, Numbers, BuildHasherDefault<KeyHasher>>,
    /// The order in which wins were proven. Each rests on earlier ones only, so whoever follows earlier and earlier ones arrives.
    proven: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    history: Vec<u64>,
    /// Where the search began: repetitions of earlier positions are the rules' business.
    begun: usize,
    nodes: u64,
    most_nodes: u64,
    /// Whether some line came back to where it had been: then "no win" may be wrong, because it was judged by its way there.
    went_round: bool,
    types: std::marker::PhantomData<P>,
}

impl<P: Searchable> Prover<P> {
    /// Tries to prove a win of the side to move within so many nodes. `history` is what came before.
    pub fn new(position: &P, history: &[u64], most_nodes: u64) -> Prover<P> {
        Prover {
            attacker: position.turn(),
            known: HashMap::default(),
            proven: HashMap::default(),
            history: history.to_vec(),
            begun: history.len(),
            nodes: 0,
            most_nodes,
            went_round: false,
            types: std::marker::PhantomData,
        }
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
        let numbers = match self.first_look(position) {
            Some(decided) => decided,
            None => self.look(position, NEVER, NEVER),
        };
        match numbers {
            Numbers { proof: 0, .. } => Proof::Win,
            Numbers { disproof: 0, .. } if !self.went_round => Proof::NoWin,
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
                Some(outcome) => (outcome.winner == Some(self.attacker)).then_some(0),
                None => self.proven.get(&next.key()).copied(),
            }
        };
        let proven = moves.into_iter().filter_map(|m| Some((order(&m)?, m)));
        proven.min_by_key(|&(order, _)| order).map(|(_, m)| m)
    }

    /// What can be said of a position without looking deeper: the game is over, or the line goes round.
    fn first_look(&mut self, position: &P) -> Option<Numbers> {
        let mut scratch = Vec::new();
        let outcome = position.over(&mut scratch).or_else(|| position.adjudicate(&self.history));
        if let Some(outcome) = outcome {
            return Some(if outcome.winner == Some(self.attacker) { Numbers::WON } else { Numbers::FAILED });
        }
        // A win never needs to come back to where it was.
        let key = position.history_key();
        self.history[self.begun..].contains(&key).then(|| {
            self.went_round = true;
            Numbers::FAILED
        })
    }

    /// Expands a position until its numbers reach a threshold.
    fn look(&mut self, position: &P, most_proof: u32, most_disproof: u32) -> Numbers {
        self.nodes += 1;
        let mut moves = Vec::new();
        position.generate(&mut moves);
        self.history.push(position.history_key());
        let children: Vec<P> = moves
            .into_iter()
            .map(|m| {
                let mut next = position.clone();
                next.play(m);
                next
            })
            .collect();
        let settled: Vec<Option<Numbers>> = children.iter().map(|child| self.first_look(child)).collect();
        let attacking = position.turn() == self.attacker;
        let numbers = loop {
            let (numbers, best, second) = self.gather(&children, &settled, attacking);
            if numbers.proof >= most_proof || numbers.disproof >= most_disproof || self.nodes >= self.most_nodes {
                break numbers;
            }
            let Some(best) = best.filter(|&best| settled[best].is_none()) else { break numbers };
            let child = self.numbers_of(&children[best]);
            let wider = |second: u32, limit: u32| limit.min(second.saturating_add(1 + second / EXTRA));
            // The child may use what the others leave of the sum.
            let rest = |limit: u32, sum: u32, own: u32| limit.saturating_sub(sum.saturating_sub(own)).min(NEVER);
            let (child_proof, child_disproof) = if attacking {
                (wider(second, most_proof), rest(most_disproof, numbers.disproof, child.disproof))
            } else {
                (rest(most_proof, numbers.proof, child.proof), wider(second, most_disproof))
            };
            self.look(&children[best], child_proof, child_disproof);
        };
        self.history.pop();
        self.known.insert(position.key(), numbers);
        if numbers.proof == 0 {
            let next = self.proven.len() as u32 + 1;
            self.proven.entry(position.key()).or_insert(next);
        }
        numbers
    }

    fn numbers_of(&self, position: &P) -> Numbers {
        self.known.get(&position.key()).copied().unwrap_or(Numbers::UNKNOWN)
    }

    /// The numbers of a node from those of its children, the child to look at next, and the second least number.
    fn gather(&self, children: &[P], settled: &[Option<Numbers>], attacking: bool) -> (Numbers, Option<usize>, u32) {
        let (mut least, mut second, mut sum) = (NEVER, NEVER, 0u32);
        let mut best = None;
        for (number, child) in children.iter().enumerate() {
            let of_child = settled[number].unwrap_or_else(|| self.numbers_of(child));
            let (wanted, other) =
                if attacking { (of_child.proof, of_child.disproof) } else { (of_child.disproof, of_child.proof) };
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
}
