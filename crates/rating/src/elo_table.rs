//! Running ratings: the classic update after each match.

use crate::{estimate::score_from_elo, score::MatchResult};

/// Ratings closer than this are equal in a ranking, so that the rounding of sums never decides a place.
const SAME_RATING: f64 = 1e-6;

/// Ratings that move with every match: `new = old + K · (score - expected)`, where the expected score is
/// [`score_from_elo`] of the difference.
///
/// What one player gains the other loses, so the mean never moves. The order of matches matters; it is the caller's,
/// and the same order always gives the same ratings. [`EloTable::record_round`] takes matches that were played at the
/// same time.
///
/// ```
/// use agon_rating::{EloTable, MatchResult};
///
/// let mut table = EloTable::new(32.0, vec![1500.0, 1500.0, 1500.0])?;
/// table.record(2, 0, MatchResult::Win);
/// assert_eq!(table.ratings(), [1484.0, 1500.0, 1516.0]);
/// assert_eq!(table.ranking(), [2, 1, 0]);
/// # Ok::<(), agon_rating::EloTableError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct EloTable {
    k_factor: f64,
    ratings: Vec<f64>,
}

/// Why a table of ratings cannot be set up.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum EloTableError {
    /// The K factor is not a positive number.
    #[error("expected a K factor above 0, found {0}")]
    KFactor(f64),
    /// A rating to start with is not a finite number.
    #[error("expected a number as the rating of player {player}, found {rating}")]
    Rating {
        /// Whose.
        player: usize,
        /// What it is.
        rating: f64,
    },
}

impl EloTable {
    /// A table that starts with these ratings. `k_factor` is the most that one match can move a rating.
    pub fn new(k_factor: f64, ratings: Vec<f64>) -> Result<EloTable, EloTableError> {
        if !(k_factor > 0.0 && k_factor.is_finite()) {
            return Err(EloTableError::KFactor(k_factor));
        }
        match ratings.iter().position(|rating| !rating.is_finite()) {
            Some(player) => Err(EloTableError::Rating { player, rating: ratings[player] }),
            None => Ok(EloTable { k_factor, ratings }),
        }
    }

    /// The rating of every player.
    pub fn ratings(&self) -> &[f64] {
        &self.ratings
    }

    /// The score that `player` expects of a match against `opponent`.
    ///
    /// # Panics
    /// If one is not in the table.
    pub fn expected_score(&self, player: usize, opponent: usize) -> f64 {
        score_from_elo(self.ratings[player] - self.ratings[opponent])
    }

    /// Moves two ratings after a match, by its result for `player`, and says how much `player` gained.
    ///
    /// # Panics
    /// If one is not in the table.
    pub fn record(&mut self, player: usize, opponent: usize, result: MatchResult) -> f64 {
        let gain = self.gain(player, opponent, result);
        self.ratings[player] += gain;
        self.ratings[opponent] -= gain;
        gain
    }

    /// Moves the ratings after a round of matches `(player, opponent, result of player)`, every one of them judged by
    /// the ratings from before the round.
    ///
    /// # Panics
    /// If a player is not in the table.
    pub fn record_round(&mut self, round: &[(usize, usize, MatchResult)]) {
        let gains: Vec<f64> =
            round.iter().map(|&(player, opponent, result)| self.gain(player, opponent, result)).collect();
        for (&(player, opponent, _), gain) in round.iter().zip(gains) {
            self.ratings[player] += gain;
            self.ratings[opponent] -= gain;
        }
    }

    /// The players from the strongest to the weakest; equals in the order of their numbers.
    pub fn ranking(&self) -> Vec<usize> {
        ranked(&self.ratings)
    }

    fn gain(&self, player: usize, opponent: usize, result: MatchResult) -> f64 {
        self.k_factor * (result.score() - self.expected_score(player, opponent))
    }
}

/// Numbers of players by falling rating, then by number.
pub(crate) fn ranked(ratings: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    let rounded = |player: usize| (ratings[player] / SAME_RATING).round();
    order.sort_by(|&a, &b| rounded(b).total_cmp(&rounded(a)).then(a.cmp(&b)));
    order
}
