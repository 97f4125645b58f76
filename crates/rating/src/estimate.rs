//! Differences in strength with error bars.

use std::{f64::consts::LN_10, fmt};

use crate::{
    normal::{Z_95, normal_cdf},
    sample::Sample,
    score::{Pentanomial, Score},
};

/// Normalised Elo per unit of `t = (score - ½) / standard deviation`: `800 / ln 10`, about 347.4.
///
/// With this factor, normalised and logistic Elo agree for equal bots that never draw.
pub const NORMALISED_ELO_PER_T: f64 = 800.0 / LN_10;

/// Nearer to 0 or 1 than this the normal approximation has nothing to say; see [`Estimate::Lopsided`].
const EDGE: f64 = 1e-3;

/// The probability that a bound at 95 % is allowed to be wrong.
const DOUBT: f64 = 0.05;

/// The Elo difference at which the stronger side expects `score` (of 1) a match: `-400 · log10(1 / score - 1)`.
///
/// `None` unless `score` lies strictly between 0 and 1.
///
/// ```
/// use agon_rating::elo_from_score;
///
/// assert_eq!(elo_from_score(0.5), Some(0.0));
/// assert_eq!(elo_from_score(0.75).map(f64::round), Some(191.0));
/// assert_eq!(elo_from_score(1.0), None);
/// ```
pub fn elo_from_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| elo_from_odds(score, 1.0 - score))
}

/// The score (of 1) that a bot expects of a match when it is `elo` stronger: `1 / (1 + 10^(-elo / 400))`.
///
/// ```
/// use agon_rating::score_from_elo;
///
/// assert_eq!(score_from_elo(0.0), 0.5);
/// assert!((score_from_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
/// ```
pub fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Takes the score and what is missing to 1 apart, so that neither loses its digits near the ends.
fn elo_from_odds(score: f64, missing: f64) -> f64 {
    400.0 * (score.log10() - missing.log10())
}

/// A value between two bounds at 95 %.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The best single value.
    pub value: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Interval {
    /// Half the width, `(high - low) / 2`: what stands after "±".
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether `value` lies within the bounds.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The same interval seen by the opponent.
    #[must_use]
    pub fn swapped(&self) -> Interval {
        Interval { value: -self.value, low: -self.high, high: -self.low }
    }
}

/// How much stronger the first bot is, as far as the results can tell. Every number in it is finite.
///
/// [`Display`](fmt::Display) says it as a sentence fragment:
///
/// ```
/// use agon_rating::{Pentanomial, Score};
///
/// let say = |wins, draws, losses| Score { wins, draws, losses }.elo().to_string();
/// assert_eq!(say(0, 0, 0), "no matches yet");
/// assert_eq!(say(136, 111, 96), "+40.7 ± 30.4");
/// assert_eq!(say(10, 0, 0), "won every match: no finite estimate, at least +182.7 at 95 %");
/// assert_eq!(say(0, 0, 10), "lost every match: no finite estimate, at most -182.7 at 95 %");
/// assert_eq!(say(0, 10, 0), "every result alike: +0.0, between -92.0 and +92.0 at 95 %");
/// assert_eq!(say(9, 0, 1), "+381.7, between +67.4 and +696.0 at 95 %");
/// let level = Pentanomial([0, 0, 7, 0, 0]);
/// assert_eq!(level.normalised_elo().to_string(), "every result alike: no spread to compare with");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Estimate {
    /// Nothing was played.
    NoMatches,
    /// The first bot won every match: any large difference explains that.
    AllWins {
        /// The exact one-sided bound at 95 %. With `n` independent results all alike, the probability `q` of that
        /// result is at least `0.05^(1/n)` (the exact form of the rule of three, `1 - 3/n`), and the expected score
        /// is at least `q`. `n` counts battles where battles are given, else matches.
        at_least: f64,
    },
    /// The first bot lost every match.
    AllLosses {
        /// The mirror of [`AllWins`](Estimate::AllWins).
        at_most: f64,
    },
    /// Every match was drawn, or every battle had the same score: the sample has no spread to measure.
    ///
    /// The bounds take the same `q` as [`AllWins`](Estimate::AllWins) and let the other results be anything: the score
    /// lies between `q·s` and `q·s + 1 - q`.
    Alike(Interval),
    /// There is no spread, and normalised Elo is a difference measured in spreads.
    NoSpread,
    /// So near to all wins or all losses that the usual interval would run past the possible scores.
    ///
    /// The bounds are Wilson's, with the number of observations that a plain win-or-loss sample would need for the
    /// same standard error; they are not symmetric.
    Lopsided(Interval),
    /// The usual case: mean ± 1.96 standard errors, each end turned into Elo.
    Measured(Interval),
}

