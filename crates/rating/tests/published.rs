//! Agreement with numbers that others have published. Every number here is theirs; the source stands beside it.

use agon_rating::{Decision, Estimate, Model, Pentanomial, Score, Sprt, Z_95};

/// The value and its error.
fn measured(estimate: Estimate) -> (f64, f64) {
    let interval = estimate.interval().expect("a finite estimate");
    (interval.value, interval.error())
}

/// Both numbers agree with the published ones to their last digit.
#[track_caller]
fn assert_close(found: (f64, f64), published: (f64, f64), digit: f64) {
    let close = |found: f64, published: f64| (found - published).abs() <= 0.501 * digit;
    assert!(close(found.0, published.0) && close(found.1, published.1), "{found:?} is not {published:?}");
}

fn score(wins: u64, losses: u64, draws: u64) -> Score {
    Score { wins, draws, losses }
}

#[test]
fn elo_of_matches() {
    // fastchess, app/tests/elo_test.cpp, "EloWDL 1" to "EloWDL 3".
    assert_close(measured(score(76, 89, 123).normalised_elo()), (-20.76, 40.13), 0.01);
    assert_close(measured(score(136, 96, 111).normalised_elo()), (49.77, 36.77), 0.01);
    assert_close(measured(score(136, 96, 111).elo()), (40.70, 30.43), 0.01);
    assert_close(measured(score(34, 356, 0).normalised_elo()), (-508.44, 34.48), 0.01);
}

#[test]
fn elo_of_matches_as_cutechess_prints_it() {
    // cutechess issue 543, cinder pull request 570, princhess pull request 256, then result lines in the change logs of
    // Pixie, Blunder, Myte and RukChess. cutechess-cli takes the normal quantile from a closed formula (S. Winitzki's
    // for the inverse error function) that gives 1.9572 in place of 1.9600, so its errors are a seventh of a percent
    // smaller.
    for (score, published) in [
        (score(880, 759, 1863), (12.0, 7.9)),
        (score(1038, 1037, 1925), (0.1, 7.7)),
        (score(289, 294, 417), (-1.7, 16.4)),
        (score(134, 52, 47), (127.7, 42.0)),
        (score(320, 129, 144), (116.0, 25.2)),
        (score(448, 355, 250), (30.8, 18.4)),
        (score(187, 123, 255), (39.5, 21.2)),
    ] {
        let (elo, error) = measured(score.elo());
        assert_close((elo, error * 1.9572 / Z_95), published, 0.1);
    }
}

#[test]
fn likelihood_of_superiority_of_matches() {
    // The first three of the printouts of cutechess-cli.
    for (score, percent) in
        [(score(880, 759, 1863), "99.9"), (score(1038, 1037, 1925), "50.9"), (score(289, 294, 417), "41.8")]
    {
        assert_eq!(format!("{:.1}", 100.0 * score.likelihood_of_superiority()), percent, "{score}");
    }
}

#[test]
fn draw_ratio_and_score_line() {
    // cutechess issue 543: "880 - 759 - 1863  [0.517] 3502" and "DrawRatio: 53.2 %".
    let score = score(880, 759, 1863);
    assert_eq!(score.to_string(), "880 - 759 - 1863 [0.517] 3502");
    assert_eq!(format!("{:.1}", 100.0 * score.draw_ratio().expect("matches")), "53.2");
    // cinder pull request 836, printed by fastchess: "DrawRatio: 45.40 %", of battles.
    let battles = Pentanomial([835, 6884, 13116, 7201, 852]);
    assert_eq!(format!("{:.2}", 100.0 * battles.draw_ratio().expect("battles")), "45.40");
    assert_eq!(format!("{:.2}", 100.0 * battles.fraction().expect("battles")), "50.30");
}

#[test]
fn elo_of_battles() {
    // fastchess, app/tests/elo_test.cpp, "EloPentanomial 1" to "EloPentanomial 3" (its third and fourth counts, a win
    // with a loss and two draws, are one here), then what fastchess printed in cinder pull requests 836, 773 and 820.
    for (counts, elo, normalised) in [
        ([34, 54, 31 + 32, 64, 75], (55.58, 27.65), (57.94, 28.28)),
        ([332, 433, 457 + 41, 333, 334], (-8.64, 10.33), (-9.17, 10.96)),
        ([7895, 8757, 5485 + 200, 568, 9999], (-21.04, 2.95), (-19.01, 2.65)),
        ([835, 6884, 13116, 7201, 852], (2.11, 1.70), (3.52, 2.83)),
        ([36, 340, 767, 462, 82], (22.07, 7.16), (36.25, 11.72)),
        ([244, 1980, 3630, 2067, 263], (2.65, 3.24), (4.36, 5.32)),
    ] {
        assert_close(measured(Pentanomial(counts).elo()), elo, 0.01);
        assert_close(measured(Pentanomial(counts).normalised_elo()), normalised, 0.01);
    }
}

#[test]
fn likelihood_of_superiority_of_battles() {
    // The same sources. They take the spread about the mean and not about ½, which differs by hundredths of a percent.
    for (counts, percent) in [
        ([34, 54, 31 + 32, 64, 75], 100.00),
        ([332, 433, 457 + 41, 333, 334], 5.05),
        ([835, 6884, 13116, 7201, 852], 99.25),
        ([36, 340, 767, 462, 82], 100.00),
        ([244, 1980, 3630, 2067, 263], 94.56),
    ] {
        let found = 100.0 * Pentanomial(counts).likelihood_of_superiority();
        assert!((found - percent).abs() < 0.02, "{counts:?}: {found} is not {percent}");
    }
}

