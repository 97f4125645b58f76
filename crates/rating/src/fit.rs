//! The strengths, the first move and the draws that make a table likeliest.
//!
//! Strengths here are natural logarithms. Write `x` for the strength of who moves first minus that of the other plus the
//! worth of the first move, and `ν` for the weight of draws. Then a win of the first, a draw and a loss have the weights
//! `e^(x/2)`, `ν` and `e^(-x/2)`: an exponential family in `x` and `ln ν`, so the log-likelihood is concave and has no
//! hills but one, and what is expected of `(wins - losses) / 2` and of draws gives its slope and, by their spread, its
//! curvature, which is the Fisher information.

use crate::{
    cross_table::CrossTable,
    matrix::{Cholesky, Symmetric},
};

/// Steps before giving up; a handful is usual.
const STEPS: usize = 200;
/// So near to the top, in standard errors, nothing is gained by going on.
const SETTLED: f64 = 1e-7;
/// What rounding may take from the height, for each match: a step that loses no more does not lead down.
const ROUNDING: f64 = 1e-12;
/// No number moves further in a step: beyond, the curvature from which the step was taken says nothing.
const LONGEST: f64 = 4.0;
/// The part of a step at which climbing is given up.
const LEAST_PART: f64 = 1e-9;
/// Imagined matches of two equals, even if no prior is wanted: without a draw, or with nothing but wins of one side, the
/// common numbers would run away. A thousandth of a match weighs nothing against real ones.
const LEAST_EQUALS: f64 = 1e-3;

/// A number of the model: to be found, or known beforehand.
#[derive(Clone, Copy)]
pub(crate) enum Number {
    /// Its place among the numbers sought.
    Sought(usize),
    Known(f64),
}

impl Number {
    pub(crate) fn at(self, point: &[f64]) -> f64 {
        match self {
            Number::Sought(place) => point[place],
            Number::Known(value) => value,
        }
    }

    pub(crate) fn place(self) -> Option<usize> {
        match self {
            Number::Sought(place) => Some(place),
            Number::Known(_) => None,
        }
    }
}

/// What shall be found, and how.
pub(crate) struct Question<'a> {
    pub(crate) table: &'a CrossTable,
    /// The strengths that are known, by player; the others are sought.
    pub(crate) known: &'a [Option<f64>],
    pub(crate) prior_draws: f64,
    /// Whether draws have a weight; else they are half a win and half a loss.
    pub(crate) draws: bool,
    pub(crate) first_move: bool,
}

/// Matches between the same two with the same one moving first.
struct Meeting {
    first: usize,
    second: usize,
    matches: f64,
    /// `(wins - losses) / 2`.
    lead: f64,
    draws: f64,
}

impl Meeting {
    fn new(first: usize, second: usize, [losses, draws, wins]: [f64; 3], draws_count: bool) -> Meeting {
        let draws_kept = if draws_count { draws } else { 0.0 };
        Meeting { first, second, matches: losses + draws + wins, lead: (wins - losses) / 2.0, draws: draws_kept }
    }
}

/// The chances of one match, for who moves first.
pub(crate) struct Outlook {
    pub(crate) losses: f64,
    pub(crate) draws: f64,
    pub(crate) wins: f64,
    /// `ln` of the sum of the three weights.
    log_weight: f64,
}

impl Outlook {
    pub(crate) fn new(x: f64, draw_weight: f64) -> Outlook {
        // All weights divided by the larger of wins and losses, so that nothing overflows.
        let fade = (-x.abs() / 2.0).exp();
        let others = fade * (fade + draw_weight);
        let (stronger, weaker) = (1.0 / (1.0 + others), fade * fade / (1.0 + others));
        let (losses, wins) = if x < 0.0 { (stronger, weaker) } else { (weaker, stronger) };
        let draws = draw_weight * fade / (1.0 + others);
        Outlook { losses, draws, wins, log_weight: x.abs() / 2.0 + others.ln_1p() }
    }

    /// What is expected of `(wins - losses) / 2`.
    fn lead(&self) -> f64 {
        (self.wins - self.losses) / 2.0
    }

    /// The variance of the lead, without subtracting what is nearly equal where one side always wins.
    fn spread(&self) -> f64 {
        self.wins * self.losses + self.draws * (1.0 - self.draws) / 4.0
    }
}

/// The log-likelihood of a table.
pub(crate) struct Model {
    players: usize,
    /// Of the players, of the middle of the field, and of the two imagined equals (one entry for both).
    strengths: Vec<Number>,
    first_move: Number,
    /// `ln ν`.
    log_draws: Number,
    /// How many numbers are sought.
    size: usize,
    /// Whether only differences of strengths matter, so that something must hold them.
    floating: bool,
    prior_draws: f64,
    meetings: Vec<Meeting>,
    total_matches: f64,
    total_draws: f64,
}

