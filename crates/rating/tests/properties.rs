//! What must hold for any counts.

use agon_rating::{
    EloTable, Estimate, Interval, MatchResult, Model, Pentanomial, Score, Sprt, elo_from_score, score_from_elo,
};
use agon_rules::Random;

const ROUNDS: usize = 300;

/// Counts of battles of a random size, some of them 0.
fn random_battles(random: &mut Random) -> Pentanomial {
    let bound = random.pick(&[3, 20, 500, 20_000]);
    Pentanomial(std::array::from_fn(|_| random.below(bound) as u64))
}

fn random_score(random: &mut Random) -> Score {
    let [losses, draws, wins, ..] = random_battles(random).0;
    Score { wins, draws, losses }
}

/// The numbers of an estimate, however it came about.
fn numbers(estimate: Estimate) -> Vec<f64> {
    match estimate {
        Estimate::NoMatches | Estimate::NoSpread => vec![],
        Estimate::AllWins { at_least } => vec![at_least],
        Estimate::AllLosses { at_most } => vec![at_most],
        Estimate::Alike(interval) | Estimate::Lopsided(interval) | Estimate::Measured(interval) => {
            vec![interval.value, interval.low, interval.high]
        }
    }
}

#[track_caller]
fn assert_same(one: Estimate, other: Estimate) {
    assert_eq!(std::mem::discriminant(&one), std::mem::discriminant(&other), "{one:?} {other:?}");
    for (one, other) in numbers(one).into_iter().zip(numbers(other)) {
        assert!((one - other).abs() <= 1e-9 * (1.0 + one.abs()), "{one} {other}");
    }
}

#[test]
fn elo_and_score_are_inverse() {
    for elo in [-800.0, -12.5, 0.0, 1.0, 400.0] {
        let back = elo_from_score(score_from_elo(elo)).expect("between 0 and 1");
        assert!((back - elo).abs() < 1e-9, "{elo} {back}");
        assert!((score_from_elo(elo) + score_from_elo(-elo) - 1.0).abs() < 1e-15, "{elo}");
    }
}

#[test]
fn swapping_the_bots_swaps_the_estimates() {
    let mut random = Random::new(1);
    for _ in 0..ROUNDS {
        let (battles, score) = (random_battles(&mut random), random_score(&mut random));
        assert_same(battles.swapped().elo(), battles.elo().swapped());
        assert_same(battles.swapped().normalised_elo(), battles.normalised_elo().swapped());
        assert_same(score.swapped().elo(), score.elo().swapped());
        let both = battles.likelihood_of_superiority() + battles.swapped().likelihood_of_superiority();
        assert!((both - 1.0).abs() < 1e-12, "{battles}");
    }
}

#[test]
fn swapping_the_bots_swaps_the_hypotheses() {
    let mut random = Random::new(2);
    for model in [Model::Logistic, Model::Normalised, Model::Bayesian] {
        let there = Sprt::new(model, -1.0, 4.0, 0.05, 0.05).expect("a test");
        let back = Sprt::new(model, -4.0, 1.0, 0.05, 0.05).expect("a test");
        for _ in 0..ROUNDS {
            let score = random_score(&mut random);
            let (one, other) = (there.llr_of_matches(&score), back.llr_of_matches(&score.swapped()));
            assert!((one + other).abs() <= 1e-6 * (1.0 + one.abs()), "{model:?} {score}: {one} {other}");
            let battles = random_battles(&mut random);
            let one = there.llr_of_battles(&battles).unwrap_or_default();
            let other = back.llr_of_battles(&battles.swapped()).unwrap_or_default();
            assert!((one + other).abs() <= 1e-6 * (1.0 + one.abs()), "{model:?} {battles}: {one} {other}");
        }
    }
}

#[test]
fn a_better_result_never_counts_for_less() {
    let mut random = Random::new(3);
    let test = Sprt::new(Model::Logistic, 0.0, 5.0, 0.05, 0.05).expect("a test");
    for _ in 0..ROUNDS {
        let Pentanomial(counts) = random_battles(&mut random);
        let better = random.below(4) + 1;
        let (mut low, mut high) = (counts.map(|count| count + 1), counts.map(|count| count + 1));
        low[better - 1] += 1;
        high[better] += 1;
        let (low, high) = (Pentanomial(low), Pentanomial(high));
        let value = |battles: &Pentanomial| battles.elo().interval().expect("all results seen").value;
        assert!(value(&low) < value(&high), "{low} {high}");
        assert!(test.llr_of_battles(&low) < test.llr_of_battles(&high), "{low} {high}");
        assert!(low.likelihood_of_superiority() <= high.likelihood_of_superiority(), "{low} {high}");
    }
}

