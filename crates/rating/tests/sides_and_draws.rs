//! Ratings that know of draws and of the first move: published examples, simulations with fixed seeds, symmetries.

use std::f64::consts::LN_10;

use agon_rating::{BradleyTerry, CrossTable, Draws, Interval, MatchResult, Scale, Score, Z_95};
use agon_rules::Random;

/// Elo per unit of the natural logarithm, in which statisticians publish.
const ELO_PER_UNIT: f64 = 400.0 / LN_10;

/// A value and its standard error in natural units.
fn in_units(interval: Interval) -> (f64, f64) {
    (interval.value / ELO_PER_UNIT, interval.error() / Z_95 / ELO_PER_UNIT)
}

#[track_caller]
fn assert_near(found: f64, expected: f64, margin: f64) {
    assert!((found - expected).abs() <= margin, "{found} is not {expected} ± {margin}");
}

#[track_caller]
fn assert_published(found: Interval, (value, standard_error): (f64, f64), margin: f64) {
    let (found, found_error) = in_units(found);
    assert_near(found, value, margin);
    assert_near(found_error, standard_error, margin);
}

#[test]
fn baseball_of_1987_at_home_and_away() {
    // The example of Agresti (section 10.6) again, now with venues: data/baseball.csv and the second summary of
    // tests/baseball.Rout.save in the R package BradleyTerry2. Rows are wins at home against each of Baltimore, Boston,
    // Cleveland, Detroit, Milwaukee, New York, Toronto, then the losses.
    let wins = [
        [0, 1, 3, 1, 2, 2, 1],
        [6, 0, 5, 2, 5, 4, 3],
        [2, 4, 0, 3, 2, 4, 3],
        [4, 6, 6, 0, 3, 4, 4],
        [6, 6, 4, 4, 0, 4, 4],
        [6, 4, 4, 5, 3, 0, 2],
        [6, 4, 4, 4, 2, 2, 0],
    ];
    let losses = [
        [0, 6, 4, 5, 5, 4, 6],
        [0, 0, 2, 5, 1, 2, 3],
        [4, 2, 0, 3, 5, 3, 4],
        [3, 0, 1, 0, 3, 3, 2],
        [0, 1, 2, 3, 0, 3, 2],
        [1, 3, 2, 1, 3, 0, 5],
        [0, 3, 2, 3, 5, 4, 0],
    ];
    let mut table = CrossTable::new(7);
    for (home, away) in (0..7).flat_map(|home| (0..7).map(move |away| (home, away))).filter(|(home, away)| home != away)
    {
        table.add(home, away, Score { wins: wins[home][away], draws: 0, losses: losses[home][away] });
    }
    let settings = BradleyTerry { prior_draws: 0.0, draws: Draws::HalfWins, ..BradleyTerry::default() };
    let ratings = settings.rate(&table).expect("connected");
    let published = [
        (1, (1.1438, 0.3378)),
        (2, (0.7047, 0.3350)),
        (3, (1.4754, 0.3446)),
        (4, (1.6196, 0.3474)),
        (5, (1.2813, 0.3404)),
        (6, (1.3271, 0.3403)),
    ];
    for (team, published) in published {
        assert_published(ratings.difference(team, 0), published, 0.00005);
    }
    assert_published(ratings.first_move(), (0.3023, 0.1309), 0.00005);
}

#[test]
fn puddings_of_1970() {
    // R. R. Davidson, "On Extending the Bradley-Terry Model to Accommodate Ties in Paired Comparison Experiments",
    // Journal of the American Statistical Association 65, 1970, example 2; worths, tie parameter and standard errors as
    // in the overview of the R package PlackettLuce, section 2. Two brands, preferred, preferred the other, no preference.
    let comparisons = [
        (1, 2, 19, 22, 16),
        (1, 3, 16, 19, 12),
        (2, 3, 19, 19, 10),
        (1, 4, 18, 23, 13),
        (2, 4, 23, 19, 9),
        (3, 4, 19, 20, 15),
        (1, 5, 13, 19, 18),
        (2, 5, 16, 20, 12),
        (3, 5, 16, 15, 17),
        (4, 5, 17, 14, 16),
        (1, 6, 18, 21, 12),
        (2, 6, 22, 20, 12),
        (3, 6, 13, 18, 10),
        (4, 6, 14, 19, 18),
        (5, 6, 11, 21, 12),
    ];
    let mut table = CrossTable::new(6);
    for (one, other, wins, losses, draws) in comparisons {
        table.add(one - 1, other - 1, Score { wins, draws, losses });
    }
    let settings = BradleyTerry { prior_draws: 0.0, first_move: false, ..BradleyTerry::default() };
    let ratings = settings.rate(&table).expect("connected");
    let published = [
        (1, (0.2202, 0.1872)),
        (2, (0.1530, 0.1935)),
        (3, (0.1753, 0.1882)),
        (4, (0.1339, 0.1927)),
        (5, (0.3771, 0.1924)),
    ];
    for (brand, published) in published {
        // They stopped after seven steps, where Davidson had stopped too, a little before the top.
        assert_published(ratings.difference(brand, 0), published, 0.0003);
    }
    let tie = 0.746_814_7;
    assert_near(ratings.draw_rate(), tie / (2.0 + tie), 0.0001);
    assert_eq!((ratings.first_move().value, ratings.first_move().error()), (0.0, 0.0));
}

