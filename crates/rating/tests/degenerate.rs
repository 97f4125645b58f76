//! Inputs that have no ordinary answer get a sentence, and never NaN or infinity.

use agon_rating::{
    BradleyTerry, CrossTable, Decision, EloTable, Estimate, MatchResult, Model, Pentanomial, RatingError, Scale, Score,
    Sprt, elo_from_score,
};

fn say(wins: u64, draws: u64, losses: u64) -> String {
    Score { wins, draws, losses }.elo().to_string()
}

#[test]
fn matches_say_what_they_cannot_tell() {
    assert_eq!(say(0, 0, 0), "no matches yet");
    assert_eq!(say(1, 0, 0), "won every match: no finite estimate, at least -511.5 at 95 %");
    assert_eq!(say(100, 0, 0), "won every match: no finite estimate, at least +606.8 at 95 %");
    assert_eq!(say(0, 0, 100), "lost every match: no finite estimate, at most -606.8 at 95 %");
    assert_eq!(say(0, 100, 0), "every result alike: +0.0, between -10.3 and +10.3 at 95 %");
    assert_eq!(say(99, 0, 1), "+798.3, between +495.8 and +1100.8 at 95 %");
    assert_eq!(say(500, 0, 500), "+0.0 ± 21.6");
    assert_eq!(say(0, 1_000_000, 1), "+0.0 ± 0.0", "no minus before a zero");
}

#[test]
fn battles_say_what_they_cannot_tell() {
    let say = |counts| Pentanomial(counts).elo().to_string();
    assert_eq!(say([0; 5]), "no matches yet");
    assert_eq!(say([0, 0, 0, 0, 100]), "won every match: no finite estimate, at least +606.8 at 95 %");
    assert_eq!(say([100, 0, 0, 0, 0]), "lost every match: no finite estimate, at most -606.8 at 95 %");
    assert_eq!(say([0, 0, 100, 0, 0]), "every result alike: +0.0, between -10.3 and +10.3 at 95 %");
    assert_eq!(say([0, 0, 0, 100, 0]), "every result alike: +190.8, between +170.9 and +197.8 at 95 %");
    assert_eq!(say([0, 0, 0, 1, 9]), "+636.4, between +341.8 and +931.1 at 95 %");
}

#[test]
fn normalised_elo_says_what_it_cannot_tell() {
    assert_eq!(Pentanomial::default().normalised_elo().to_string(), "no matches yet");
    for alike in [[9, 0, 0, 0, 0], [0, 0, 9, 0, 0], [0, 0, 0, 0, 9]] {
        let estimate = Pentanomial(alike).normalised_elo();
        assert_eq!(estimate.to_string(), "every result alike: no spread to compare with");
        assert_eq!(estimate.interval(), None);
    }
    assert_eq!(Score::default().normalised_elo(), Estimate::NoMatches);
}

#[test]
fn likelihood_of_superiority_is_never_out_of_range() {
    assert_eq!(Score::default().likelihood_of_superiority(), 0.5);
    assert_eq!(Pentanomial::default().likelihood_of_superiority(), 0.5);
    assert_eq!(Pentanomial([0, 0, 50, 0, 0]).likelihood_of_superiority(), 0.5);
    // One battle won proves little, ten prove much.
    let won = |battles| Pentanomial([0, 0, 0, 0, battles]).likelihood_of_superiority();
    assert!((won(1) - 0.841).abs() < 0.001, "{}", won(1));
    assert!((won(10) - 0.9992).abs() < 0.0001, "{}", won(10));
}

#[test]
fn fractions_need_matches() {
    assert_eq!((Score::default().fraction(), Score::default().draw_ratio()), (None, None));
    assert_eq!((Pentanomial::default().fraction(), Pentanomial::default().draw_ratio()), (None, None));
    assert_eq!(Score::default().to_string(), "0 - 0 - 0");
    for score in [0.0, 1.0, -1.0, 2.0, f64::NAN] {
        assert_eq!(elo_from_score(score), None);
    }
}

/// Calls `check` with every combination of some small and some absurd counts.
fn for_all_counts<const N: usize>(check: impl Fn([u64; N])) {
    const COUNTS: [u64; 4] = [0, 1, 1000, 1 << 60];
    for number in 0..COUNTS.len().pow(N as u32) {
        check(std::array::from_fn(|i| COUNTS[number / COUNTS.len().pow(i as u32) % COUNTS.len()]));
    }
}

#[track_caller]
fn assert_finite(estimate: Estimate) {
    match estimate {
        Estimate::AllWins { at_least: bound } | Estimate::AllLosses { at_most: bound } => assert!(bound.is_finite()),
        _ => {
            if let Some(interval) = estimate.interval() {
                assert!(interval.low.is_finite() && interval.high.is_finite(), "{interval:?}");
                assert!(interval.low <= interval.value && interval.value <= interval.high, "{interval:?}");
            }
        }
    }
}

#[test]
fn every_estimate_is_finite() {
    for_all_counts(|[wins, draws, losses]| {
        let score = Score { wins, draws, losses };
        assert_finite(score.elo());
        assert_finite(score.normalised_elo());
        assert!((0.0..=1.0).contains(&score.likelihood_of_superiority()));
    });
    for_all_counts(|counts| {
        assert_finite(Pentanomial(counts).elo());
        assert_finite(Pentanomial(counts).normalised_elo());
        assert!((0.0..=1.0).contains(&Pentanomial(counts).likelihood_of_superiority()));
    });
}