/// The height of the log-likelihood at some point and how it rises from there.
struct Slope {
    height: f64,
    gradient: Vec<f64>,
}

impl Slope {
    /// How far a step of Newton's leads, in standard errors: the top is about there.
    fn distance(&self, step: &[f64]) -> f64 {
        self.gradient.iter().zip(step).map(|(slope, step)| slope * step).sum::<f64>().sqrt()
    }
}

/// The top of the log-likelihood.
pub(crate) struct Summit {
    pub(crate) point: Vec<f64>,
    /// The Fisher information there.
    pub(crate) information: Cholesky,
}

impl Model {
    pub(crate) fn new(question: &Question) -> Model {
        let players = question.table.players();
        let mut size = 0;
        let mut seek = || {
            size += 1;
            Number::Sought(size - 1)
        };
        let anchored = question.known.iter().any(Option::is_some);
        let mut strengths: Vec<Number> =
            question.known.iter().map(|known| known.map_or_else(&mut seek, Number::Known)).collect();
        // Without anchors the middle may stay where it is: the players find their places around it.
        strengths.push(if anchored && question.prior_draws > 0.0 { seek() } else { Number::Known(0.0) });
        strengths.push(Number::Known(0.0));
        let first_move = if question.first_move { seek() } else { Number::Known(0.0) };
        let log_draws = if question.draws { seek() } else { Number::Known(f64::NEG_INFINITY) };

        let mut meetings: Vec<Meeting> = question
            .table
            .pairs()
            .map(|(first, second, score)| {
                Meeting::new(first, second, score.counts().map(|count| count as f64), question.draws)
            })
            .collect();
        if question.first_move || question.draws {
            let imagined = question.prior_draws.max(LEAST_EQUALS);
            let results = [imagined / 4.0, imagined / 2.0, imagined / 4.0];
            meetings.push(Meeting::new(players + 1, players + 1, results, question.draws));
        }
        Model {
            players,
            strengths,
            first_move,
            log_draws,
            size,
            floating: !anchored && question.prior_draws == 0.0,
            prior_draws: question.prior_draws,
            total_matches: meetings.iter().map(|meeting| meeting.matches).sum(),
            total_draws: meetings.iter().map(|meeting| meeting.draws).sum(),
            meetings,
        }
    }

    pub(crate) fn strength(&self, player: usize) -> Number {
        self.strengths[player]
    }

    pub(crate) fn first_move(&self) -> Number {
        self.first_move
    }

    pub(crate) fn draw_weight(&self, point: &[f64]) -> f64 {
        self.log_draws.at(point).exp()
    }

