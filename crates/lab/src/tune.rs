//! Tuning by simultaneous perturbation: all parameters are changed at once, at random, one contender up and the other down, and the
//! result of a few games says which way to go.

use agon_rules::Random;
use agon_search::{Parameter, Weight};

/// A tuning in progress.
#[derive(Clone, Debug)]
pub struct Spsa {
    parameters: Vec<Parameter>,
    values: Vec<f64>,
    /// How many steps are planned: early ones are longer.
    steps: u32,
    done: u32,
    /// How fast values follow, as a multiple of the usual.
    rate: f64,
    random: Random,
}

/// One step: what the two contenders play with.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The directions of the changes.
    signs: Vec<f64>,
    /// `name=value,…` of the contender with the changes added.
    pub plus: String,
    /// And of the one with the changes taken off.
    pub minus: String,
}

/// The usual exponents and the share of `steps` in which nothing is learnt yet.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
const STABILITY: f64 = 0.1;
/// How far a parameter is changed at the end of the tuning, as a part of its range; and how fast it follows.
const CHANGE: f64 = 0.05;
const RATE: f64 = 0.002;
/// Weights that are smaller have as much room as this one.
const SMALL_WEIGHT: i32 = 8;

impl Spsa {
    /// Starts from `values`. They follow the results `rate` times as fast as usual.
    pub fn new(parameters: Vec<Parameter>, values: &[i32], steps: u32, rate: f64, seed: u64) -> Spsa {
        let values = values.iter().map(|&value| f64::from(value)).collect();
        Spsa { parameters, values, steps, done: 0, rate, random: Random::new(seed) }
    }

    /// A weight of an evaluation as something to tune: it may become nothing, change its sign, or grow to more than double.
    pub fn weight(weight: &Weight) -> Parameter {
        let room = weight.value.abs().max(SMALL_WEIGHT) * 3 / 2;
        let Weight { name, meaning, value } = *weight;
        Parameter { name, meaning, usual: value, least: value - room, most: value + room }
    }

    /// Whether all steps are done.
    pub fn is_finished(&self) -> bool {
        self.done >= self.steps
    }

    /// The values so far, rounded.
    pub fn values(&self) -> Vec<(&'static str, i32)> {
        self.parameters.iter().zip(&self.values).map(|(known, value)| (known.name, value.round() as i32)).collect()
    }

    fn change(&self, known: &Parameter) -> f64 {
        let range = f64::from(known.most - known.least);
        let shrink = (f64::from(self.steps) / (f64::from(self.done) + 1.0)).powf(GAMMA);
        (range * CHANGE * shrink).max(0.5)
    }

    /// The next two contenders.
    pub fn next_step(&mut self) -> Step {
        let signs: Vec<f64> =
            self.parameters.iter().map(|_| if self.random.below(2) == 0 { 1.0 } else { -1.0 }).collect();
        let side = |direction: f64| {
            let one = |(index, known): (usize, &Parameter)| {
                let value = self.values[index] + direction * signs[index] * self.change(known);
                let value = value.round().clamp(f64::from(known.least), f64::from(known.most));
                format!("{}={value}", known.name)
            };
            self.parameters.iter().enumerate().map(one).collect::<Vec<_>>().join(",")
        };
        let (plus, minus) = (side(1.0), side(-1.0));
        Step { signs, plus, minus }
    }

    /// Learns from the games of a step: `score` is what the plus side scored, from -1 (lost all) to 1 (won all).
    pub fn learn(&mut self, step: &Step, score: f64) {
        let wait = STABILITY * f64::from(self.steps);
        let pace = ((f64::from(self.steps) + wait) / (f64::from(self.done) + 1.0 + wait)).powf(ALPHA);
        for (index, known) in self.parameters.iter().enumerate() {
            let range = f64::from(known.most - known.least);
            let change = self.change(known);
            let slope = score * step.signs[index] / change * range;
            let value = self.values[index] + self.rate * RATE * range * pace * slope.clamp(-20.0, 20.0);
            self.values[index] = value.clamp(f64::from(known.least), f64::from(known.most));
        }
        self.done += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games whose result follows from a known best value: the tuning must find it.
    #[test]
    fn tuning_climbs_a_hill() {
        let known = Parameter { name: "speed", meaning: "", usual: 20, least: 0, most: 200 };
        let mut spsa = Spsa::new(vec![known], &[20], 400, 1.0, 7);
        let strength = |value: f64| -((value - 120.0) / 60.0).powi(2);
        while !spsa.is_finished() {
            let step = spsa.next_step();
            let value = |text: &str| text.split('=').nth(1).and_then(|value| value.parse::<f64>().ok()).unwrap();
            let gap = strength(value(&step.plus)) - strength(value(&step.minus));
            spsa.learn(&step, gap.tanh());
        }
        let found = spsa.values()[0].1;
        assert!((90..=150).contains(&found), "{found}");
    }
}
