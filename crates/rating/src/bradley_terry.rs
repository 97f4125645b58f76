//! Ratings of many players at once.

use std::{f64::consts::LN_10, fmt};

use crate::{
    cross_table::CrossTable,
    elo_table::ranked,
    estimate::Interval,
    matrix::Matrix,
    normal::{Z_95, normal_cdf},
};

/// Elo per unit of the natural logarithm in which the ratings are computed.
const ELO_PER_UNIT: f64 = 400.0 / LN_10;

/// MM steps before Newton's: they come near from anywhere.
const MM_STEPS: usize = 30;
/// Newton's steps; a handful is usual.
const NEWTON_STEPS: usize = 100;

/// How to turn a [`CrossTable`] into ratings.
///
/// The Bradley-Terry model: a player expects the score `1 / (1 + 10^(-(own rating - opponent's) / 400))` of a match,
/// and the ratings are those that make the table likeliest, which is when everybody's score is what was expected. A
/// draw counts as half a win and half a loss.
///
/// To this each player is given `prior_draws` imagined draws with an imagined player in the middle of the field. They
/// keep the ratings of those who won or lost everything finite, and connect groups that never met.
///
/// Computed by the MM algorithm (D. R. Hunter, 2004), which climbs from anywhere, and finished by Newton's method,
/// which arrives. The errors come from the Fisher information, prior included. Draws spread less than the wins and
/// losses they are counted as, so with many draws the errors are on the safe side.
///
/// ```
/// use agon_rating::{BradleyTerry, CrossTable, Score};
///
/// let mut table = CrossTable::new(3);
/// table.add(0, 1, Score { wins: 6, draws: 2, losses: 2 });
/// table.add(1, 2, Score { wins: 7, draws: 1, losses: 2 });
/// table.add(0, 2, Score { wins: 10, draws: 0, losses: 0 });
///
/// let ratings = BradleyTerry { mean: 1500.0, ..BradleyTerry::default() }.rate(&table)?;
/// assert_eq!(ratings.ranking(), [0, 1, 2]);
/// let best = ratings.of(0);
/// assert_eq!(format!("{:.0} ± {:.0}", best.value, best.error()), "1695 ± 134");
/// # Ok::<(), agon_rating::RatingError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BradleyTerry {
    /// Imagined draws of each player. `BayesElo`'s customary 2 by default; 0 for the plain maximum of likelihood, which
    /// exists only for a [strongly connected](CrossTable::is_strongly_connected) table.
    pub prior_draws: f64,
    /// What the ratings shall average to; 0 by default.
    pub mean: f64,
}

impl Default for BradleyTerry {
    fn default() -> BradleyTerry {
        BradleyTerry { prior_draws: 2.0, mean: 0.0 }
    }
}

/// Why a table cannot be rated.
#[derive(Clone, PartialEq, Debug)]
pub enum RatingError {
    /// There is nobody to rate.
    NoPlayers,
    /// The number of imagined draws or the mean is not a usable number.
    Settings {
        /// The imagined draws asked for.
        prior_draws: f64,
        /// The mean asked for.
        mean: f64,
    },
    /// Without imagined draws, some players' ratings would be infinitely far from others'.
    NotConnected,
    /// The numbers are too extreme for the computation.
    NoConvergence,
}

impl fmt::Display for RatingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RatingError::NoPlayers => f.write_str("no players to rate"),
            RatingError::Settings { prior_draws, mean } => {
                write!(f, "expected prior draws of at least 0 and a finite mean, found {prior_draws} and {mean}")
            }
            RatingError::NotConnected => f.write_str(
                "some players never scored against some others, not even through a chain of opponents: \
                 no finite ratings without prior draws",
            ),
            RatingError::NoConvergence => f.write_str("the ratings did not converge"),
        }
    }
}

impl std::error::Error for RatingError {}

