//! Ratings of many players, and how sure they are.

use std::{collections::BTreeMap, f64::consts::LN_10};

use crate::{
    elo_table::ranked,
    estimate::Interval,
    fit::{Model, Outlook, Summit},
    matrix::{InverseFactor, squared_distance},
    normal::{Z_95, normal_cdf},
};

/// Elo per unit of the natural logarithm in which the ratings are computed.
pub(crate) const ELO_PER_UNIT: f64 = 400.0 / LN_10;

/// Ratings with their errors, in the order of the players of the table.
///
/// What [`BradleyTerry::rate`](crate::BradleyTerry::rate) finds.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    ratings: Vec<f64>,
    /// Which column of the errors is a player's; none where the rating was known.
    columns: Vec<Option<usize>>,
    /// The covariance of two numbers is the product of their columns, so that of a difference is the distance.
    errors: InverseFactor,
    /// The column of what ratings are relative to: the mean, or the anchors, which have no error.
    origin: Vec<f64>,
    /// The column of a number without error.
    exact: Vec<f64>,
    first_move: Interval,
    draw_weight: f64,
}

impl Ratings {
    /// Ratings with this mean.
    pub(crate) fn around_mean(model: &Model, summit: &Summit, players: usize, mean: f64) -> Ratings {
        let mut ratings = Ratings::from_origin(model, summit, players, 0.0);
        let shift = mean - ratings.ratings.iter().sum::<f64>() / players as f64;
        ratings.ratings.iter_mut().for_each(|rating| *rating += shift);
        for player in 0..players {
            let column = ratings.columns[player].map_or(&*ratings.exact, |column| ratings.errors.column(column));
            ratings.origin.iter_mut().zip(column).for_each(|(sum, error)| *sum += error / players as f64);
        }
        ratings
    }

    /// Ratings measured from those that were known, to which strengths relative to `origin` were given.
    pub(crate) fn with_anchors(
        model: &Model,
        summit: &Summit,
        players: usize,
        origin: f64,
        anchors: &BTreeMap<usize, f64>,
    ) -> Ratings {
        let mut ratings = Ratings::from_origin(model, summit, players, origin);
        // To the last digit, which there and back again could cost.
        anchors.iter().for_each(|(&player, &rating)| ratings.ratings[player] = rating);
        ratings
    }

    fn from_origin(model: &Model, summit: &Summit, players: usize, origin: f64) -> Ratings {
        let errors = summit.information.inverse();
        let strengths: Vec<_> = (0..players).map(|player| model.strength(player)).collect();
        let exact = vec![0.0; summit.point.len()];
        let first_move = model.first_move();
        let first_move_error = first_move.place().map_or(&*exact, |place| errors.column(place));
        Ratings {
            ratings: strengths.iter().map(|strength| origin + strength.at(&summit.point) * ELO_PER_UNIT).collect(),
            columns: strengths.iter().map(|strength| strength.place()).collect(),
            first_move: around(first_move.at(&summit.point) * ELO_PER_UNIT, squared_distance(first_move_error, &exact)),
            draw_weight: model.draw_weight(&summit.point),
            origin: exact.clone(),
            exact,
            errors,
        }
    }

    /// The rating of one player with its bounds at 95 %, relative to the mean of all or to the anchors.
    ///
    /// # Panics
    /// If the player is not in the table.
    pub fn of(&self, player: usize) -> Interval {
        around(self.ratings[player], squared_distance(self.column(player), &self.origin))
    }

    /// The bare ratings of all players.
    pub fn values(&self) -> &[f64] {
        &self.ratings
    }

    /// How much stronger `player` is than `opponent`. The bounds take into account that the two ratings depend on each
    /// other, which the two single errors do not tell.
    ///
    /// # Panics
    /// If a player is not in the table.
    pub fn difference(&self, player: usize, opponent: usize) -> Interval {
        around(self.ratings[player] - self.ratings[opponent], self.variance_between(player, opponent))
    }

    /// The probability that `player` is stronger than `opponent`; ½ for a player and itself.
    ///
    /// # Panics
    /// If a player is not in the table.
    pub fn likelihood_of_superiority(&self, player: usize, opponent: usize) -> f64 {
        let difference = self.ratings[player] - self.ratings[opponent];
        let deviation = self.variance_between(player, opponent).sqrt() * ELO_PER_UNIT;
        // Two anchors differ for certain, or not at all.
        if difference == 0.0 { 0.5 } else { normal_cdf(difference / deviation) }
    }

    /// The players from the strongest to the weakest; equals in the order of their numbers.
    pub fn ranking(&self) -> Vec<usize> {
        ranked(&self.ratings)
    }

    /// What moving first is worth, in Elo; 0 if that was not estimated.
    pub fn first_move(&self) -> Interval {
        self.first_move
    }

    /// The share of matches that two equals draw; 0 if draws count as half wins.
    pub fn draw_rate(&self) -> f64 {
        self.chances_of(0.0)[1]
    }

    /// The probabilities that `first`, who moves first, loses, draws and wins against `second`. If draws count as half
    /// wins, the last is the expected score.
    ///
    /// # Panics
    /// If a player is not in the table.
    pub fn chances(&self, first: usize, second: usize) -> [f64; 3] {
        self.chances_of(self.ratings[first] - self.ratings[second])
    }

    fn chances_of(&self, difference: f64) -> [f64; 3] {
        let outlook = Outlook::new((difference + self.first_move.value) / ELO_PER_UNIT, self.draw_weight);
        [outlook.losses, outlook.draws, outlook.wins]
    }

    fn variance_between(&self, player: usize, opponent: usize) -> f64 {
        squared_distance(self.column(player), self.column(opponent))
    }

    fn column(&self, player: usize) -> &[f64] {
        self.columns[player].map_or(&self.exact, |column| self.errors.column(column))
    }
}

/// An interval in Elo around a value in Elo, from a variance in natural units.
fn around(value: f64, variance: f64) -> Interval {
    let error = Z_95 * variance.sqrt() * ELO_PER_UNIT;
    Interval { value, low: value - error, high: value + error }
}
