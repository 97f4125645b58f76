//! Maximum likelihood under a constraint: the core of the generalised sequential test.
//!
//! Given observed frequencies `p̂`, find the distribution `p` on the same values that makes them likeliest,
//! `max Σ p̂ᵢ ln pᵢ`, among those with a given mean, or a given mean measured in standard deviations. The log-likelihood
//! ratio of two hypotheses is then `n · Σ p̂ᵢ ln(p1ᵢ / p0ᵢ)`.
//!
//! The method is Michel Van den Bergh's, "Comments on Normalized Elo" and "MLE for multinomials" (cantate.be/Fishtest).

use crate::sample::Sample;

/// The iteration for a given `t` stops when no probability moves by more than this.
const SETTLED: f64 = 1e-12;
/// More rounds than the iteration ever takes for a `t` of at most [`LARGEST_T`].
const ROUNDS: usize = 200;
/// The largest `t` of a battle for which the iteration settles whatever the results: 200 of normalised Elo. (Near 1 its
/// first tangent no longer meets the distributions.)
pub(crate) const LARGEST_T: f64 = 0.815;

/// The log-likelihood ratio of "the mean is `mean1`" against "the mean is `mean0`", both strictly between 0 and 1.
pub(crate) fn llr_of_means<const N: usize>(sample: &Sample<N>, mean0: f64, mean1: f64) -> f64 {
    let [shrink0, shrink1] = [mean0, mean1].map(|mean| shrinkage(sample, &Sample::<N>::values().map(|v| v - mean)));
    log_ratio(sample, &shrink0, &shrink1)
}

/// The log-likelihood ratio of "`(mean - ½) / deviation` is `t1`" against "it is `t0`".
pub(crate) fn llr_of_t_values<const N: usize>(sample: &Sample<N>, t0: f64, t1: f64) -> f64 {
    log_ratio(sample, &shrinkage_for_t(sample, t0), &shrinkage_for_t(sample, t1))
}

/// `n · Σ p̂ᵢ ln(p1ᵢ / p0ᵢ)`, with `pᵢ = p̂ᵢ / shrinkᵢ`.
fn log_ratio<const N: usize>(sample: &Sample<N>, shrink0: &[f64; N], shrink1: &[f64; N]) -> f64 {
    let per_observation: f64 = (0..N).map(|i| sample.fractions[i] * (shrink0[i] / shrink1[i]).ln()).sum();
    sample.count * per_observation
}

/// By how much to divide each frequency, so that the likeliest distribution with `Σ pᵢ aᵢ = 0` results.
///
/// Lagrange's conditions give `pᵢ = p̂ᵢ / (1 + x·aᵢ)`, where `x` solves `Σ p̂ᵢ aᵢ / (1 + x·aᵢ) = 0`. The sum falls with
/// `x` between the poles `-1 / max a` and `-1 / min a`, so the root lies between 0 and one of them. It is written as
/// `pole + y`: where a frequency is tiny the root is so near to the pole that only `y` has its digits.
///
/// The `aᵢ` must have both signs.
fn shrinkage<const N: usize>(sample: &Sample<N>, a: &[f64; N]) -> [f64; N] {
    let mean: f64 = sample.fractions.iter().zip(a).map(|(fraction, a)| fraction * a).sum();
    let pivot = if mean > 0.0 {
        a.iter().copied().fold(f64::INFINITY, f64::min)
    } else {
        a.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    };
    let shrink_at = |y: f64| a.map(|a| (pivot - a) / pivot + y * a);
    // Newton, with halving where it would leave the bracket. In units of 1 / pivot, y runs from the pole at 0 to the
    // point 1, where x is 0.
    let (mut low, mut high) = (0.0, 1.0);
    let mut y = 1.0;
    for _ in 0..200 {
        let (mut height, mut slope) = (0.0, 0.0);
        for (i, shrink) in shrink_at(y / pivot).into_iter().enumerate() {
            let term = a[i] / pivot / shrink;
            height += sample.fractions[i] * term;
            slope -= sample.fractions[i] * term * term;
        }
        if height > 0.0 {
            low = y;
        } else {
            high = y;
        }
        let newton = y - height / slope;
        let next = if low < newton && newton < high { newton } else { (low + high) / 2.0 };
        let moved = (next - y).abs();
        y = next;
        if moved <= 1e-15 * y {
            break;
        }
    }
    shrink_at(y / pivot)
}