#[test]
fn more_of_the_same_is_surer() {
    let mut random = Random::new(4);
    for _ in 0..ROUNDS {
        let Pentanomial(counts) = random_battles(&mut random);
        let battles = Pentanomial(counts.map(|count| count + 1));
        let fourfold = Pentanomial(battles.0.map(|count| 4 * count));
        let width = |estimate: Estimate| estimate.interval().expect("all results seen");
        let (one, four) = (width(battles.normalised_elo()), width(fourfold.normalised_elo()));
        assert!((one.error() / four.error() - 2.0).abs() < 1e-9, "{battles}");
        assert!((one.value - four.value).abs() < 1e-9, "{battles}");
        assert!(width(fourfold.elo()).error() < width(battles.elo()).error(), "{battles}");
    }
}

#[test]
fn the_llr_points_to_the_nearer_hypothesis() {
    for model in [Model::Logistic, Model::Normalised, Model::Bayesian] {
        let test = Sprt::new(model, 0.0, 10.0, 0.05, 0.05).expect("a test");
        let llr = |wins, losses| test.llr_of_matches(&Score { wins, draws: 400, losses });
        assert!(llr(300, 300) < -0.1, "{model:?}");
        assert!(llr(330, 270) > 0.1, "{model:?}");
        assert!(llr(250, 350) < llr(300, 300), "{model:?}");
    }
    let far = Sprt::new(Model::Logistic, -500.0, 500.0, 0.05, 0.05).expect("a test");
    assert!(far.llr_of_battles(&Pentanomial([3, 3, 3, 3, 3])).expect("logistic").abs() < 1e-9, "halfway is neither");
}

#[test]
fn battles_of_independent_matches_are_as_sure_as_the_matches() {
    // Exactly the frequencies of two independent matches with 30 % wins, 50 % draws, 20 % losses.
    let [loss, draw, win]: [f64; 3] = [0.2, 0.5, 0.3];
    let shares = [loss * loss, 2.0 * loss * draw, 2.0 * loss * win + draw * draw, 2.0 * draw * win, win * win];
    let battles = Pentanomial(shares.map(|share| (share * 10_000.0).round() as u64));
    let score = Score { wins: 6_000, draws: 10_000, losses: 4_000 };
    assert_eq!(battles.to_score(2_500), Some(score));
    assert_same(battles.elo(), score.elo());
    assert_same(battles.normalised_elo(), score.normalised_elo());
    // The likelihoods take the spread about a hypothesis and not about the mean; 34 Elo from it that is a few percent.
    let test = Sprt::new(Model::Logistic, 0.0, 5.0, 0.05, 0.05).expect("a test");
    let (pairs, singles) = (test.llr_of_battles(&battles).expect("logistic"), test.llr_of_matches(&score));
    assert!((pairs - singles).abs() < 0.03 * singles, "{pairs} {singles}");
}

#[test]
fn one_sided_openings_do_not_blur_battles() {
    // The first side wins every match but for one battle in a hundred, which the first bot wins twice.
    let battles = Pentanomial([0, 0, 990, 0, 10]);
    let score = battles.to_score(0).expect("no draws");
    let error = |estimate: Estimate| estimate.interval().map(|interval| interval.error()).expect("measured");
    assert!(error(score.elo()) > 5.0 * error(battles.elo()));
}

#[test]
fn intervals_know_their_ends() {
    let interval = Interval { value: 1.0, low: -2.0, high: 3.0 };
    assert_eq!(interval.error(), 2.5);
    assert!(interval.contains(-2.0) && interval.contains(3.0) && !interval.contains(3.1));
}

#[test]
fn counting_and_adding_agree() {
    let all = [MatchResult::Win, MatchResult::Draw, MatchResult::Loss];
    let (mut score, mut battles) = (Score::default(), Pentanomial::default());
    for one in all {
        for other in all {
            score.record(one);
            score.record(other);
            battles.record(one, other);
            assert_eq!(one.score() + one.swapped().score(), 1.0);
        }
    }
    assert_eq!(battles, Pentanomial([1, 2, 3, 2, 1]));
    assert_eq!(battles.to_score(1), Some(score));
    let (score_before, battles_before) = (score, battles);
    score += score_before;
    battles += battles_before;
    assert_eq!((score.matches(), battles.matches()), (36, 36));
}

#[test]
fn a_round_does_not_depend_on_its_order() {
    let mut random = Random::new(5);
    let results = [MatchResult::Win, MatchResult::Draw, MatchResult::Loss];
    let mut round: Vec<_> = (0..40).map(|i| (i % 7, 7 + i % 5, random.pick(&results))).collect();
    let start = EloTable::new(24.0, (0..12).map(|i| 1500.0 + f64::from(i)).collect()).expect("a table");
    let (mut forth, mut back) = (start.clone(), start);
    forth.record_round(&round);
    round.reverse();
    back.record_round(&round);
    assert_eq!(forth.ranking(), back.ranking());
    assert!(forth.ratings().iter().zip(back.ratings()).all(|(one, other)| (one - other).abs() < 1e-9));
    assert!((forth.ratings().iter().sum::<f64>() - (12.0 * 1500.0 + 66.0)).abs() < 1e-9, "the mean stays");
}
