//! The normal distribution.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Half the width, in standard deviations, of an interval that holds 95 % of a normal distribution.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// The probability that a standard normal variable is at most `z`.
///
/// ```
/// use agon_rating::{Z_95, normal_cdf};
///
/// assert_eq!(normal_cdf(0.0), 0.5);
/// assert!((normal_cdf(Z_95) - 0.975).abs() < 1e-12);
/// ```
pub fn normal_cdf(z: f64) -> f64 {
    // The upper tail is computed and not 1 - Φ, so that probabilities near 0 keep their digits.
    let tail = 0.5 * erfc(z.abs() * FRAC_1_SQRT_2);
    if z <= 0.0 { tail } else { 1.0 - tail }
}

/// The complementary error function for `x >= 0`.
fn erfc(x: f64) -> f64 {
    if x < 2.5 { 1.0 - erf_series(x) } else { erfc_fraction(x) }
}

/// `erf x = 2/√π · e^(-x²) · Σ 2ⁿ x^(2n+1) / (1·3·5…(2n+1))`: all terms are positive, so nothing cancels.
fn erf_series(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    let mut odd = 1.0;
    while term > sum * f64::EPSILON {
        odd += 2.0;
        term *= 2.0 * x * x / odd;
        sum += term;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

/// The continued fraction `√π · e^(x²) · erfc x = 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/(x + …))))`, from the inside out.
fn erfc_fraction(x: f64) -> f64 {
    // At x = 2.5 sixty levels leave an error below 1e-16; larger x needs fewer.
    let denominator = (1..=60).rev().fold(x, |below, level| x + f64::from(level) / 2.0 / below);
    (-x * x).exp() / (denominator * PI.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_tables() {
        // Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.1 (P) and 26.2 (-log10 Q).
        for (z, expected) in [(0.5, 0.691_462_461_274_013), (1.0, 0.841_344_746_068_543), (2.0, 0.977_249_868_051_821)]
        {
            assert!((normal_cdf(z) - expected).abs() < 1e-14, "{z}");
            assert!((normal_cdf(-z) - (1.0 - expected)).abs() < 1e-14, "-{z}");
        }
        for (z, minus_log) in [(5.0, 6.542_65), (10.0, 23.118_05)] {
            assert!((-normal_cdf(-z).log10() - minus_log).abs() < 1e-5, "{z}");
        }
    }

    #[test]
    fn the_two_methods_meet() {
        for x in [2.3, 2.5, 2.7, 3.0] {
            assert!((1.0 - erf_series(x) - erfc_fraction(x)).abs() < 1e-14, "{x}");
        }
    }

    #[test]
    fn extremes_are_probabilities() {
        assert_eq!(normal_cdf(-1e300), 0.0);
        assert_eq!(normal_cdf(1e300), 1.0);
    }
}
