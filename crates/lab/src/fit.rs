//! Fitting the weights of an evaluation to the results of played games: the better a score tells who will win, the better it is.
//!
//! A score stands for a chance: the logistic function of the score times a scale. The loss is the mean surprise at the results, in
//! natural units. It has one bottom only, so where the descent begins does not matter.

use agon_search::Weight;

use crate::Games;

/// What a fit came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// Every weight, in the order in which the game declares them.
    pub weights: Vec<FittedWeight>,
    /// The games that were learnt from.
    pub learnt: Part,
    /// The games that were not: whether the new weights are better shows here.
    pub held_out: Part,
    /// What the game's unit stands for, from 0 to 1: before, and with the new weights.
    pub unit_chance: [f64; 2],
}

/// A weight, and what the games say of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FittedWeight {
    /// The weight as it is.
    pub weight: Weight,
    /// What it should be. The same where nothing was learnt.
    pub value: i32,
    /// In how many of the positions that were learnt from it counts.
    pub seen: usize,
}

/// Some of the games, and the loss on them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Part {
    /// How many games.
    pub games: usize,
    /// How many positions.
    pub positions: usize,
    /// The loss with the present weights.
    pub before: f64,
    /// The loss with the new ones.
    pub after: f64,
}

/// One game in so many is held out: games, not positions, because those of one game are alike.
const HELD_OUT: usize = 10;
/// Steps of the descent, and how long the first ones are. It ends early where the slope is nothing.
const STEPS: u32 = 2000;
const FIRST_RATE: f64 = 0.05;
const NO_SLOPE: f64 = 1e-7;
/// How slowly the mean slope and the mean of its square follow the present one.
const MOMENTUM: f64 = 0.9;
const CAUTION: f64 = 0.999;
/// A pull towards the present weights, worth about so many positions: what was seen a handful of times must not run away.
const PULL: f64 = 20.0;
/// The scale is looked for between nothing and this: there, a quarter of the unit is as good as a won game.
const MOST_SCALE: f64 = 20.0;

/// Positions as a table of numbers.
struct Points {
    width: usize,
    counts: Vec<f64>,
    results: Vec<f64>,
    games: usize,
}

/// Fits the weights of a game to its played games; `unit` is the score of a clear advantage. The spread of the scores stays what it
/// is, so that margins of the search mean what they meant.
pub fn fit(weights: &[Weight], unit: i32, games: &Games) -> Result<Fit, String> {
    let [learnt, held_out] = [false, true].map(|held| Points::new(weights.len(), games, held));
    if learnt.results.is_empty() || held_out.results.is_empty() {
        return Err(format!(
            "expected quiet positions in some games and in every {HELD_OUT}th, found {} in {} games: play more",
            learnt.results.len() + held_out.results.len(),
            games.len()
        ));
    }
    // From here on a weight of 1 means one unit.
    let in_units = |value: i32| f64::from(value) / f64::from(unit.max(1));
    let old: Vec<f64> = weights.iter().map(|weight| in_units(weight.value)).collect();
    let old_scale = learnt.best_scale(&old);
    let found = learnt.descend(&old, old_scale);
    let (spread, spread_found) = (learnt.spread(&old), learnt.spread(&found));
    let stretch = if spread > 0.0 && spread_found > 0.0 { spread / spread_found } else { 1.0 };
    let fitted: Vec<FittedWeight> = (weights.iter().zip(found).enumerate())
        .map(|(index, (&weight, found))| {
            let seen = learnt.rows().filter(|row| row[index] != 0.0).count();
            let value = (found * stretch * f64::from(unit.max(1))).round() as i32;
            FittedWeight { weight, value: if seen == 0 { weight.value } else { value }, seen }
        })
        .collect();
    let new: Vec<f64> = fitted.iter().map(|fitted| in_units(fitted.value)).collect();
    let new_scale = learnt.best_scale(&new);
    let part = |points: &Points| Part {
        games: points.games,
        positions: points.results.len(),
        before: points.loss(&old, old_scale),
        after: points.loss(&new, new_scale),
    };
    Ok(Fit {
        learnt: part(&learnt),
        held_out: part(&held_out),
        unit_chance: [old_scale, new_scale].map(chance),
        weights: fitted,
    })
}

