//! When to stop: the sequential probability ratio test.

use std::{f64::consts::LN_10, fmt, str::FromStr};

use crate::{
    estimate::{NORMALISED_ELO_PER_T, score_from_elo},
    likelihood::{LARGEST_T, llr_of_means, llr_of_t_values},
    sample::Sample,
    score::{Pentanomial, Score},
};

/// What the two Elo bounds of a test mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Model {
    /// Logistic Elo: the bounds are about the expected score, as in [`Score::elo`].
    Logistic,
    /// Normalised Elo: the bounds are about the score in units of its spread, as in [`Pentanomial::normalised_elo`].
    /// The length of the test then does not depend on how many matches are drawn.
    Normalised,
    /// `BayesElo`: the bounds are about a rating difference beside which a second number, the draw elo, makes draws
    /// more or less likely. The draw elo is taken from the sample. For single matches only.
    Bayesian,
}

impl Model {
    /// The word for command lines and records.
    pub const fn name(self) -> &'static str {
        match self {
            Model::Logistic => "logistic",
            Model::Normalised => "normalised",
            Model::Bayesian => "bayesian",
        }
    }

    /// Bounds further out than this are a slip, and would bring the computation to its limits.
    fn largest_bound(self) -> f64 {
        match self {
            Model::Logistic | Model::Bayesian => 1000.0,
            // Of a battle t is √2 times that of a match.
            Model::Normalised => (LARGEST_T / 2f64.sqrt() * NORMALISED_ELO_PER_T).floor(),
        }
    }
}

/// Reads [`Model::name`], and `normalized`.
///
/// ```
/// use agon_rating::Model;
///
/// assert_eq!("normalized".parse(), Ok(Model::Normalised));
/// let error = "elo".parse::<Model>().unwrap_err();
/// assert_eq!(error.to_string(), "expected the model logistic, normalised or bayesian, found \"elo\"");
/// ```
impl FromStr for Model {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Model, SprtError> {
        match text {
            "logistic" => Ok(Model::Logistic),
            "normalised" | "normalized" => Ok(Model::Normalised),
            "bayesian" => Ok(Model::Bayesian),
            _ => Err(SprtError::Model(text.to_owned())),
        }
    }
}

/// What the test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// The difference is (at most) the lower one.
    AcceptH0,
    /// The difference is (at least) the upper one.
    AcceptH1,
    /// Not sure enough: play on.
    Continue,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Decision::AcceptH0 => "H0 was accepted",
            Decision::AcceptH1 => "H1 was accepted",
            Decision::Continue => "not decided yet",
        })
    }
}

/// Why a test cannot be set up.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    /// No model of that name.
    #[error("expected the model logistic, normalised or bayesian, found {0:?}")]
    Model(String),
    /// A bound is not a number or too far out.
    #[error("expected an Elo bound between -{limit} and {limit}, found {elo}")]
    Elo {
        /// The bound asked for.
        elo: f64,
        /// How far out it may be.
        limit: f64,
    },
    /// The bounds are not in order.
    #[error("expected elo0 below elo1, found {0} and {1}")]
    Order(f64, f64),
    /// An error rate is not a probability, or the two make no test.
    #[error("expected alpha and beta above 0 with a sum below 1, found {0} and {1}")]
    ErrorRates(f64, f64),
}

