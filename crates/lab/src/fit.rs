//! Fitting the weights of an evaluation to the results of played games: the better a score tells who will win, the better it is.
//!
//! A score stands for a chance: the logistic function of the score times a scale. The loss is the mean surprise at the results, in
//! natural units. It has one bottom only, so where the descent begins does not matter.

use agon_search::Weight;

use crate::{Games, LabError};

/// What a fit came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// Every weight, in the order in which the game declares them.
    pub weights: Vec<FittedWeight>,
    /// How many games there were.
    pub games: usize,
    /// How many of them had quiet positions, and an end.
    pub used: usize,
    /// How many positions.
    pub positions: usize,
    /// The loss on the games that the weights were fitted to.
    pub learnt: Losses,
    /// The loss on games that they were not fitted to: whether the new weights are better shows here.
    pub held_out: Losses,
    /// How far the difference of the two losses on games held out may be wrong, either way; 95 % of the time it is not.
    pub error: f64,
    /// What the game's unit stands for, from 0 to 1: before, and with the new weights.
    pub unit_chance: [f64; 2],
}

/// A weight, and what the games say of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FittedWeight {
    /// The weight as it is.
    pub weight: Weight,
    /// What it should be. The same where nothing was learnt.
    pub value: i32,
    /// How far that may be wrong, either way, as far as chance goes; 95 % of the time it is not.
    pub error: f64,
    /// In how many of the positions it counts.
    pub seen: usize,
}

/// What positions cost.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Losses {
    /// With the present weights.
    pub before: f64,
    /// With the new ones.
    pub after: f64,
}

/// Games are held out in so many parts, one after the other: each part is judged by weights that were fitted to the others. Games, not
/// positions, because those of one game are alike; and by the last digit of their numbers, because openings come round.
const PARTS: usize = 10;
/// Steps of the descent. It ends early where the slope is nothing.
const MOST_STEPS: u32 = 3000;
const NO_SLOPE: f64 = 1e-7;
/// A pull towards the present weights, worth about so many positions: what was seen a handful of times must not run away.
const PULL: f64 = 20.0;
/// The scale is looked for between nothing and this: there, a quarter of the unit is as good as a won game.
const MOST_SCALE: f64 = 20.0;
/// Standard errors on each side that 95 % of a normal distribution lie within.
const STANDARD_ERRORS: f64 = 1.96;

/// Positions as a table of numbers.
struct Points {
    width: usize,
    counts: Vec<f64>,
    results: Vec<f64>,
}

/// Fits the weights of a game to its played games; `unit` is the score of a clear advantage. The spread of the scores stays what it
/// is, so that margins of the search mean what they meant.
pub fn fit(weights: &[Weight], unit: i32, games: &Games) -> Result<Fit, LabError> {
    let all = Points::new(weights.len(), games, |_| true);
    let unit = f64::from(unit.max(1));
    // From here on a weight of 1 means one unit.
    let old: Vec<f64> = weights.iter().map(|weight| f64::from(weight.value) / unit).collect();
    let found = all.learn(&old, &old);
    let parts: Vec<Judged> = (0..PARTS).filter_map(|part| judge(games, part, &old, &found, unit)).collect();
    if parts.len() < PARTS {
        let (positions, games) = (all.results.len(), games.len());
        return Err(LabError::TooFewPositions { wanted: PARTS, positions, games });
    }
    let new = rounded(&found, unit);
    let scales = [&old, &new].map(|weights| all.best_scale(weights));
    let fitted = |(index, &weight): (usize, &Weight)| FittedWeight {
        weight,
        value: (new[index] * unit).round() as i32,
        error: unit * STANDARD_ERRORS * jackknife(parts.iter().map(|part| part.found[index])),
        seen: all.rows().filter(|row| row[index] != 0.0).count(),
    };
    let share = |part: &Judged| part.positions as f64 / all.results.len() as f64;
    let held_out = |loss: fn(&Losses) -> f64| parts.iter().map(|part| share(part) * loss(&part.losses)).sum();
    let gains = parts.iter().map(|part| part.losses.after - part.losses.before);
    Ok(Fit {
        weights: weights.iter().enumerate().map(fitted).collect(),
        games: games.len(),
        used: games.values().filter(|samples| !samples.is_empty()).count(),
        positions: all.results.len(),
        learnt: Losses { before: all.loss(&old, scales[0]), after: all.loss(&new, scales[1]) },
        held_out: Losses { before: held_out(|losses| losses.before), after: held_out(|losses| losses.after) },
        error: STANDARD_ERRORS * deviation(gains) / (PARTS as f64).sqrt(),
        unit_chance: scales.map(chance),
    })
}

