//! What the numbers promise comes true when bots of known strength play. All seeds are fixed.

use agon_rating::{
    BradleyTerry, CrossTable, Decision, Draws, MatchResult, Model, NORMALISED_ELO_PER_T, Pentanomial, Scale, Score,
    Sprt, bayes_elo_probabilities, elo_from_score, score_from_elo,
};
use agon_rules::Random;

fn unit(random: &mut Random) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Probabilities of loss, draw and win.
type Chances = [f64; 3];

fn play(random: &mut Random, [loss, draw, _]: Chances) -> MatchResult {
    let drawn = unit(random);
    if drawn < loss {
        MatchResult::Loss
    } else if drawn < loss + draw {
        MatchResult::Draw
    } else {
        MatchResult::Win
    }
}

/// Chances of a bot that is `elo` stronger, with a third of all matches drawn.
fn chances(elo: f64) -> Chances {
    let (draw, score) = (1.0 / 3.0, score_from_elo(elo));
    [1.0 - score - draw / 2.0, draw, score - draw / 2.0]
}

/// A battle from an opening that is worth 120 Elo to one side: its halves depend on each other.
fn battle(random: &mut Random, elo: f64) -> (MatchResult, MatchResult) {
    let worth = if random.below(2) == 0 { 120.0 } else { -120.0 };
    (play(random, chances(elo + worth)), play(random, chances(elo - worth)))
}

/// The Elo that battles of [`battle`] measure: the mean score of both halves.
fn measured_elo(elo: f64) -> f64 {
    let score = (score_from_elo(elo + 120.0) + score_from_elo(elo - 120.0)) / 2.0;
    elo_from_score(score).expect("between 0 and 1")
}

/// The normalised Elo of battles of [`battle`].
fn normalised_elo(elo: f64) -> f64 {
    let (mut mean, mut square) = (0.0, 0.0);
    for (i, one) in chances(elo + 120.0).into_iter().enumerate() {
        for (j, other) in chances(elo - 120.0).into_iter().enumerate() {
            let (score, chance) = ((i + j) as f64 / 4.0, one * other);
            mean += chance * score;
            square += chance * score * score;
        }
    }
    (mean - 0.5) / (2.0 * (square - mean * mean)).sqrt() * NORMALISED_ELO_PER_T
}

/// Asserts that `hits` of `runs` is a share of about `expected`: within four standard deviations.
#[track_caller]
fn assert_share(hits: usize, runs: usize, expected: f64) {
    let share = hits as f64 / runs as f64;
    let margin = 4.0 * (expected * (1.0 - expected) / runs as f64).sqrt();
    assert!((share - expected).abs() <= margin, "{hits} of {runs} is {share}, expected {expected} ± {margin}");
}

#[test]
fn error_bars_of_matches_cover_the_truth() {
    let mut random = Random::new(11);
    let runs = 2000;
    for elo in [-200.0, 0.0, 30.0] {
        let covered = (0..runs).filter(|_| {
            let mut score = Score::default();
            (0..300).for_each(|_| score.record(play(&mut random, chances(elo))));
            score.elo().interval().is_some_and(|interval| interval.contains(elo))
        });
        assert_share(covered.count(), runs, 0.95);
    }
}

#[test]
fn error_bars_of_battles_cover_the_truth_and_are_narrower() {
    let mut random = Random::new(12);
    let (runs, elo) = (2000, 25.0);
    let (truth, normalised_truth) = (measured_elo(elo), normalised_elo(elo));
    let (mut covered, mut normalised_covered, mut narrower) = (0, 0, 0);
    for _ in 0..runs {
        let (mut battles, mut score) = (Pentanomial::default(), Score::default());
        for _ in 0..200 {
            let (one, other) = battle(&mut random, elo);
            battles.record(one, other);
            score.record(one);
            score.record(other);
        }
        let interval = battles.elo().interval().expect("measured");
        covered += usize::from(interval.contains(truth));
        normalised_covered +=
            usize::from(battles.normalised_elo().interval().expect("measured").contains(normalised_truth));
        narrower += usize::from(interval.error() < score.elo().interval().expect("measured").error());
    }
    assert_share(covered, runs, 0.95);
    assert_share(normalised_covered, runs, 0.95);
    assert!(narrower > runs * 9 / 10, "{narrower}");
}

#[test]
fn likelihood_of_superiority_is_a_probability() {
    // Of equal bots, it is above 95 % in one run of twenty.
    let mut random = Random::new(13);
    let runs = 2000;
    let sure = (0..runs).filter(|_| {
        let mut battles = Pentanomial::default();
        for _ in 0..100 {
            let (one, other) = battle(&mut random, 0.0);
            battles.record(one, other);
        }
        battles.likelihood_of_superiority() > 0.95
    });
    assert_share(sure.count(), runs, 0.05);
}