/// A sequential test of "the difference is `elo0`" (H0) against "it is `elo1`" (H1).
///
/// After each battle the log-likelihood ratio (LLR) of the two hypotheses is compared with Wald's bounds
/// `ln(β / (1 - α))` and `ln((1 - β) / α)`. `α` is the probability of accepting H1 when H0 is true, `β` that of
/// accepting H0 when H1 is true.
///
/// The logistic and normalised models are *generalised* tests: the hypotheses fix only the mean (or the mean in
/// standard deviations), and each takes the likeliest distribution that agrees with it, found exactly and not by the
/// normal approximation. Results that never came up count as a thousandth of one.
///
/// ```
/// use agon_rating::{Decision, Model, Score, Sprt};
///
/// let test = Sprt::new(Model::Logistic, 0.0, 5.0, 0.05, 0.05)?;
/// let (lower, upper) = test.bounds();
/// assert_eq!(format!("{lower:.2} {upper:.2}"), "-2.94 2.94");
///
/// let score = Score { wins: 880, draws: 1863, losses: 759 };
/// let llr = test.llr_of_matches(&score);
/// assert_eq!(format!("{llr:.2}"), "2.95");
/// assert_eq!(test.decide(llr), Decision::AcceptH1);
/// # Ok::<(), agon_rating::SprtError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    model: Model,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// A test with the given bounds and error rates. Bounds may be at most 1000 Elo from 0, normalised ones 200.
    pub fn new(model: Model, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let limit = model.largest_bound();
        for elo in [elo0, elo1] {
            if !(-limit..=limit).contains(&elo) {
                return Err(SprtError::Elo { elo, limit });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order(elo0, elo1));
        }
        if alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0 {
            Ok(Sprt { model, elo0, elo1, alpha, beta })
        } else {
            Err(SprtError::ErrorRates(alpha, beta))
        }
    }

    /// The model.
    pub const fn model(&self) -> Model {
        self.model
    }

    /// The two differences that are tested, `(elo0, elo1)`.
    pub const fn elo(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The log-likelihood ratios at which the test ends, `(lower, upper)`.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What a log-likelihood ratio means for this test.
    pub fn decide(&self, llr: f64) -> Decision {
        let (lower, upper) = self.bounds();
        if llr <= lower {
            Decision::AcceptH0
        } else if llr >= upper {
            Decision::AcceptH1
        } else {
            Decision::Continue
        }
    }

    /// The log-likelihood ratio of single matches, taken as independent; 0 without any.
    pub fn llr_of_matches(&self, score: &Score) -> f64 {
        let Some(sample) = Sample::regularised(score.counts()) else { return 0.0 };
        match self.model {
            Model::Bayesian => self.bayesian_llr(&sample),
            Model::Logistic | Model::Normalised => self.generalised_llr(&sample),
        }
    }

    /// The log-likelihood ratio of battles; 0 without any.
    ///
    /// `None` for the Bayesian model: its draw elo is a property of single matches, which the counts of battles do not
    /// tell. Use [`Sprt::llr_of_matches`] there.
    pub fn llr_of_battles(&self, battles: &Pentanomial) -> Option<f64> {
        if self.model == Model::Bayesian {
            return None;
        }
        Some(Sample::regularised(battles.0).map_or(0.0, |sample| self.generalised_llr(&sample)))
    }

    fn generalised_llr<const N: usize>(&self, sample: &Sample<N>) -> f64 {
        if self.model == Model::Logistic {
            return llr_of_means(sample, score_from_elo(self.elo0), score_from_elo(self.elo1));
        }
        // Normalised Elo is about single matches; the mean of two spreads less by √2.
        let per_observation = Sample::<N>::matches_per_observation().sqrt() / NORMALISED_ELO_PER_T;
        let (t0, t1) = (self.elo0 * per_observation, self.elo1 * per_observation);
        llr_of_t_values(sample, t0, t1)
    }

    /// `Σ nᵢ ln(P1ᵢ / P0ᵢ)` with the probabilities of the two bounds at the draw elo of the sample.
    fn bayesian_llr(&self, sample: &Sample<3>) -> f64 {
        let [lost, drawn, won] = sample.fractions;
        // 200 · log10((1 - lost) / lost · (1 - won) / won), written so that nothing cancels.
        let draw_elo = 200.0 / LN_10 * (drawn / (lost * won)).ln_1p();
        let at0 = bayes_elo_probabilities(self.elo0, draw_elo);
        let at1 = bayes_elo_probabilities(self.elo1, draw_elo);
        sample.count * (0..3).map(|i| sample.fractions[i] * (at1[i] / at0[i]).ln()).sum::<f64>()
    }
}

/// The probabilities of loss, draw and win in Rémi Coulom's `BayesElo` model, for a difference of `elo`:
/// `P(win) = 1 / (1 + 10^((draw_elo - elo) / 400))`, `P(loss) = 1 / (1 + 10^((draw_elo + elo) / 400))`.
///
/// The draw elo is at least 0, where nothing is drawn.
///
/// ```
/// let [loss, draw, win] = agon_rating::bayes_elo_probabilities(0.0, 200.0);
/// assert_eq!(loss, win);
/// assert!((loss + draw + win - 1.0).abs() < 1e-12);
/// ```
pub fn bayes_elo_probabilities(elo: f64, draw_elo: f64) -> [f64; 3] {
    let win = score_from_elo(elo - draw_elo);
    let loss = score_from_elo(-elo - draw_elo);
    // 1 - win - loss, written so that nothing cancels.
    let draw = (draw_elo * LN_10 / 200.0).exp_m1() * win * loss;
    [loss, draw, win]
}