#[test]
fn two_equals_by_hand() {
    // Whoever moves first wins 8, draws 4 and loses 2: equal players, g = 8 / 2 = 4 and ν = 4 / √(8 · 2) = 1.
    let score = Score { wins: 8, draws: 4, losses: 2 };
    let mut table = CrossTable::new(2);
    table.add(0, 1, score);
    table.add(1, 0, score);
    let settings = BradleyTerry { prior_draws: 0.0, ..BradleyTerry::default() };
    let ratings = settings.rate(&table).expect("connected");
    assert_near(ratings.of(0).value, 0.0, 1e-6);
    assert_near(ratings.first_move().value, 400.0 * 4f64.log10(), 0.1);
    // Between equals the first wins, loses and draws 4 : 1 : 2.
    assert_near(ratings.draw_rate(), 2.0 / 7.0, 0.001);
    for (found, expected) in ratings.chances(0, 1).into_iter().zip([1.0 / 7.0, 2.0 / 7.0, 4.0 / 7.0]) {
        assert_near(found, expected, 0.001);
    }
    // One match tells 4/7 · 1/7 + 2/7 · 5/7 / 4 = 13/98 of the lead, the difference counts twice in it, and there are 28.
    let standard_error = ELO_PER_UNIT / (28.0f64 * 13.0 / 98.0).sqrt();
    assert_near(ratings.difference(0, 1).error(), Z_95 * standard_error, 0.1);
}

/// Bots of known strength that play by the model.
struct Field {
    truth: Vec<f64>,
    first_move: f64,
    draw_weight: f64,
}

impl Field {
    fn weights(&self, first: usize, second: usize) -> [f64; 3] {
        let odds = 10f64.powf((self.truth[first] - self.truth[second] + self.first_move) / 400.0);
        [1.0, self.draw_weight * odds.sqrt(), odds]
    }

    fn play(&self, random: &mut Random, first: usize, second: usize) -> MatchResult {
        let weights = self.weights(first, second);
        let mut drawn = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64 * weights.iter().sum::<f64>();
        for (weight, result) in weights.into_iter().zip([MatchResult::Loss, MatchResult::Draw]) {
            if drawn < weight {
                return result;
            }
            drawn -= weight;
        }
        MatchResult::Win
    }

    /// Everybody meets everybody, so often from either side.
    fn tournament(&self, random: &mut Random, times: usize) -> CrossTable {
        let mut table = CrossTable::new(self.truth.len());
        for first in 0..self.truth.len() {
            for second in (0..self.truth.len()).filter(|&second| second != first) {
                (0..times).for_each(|_| table.record(first, second, self.play(random, first, second)));
            }
        }
        table
    }

    fn draw_rate(&self) -> f64 {
        let odds = 10f64.powf(self.first_move / 400.0);
        let weight = self.draw_weight * odds.sqrt();
        weight / (1.0 + odds + weight)
    }
}

fn field() -> Field {
    let truth = vec![250.0, 120.0, 60.0, 10.0, -30.0, -60.0, -130.0, -220.0];
    Field { truth, first_move: 45.0, draw_weight: 0.8 }
}

/// Asserts that `hits` of `runs` is a share of about `expected`: within four standard deviations.
#[track_caller]
fn assert_share(hits: usize, runs: usize, expected: f64) {
    let share = hits as f64 / runs as f64;
    let margin = 4.0 * (expected * (1.0 - expected) / runs as f64).sqrt();
    assert_near(share, expected, margin);
}

/// Rates `runs` tournaments and counts how often the truth lies inside: ratings of free players, differences of two
/// neighbours, and the first move.
fn assert_covered(seed: u64, scale: Scale) {
    let (field, runs) = (field(), 400);
    let mut random = Random::new(seed);
    let settings = BradleyTerry { scale, ..BradleyTerry::default() };
    let free: Vec<usize> = (0..field.truth.len())
        .filter(|player| !matches!(&settings.scale, Scale::Anchors(anchors) if anchors.contains_key(player)))
        .collect();
    let (mut covered, mut differences, mut first_moves, mut draws, mut sure) = (0, 0, 0, 0.0, 0);
    for _ in 0..runs {
        let ratings = settings.rate(&field.tournament(&mut random, 25)).expect("ratings");
        covered += free.iter().filter(|&&player| ratings.of(player).contains(field.truth[player])).count();
        differences += usize::from(ratings.difference(3, 4).contains(field.truth[3] - field.truth[4]));
        first_moves += usize::from(ratings.first_move().contains(field.first_move));
        sure += usize::from(ratings.likelihood_of_superiority(0, 7) > 0.999);
        draws += ratings.draw_rate() / runs as f64;
    }
    assert_share(covered, runs * free.len(), 0.95);
    assert_share(differences, runs, 0.95);
    assert_share(first_moves, runs, 0.95);
    assert_near(draws, field.draw_rate(), 0.003);
    assert_eq!(sure, runs, "470 Elo cannot be missed");
}

#[test]
fn intervals_cover_the_truth_around_a_mean() {
    assert_covered(31, Scale::Mean(0.0));
    assert_covered(32, Scale::Mean(0.0));
}

#[test]
fn intervals_cover_the_truth_from_one_anchor() {
    assert_covered(33, Scale::anchors([(2, 60.0)]));
}

#[test]
fn intervals_cover_the_truth_between_anchors() {
    assert_covered(34, Scale::anchors([(0, 250.0), (5, -60.0), (7, -220.0)]));
}