fn chance(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

fn dot(row: &[f64], weights: &[f64]) -> f64 {
    row.iter().zip(weights).map(|(count, weight)| count * weight).sum()
}

impl Points {
    /// The positions of the games that are held out, or of the others.
    fn new(width: usize, games: &Games, held_out: bool) -> Points {
        let mut points = Points { width, counts: Vec::new(), results: Vec::new(), games: 0 };
        for (_, samples) in games.iter().filter(|&(number, _)| (number % HELD_OUT == HELD_OUT - 1) == held_out) {
            points.games += 1;
            for sample in samples.iter().filter(|sample| sample.counts.len() == width) {
                points.counts.extend(sample.counts.iter().map(|&count| f64::from(count)));
                points.results.push(sample.result);
            }
        }
        points
    }

    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.counts.chunks_exact(self.width.max(1))
    }

    fn mean(&self, of: impl Fn(&[f64], f64) -> f64) -> f64 {
        self.rows().zip(&self.results).map(|(row, &result)| of(row, result)).sum::<f64>() / self.results.len() as f64
    }

    /// The mean surprise at the results.
    fn loss(&self, weights: &[f64], scale: f64) -> f64 {
        self.mean(|row, result| {
            let logit = dot(row, weights) * scale;
            // The logarithm of 1 + e^logit, without an overflow.
            logit.max(0.0) + (-logit.abs()).exp().ln_1p() - result * logit
        })
    }

    /// How far scores lie from 0.
    fn spread(&self, weights: &[f64]) -> f64 {
        self.mean(|row, _| dot(row, weights).powi(2)).sqrt()
    }

    /// The scale with which these weights surprise least: the loss falls before it and rises after it.
    fn best_scale(&self, weights: &[f64]) -> f64 {
        if self.spread(weights) == 0.0 {
            return 1.0;
        }
        let (mut low, mut high) = (0.0, MOST_SCALE);
        for _ in 0..50 {
            let middle = (low + high) / 2.0;
            let slope = self.mean(|row, result| {
                let score = dot(row, weights);
                (chance(score * middle) - result) * score
            });
            if slope < 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        (low + high) / 2.0
    }

    /// The weights with which this scale surprises least: Adam on all positions at once. Each weight moves in steps that suit the size
    /// of its counts; one that never counts stays.
    fn descend(&self, old: &[f64], scale: f64) -> Vec<f64> {
        let scale = if scale > 0.0 { scale } else { 1.0 };
        let sizes: Vec<f64> = (0..self.width).map(|index| self.mean(|row, _| row[index].powi(2)).sqrt()).collect();
        let start: Vec<f64> = old.iter().map(|weight| weight * scale).collect();
        let mut logits = start.clone();
        let (mut slopes, mut squares) = (vec![0.0; self.width], vec![0.0; self.width]);
        for step in 0..STEPS {
            let rate = FIRST_RATE * f64::from(STEPS - step) / f64::from(STEPS);
            let gradient = self.gradient(&logits, &start);
            let mut steepest: f64 = 0.0;
            for index in (0..self.width).filter(|&index| sizes[index] > 0.0) {
                let slope = gradient[index] / sizes[index];
                steepest = steepest.max(slope.abs());
                slopes[index] = MOMENTUM * slopes[index] + (1.0 - MOMENTUM) * slope;
                squares[index] = CAUTION * squares[index] + (1.0 - CAUTION) * slope * slope;
                let mean = slopes[index] / (1.0 - MOMENTUM.powi(step as i32 + 1));
                let square = squares[index] / (1.0 - CAUTION.powi(step as i32 + 1));
                logits[index] -= rate * mean / (square.sqrt() + 1e-12) / sizes[index];
            }
            if steepest < NO_SLOPE {
                break;
            }
        }
        logits.iter().map(|logit| logit / scale).collect()
    }

    fn gradient(&self, logits: &[f64], start: &[f64]) -> Vec<f64> {
        let mut gradient: Vec<f64> = logits.iter().zip(start).map(|(logit, start)| PULL * (logit - start)).collect();
        for (row, result) in self.rows().zip(&self.results) {
            let error = chance(dot(row, logits)) - result;
            gradient.iter_mut().zip(row).for_each(|(slope, count)| *slope += error * count);
        }
        gradient.iter_mut().for_each(|slope| *slope /= self.results.len() as f64);
        gradient
    }
}

#[cfg(test)]
mod tests {
    use agon_rules::Random;

    use super::*;
    use crate::Sample;

    fn weight(name: &'static str, value: i32) -> Weight {
        Weight { name, meaning: "", value }
    }

    /// Games in which the chance to win follows from known weights. The last weight never counts.
    fn games(count: usize, truth: [f64; 3]) -> Games {
        let mut random = Random::new(5);
        let mut uniform = move || random.next_u64() as f64 / u64::MAX as f64;
        let mut game = || {
            let mut counts: Vec<i32> = (0..3).map(|_| (uniform() * 7.0) as i32 - 3).collect();
            // Two that go together, as men and what men do.
            counts[1] += counts[0];
            let logit: f64 = counts.iter().zip(truth).map(|(&count, weight)| f64::from(count) * weight).sum();
            let result = if uniform() < chance(logit / 100.0) { 1.0 } else { 0.0 };
            counts.push(0);
            vec![Sample { counts, result }]
        };
        (0..count).map(|number| (number, game())).collect()
    }

    #[test]
    fn known_weights_are_found_again() {
        let weights = [weight("right", 50), weight("far_too_small", 5), weight("wrong", 40), weight("unseen", 77)];
        let fitted = fit(&weights, 100, &games(40_000, [50.0, 30.0, -20.0])).unwrap();
        let found: Vec<f64> = fitted.weights.iter().map(|fitted| f64::from(fitted.value)).collect();
        // The spread is held, so only the proportions can be right.
        let ratios = [found[1] / found[0], found[2] / found[0]];
        assert!((ratios[0] - 0.6).abs() < 0.06 && (ratios[1] + 0.4).abs() < 0.06, "{found:?}");
        assert_eq!((fitted.weights[3].value, fitted.weights[3].seen), (77, 0));
        assert!(fitted.held_out.after < fitted.held_out.before && fitted.learnt.after < fitted.learnt.before);
        assert_eq!((fitted.learnt.games, fitted.held_out.games), (36_000, 4_000));
    }

    #[test]
    fn right_weights_stay_and_keep_their_scale() {
        let weights = [weight("one", 100), weight("two", 60), weight("three", -40), weight("unseen", 0)];
        let fitted = fit(&weights, 100, &games(40_000, [50.0, 30.0, -20.0])).unwrap();
        for fitted in &fitted.weights {
            assert!((fitted.value - fitted.weight.value).abs() <= 4, "{fitted:?}");
        }
        // Twice the truth: a unit of it stands for half a unit of the truth.
        let expected = chance(0.5);
        assert!(fitted.unit_chance.iter().all(|found| (found - expected).abs() < 0.01), "{:?}", fitted.unit_chance);
    }

    #[test]
    fn what_is_hardly_seen_does_not_run_away() {
        let mut games = games(2000, [50.0, 30.0, -20.0]);
        for number in 0..4 {
            games.get_mut(&number).unwrap()[0] = Sample { counts: vec![0, 0, 0, 1], result: 1.0 };
        }
        let weights = [weight("one", 50), weight("two", 30), weight("three", -20), weight("rare", 10)];
        let rare = fit(&weights, 100, &games).unwrap().weights[3];
        assert!(rare.seen == 4 && (10..40).contains(&rare.value), "{rare:?}");
    }

    #[test]
    fn too_little_is_refused() {
        let weights = [weight("one", 50), weight("two", 30), weight("three", -20), weight("unseen", 0)];
        assert!(fit(&weights, 100, &Games::new()).unwrap_err().contains("play more"));
        assert!(fit(&weights, 100, &games(9, [1.0; 3])).unwrap_err().contains("found 9 in 9 games"));
        assert!(fit(&weights, 100, &games(10, [1.0; 3])).is_ok());
    }
}
