//! Who played whom, and how it went.

use std::collections::BTreeMap;

use crate::score::{MatchResult, Score};

/// The scores of every pair of players that met.
///
/// Players are numbers from 0; who they are is the caller's business.
///
/// ```
/// use agon_rating::{CrossTable, MatchResult, Score};
///
/// let mut table = CrossTable::new(3);
/// table.record(0, 1, MatchResult::Win);
/// table.record(2, 0, MatchResult::Win);
/// assert_eq!(table.between(0, 2), Score { losses: 1, ..Score::default() });
/// assert_eq!(table.total(0).to_string(), "1 - 1 - 0 [0.500] 2");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CrossTable {
    players: usize,
    /// Seen by the player with the smaller number, which comes first in the key.
    scores: BTreeMap<(usize, usize), Score>,
}

impl CrossTable {
    /// A table of `players` players that have not met yet.
    pub fn new(players: usize) -> CrossTable {
        CrossTable { players, scores: BTreeMap::new() }
    }

    /// How many players there are.
    pub const fn players(&self) -> usize {
        self.players
    }

    /// Counts one more match, by its result for `player`.
    ///
    /// # Panics
    /// If the two are the same or not in the table.
    pub fn record(&mut self, player: usize, opponent: usize, result: MatchResult) {
        let mut score = Score::default();
        score.record(result);
        self.add(player, opponent, score);
    }

    /// Adds matches, as seen by `player`.
    ///
    /// # Panics
    /// If the two are the same or not in the table.
    pub fn add(&mut self, player: usize, opponent: usize, score: Score) {
        assert!(player < self.players && opponent < self.players, "a player who is not in the table");
        assert!(player != opponent, "a player cannot meet itself");
        let seen = if player < opponent { score } else { score.swapped() };
        *self.scores.entry((player.min(opponent), player.max(opponent))).or_default() += seen;
    }

    /// The matches between two players, seen by `player`.
    pub fn between(&self, player: usize, opponent: usize) -> Score {
        let score = self.scores.get(&(player.min(opponent), player.max(opponent))).copied().unwrap_or_default();
        if player < opponent { score } else { score.swapped() }
    }

    /// All matches of one player.
    pub fn total(&self, player: usize) -> Score {
        let mut total = Score::default();
        for (first, second, score) in self.pairs() {
            if first == player {
                total += score;
            } else if second == player {
                total += score.swapped();
            }
        }
        total
    }

    /// Every pair that met, `(player, opponent, score of player)`, each once and in a fixed order.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize, Score)> {
        self.scores.iter().map(|(&(player, opponent), &score)| (player, opponent, score))
    }

    /// Whether from every player a chain of wins and draws leads to every other.
    ///
    /// Exactly then the ratings without a prior are finite (L. R. Ford, 1957).
    pub fn is_strongly_connected(&self) -> bool {
        let mut beats = vec![Vec::new(); self.players];
        let mut beaten_by = vec![Vec::new(); self.players];
        for (first, second, score) in self.pairs() {
            for (winner, loser, some) in
                [(first, second, score.wins.max(score.draws) > 0), (second, first, score.losses.max(score.draws) > 0)]
            {
                if some {
                    beats[winner].push(loser);
                    beaten_by[loser].push(winner);
                }
            }
        }
        reaches_all(&beats) && reaches_all(&beaten_by)
    }
}

/// Whether every node can be reached from the first.
fn reaches_all(edges: &[Vec<usize>]) -> bool {
    let mut reached = vec![false; edges.len()];
    let mut open: Vec<usize> = (0..edges.len().min(1)).collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut reached[node], true) {
            open.extend(&edges[node]);
        }
    }
    reached.iter().all(|&reached| reached)
}