impl Estimate {
    /// The value with its bounds, where there is one.
    pub fn interval(&self) -> Option<Interval> {
        match *self {
            Estimate::Alike(interval) | Estimate::Lopsided(interval) | Estimate::Measured(interval) => Some(interval),
            Estimate::NoMatches | Estimate::AllWins { .. } | Estimate::AllLosses { .. } | Estimate::NoSpread => None,
        }
    }

    /// The same estimate seen by the opponent.
    #[must_use]
    pub fn swapped(&self) -> Estimate {
        match *self {
            Estimate::NoMatches => Estimate::NoMatches,
            Estimate::NoSpread => Estimate::NoSpread,
            Estimate::AllWins { at_least } => Estimate::AllLosses { at_most: -at_least },
            Estimate::AllLosses { at_most } => Estimate::AllWins { at_least: -at_most },
            Estimate::Alike(interval) => Estimate::Alike(interval.swapped()),
            Estimate::Lopsided(interval) => Estimate::Lopsided(interval.swapped()),
            Estimate::Measured(interval) => Estimate::Measured(interval.swapped()),
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Estimate::NoMatches => f.write_str("no matches yet"),
            Estimate::AllWins { at_least } => {
                write!(f, "won every match: no finite estimate, at least {} at 95 %", Signed(at_least))
            }
            Estimate::AllLosses { at_most } => {
                write!(f, "lost every match: no finite estimate, at most {} at 95 %", Signed(at_most))
            }
            Estimate::NoSpread => f.write_str("every result alike: no spread to compare with"),
            Estimate::Alike(interval) => write!(f, "every result alike: {}", Bounds(interval)),
            Estimate::Lopsided(interval) => write!(f, "{}", Bounds(interval)),
            Estimate::Measured(interval) => write!(f, "{} ± {:.1}", Signed(interval.value), interval.error()),
        }
    }
}

struct Bounds(Interval);

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Interval { value, low, high } = self.0;
        write!(f, "{}, between {} and {} at 95 %", Signed(value), Signed(low), Signed(high))
    }
}

struct Signed(f64);

impl fmt::Display for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What rounds to zero is "+0.0": a minus would read as a verdict.
        let shown = if self.0.abs() < 0.05 { 0.0 } else { self.0 };
        write!(f, "{shown:+.1}")
    }
}

impl Score {
    /// The Elo difference, with the variance of single matches.
    ///
    /// The value is [`elo_from_score`] of the score fraction `s`. The ends are the Elo of `s ± 1.96·√(v/n)` with
    /// `v = (wins·(1-s)² + draws·(½-s)² + losses·s²) / n`, so this assumes that matches are independent.
    pub fn elo(&self) -> Estimate {
        self.sample().map_or(Estimate::NoMatches, |sample| elo(&sample))
    }

    /// The normalised Elo difference, with the variance of single matches: see [`Pentanomial::normalised_elo`].
    pub fn normalised_elo(&self) -> Estimate {
        self.sample().map_or(Estimate::NoMatches, |sample| normalised_elo(&sample))
    }

    /// The probability that the first bot is the stronger, `Φ((wins - losses) / √(wins + losses))`; ½ without results.
    ///
    /// See [`Pentanomial::likelihood_of_superiority`], of which this is the form for single matches.
    ///
    /// ```
    /// let score = agon_rating::Score { wins: 289, draws: 417, losses: 294 };
    /// assert_eq!(format!("{:.1}", 100.0 * score.likelihood_of_superiority()), "41.8");
    /// ```
    pub fn likelihood_of_superiority(&self) -> f64 {
        self.sample().map_or(0.5, |sample| likelihood_of_superiority(&sample))
    }
}

impl Pentanomial {
    /// The Elo difference, with the variance of battles.
    ///
    /// As [`Score::elo`], but a battle is one observation. The two halves of a battle share their opening, so an
    /// opening that favours one side gives a win and a loss, which says nothing and, seen as a battle, spreads
    /// nothing: the error bars are narrower than those of the single matches, and right.
    pub fn elo(&self) -> Estimate {
        self.sample().map_or(Estimate::NoMatches, |sample| elo(&sample))
    }