impl BradleyTerry {
    /// The ratings of all players of the table.
    pub fn rate(&self, table: &CrossTable) -> Result<Ratings, RatingError> {
        if !(self.prior_draws >= 0.0 && self.prior_draws.is_finite() && self.mean.is_finite()) {
            return Err(RatingError::Settings { prior_draws: self.prior_draws, mean: self.mean });
        }
        if table.players() == 0 {
            return Err(RatingError::NoPlayers);
        }
        if self.prior_draws == 0.0 && !table.is_strongly_connected() {
            return Err(RatingError::NotConnected);
        }
        let likelihood = Likelihood::new(table, self.prior_draws);
        let strengths = likelihood.maximum().ok_or(RatingError::NoConvergence)?;
        let covariance = likelihood.information(&strengths).cholesky().ok_or(RatingError::NoConvergence)?.inverse();
        let shift = strengths.iter().sum::<f64>() / strengths.len() as f64;
        let ratings = strengths.iter().map(|strength| self.mean + (strength - shift) * ELO_PER_UNIT).collect();
        Ok(Ratings { ratings, covariance: centred(&covariance, table.players()) })
    }
}

/// The covariance of the distances from the mean, given that of the values.
fn centred(covariance: &Matrix, size: usize) -> Matrix {
    let mean_of_row: Vec<f64> =
        (0..size).map(|row| (0..size).map(|column| covariance.get(row, column)).sum::<f64>() / size as f64).collect();
    let mean = mean_of_row.iter().sum::<f64>() / size as f64;
    let mut centred = Matrix::zero(size);
    for row in 0..size {
        for column in 0..size {
            *centred.at(row, column) = covariance.get(row, column) - mean_of_row[row] - mean_of_row[column] + mean;
        }
    }
    centred
}

/// Ratings with their errors, in the order of the players of the table.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    ratings: Vec<f64>,
    /// In natural units, of the distances from the mean.
    covariance: Matrix,
}

impl Ratings {
    /// The rating of one player with its bounds at 95 %, relative to the mean of all.
    ///
    /// # Panics
    /// If the player is not in the table.
    pub fn of(&self, player: usize) -> Interval {
        around(self.ratings[player], self.covariance.get(player, player))
    }

    /// The bare ratings of all players.
    pub fn values(&self) -> &[f64] {
        &self.ratings
    }

    /// How much stronger `player` is than `opponent`. The bounds take into account that the two ratings depend on each
    /// other, which the two single errors do not tell.
    ///
    /// # Panics
    /// If a player is not in the table.
    pub fn difference(&self, player: usize, opponent: usize) -> Interval {
        around(self.ratings[player] - self.ratings[opponent], self.variance_between(player, opponent))
    }

    /// The probability that `player` is stronger than `opponent`; ½ for a player and itself.
    ///
    /// # Panics
    /// If a player is not in the table.
    pub fn likelihood_of_superiority(&self, player: usize, opponent: usize) -> f64 {
        if player == opponent {
            return 0.5;
        }
        let deviation = self.variance_between(player, opponent).sqrt() * ELO_PER_UNIT;
        normal_cdf((self.ratings[player] - self.ratings[opponent]) / deviation)
    }

    /// The players from the strongest to the weakest; equals in the order of their numbers.
    pub fn ranking(&self) -> Vec<usize> {
        ranked(&self.ratings)
    }

    fn variance_between(&self, player: usize, opponent: usize) -> f64 {
        let of = |row, column| self.covariance.get(row, column);
        of(player, player) + of(opponent, opponent) - 2.0 * of(player, opponent)
    }
}

fn around(value: f64, variance: f64) -> Interval {
    // Rounding may leave a variance of zero a hair below it.
    let error = Z_95 * variance.max(0.0).sqrt() * ELO_PER_UNIT;
    Interval { value, low: value - error, high: value + error }
}

/// The log-likelihood of strengths in natural units: `Σ ln σ(own - opponent's)` over wins, draws counting half each.
struct Likelihood {
    prior_draws: f64,
    players: usize,
    /// The wins of each player, halves for draws, prior included.
    scores: Vec<f64>,
    /// Pairs with their number of matches and the score of the first.
    meetings: Vec<(usize, usize, f64, f64)>,
}

impl Likelihood {
    fn new(table: &CrossTable, prior_draws: f64) -> Likelihood {
        let mut scores = vec![prior_draws / 2.0; table.players()];
        let mut meetings = Vec::new();
        for (first, second, score) in table.pairs() {
            let [losses, draws, wins] = score.counts().map(|count| count as f64);
            let matches = losses + draws + wins;
            scores[first] += wins + draws / 2.0;
            scores[second] += losses + draws / 2.0;
            meetings.push((first, second, matches, wins + draws / 2.0));
        }
        Likelihood { prior_draws, players: table.players(), scores, meetings }
    }