    /// Newton's method. The information is costly, so it is kept as long as steps become much shorter with it.
    pub(crate) fn maximum(&self) -> Option<Summit> {
        let mut point = vec![0.0; self.size];
        let mut slope = self.slope(&point);
        let mut information = self.information(&point).cholesky()?;
        let mut old = false;
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            let mut step = information.solve(&slope.gradient);
            let mut left = slope.distance(&step);
            let keep = left > SETTLED && left < last / 10.0;
            if old && !keep {
                information = self.information(&point).cholesky()?;
                step = information.solve(&slope.gradient);
                left = slope.distance(&step);
            }
            if !left.is_finite() {
                return None;
            }
            if left <= SETTLED {
                return Some(Summit { point, information });
            }
            last = left;
            (point, slope) = self.climb(&point, &slope, &step)?;
            old = true;
        }
        None
    }

    /// A step, shortened and halved until it does not lead down: far from the top it may be much too long.
    fn climb(&self, point: &[f64], slope: &Slope, step: &[f64]) -> Option<(Vec<f64>, Slope)> {
        let longest = step.iter().map(|step| step.abs()).fold(0.0, f64::max);
        let mut part = (LONGEST / longest).min(1.0);
        let least = part * LEAST_PART;
        while part > least {
            let next: Vec<f64> = point.iter().zip(step).map(|(here, step)| here + part * step).collect();
            let there = self.slope(&next);
            if there.height >= slope.height - ROUNDING * self.total_matches {
                return Some((next, there));
            }
            part /= 2.0;
        }
        None
    }

    fn slope(&self, point: &[f64]) -> Slope {
        let strengths: Vec<f64> = self.strengths.iter().map(|strength| strength.at(point)).collect();
        let (first_move, draw_weight) = (self.first_move.at(point), self.draw_weight(point));
        let mut of_strengths = vec![0.0; strengths.len()];
        let (mut of_first_move, mut of_draws, mut height) = (0.0, 0.0, 0.0);
        for meeting in &self.meetings {
            let x = strengths[meeting.first] - strengths[meeting.second] + first_move;
            let outlook = Outlook::new(x, draw_weight);
            let surprise = meeting.lead - meeting.matches * outlook.lead();
            of_strengths[meeting.first] += surprise;
            of_strengths[meeting.second] -= surprise;
            of_first_move += surprise;
            of_draws += meeting.draws - meeting.matches * outlook.draws;
            height += meeting.lead * x - meeting.matches * outlook.log_weight;
        }
        for player in 0..self.players {
            let outlook = Outlook::new(strengths[player] - strengths[self.players], 0.0);
            of_strengths[player] -= self.prior_draws * outlook.lead();
            of_strengths[self.players] += self.prior_draws * outlook.lead();
            height -= self.prior_draws * outlook.log_weight;
        }
        let mut gradient = vec![0.0; self.size];
        for (strength, slope) in self.strengths.iter().zip(of_strengths) {
            strength.place().into_iter().for_each(|place| gradient[place] = slope);
        }
        self.first_move.place().into_iter().for_each(|place| gradient[place] = of_first_move);
        if let Some(place) = self.log_draws.place() {
            gradient[place] = of_draws;
            height += self.total_draws * point[place];
        }
        Slope { height, gradient }
    }

    fn information(&self, point: &[f64]) -> Symmetric {
        let strengths: Vec<f64> = self.strengths.iter().map(|strength| strength.at(point)).collect();
        let (first_move, draw_weight) = (self.first_move.at(point), self.draw_weight(point));
        let mut information = Symmetric::zero(self.size);
        let mut common = Common::new(strengths.len());
        for meeting in &self.meetings {
            let x = strengths[meeting.first] - strengths[meeting.second] + first_move;
            let outlook = Outlook::new(x, draw_weight);
            let spread = meeting.matches * outlook.spread();
            self.join(&mut information, meeting.first, meeting.second, -spread);
            common.add(meeting, spread, &outlook);
        }
        for player in 0..self.players {
            let outlook = Outlook::new(strengths[player] - strengths[self.players], 0.0);
            let spread = self.prior_draws * outlook.spread();
            self.join(&mut information, player, self.players, -spread);
            common.of_strengths[player] += spread;
            common.of_strengths[self.players] += spread;
        }
        self.add_common(&mut information, &common);
        if self.floating {
            // Only differences matter: this holds the mean where it is, and changes nothing else. As heavy as the rest is
            // on average, so that neither drowns in the other's rounding; and something if nobody met.
            let known: f64 = common.of_strengths[..self.players].iter().sum();
            let hold = (1.0 + known) / (self.players * self.players) as f64;
            (0..self.players).for_each(|row| (0..=row).for_each(|column| information.add(row, column, hold)));
        }
        information
    }

    /// Adds to what two strengths tell of each other, if both are sought.
    fn join(&self, information: &mut Symmetric, one: usize, other: usize, value: f64) {
        if let (Number::Sought(one), Number::Sought(other)) = (self.strengths[one], self.strengths[other]) {
            information.add(one, other, value);
        }
    }

    fn add_common(&self, information: &mut Symmetric, common: &Common) {
        let (first_move, draws) = (self.first_move.place(), self.log_draws.place());
        for (player, strength) in self.strengths.iter().enumerate() {
            let Number::Sought(place) = *strength else { continue };
            information.add(place, place, common.of_strengths[player]);
            first_move.into_iter().for_each(|other| information.add(place, other, common.with_first_move[player]));
            draws.into_iter().for_each(|other| information.add(place, other, common.with_draws[player]));
        }
        first_move.into_iter().for_each(|place| information.add(place, place, common.first_move));
        draws.into_iter().for_each(|place| information.add(place, place, common.draws));
        if let (Some(first_move), Some(draws)) = (first_move, draws) {
            information.add(first_move, draws, common.first_move_with_draws);
        }
    }
}

/// The parts of the information that gather over many meetings.
struct Common {
    of_strengths: Vec<f64>,
    with_first_move: Vec<f64>,
    with_draws: Vec<f64>,
    first_move: f64,
    draws: f64,
    first_move_with_draws: f64,
}

impl Common {
    fn new(strengths: usize) -> Common {
        let none = vec![0.0; strengths];
        Common {
            of_strengths: none.clone(),
            with_first_move: none.clone(),
            with_draws: none,
            first_move: 0.0,
            draws: 0.0,
            first_move_with_draws: 0.0,
        }
    }

    fn add(&mut self, meeting: &Meeting, spread: f64, outlook: &Outlook) {
        // How the lead and the draws vary together: a draw is no lead.
        let together = -meeting.matches * outlook.lead() * outlook.draws;
        self.of_strengths[meeting.first] += spread;
        self.of_strengths[meeting.second] += spread;
        self.with_first_move[meeting.first] += spread;
        self.with_first_move[meeting.second] -= spread;
        self.with_draws[meeting.first] += together;
        self.with_draws[meeting.second] -= together;
        self.first_move += spread;
        self.draws += meeting.matches * outlook.draws * (1.0 - outlook.draws);
        self.first_move_with_draws += together;
    }
}