/// How often the test accepts H1 when battles are those of [`battle`] with a difference of `elo`.
fn accepted(test: &Sprt, elo: f64, runs: usize, seed: u64) -> usize {
    let mut random = Random::new(seed);
    let run = |_: &usize| {
        let mut battles = Pentanomial::default();
        loop {
            let (one, other) = battle(&mut random, elo);
            battles.record(one, other);
            match test.decide(test.llr_of_battles(&battles).expect("not BayesElo")) {
                Decision::Continue => {}
                decision => return decision == Decision::AcceptH1,
            }
        }
    };
    (0..runs).filter(run).count()
}

/// The observed rate of an error keeps its promise: at most the promised rate and chance, and not absurdly far below
/// (Wald's bounds are a little too strict, since a test ends beyond a bound and not on it).
#[track_caller]
fn assert_error_rate(errors: usize, runs: usize, promised: f64) {
    let rate = errors as f64 / runs as f64;
    let margin = 3.0 * (promised * (1.0 - promised) / runs as f64).sqrt();
    assert!(rate <= promised + margin && rate >= promised / 2.0, "{errors} errors in {runs}, promised {promised}");
}

#[test]
fn sprt_keeps_its_error_rates_logistic() {
    let (runs, elo0, elo1) = (2000, 0.0, 60.0);
    let test = Sprt::new(Model::Logistic, measured_elo(elo0), measured_elo(elo1), 0.05, 0.10).expect("a test");
    assert_error_rate(accepted(&test, elo0, runs, 14), runs, 0.05);
    assert_error_rate(runs - accepted(&test, elo1, runs, 15), runs, 0.10);
    // Far from the bounds there is no doubt.
    assert_eq!(accepted(&test, -100.0, 100, 16), 0);
    assert_eq!(accepted(&test, 160.0, 100, 17), 100);
}

#[test]
fn sprt_keeps_its_error_rates_normalised() {
    let (runs, elo0, elo1) = (2000, 0.0, 60.0);
    let test = Sprt::new(Model::Normalised, normalised_elo(elo0), normalised_elo(elo1), 0.05, 0.10).expect("a test");
    assert_error_rate(accepted(&test, elo0, runs, 18), runs, 0.05);
    assert_error_rate(runs - accepted(&test, elo1, runs, 19), runs, 0.10);
}

#[test]
fn sprt_keeps_its_error_rates_bayesian() {
    let (runs, elo0, elo1, draw_elo) = (2000, 0.0, 60.0, 150.0);
    let test = Sprt::new(Model::Bayesian, elo0, elo1, 0.05, 0.10).expect("a test");
    for (truth, wrong, promised, seed) in [(elo0, Decision::AcceptH1, 0.05, 20), (elo1, Decision::AcceptH0, 0.10, 21)] {
        let mut random = Random::new(seed);
        let errors = (0..runs).filter(|_| {
            let mut score = Score::default();
            loop {
                score.record(play(&mut random, bayes_elo_probabilities(truth, draw_elo)));
                match test.decide(test.llr_of_matches(&score)) {
                    Decision::Continue => {}
                    decision => return decision == wrong,
                }
            }
        });
        assert_error_rate(errors.count(), runs, promised);
    }
}

#[test]
fn ratings_of_many_cover_the_truth() {
    let mut random = Random::new(22);
    let truth = [1700.0, 1600.0, 1550.0, 1500.0, 1450.0, 1400.0, 1300.0];
    let settings =
        BradleyTerry { prior_draws: 0.0, scale: Scale::Mean(1500.0), draws: Draws::HalfWins, first_move: false };
    let (runs, mut covered, mut differences_covered) = (300, 0, 0);
    for _ in 0..runs {
        let mut table = CrossTable::new(truth.len());
        for player in 0..truth.len() {
            for opponent in 0..player {
                let score = score_from_elo(truth[player] - truth[opponent]);
                for _ in 0..30 {
                    table.record(player, opponent, play(&mut random, [1.0 - score, 0.0, score]));
                }
            }
        }
        let ratings = settings.rate(&table).expect("connected");
        covered += (0..truth.len()).filter(|&player| ratings.of(player).contains(truth[player])).count();
        differences_covered += usize::from(ratings.difference(0, 1).contains(truth[0] - truth[1]));
    }
    // The ratings of one run depend on each other a little; the margin of independent ones is still wide enough.
    assert_share(covered, runs * truth.len(), 0.95);
    assert_share(differences_covered, runs, 0.95);
}