/// A part of the games that was held out.
struct Judged {
    /// The weights that were fitted to the others.
    found: Vec<f64>,
    positions: usize,
    losses: Losses,
}

/// Fits to all games but one part, and judges that. `None` if there is nothing to learn from or to judge.
fn judge(games: &Games, part: usize, old: &[f64], near: &[f64], unit: f64) -> Option<Judged> {
    let [rest, held_out] =
        [false, true].map(|held| Points::new(old.len(), games, |number| (number % PARTS == part) == held));
    if rest.results.is_empty() || held_out.results.is_empty() {
        return None;
    }
    let found = rest.learn(old, near);
    let loss = |weights: &[f64]| held_out.loss(weights, rest.best_scale(weights));
    let losses = Losses { before: loss(old), after: loss(&rounded(&found, unit)) };
    Some(Judged { found, positions: held_out.results.len(), losses })
}

/// As the source will have them: whole numbers.
fn rounded(weights: &[f64], unit: f64) -> Vec<f64> {
    weights.iter().map(|weight| (weight * unit).round() / unit).collect()
}

/// The standard deviation of one value for each part.
fn deviation(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let mean = values.clone().sum::<f64>() / PARTS as f64;
    (values.map(|value| (value - mean).powi(2)).sum::<f64>() / (PARTS - 1) as f64).sqrt()
}

/// The standard error of something fitted to all games, by what leaving out each part makes of it. Two such fits share most of their
/// games, so they differ less than fits to different games would.
fn jackknife(values: impl Iterator<Item = f64> + Clone) -> f64 {
    deviation(values) * (PARTS - 1) as f64 / (PARTS as f64).sqrt()
}

