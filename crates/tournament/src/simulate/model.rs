//! Results drawn from strengths.

use agon_rules::{Side, Verdict, keys::mix};

use super::SimulateOptions;
use crate::{
    battle::{Battle, Half, Outcome},
    plan::Plan,
};

/// Numbers by lot, each from a key: the same key always gives the same numbers, in whatever order they are asked for.
pub(super) struct Lot(u64);

impl Lot {
    pub(super) fn new(keys: &[u64]) -> Lot {
        Lot(keys.iter().fold(0, |all, &key| mix(all ^ mix(key.wrapping_add(0x9e37_79b9_7f4a_7c15)))))
    }

    /// From 0 to less than 1.
    pub(super) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix(self.0) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Normally distributed, by Box and Muller.
    fn normal(&mut self) -> f64 {
        let (radius, angle) = (1.0 - self.next(), self.next());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }
}

/// Strengths of so many teams, normally distributed around 0 with this spread in Elo.
pub fn assumed_strengths(teams: usize, spread: f64, seed: u64) -> Vec<f64> {
    (0..teams).map(|team| spread * Lot::new(&[seed, team as u64]).normal()).collect()
}

/// What matches of a plan are drawn from.
pub(super) struct Model<'a> {
    strengths: &'a [f64],
    options: &'a SimulateOptions,
    /// How the weight of a draw stands to those of a win and a loss.
    draw: f64,
    /// Points of the winner and of the loser, by part and by the side that loses.
    points: Vec<[[f64; 2]; 2]>,
    /// Whose bots could not be built: they lose every match before it begins.
    broken: Vec<bool>,
}

impl<'a> Model<'a> {
    pub(super) fn new(plan: &Plan, strengths: &'a [f64], options: &'a SimulateOptions) -> Model<'a> {
        let by_variant = plan.forfeits();
        let points = plan.format.parts.iter().map(|part| by_variant.get(&part.variant).copied().unwrap_or_default());
        let draws = options.draws.clamp(0.0, 0.999);
        Model {
            strengths,
            options,
            draw: 2.0 * draws / (1.0 - draws),
            points: points.collect(),
            broken: plan.teams.iter().map(|team| team.broken.is_some()).collect(),
        }
    }

    fn strength(&self, player: usize) -> f64 {
        self.strengths.get(player).copied().unwrap_or(self.options.house)
    }

    /// The chances that the first side wins, and that it is a draw.
    fn chances(&self, players: [usize; 2]) -> (f64, f64) {
        let lead = self.strength(players[0]) - self.strength(players[1]) + self.options.first_move;
        let root = 10_f64.powf(lead.clamp(-8000.0, 8000.0) / 800.0);
        let all = root + 1.0 / root + self.draw;
        (root / all, self.draw / all)
    }

    /// What becomes of a match in this run.
    pub(super) fn outcome(&self, run: u64, battle: &Battle, half: &Half) -> Outcome {
        if let Some(outcome) = self.not_started(battle, half) {
            return outcome;
        }
        let mut lot = Lot::new(&[self.options.seed, run, u64::from(half.number), u64::from(half.half)]);
        let (wins, draws) = self.chances(Side::BOTH.map(|side| battle.players[half.seat(side)]));
        let fate = lot.next();
        let verdict = match fate {
            _ if fate < wins => Verdict::Won(Side::First),
            _ if fate < wins + draws => Verdict::Drawn,
            _ => Verdict::Won(Side::Second),
        };
        let points = self.points(battle.place.part, verdict.winner(), &mut lot);
        Outcome { verdict, points, turns: 20 + (60.0 * lot.next()) as u32, margins: None, forfeit: false }
    }

    /// What becomes of a match in which a team has no bot.
    fn not_started(&self, battle: &Battle, half: &Half) -> Option<Outcome> {
        let broken = |side: Side| self.broken.get(battle.players[half.seat(side)]).copied().unwrap_or(false);
        // By the side at fault.
        let points = self.points[battle.place.part];
        let (verdict, points) = match Side::BOTH.map(broken) {
            [false, false] => return None,
            [true, false] => (Verdict::Won(Side::Second), points[0]),
            [false, true] => (Verdict::Won(Side::First), points[1]),
            [true, true] => (Verdict::BothLost, [points[0][0], points[1][1]]),
        };
        Some(Outcome { verdict, points, margins: None, turns: 0, forfeit: false })
    }

    fn points(&self, part: usize, winner: Option<Side>, lot: &mut Lot) -> [f64; 2] {
        let both = self.points[part];
        // A fault of the second side is a win of the first.
        let (high, low) = (both[1][0], both[1][1]);
        let noise = self.options.noise * (high - low);
        match winner {
            None => [0, 1].map(|_| (high + low) / 2.0 + noise * (lot.next() - 0.5)),
            Some(winner) => {
                let won = both[usize::from(winner == Side::First)];
                let middle = [noise * lot.next(), noise * lot.next()];
                match winner {
                    Side::First => [won[0] - middle[0], won[1] + middle[1]],
                    Side::Second => [won[0] + middle[0], won[1] - middle[1]],
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model<'a>(strengths: &'a [f64], options: &'a SimulateOptions) -> Model<'a> {
        let draws = options.draws;
        Model {
            strengths,
            options,
            draw: 2.0 * draws / (1.0 - draws),
            points: vec![[[0.0, 1.0], [1.0, 0.0]]],
            broken: Vec::new(),
        }
    }

    #[test]
    fn equals_draw_as_often_as_asked() {
        let options = SimulateOptions { first_move: 0.0, draws: 0.3, ..SimulateOptions::default() };
        let (wins, draws) = model(&[100.0, 100.0], &options).chances([0, 1]);
        assert!((draws - 0.3).abs() < 1e-12 && (wins - 0.35).abs() < 1e-12, "{wins} {draws}");
    }

    #[test]
    fn without_draws_it_is_elo() {
        let options = SimulateOptions { first_move: 50.0, draws: 0.0, ..SimulateOptions::default() };
        let (wins, draws) = model(&[150.0, 0.0], &options).chances([0, 1]);
        assert!((wins - 1.0 / (1.0 + 10_f64.powf(-0.5))).abs() < 1e-12, "{wins}");
        assert_eq!(draws, 0.0);
        let (wins, _) = model(&[1e300, 0.0], &options).chances([1, 0]);
        assert!(wins.is_finite() && wins < 1e-9, "{wins}");
    }

    #[test]
    fn assumed_strengths_have_the_spread() {
        let strengths = assumed_strengths(10_000, 200.0, 7);
        let mean = strengths.iter().sum::<f64>() / 1e4;
        let spread = (strengths.iter().map(|elo| (elo - mean).powi(2)).sum::<f64>() / 1e4).sqrt();
        assert!(mean.abs() < 10.0 && (spread - 200.0).abs() < 10.0, "{mean} {spread}");
        assert_eq!(strengths, assumed_strengths(10_000, 200.0, 7));
        assert_ne!(strengths, assumed_strengths(10_000, 200.0, 8));
    }
}