/// As [`shrinkage`], for `(mean - ½) / deviation = t`: that constraint is not linear in `p`, so it is replaced by its
/// tangent at the last guess, again and again.
fn shrinkage_for_t<const N: usize>(sample: &Sample<N>, t: f64) -> [f64; N] {
    debug_assert!(t.abs() <= LARGEST_T, "the iteration is only known to settle below");
    let mut guess = Sample { count: 1.0, fractions: [1.0 / N as f64; N] };
    let mut shrink = [1.0; N];
    for _ in 0..ROUNDS {
        let mean = guess.mean();
        let deviation = guess.variance().sqrt();
        let a = Sample::<N>::values().map(|value| {
            let distance = (value - mean) / deviation;
            value - 0.5 - t * deviation * (1.0 + distance * distance) / 2.0
        });
        shrink = shrinkage(sample, &a);
        let next = std::array::from_fn(|i| sample.fractions[i] / shrink[i]);
        let moved = (0..N).map(|i| f64::abs(next[i] - guess.fractions[i])).fold(0.0, f64::max);
        guess.fractions = next;
        if moved < SETTLED {
            break;
        }
    }
    shrink
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTS: [u64; 5] = [0, 1, 40, 1_000_000, u64::MAX];

    /// Every battle count made of [`COUNTS`], with a distribution that the shrinkage makes of it.
    fn for_every_sample(shrinkage: impl Fn(&Sample<5>) -> [f64; 5], check: impl Fn([u64; 5], Sample<5>)) {
        for number in 1..5usize.pow(5) {
            let counts = std::array::from_fn(|i| COUNTS[number / 5usize.pow(i as u32) % 5]);
            let sample = Sample::regularised(counts).expect("some battles");
            let shrink = shrinkage(&sample);
            let fractions: [f64; 5] = std::array::from_fn(|i| sample.fractions[i] / shrink[i]);
            assert!((fractions.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{counts:?} {fractions:?}");
            check(counts, Sample { count: 1.0, fractions });
        }
    }

    #[test]
    fn the_likeliest_distribution_has_the_mean() {
        for mean in [0.003, 0.5, 0.51, 0.997] {
            for_every_sample(
                |sample| shrinkage(sample, &Sample::<5>::values().map(|value| value - mean)),
                |counts, found| assert!((found.mean() - mean).abs() < 1e-9, "{counts:?} {mean}"),
            );
        }
    }

    #[test]
    fn the_likeliest_distribution_has_the_t() {
        for t in [-LARGEST_T, -0.1, 0.01, LARGEST_T] {
            for_every_sample(
                |sample| shrinkage_for_t(sample, t),
                |counts, found| {
                    let error = (found.mean() - 0.5) / found.variance().sqrt() - t;
                    assert!(error.abs() < 1e-9, "{counts:?} {t}");
                },
            );
        }
    }

    #[test]
    fn the_known_approximation_is_near() {
        // "Comments on Normalized Elo", section 4.2: n/2 · ln((1 + (t - t0)²) / (1 + (t - t1)²)) with the observed t.
        let sample = Sample::regularised([99, 3323, 8399, 3606, 109]).expect("battles");
        let t = (sample.mean() - 0.5) / sample.variance().sqrt();
        let near = sample.count / 2.0 * ((1.0 + t * t) / (1.0 + (t - 0.008).powi(2))).ln();
        let exact = llr_of_t_values(&sample, 0.0, 0.008);
        assert!((exact - near).abs() < 0.01 * exact.abs(), "{exact} {near}");
    }
}