    fn maximum(&self) -> Option<Vec<f64>> {
        let mut strengths = vec![0.0; self.players];
        for _ in 0..MM_STEPS {
            strengths = self.mm_step(&strengths);
        }
        let matches: f64 = self.scores.iter().sum();
        for _ in 0..NEWTON_STEPS {
            let gradient = self.gradient(&strengths);
            if gradient.iter().all(|slope| slope.abs() <= 1e-12 * (1.0 + matches)) {
                return Some(strengths);
            }
            let step = self.information(&strengths).cholesky()?.solve(&gradient);
            strengths = self.climb(&strengths, &step);
        }
        None
    }

    /// Hunter's step: `πᵢ ← scoreᵢ / Σⱼ nᵢⱼ / (πᵢ + πⱼ)`; it never lowers the likelihood.
    fn mm_step(&self, strengths: &[f64]) -> Vec<f64> {
        let power: Vec<f64> = strengths.iter().map(|strength| strength.exp()).collect();
        let mut weights: Vec<f64> = power.iter().map(|power| self.prior_draws / (power + 1.0)).collect();
        for &(first, second, matches, _) in &self.meetings {
            let weight = matches / (power[first] + power[second]);
            weights[first] += weight;
            weights[second] += weight;
        }
        // Only a single player without prior has no weight; any rating will do for it.
        let new = |(score, weight): (&f64, &f64)| if *weight > 0.0 { (score / weight).ln() } else { 0.0 };
        self.scores.iter().zip(&weights).map(new).collect()
    }

    /// Newton's step, halved until it does not lead down: far from the top it may be too long.
    fn climb(&self, strengths: &[f64], step: &[f64]) -> Vec<f64> {
        let here = self.value(strengths);
        let mut length = 1.0;
        loop {
            let next: Vec<f64> = strengths.iter().zip(step).map(|(strength, step)| strength + length * step).collect();
            if length < 1e-9 || self.value(&next) >= here - 1e-12 * here.abs() {
                return next;
            }
            length /= 2.0;
        }
    }

    fn value(&self, strengths: &[f64]) -> f64 {
        let prior: f64 = strengths.iter().map(|&s| self.prior_draws / 2.0 * (ln_logistic(s) + ln_logistic(-s))).sum();
        let met = self.meetings.iter().map(|&(first, second, matches, score)| {
            let lead = strengths[first] - strengths[second];
            score * ln_logistic(lead) + (matches - score) * ln_logistic(-lead)
        });
        prior + met.sum::<f64>()
    }

    /// Score minus expected score of each player.
    fn gradient(&self, strengths: &[f64]) -> Vec<f64> {
        let mut gradient: Vec<f64> =
            self.scores.iter().zip(strengths).map(|(score, &s)| score - self.prior_draws * logistic(s)).collect();
        for &(first, second, matches, _) in &self.meetings {
            let expected = matches * logistic(strengths[first] - strengths[second]);
            gradient[first] -= expected;
            gradient[second] -= matches - expected;
        }
        gradient
    }

    /// The Fisher information.
    fn information(&self, strengths: &[f64]) -> Matrix {
        // Without prior the ratings are only known up to a common shift, which this term holds still.
        let hold = if self.prior_draws == 0.0 { 1.0 / self.players as f64 } else { 0.0 };
        let mut information = Matrix::filled(self.players, hold);
        for (player, &strength) in strengths.iter().enumerate() {
            *information.at(player, player) += self.prior_draws * logistic(strength) * logistic(-strength);
        }
        for &(first, second, matches, _) in &self.meetings {
            let lead = strengths[first] - strengths[second];
            let known = matches * logistic(lead) * logistic(-lead);
            *information.at(first, first) += known;
            *information.at(second, second) += known;
            *information.at(first, second) -= known;
            *information.at(second, first) -= known;
        }
        information
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// `ln σ(x)`, without losing the digits of a large `x` or overflowing on a small one.
fn ln_logistic(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}
