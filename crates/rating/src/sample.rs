//! A sample of results with `N` equally spaced values from 0 to 1: matches (3) or battles (5).

/// Observed frequencies. The value of the `i`-th result is `i / (N - 1)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample<const N: usize> {
    /// How many matches or battles.
    pub(crate) count: f64,
    /// The share of each result; they sum to 1.
    pub(crate) fractions: [f64; N],
}

/// What is counted in place of nothing where a method needs every result to be possible. The value that the public
/// tools use: a thousandth of a match weighs nothing against real ones.
const REGULARISED_ZERO: f64 = 1e-3;

impl<const N: usize> Sample<N> {
    /// The sample of these counts; `None` if nothing was counted.
    pub(crate) fn new(counts: [u64; N]) -> Option<Sample<N>> {
        // Sums in floating point, so that no count can overflow.
        Sample::of_weights(counts.map(|count| count as f64))
    }

    /// The same, but results that never came up count a little; `None` if nothing was counted.
    pub(crate) fn regularised(counts: [u64; N]) -> Option<Sample<N>> {
        Sample::new(counts)?;
        Sample::of_weights(counts.map(|count| if count == 0 { REGULARISED_ZERO } else { count as f64 }))
    }

    fn of_weights(weights: [f64; N]) -> Option<Sample<N>> {
        let count: f64 = weights.iter().sum();
        (count > 0.0).then(|| Sample { count, fractions: weights.map(|weight| weight / count) })
    }

    /// The value of each result.
    pub(crate) fn values() -> [f64; N] {
        std::array::from_fn(|i| i as f64 / (N - 1) as f64)
    }

    /// How many matches one observation is made of: 1, or 2 for battles.
    pub(crate) fn matches_per_observation() -> f64 {
        (N - 1) as f64 / 2.0
    }

    /// The number of matches in the sample.
    pub(crate) fn matches(&self) -> f64 {
        self.count * Self::matches_per_observation()
    }

    /// The mean result, between 0 and 1.
    pub(crate) fn mean(&self) -> f64 {
        self.fractions.iter().zip(Self::values()).map(|(fraction, value)| fraction * value).sum()
    }

    /// What the mean lacks to 1, with its digits where the mean is all but 1.
    pub(crate) fn missing(&self) -> f64 {
        self.fractions.iter().zip(Self::values()).map(|(fraction, value)| fraction * (1.0 - value)).sum()
    }

    /// The mean square distance of one observation from `centre`.
    pub(crate) fn spread_about(&self, centre: f64) -> f64 {
        self.fractions.iter().zip(Self::values()).map(|(fraction, value)| fraction * (value - centre).powi(2)).sum()
    }

    /// The variance of one observation.
    pub(crate) fn variance(&self) -> f64 {
        self.spread_about(self.mean())
    }

    /// The result that every observation had, if they were all alike.
    pub(crate) fn only_result(&self) -> Option<usize> {
        let mut seen = (0..N).filter(|&i| self.fractions[i] > 0.0);
        match (seen.next(), seen.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }
}