/// Asserts a log-likelihood ratio within a hundredth of the published one (the tolerance of fastchess's tests).
#[track_caller]
fn assert_llr(found: f64, published: f64) {
    assert!((found - published).abs() <= 0.01 * (1.0 + published.abs()), "{found} is not {published}");
}

fn test(model: Model, elo0: f64, elo1: f64) -> Sprt {
    Sprt::new(model, elo0, elo1, 0.05, 0.05).expect("a test")
}

#[test]
fn llr_of_matches() {
    // fastchess, app/tests/sprt_test.cpp.
    for (model, elo0, elo1, score, llr) in [
        (Model::Normalised, 0.0, 2.0, score(36433, 36027, 68692), 0.92),
        (Model::Normalised, -1.75, 0.25, score(10871, 10650, 20431), 2.30),
        (Model::Normalised, 0.0, 10.0, score(4250, 0, 0), 120.56),
        (Model::Logistic, 0.5, 2.5, score(21404, 21184, 40708), -1.57),
        (Model::Logistic, 0.0, 2.0, score(57433, 57030, 106593), -2.59),
        (Model::Bayesian, 0.0, 2.0, score(68965, 68526, 128429), -1.26),
        (Model::Bayesian, 0.5, 2.5, score(21629, 21484, 41111), -1.13),
        // cutechess issue 543: 2.27 with BayesElo bounds, 2.95 with logistic ones.
        (Model::Bayesian, 0.0, 5.0, score(880, 759, 1863), 2.27),
        (Model::Logistic, 0.0, 5.0, score(880, 759, 1863), 2.95),
    ] {
        assert_llr(test(model, elo0, elo1).llr_of_matches(&score), llr);
    }
}

#[test]
fn llr_of_battles_logistic() {
    for (elo0, elo1, counts, llr) in [
        // fastchess, app/tests/sprt_test.cpp.
        (0.5, 2.5, [223, 9863, 20279 + 1000, 10037, 246], -3.07),
        (0.0, 2.0, [871, 26175, 55003 + 980, 26678, 821], -4.98),
        // fishtest, quoted in Stockfish pull requests 3098 and 2971 (bounds in braces were logistic).
        (-0.25, 1.25, [491, 7345, 29693, 7670, 465], 2.96),
        (0.25, 1.25, [53, 2220, 21459, 2445, 47], 2.97),
        (-0.5, 1.5, [17, 253, 1042, 337, 39], 2.96),
        (0.25, 1.75, [11, 407, 3238, 513, 11], 2.93),
    ] {
        let found = test(Model::Logistic, elo0, elo1).llr_of_battles(&Pentanomial(counts)).expect("logistic");
        assert_llr(found, llr);
    }
}

#[test]
fn llr_of_battles_normalised() {
    for (elo0, elo1, counts, llr) in [
        // fastchess, app/tests/sprt_test.cpp.
        (0.0, 2.0, [365, 16618, 36029 + 200, 16974, 390], 2.25),
        (-1.75, 0.25, [127, 4883, 10311 + 401, 5150, 104], 3.01),
        (0.0, 5.0, [0, 0, 0, 0, 5550], 111.82),
        // fishtest, quoted in Stockfish pull requests 4403 and 6633 (bounds in angles are normalised).
        (-1.75, 0.25, [1402, 55789, 136915, 55460, 1426], 2.96),
        (-1.75, 0.25, [44, 11252, 34531, 10903, 50], -2.94),
        (-1.75, 0.25, [677, 25001, 61196, 24940, 714], 2.95),
        // fishtest, tests 6983867b473df9d1d24a9148, 698432f5473df9d1d24a926d, 6984bb68473df9d1d24a9378 and
        // 6983946d473df9d1d24a916d.
        (0.0, 2.0, [291, 10353, 21899, 10175, 306], -3.08),
        (0.0, 2.0, [99, 3323, 8399, 3606, 109], 2.98),
        (0.0, 2.0, [2, 40, 72, 14, 0], -0.36),
        (0.5, 2.5, [45, 8506, 25934, 8883, 57], 2.94),
    ] {
        let found = test(Model::Normalised, elo0, elo1).llr_of_battles(&Pentanomial(counts)).expect("normalised");
        assert_llr(found, llr);
    }
}

#[test]
fn bounds_and_decisions() {
    // cinder pull requests 836 and 820, printed by fastchess: "(-2.25, 2.89)" for alpha 0.05 and beta 0.10.
    for (elo0, elo1, counts, llr) in
        [(0.0, 3.0, [835, 6884, 13116, 7201, 852], 2.89), (-3.0, 1.0, [244, 1980, 3630, 2067, 263], 2.90)]
    {
        let test = Sprt::new(Model::Normalised, elo0, elo1, 0.05, 0.10).expect("a test");
        let (lower, upper) = test.bounds();
        assert_eq!(format!("({lower:.2}, {upper:.2})"), "(-2.25, 2.89)");
        let found = test.llr_of_battles(&Pentanomial(counts)).expect("normalised");
        assert_llr(found, llr);
        assert_eq!(test.decide(found), Decision::AcceptH1);
    }
    // Stockfish pull request 4403: "(-2.94,2.94)" for 0.05 twice, and its second test failed.
    let test = test(Model::Normalised, -1.75, 0.25);
    let (lower, upper) = test.bounds();
    assert_eq!(format!("({lower:.2},{upper:.2})"), "(-2.94,2.94)");
}
