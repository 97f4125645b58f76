//! Who played whom, who had the first move, and how it went.

use crate::score::{MatchResult, Score};

/// The scores of every pair of players that met, apart for either of them moving first.
///
/// Players are numbers from 0; who they are is the caller's business. Whoever does not know who moved first may name the
/// two in any order, and rate without [`first_move`](crate::BradleyTerry::first_move).
///
/// ```
/// use agon_rating::{CrossTable, MatchResult, Score};
///
/// let mut table = CrossTable::new(3);
/// table.record(0, 1, MatchResult::Win);
/// table.record(2, 0, MatchResult::Win);
/// assert_eq!(table.between(0, 2), Score { losses: 1, ..Score::default() });
/// assert_eq!(table.moving_first(0, 2), Score::default());
/// assert_eq!(table.total(0).to_string(), "1 - 1 - 0 [0.500] 2");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CrossTable {
    /// For each player that moved first: its score against each other, up to the last one it met. Whoever is to be rated
    /// needs more room than this, so there is no need to be sparing, and counting is quick.
    scores: Vec<Vec<Score>>,
}

impl CrossTable {
    /// A table of `players` players that have not met yet.
    pub fn new(players: usize) -> CrossTable {
        CrossTable { scores: vec![Vec::new(); players] }
    }

    /// How many players there are.
    pub const fn players(&self) -> usize {
        self.scores.len()
    }

    /// Counts one more match, by its result for `first`, who moved first.
    ///
    /// # Panics
    /// If the two are the same or not in the table.
    pub fn record(&mut self, first: usize, second: usize, result: MatchResult) {
        self.entry(first, second).record(result);
    }

    /// Adds matches in which `first` moved first, as seen by it.
    ///
    /// # Panics
    /// If the two are the same or not in the table.
    pub fn add(&mut self, first: usize, second: usize, score: Score) {
        *self.entry(first, second) += score;
    }

    fn entry(&mut self, first: usize, second: usize) -> &mut Score {
        let players = self.players();
        assert!(first < players && second < players, "a player who is not in the table");
        assert!(first != second, "a player cannot meet itself");
        let scores = &mut self.scores[first];
        if scores.len() <= second {
            scores.resize(second + 1, Score::default());
        }
        &mut scores[second]
    }

    /// The matches between two players in which `first` moved first, seen by it.
    pub fn moving_first(&self, first: usize, second: usize) -> Score {
        self.scores.get(first).and_then(|scores| scores.get(second)).copied().unwrap_or_default()
    }

    /// All matches between two players, seen by `player`.
    pub fn between(&self, player: usize, opponent: usize) -> Score {
        let mut score = self.moving_first(player, opponent);
        score += self.moving_first(opponent, player).swapped();
        score
    }

    /// All matches of one player.
    pub fn total(&self, player: usize) -> Score {
        let mut total = Score::default();
        (0..self.players()).for_each(|opponent| total += self.between(player, opponent));
        total
    }

    /// Every pair that met, `(first, second, score of first)`: once for each of the two who moved first, in a fixed order.
    pub fn pairs<'a>(&'a self) -> impl Iterator<Item = (usize, usize, Score)> + 'a {
        let of_first = |(first, scores): (usize, &'a Vec<Score>)| {
            scores.iter().enumerate().map(move |(second, &score)| (first, second, score))
        };
        self.scores.iter().enumerate().flat_map(of_first).filter(|(_, _, score)| score.matches() > 0)
    }

    /// Whether from every player a chain of wins and draws leads to every other.
    ///
    /// Exactly then the ratings without a prior are finite (L. R. Ford, 1957).
    pub fn is_strongly_connected(&self) -> bool {
        self.is_strongly_connected_with(&[])
    }

    /// The same if some players, whose ratings are known, are taken as connected with each other.
    pub(crate) fn is_strongly_connected_with(&self, known: &[usize]) -> bool {
        let mut beats = vec![Vec::new(); self.players()];
        let mut beaten_by = vec![Vec::new(); self.players()];
        let mut connect = |winner: usize, loser: usize| {
            beats[winner].push(loser);
            beaten_by[loser].push(winner);
        };
        for (first, second, score) in self.pairs() {
            if score.wins.max(score.draws) > 0 {
                connect(first, second);
            }
            if score.losses.max(score.draws) > 0 {
                connect(second, first);
            }
        }
        for pair in known.windows(2) {
            connect(pair[0], pair[1]);
            connect(pair[1], pair[0]);
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