#[test]
fn every_llr_is_finite() {
    for (model, bound) in [(Model::Logistic, 1000.0), (Model::Normalised, 200.0), (Model::Bayesian, 1000.0)] {
        for (elo0, elo1) in [(0.0, 5.0), (-bound, bound)] {
            let test = Sprt::new(model, elo0, elo1, 0.05, 0.05).expect("a test");
            for_all_counts(|[wins, draws, losses]| {
                let llr = test.llr_of_matches(&Score { wins, draws, losses });
                assert!(llr.is_finite(), "{model:?} {elo0} {elo1} {wins} {draws} {losses}: {llr}");
            });
            for_all_counts(|counts| {
                let llr = test.llr_of_battles(&Pentanomial(counts)).unwrap_or_default();
                assert!(llr.is_finite(), "{model:?} {elo0} {elo1} {counts:?}: {llr}");
            });
        }
    }
}

#[test]
fn a_test_without_results_goes_on() {
    for model in [Model::Logistic, Model::Normalised, Model::Bayesian] {
        let test = Sprt::new(model, 0.0, 5.0, 0.05, 0.05).expect("a test");
        assert_eq!(test.llr_of_matches(&Score::default()), 0.0);
        assert_eq!(test.llr_of_battles(&Pentanomial::default()), (model != Model::Bayesian).then_some(0.0));
        assert_eq!(test.decide(0.0), Decision::Continue);
    }
}

#[test]
fn impossible_tests_are_refused() {
    let refuse =
        |model, elo0, elo1, alpha, beta| Sprt::new(model, elo0, elo1, alpha, beta).expect_err("refused").to_string();
    assert_eq!(refuse(Model::Logistic, 5.0, 0.0, 0.05, 0.05), "expected elo0 below elo1, found 5 and 0");
    assert_eq!(refuse(Model::Logistic, 0.0, 0.0, 0.05, 0.05), "expected elo0 below elo1, found 0 and 0");
    let limit = "expected an Elo bound between -1000 and 1000, found ";
    assert_eq!(refuse(Model::Logistic, f64::NAN, 0.0, 0.05, 0.05), format!("{limit}NaN"));
    assert_eq!(refuse(Model::Bayesian, 0.0, f64::INFINITY, 0.05, 0.05), format!("{limit}inf"));
    assert_eq!(
        refuse(Model::Normalised, 0.0, 300.0, 0.05, 0.05),
        "expected an Elo bound between -200 and 200, found 300"
    );
    let rates = "expected alpha and beta above 0 with a sum below 1, found ";
    assert_eq!(refuse(Model::Logistic, 0.0, 5.0, 0.0, 0.05), format!("{rates}0 and 0.05"));
    assert_eq!(refuse(Model::Logistic, 0.0, 5.0, 0.5, 0.5), format!("{rates}0.5 and 0.5"));
    assert_eq!(refuse(Model::Logistic, 0.0, 5.0, f64::NAN, 0.5), format!("{rates}NaN and 0.5"));
}

#[test]
fn impossible_tables_are_refused() {
    let plain = BradleyTerry { prior_draws: 0.0, ..BradleyTerry::default() };
    let mut table = CrossTable::new(2);
    table.record(0, 1, MatchResult::Win);
    assert_eq!(BradleyTerry::default().rate(&CrossTable::new(0)), Err(RatingError::NoPlayers));
    assert_eq!(RatingError::NoPlayers.to_string(), "no players to rate");
    assert_eq!(
        plain.rate(&table).expect_err("refused").to_string(),
        "some players never scored against some others, not even through a chain of opponents: \
         no finite ratings without prior draws"
    );
    let refuse = |settings: BradleyTerry| settings.rate(&table).expect_err("refused").to_string();
    let prior = |prior_draws| refuse(BradleyTerry { prior_draws, ..BradleyTerry::default() });
    assert_eq!(prior(-1.0), "expected prior draws of at least 0, found -1");
    assert_eq!(prior(f64::INFINITY), "expected prior draws of at least 0, found inf");
    let scale = |scale| refuse(BradleyTerry { scale, ..BradleyTerry::default() });
    assert_eq!(scale(Scale::Mean(f64::NAN)), "expected a number as the mean rating, found NaN");
    assert_eq!(scale(Scale::anchors([])), "expected at least one player with a known rating, found none");
    assert_eq!(
        scale(Scale::anchors([(1, f64::NEG_INFINITY)])),
        "expected a number as the known rating of player 1, found -inf"
    );
    assert_eq!(
        scale(Scale::anchors([(2, 1500.0)])),
        "expected known ratings of players below 2, found one of player 2"
    );
    assert_eq!(EloTable::new(0.0, vec![]).expect_err("refused").to_string(), "expected a K factor above 0, found 0");
    assert_eq!(
        EloTable::new(32.0, vec![1500.0, f64::NAN]).expect_err("refused").to_string(),
        "expected a number as the rating of player 1, found NaN"
    );
}

#[test]
fn lone_and_idle_players_have_ratings() {
    let settings = BradleyTerry { scale: Scale::Mean(1500.0), ..BradleyTerry::default() };
    let alone = settings.rate(&CrossTable::new(1)).expect("ratings");
    assert_eq!((alone.of(0).value, alone.of(0).error()), (1500.0, 0.0));
    assert_eq!(alone.likelihood_of_superiority(0, 0), 0.5);
    let idle = settings.rate(&CrossTable::new(3)).expect("ratings");
    assert_eq!(idle.values(), [1500.0; 3]);
    assert_eq!(idle.ranking(), [0, 1, 2]);
    assert!(idle.of(1).error().is_finite() && idle.of(1).error() > 100.0);
}