    /// The difference in units of the spread of one match: `(s - ½) / σ · 800 / ln 10`, `σ² = 2·variance(battle mean)`.
    ///
    /// Twice the normalised Elo is found in a quarter of the matches, whatever the game, its draws or its openings.
    /// The error is `1.96 · 800 / ln 10 / √matches`; like the public tools it takes `σ` as known.
    pub fn normalised_elo(&self) -> Estimate {
        self.sample().map_or(Estimate::NoMatches, |sample| normalised_elo(&sample))
    }

    /// The probability that the first bot is the stronger, if before the battles both were as likely; ½ without any.
    ///
    /// `Φ(z)`, `z = Σ (x - ½) / √Σ (x - ½)²` over the battles, `x` being a battle's share of its possible score: the
    /// spread is taken about ½, as equal bots would have it. (Spread about the mean gives the same digits after some
    /// hundreds of battles, but calls two battles won 1½ and 2 a certainty.)
    pub fn likelihood_of_superiority(&self) -> f64 {
        self.sample().map_or(0.5, |sample| likelihood_of_superiority(&sample))
    }
}

fn elo<const N: usize>(sample: &Sample<N>) -> Estimate {
    if let Some(result) = sample.only_result() {
        return elo_of_alike(sample.count, result, Sample::<N>::values()[result]);
    }
    let (mean, missing) = (sample.mean(), sample.missing());
    let value = elo_from_odds(mean, missing);
    let standard_error = (sample.variance() / sample.count).sqrt();
    let margin = Z_95 * standard_error;
    if mean - margin > EDGE && missing - margin > EDGE {
        let low = elo_from_odds(mean - margin, missing + margin);
        let high = elo_from_odds(mean + margin, missing - margin);
        Estimate::Measured(Interval { value, low, high })
    } else {
        let (low, high) = wilson(mean, missing, standard_error);
        Estimate::Lopsided(Interval { value, low, high })
    }
}

/// All `count` observations had the same `result`, which is worth `score`.
fn elo_of_alike(count: f64, result: usize, score: f64) -> Estimate {
    let log_alike = DOUBT.ln() / count;
    let (alike, different) = (log_alike.exp(), -log_alike.exp_m1());
    let bound = elo_from_odds(alike, different);
    if score == 1.0 {
        return Estimate::AllWins { at_least: bound };
    }
    if result == 0 {
        return Estimate::AllLosses { at_most: -bound };
    }
    let low = elo_from_odds(alike * score, alike * (1.0 - score) + different);
    let high = elo_from_odds(alike * score + different, alike * (1.0 - score));
    Estimate::Alike(Interval { value: elo_from_odds(score, 1.0 - score), low, high })
}

/// Wilson's bounds of the score `mean = 1 - missing`, as Elo: the roots `p` of `(p - mean)² = d·p·(1 - p)`.
fn wilson(mean: f64, missing: f64, standard_error: f64) -> (f64, f64) {
    let doubt = (Z_95 * standard_error).powi(2) / (mean * missing);
    let root = (doubt * (mean * missing + doubt / 4.0)).sqrt();
    // The larger root and what the smaller lacks to 1 are sums; the two others follow by Vieta, without cancelling.
    let high = (mean + doubt / 2.0 + root) / (1.0 + doubt);
    let missing_low = (missing + doubt / 2.0 + root) / (1.0 + doubt);
    let low = mean * mean / ((1.0 + doubt) * high);
    let missing_high = missing * missing / ((1.0 + doubt) * missing_low);
    (elo_from_odds(low, missing_low), elo_from_odds(high, missing_high))
}

fn normalised_elo<const N: usize>(sample: &Sample<N>) -> Estimate {
    if sample.only_result().is_some() {
        return Estimate::NoSpread;
    }
    let deviation = (sample.variance() * Sample::<N>::matches_per_observation()).sqrt();
    let value = (sample.mean() - 0.5) / deviation * NORMALISED_ELO_PER_T;
    let error = Z_95 * NORMALISED_ELO_PER_T / sample.matches().sqrt();
    Estimate::Measured(Interval { value, low: value - error, high: value + error })
}

fn likelihood_of_superiority<const N: usize>(sample: &Sample<N>) -> f64 {
    let spread = sample.spread_about(0.5);
    // Nothing but level results: nothing speaks for either.
    if spread == 0.0 { 0.5 } else { normal_cdf((sample.mean() - 0.5) * (sample.count / spread).sqrt()) }
}
