//! The normal distribution.

use std::f64::consts::FRAC_1_SQRT_2;

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
    // Computed as a tail and not as 1 - Φ(-z), so that probabilities near 0 keep their digits.
    0.5 * libm::erfc(-z * FRAC_1_SQRT_2)
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
    fn extremes_are_probabilities() {
        assert_eq!(normal_cdf(-1e300), 0.0);
        assert_eq!(normal_cdf(1e300), 1.0);
    }
}
