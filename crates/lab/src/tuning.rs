//! A tuning by self-play, step after step.

use std::sync::atomic::{AtomicBool, Ordering};

use agon_search::{Parameter, Parameters, SearchVisitor, Searchable, Weight};

use crate::{Contender, Contest, Effort, LabError, Setting, Spsa, Start};

/// How parameters and weights are tuned.
pub struct Tuning<'a> {
    /// What is played.
    pub start: Start,
    /// The names of parameters and weights, separated by commas; `weights` for all weights.
    pub parameters: &'a str,
    /// How many steps; early ones are longer.
    pub steps: u32,
    /// Pairs of games in each step.
    pub pairs: usize,
    /// How fast values follow the results, as a multiple of the usual.
    pub rate: f64,
    /// What each side may spend on a move.
    pub effort: Effort,
    /// Openings, one a line.
    pub openings: String,
    /// Where random choices begin.
    pub seed: u64,
    /// Games at once.
    pub threads: usize,
    /// Ends it after the step that is being played.
    pub stop: &'a AtomicBool,
}

/// The game's own parameters and weights.
struct Own;

impl SearchVisitor for Own {
    type Output = (Parameters, Vec<Weight>);

    fn visit<P: Searchable>(self, start: P) -> Self::Output {
        (P::parameters(), start.weights())
    }
}

impl Tuning<'_> {
    /// Tunes, and tells the values after each step with its number.
    ///
    /// # Errors
    /// If there is no such parameter or weight, or the openings make no sense.
    pub fn run(&self, mut tell: impl FnMut(usize, &Spsa)) -> Result<Spsa, LabError> {
        let (parameters, weights) = self.start.search(Own)?;
        let (known, values) = chosen(self.parameters, &parameters, &weights)?;
        let mut spsa = Spsa::new(known, &values, self.steps, self.rate, self.seed);
        let mut number = 0;
        while !spsa.is_finished() && !self.stop.load(Ordering::Relaxed) {
            let step = spsa.next_step();
            let fraction = self.play(number, &step.plus, &step.minus)?;
            spsa.learn(&step, 2.0 * fraction - 1.0);
            number += 1;
            tell(number, &spsa);
        }
        Ok(spsa)
    }

    /// What one contender scores against the other: from 0 to 1.
    fn play(&self, number: usize, plus: &str, minus: &str) -> Result<f64, LabError> {
        let read = |text: &str| text.parse::<Contender>();
        let Start { game, variant, rules } = self.start.clone();
        let setting = Setting {
            game,
            variant,
            rules,
            contenders: [read(plus)?, read(minus)?],
            effort: self.effort,
            pairs: self.pairs,
            sprt: None,
            // Each step has openings of its own.
            seed: self.seed.wrapping_add(number as u64),
            threads: self.threads,
        };
        let lines: Vec<&str> = self.openings.lines().filter(|line| !line.trim().is_empty()).collect();
        let mine = (0..self.pairs).map(|pair| lines[(number * self.pairs + pair) % lines.len()]);
        let openings = mine.collect::<Vec<_>>().join("\n");
        let contest = Contest { setting, openings, log: None, watch: &|_| {}, stop: self.stop };
        let played = self.start.search(contest)??;
        Ok(played.score().fraction().unwrap_or(0.5))
    }
}

/// What is known of the named parameters and weights, and the game's values of them.
fn chosen(names: &str, own: &Parameters, weights: &[Weight]) -> Result<(Vec<Parameter>, Vec<i32>), LabError> {
    let searched = Parameters::LIST.iter().copied().zip(own.values());
    let judged = weights.iter().map(|weight| (Spsa::weight(weight), weight.value));
    let all: Vec<(Parameter, i32)> = searched.chain(judged.clone()).collect();
    let mut chosen = Vec::new();
    for name in names.split(',').map(str::trim) {
        match all.iter().find(|(known, _)| known.name == name) {
            Some(&found) => chosen.push(found),
            None if name == "weights" => chosen.extend(judged.clone()),
            None => return Err(LabError::Parameter(name.to_owned())),
        }
    }
    Ok(chosen.into_iter().unzip())
}