fn chance(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

fn dot(row: &[f64], weights: &[f64]) -> f64 {
    row.iter().zip(weights).map(|(count, weight)| count * weight).sum()
}

impl Points {
    /// The positions of the games with these numbers.
    fn new(width: usize, games: &Games, chosen: impl Fn(usize) -> bool) -> Points {
        let mut points = Points { width, counts: Vec::new(), results: Vec::new() };
        for (_, samples) in games.iter().filter(|&(&number, _)| chosen(number)) {
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
        self.rows().zip(&self.results).map(|(row, &result)| of(row, result)).sum::<f64>()
            / self.results.len().max(1) as f64
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

    /// The weights that surprise least, stretched so that scores are spread as they are with the old ones. The search for them begins
    /// at `near`.
    fn learn(&self, old: &[f64], near: &[f64]) -> Vec<f64> {
        let scale = self.best_scale(old).max(1e-6);
        let scaled = |weights: &[f64]| -> Vec<f64> { weights.iter().map(|weight| weight * scale).collect() };
        let found = self.descend(&scaled(old), scaled(near));
        let [spread, spread_found] = [&scaled(old), &found].map(|weights| self.spread(weights));
        let stretch = if spread > 0.0 && spread_found > 0.0 { spread / spread_found } else { 1.0 };
        let counts = |index: usize| self.rows().any(|row| row[index] != 0.0);
        let weights = found.iter().zip(old).enumerate();
        weights.map(|(index, (found, &old))| if counts(index) { found / scale * stretch } else { old }).collect()
    }

    /// Goes down with momentum, always with all positions, from weights of scale 1 that are near. Each weight moves in steps that
    /// suit the size of its counts.
    fn descend(&self, old: &[f64], near: Vec<f64>) -> Vec<f64> {
        let pull = PULL / self.results.len().max(1) as f64;
        // No slope of the loss changes faster than this in one weight alone, and in all of them together not faster than so many times.
        let bends: Vec<f64> =
            (0..self.width).map(|index| self.mean(|row, _| row[index].powi(2)) / 4.0 + pull).collect();
        let together = self.width as f64;
        let (mut here, mut before) = (near.clone(), near);
        let mut run = 0.0;
        for _ in 0..MOST_STEPS {
            let momentum = run / (run + 3.0);
            let ahead: Vec<f64> = here.iter().zip(&before).map(|(new, old)| new + momentum * (new - old)).collect();
            let slopes = self.slopes(&ahead, old, pull);
            let steepest = slopes.iter().zip(&bends).map(|(slope, bend)| slope.abs() / bend.sqrt()).fold(0.0, f64::max);
            if steepest < NO_SLOPE {
                return ahead;
            }
            let next: Vec<f64> = (ahead.iter().zip(&slopes).zip(&bends))
                .map(|((weight, slope), bend)| weight - slope / (bend * together))
                .collect();
            // Momentum that leads uphill is lost.
            let uphill: f64 =
                slopes.iter().zip(next.iter().zip(&here)).map(|(slope, (to, from))| slope * (to - from)).sum();
            run = if uphill > 0.0 { 0.0 } else { run + 1.0 };
            before = std::mem::replace(&mut here, next);
        }
        here
    }

    fn slopes(&self, weights: &[f64], old: &[f64], pull: f64) -> Vec<f64> {
        let mut slopes = vec![0.0; self.width];
        for (row, result) in self.rows().zip(&self.results) {
            let error = chance(dot(row, weights)) - result;
            slopes.iter_mut().zip(row).for_each(|(slope, count)| *slope += error * count);
        }
        let positions = self.results.len().max(1) as f64;
        let pulls = weights.iter().zip(old).map(|(weight, old)| pull * (weight - old));
        slopes.iter().zip(pulls).map(|(slope, pull)| slope / positions + pull).collect()
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
        let fitted = fit(&weights, 100, &games(20_000, [50.0, 30.0, -20.0])).unwrap();
        let found: Vec<f64> = fitted.weights.iter().map(|fitted| f64::from(fitted.value)).collect();
        // The spread is held, so only the proportions can be right.
        let ratios = [found[1] / found[0], found[2] / found[0]];
        assert!((ratios[0] - 0.6).abs() < 0.06 && (ratios[1] + 0.4).abs() < 0.06, "{found:?}");
        assert_eq!((fitted.weights[3].value, fitted.weights[3].seen), (77, 0));
        assert!(fitted.held_out.after < fitted.held_out.before && fitted.learnt.after < fitted.learnt.before);
        assert!(fitted.held_out.before - fitted.held_out.after > fitted.error, "{fitted:?}");
        assert_eq!((fitted.games, fitted.used, fitted.positions), (20_000, 20_000, 20_000));
    }

    #[test]
    fn right_weights_stay_and_keep_their_scale() {
        let weights = [weight("one", 100), weight("two", 60), weight("three", -40), weight("unseen", 0)];
        let fitted = fit(&weights, 100, &games(20_000, [50.0, 30.0, -20.0])).unwrap();
        for fitted in &fitted.weights {
            let wrong = f64::from(fitted.value - fitted.weight.value).abs();
            assert!(wrong <= 6.0 && wrong <= 2.0 * fitted.error + 0.5 && fitted.error < 6.0, "{fitted:?}");
        }
        // Nothing was to be gained.
        assert!((fitted.held_out.before - fitted.held_out.after).abs() < 1e-4, "{fitted:?}");
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
        assert!(fit(&weights, 100, &Games::new()).unwrap_err().to_string().contains("play more"));
        assert!(fit(&weights, 100, &games(9, [1.0; 3])).unwrap_err().to_string().contains("found 9 in 9 games"));
        assert!(fit(&weights, 100, &games(10, [1.0; 3])).is_ok());
    }
}
