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

use crate::{Foreseen, Searchable};

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
const EXTRA: u32 = 3;
/// So many positions are remembered at most: some 50 MiB. Then those that are not decided yet are forgotten, and if that does not
/// help, all.
const MOST_KNOWN: usize = 1 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    const WON: Numbers = Numbers { proof: 0, disproof: NEVER };
    const FAILED: Numbers = Numbers { proof: NEVER, disproof: 0 };

    /// A position that nobody has looked at: all moves of the side to move must fail, and one that does not will do.
    fn guess(width: u32, attacking: bool) -> Numbers {
        if attacking { Numbers { proof: 1, disproof: width } } else { Numbers { proof: width, disproof: 1 } }
    }
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

/// The end that a game sees coming: whether `attacker` wins, and in how many moves.
fn foreseen_win<P: Searchable>(position: &P, attacker: Side) -> Option<(bool, usize)> {
    let attacking = position.turn() == attacker;
    Some(match position.foresee()? {
        Foreseen::WinIn(moves) => (attacking, moves),
        Foreseen::LossIn(moves) => (!attacking, moves),
    })
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
        let mut prover = Prover { most_nodes, ..Prover::of(position.turn()) };
        prover.follow(history);
        prover
    }

    /// Tries to prove that `attacker` wins, whoever is to move. What is proven is kept for later positions of the same game.
    pub(crate) fn of(attacker: Side) -> Prover<P> {
        Prover {
            attacker,
            known: HashMap::default(),
            proven: HashMap::default(),
            history: Vec::new(),
            begun: 0,
            nodes: 0,
            most_nodes: 0,
            went_round: false,
            types: std::marker::PhantomData,
        }
    }

    /// The game has gone on: this is what came before.
    pub(crate) fn follow(&mut self, history: &[u64]) {
        self.history.clear();
        self.history.extend_from_slice(history);
        self.begun = history.len();
    }

    /// Goes on with `position` for so many nodes more.
    pub(crate) fn go_on(&mut self, position: &P, more: u64) -> Proof {
        self.most_nodes = self.nodes + more;
        self.prove(position)
    }

    /// Whether it is proven that the attacker wins after this move.
    pub(crate) fn wins_after(&mut self, position: &P, m: P::Move) -> bool {
        let mut next = position.clone();
        next.play(m);
        self.first_look(&next).unwrap_or_else(|| self.numbers_of(&next)).proof == 0
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
                Some(outcome) => (outcome.winner == Some(self.attacker)).then_some((0, 0)),
                None => match foreseen_win(&next, self.attacker) {
                    Some((wins, moves)) => wins.then_some((1, moves as u32)),
                    None => self.proven.get(&next.key()).map(|&order| (2, order)),
                },
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
        if let Some((wins, _)) = foreseen_win(position, self.attacker) {
            return Some(if wins { Numbers::WON } else { Numbers::FAILED });
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
        position.drop_hopeless(&mut moves);
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
        let guesses: Vec<Numbers> = children.iter().map(|child| self.guess(child)).collect();
        let numbers = loop {
            let (numbers, best, second) = self.gather(&children, &settled, &guesses, attacking);
            if numbers.proof >= most_proof || numbers.disproof >= most_disproof || self.nodes >= self.most_nodes {
                break numbers;
            }
            let Some(best) = best.filter(|&best| settled[best].is_none()) else { break numbers };
            let child = self.known.get(&children[best].key()).copied().unwrap_or(guesses[best]);
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
        self.remember(position.key(), numbers);
        if numbers.proof == 0 {
            let next = self.proven.len() as u32 + 1;
            self.proven.entry(position.key()).or_insert(next);
        }
        numbers
    }

    fn remember(&mut self, key: u64, numbers: Numbers) {
        if self.known.len() >= MOST_KNOWN {
            self.known.retain(|_, numbers| numbers.proof == 0 || numbers.disproof == 0);
            if self.known.len() > MOST_KNOWN / 2 {
                self.known.clear();
                self.proven.clear();
            }
        }
        self.known.insert(key, numbers);
    }

    fn guess(&self, position: &P) -> Numbers {
        Numbers::guess(position.width().max(1), position.turn() == self.attacker)
    }

    fn numbers_of(&self, position: &P) -> Numbers {
        self.known.get(&position.key()).copied().unwrap_or_else(|| self.guess(position))
    }

    /// The numbers of a node from those of its children, the child to look at next, and the second least number.
    fn gather(
        &self,
        children: &[P],
        settled: &[Option<Numbers>],
        guesses: &[Numbers],
        attacking: bool,
    ) -> (Numbers, Option<usize>, u32) {
        let (mut least, mut second, mut sum) = (NEVER, NEVER, 0u32);
        let mut best = None;
        for (number, child) in children.iter().enumerate() {
            let of_child = settled[number].or_else(|| self.known.get(&child.key()).copied()).unwrap_or(guesses[number]);
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
