//! What must hold for the ratings of any table, however odd: symmetries, anchors, finite numbers or a named error.

use agon_rating::{BradleyTerry, CrossTable, Draws, MatchResult, RatingError, Ratings, Scale, Score};
use agon_rules::Random;

#[track_caller]
fn assert_near(found: f64, expected: f64, margin: f64) {
    assert!((found - expected).abs() <= margin, "{found} is not {expected} ± {margin}");
}

/// A table with scores of any kind; some pairs did not meet.
fn random_table(random: &mut Random, players: usize) -> CrossTable {
    let mut table = CrossTable::new(players);
    for first in 0..players {
        for second in (0..players).filter(|&second| second != first) {
            let bound = random.pick(&[1, 3, 10]);
            let [wins, draws, losses] = std::array::from_fn(|_| random.below(bound) as u64);
            table.add(first, second, Score { wins, draws, losses });
        }
    }
    table
}

/// Every kind of setting, for a table of at least two players.
fn all_settings() -> Vec<BradleyTerry> {
    let mut all = Vec::new();
    for scale in [Scale::Mean(1500.0), Scale::anchors([(1, 1500.0)]), Scale::anchors([(0, 1400.0), (1, 2100.0)])] {
        for (draws, first_move) in
            [(Draws::Estimated, true), (Draws::Estimated, false), (Draws::HalfWins, true), (Draws::HalfWins, false)]
        {
            for prior_draws in [0.0, 0.1, 2.0] {
                all.push(BradleyTerry { prior_draws, scale: scale.clone(), draws, first_move });
            }
        }
    }
    all
}

#[track_caller]
fn assert_sound(ratings: &Ratings, players: usize, what: &str) {
    let mut intervals = vec![ratings.first_move()];
    intervals.extend((0..players).map(|player| ratings.of(player)));
    for one in 0..players {
        for other in 0..players {
            intervals.push(ratings.difference(one, other));
            let superiority = ratings.likelihood_of_superiority(one, other);
            assert!((0.0..=1.0).contains(&superiority), "{what}: {superiority}");
            assert_near(superiority + ratings.likelihood_of_superiority(other, one), 1.0, 1e-9);
            let chances = ratings.chances(one, other);
            assert!(chances.iter().all(|chance| (0.0..=1.0).contains(chance)), "{what}: {chances:?}");
            assert_near(chances.iter().sum(), 1.0, 1e-9);
        }
    }
    for interval in intervals {
        assert!(interval.low.is_finite() && interval.high.is_finite(), "{what}: {interval:?}");
        assert!(interval.low <= interval.value && interval.value <= interval.high, "{what}: {interval:?}");
    }
    assert!((0.0..=1.0).contains(&ratings.draw_rate()), "{what}: {}", ratings.draw_rate());
    assert_eq!(ratings.ranking().len(), players);
}

#[test]
fn odd_tables_have_finite_ratings_or_a_named_error() {
    let table = |results: &[(usize, usize, Score)]| {
        let mut table = CrossTable::new(4);
        results.iter().for_each(|&(first, second, score)| table.add(first, second, score));
        table
    };
    let wins = |wins| Score { wins, ..Score::default() };
    let draws = |draws| Score { draws, ..Score::default() };
    let losses = |losses| Score { losses, ..Score::default() };
    let all_pairs = |score: Score| (0..16).map(move |i| (i / 4, i % 4, score)).filter(|(one, other, _)| one != other);
    let tables = [
        ("nobody met", table(&[])),
        ("one match", table(&[(2, 0, wins(1))])),
        ("one draw", table(&[(2, 0, draws(1))])),
        ("all drawn", table(&all_pairs(draws(50)).collect::<Vec<_>>())),
        ("all won by the first side", table(&all_pairs(wins(50)).collect::<Vec<_>>())),
        ("all won by the second side", table(&all_pairs(losses(50)).collect::<Vec<_>>())),
        ("one beats all", table(&[(0, 1, wins(99)), (2, 0, losses(99)), (0, 3, wins(99)), (3, 0, losses(99))])),
        ("a strict order", table(&[(0, 1, wins(40)), (2, 1, losses(40)), (2, 3, wins(40)), (3, 0, losses(40))])),
        ("two groups", table(&[(0, 1, Score { wins: 5, draws: 2, losses: 3 }), (3, 2, draws(7))])),
        ("somebody idle", table(&[(0, 1, Score { wins: 5, draws: 2, losses: 3 }), (2, 1, wins(3)), (1, 2, wins(4))])),
        ("very many", table(&[(0, 1, Score { wins: 1 << 40, draws: 1 << 39, losses: 1 << 30 }), (1, 0, draws(1))])),
    ];
    for (name, table) in &tables {
        for settings in all_settings() {
            let what = format!("{name}, {settings:?}");
            match settings.rate(table) {
                Ok(ratings) => assert_sound(&ratings, 4, &what),
                Err(RatingError::NotConnected) if settings.prior_draws == 0.0 => {}
                Err(error) => panic!("{what}: {error}"),
            }
        }
    }
}

#[test]
fn absurd_scales_and_priors_are_contained() {
    let mut table = CrossTable::new(3);
    table.add(0, 1, Score { wins: 5, draws: 2, losses: 3 });
    table.add(1, 2, Score { wins: u64::MAX / 2, draws: 0, losses: u64::MAX / 2 });
    for (low, high) in [(0.0, 1e4), (-1e6, 1e6), (1e300, -1e300), (f64::MAX, f64::MIN), (f64::MAX, f64::MAX)] {
        for prior_draws in [0.0, 1e-300, 2.0, 1e300] {
            let scale = Scale::anchors([(0, low), (2, high)]);
            match (BradleyTerry { prior_draws, scale, ..BradleyTerry::default() }).rate(&table) {
                Ok(ratings) => assert!(ratings.values().iter().all(|rating| rating.is_finite()), "{ratings:?}"),
                Err(error) => assert_eq!(error, RatingError::NoConvergence),
            }
        }
    }
}

#[test]
fn small_fields_have_ratings() {
    let lone = CrossTable::new(1);
    for prior_draws in [0.0, 2.0] {
        let around = BradleyTerry { prior_draws, scale: Scale::Mean(1500.0), ..BradleyTerry::default() };
        let ratings = around.rate(&lone).expect("a rating");
        assert_eq!((ratings.of(0).value, ratings.of(0).error()), (1500.0, 0.0));
        let fixed = BradleyTerry { scale: Scale::anchors([(0, 1234.5)]), ..around };
        let ratings = fixed.rate(&lone).expect("a rating");
        assert_eq!((ratings.of(0).value, ratings.of(0).error()), (1234.5, 0.0));
        assert_eq!(fixed.rate(&CrossTable::new(0)), Err(RatingError::NoPlayers));
    }
}

#[test]
fn anchors_stay_where_they_are() {
    let mut random = Random::new(51);
    for round in 0..40 {
        // No binary fractions, so that any arithmetic would show.
        let anchors = [(0, 0.1), (2, -499.3), (3, 2222.3 + f64::from(round) / 7.0)];
        let prior_draws = f64::from(round % 2);
        let mut table = random_table(&mut random, 6);
        (0..6).for_each(|player| table.record(player, (player + 1) % 6, MatchResult::Draw));
        let settings = BradleyTerry { prior_draws, scale: Scale::anchors(anchors), ..BradleyTerry::default() };
        let ratings = settings.rate(&table).expect("ratings");
        for (player, rating) in anchors {
            assert_eq!(ratings.values()[player], rating);
            assert_eq!(ratings.of(player).error(), 0.0);
        }
        assert_eq!(ratings.likelihood_of_superiority(3, 2), 1.0);
        assert_eq!(ratings.likelihood_of_superiority(2, 3), 0.0);
        assert_near(ratings.difference(0, 2).value, 499.4, 1e-9);
        assert_eq!(ratings.difference(0, 2).error(), 0.0);
        assert!([1, 4, 5].iter().all(|&player| ratings.of(player).error() > 10.0), "{ratings:?}");
    }
}

#[test]
fn anchors_alone_still_tell_of_sides_and_draws() {
    let mut table = CrossTable::new(2);
    table.add(0, 1, Score { wins: 400, draws: 100, losses: 100 });
    table.add(1, 0, Score { wins: 400, draws: 100, losses: 100 });
    let scale = Scale::anchors([(0, 1500.0), (1, 1500.0)]);
    let ratings = BradleyTerry { scale, ..BradleyTerry::default() }.rate(&table).expect("ratings");
    assert_eq!(ratings.values(), [1500.0, 1500.0]);
    assert_eq!(ratings.likelihood_of_superiority(0, 1), 0.5);
    assert_near(ratings.first_move().value, 400.0 * 4f64.log10(), 2.0);
    assert_near(ratings.draw_rate(), 1.0 / 6.0, 0.002);
}

#[test]
fn one_anchor_is_only_a_shift() {
    // Without a prior, a known rating moves all others and changes nothing between them.
    let mut table = random_table(&mut Random::new(52), 5);
    (0..5).for_each(|player| table.record(player, (player + 1) % 5, MatchResult::Draw));
    let free = BradleyTerry { prior_draws: 0.0, ..BradleyTerry::default() };
    let fixed = BradleyTerry { scale: Scale::anchors([(3, 1800.0)]), ..free.clone() };
    let (free, fixed) = (free.rate(&table).expect("ratings"), fixed.rate(&table).expect("ratings"));
    for player in 0..5 {
        let (one, other) = (free.difference(player, 3), fixed.of(player));
        assert_near(other.value - 1800.0, one.value, 1e-5);
        assert_near(other.error(), one.error(), 1e-5);
    }
    assert_near(free.first_move().value, fixed.first_move().value, 1e-5);
    assert_near(free.draw_rate(), fixed.draw_rate(), 1e-8);
}

#[test]
fn who_meets_strong_anchors_is_rated_by_them() {
    // Equal scores, but one met the strong house bot and the other the weak one.
    let even = Score { wins: 20, draws: 10, losses: 20 };
    let mut table = CrossTable::new(4);
    for (player, anchor) in [(0, 2), (1, 3)] {
        table.add(player, anchor, even);
        table.add(anchor, player, even);
    }
    let scale = Scale::anchors([(2, 2000.0), (3, 1000.0)]);
    let ratings = BradleyTerry { scale: scale.clone(), ..BradleyTerry::default() }.rate(&table).expect("ratings");
    assert_near(ratings.values()[0], 2000.0, 15.0);
    assert_near(ratings.values()[1], 1000.0, 15.0);
    assert!(ratings.values()[0] < 2000.0 && ratings.values()[1] > 1000.0, "the prior draws to the middle");
    assert_eq!(ratings.ranking(), [2, 0, 1, 3]);
    // Without a prior as well: that the groups never met does not matter, since their anchors are known.
    let plain = BradleyTerry { prior_draws: 0.0, scale, ..BradleyTerry::default() }.rate(&table).expect("ratings");
    assert_near(plain.values()[0], 2000.0, 1e-5);
    assert_near(plain.values()[1], 1000.0, 1e-5);
}

#[test]
fn who_did_not_play_is_in_the_middle_of_the_field() {
    // Four beat the anchor nine to one each; the last player is new.
    let mut table = CrossTable::new(6);
    for player in 1..5 {
        table.add(player, 0, Score { wins: 90, draws: 0, losses: 10 });
        table.add(0, player, Score { wins: 10, draws: 0, losses: 90 });
    }
    let scale = Scale::anchors([(0, 1000.0)]);
    let ratings = BradleyTerry { scale, ..BradleyTerry::default() }.rate(&table).expect("ratings");
    let (anchor, strong, idle) = (1000.0, ratings.of(1), ratings.of(5));
    assert_near(strong.value, anchor + 400.0 * 9f64.log10(), 15.0);
    assert!(idle.value > (anchor + strong.value) / 2.0 && idle.value < strong.value, "{idle:?}");
    assert!(idle.error() > 5.0 * strong.error(), "{idle:?} {strong:?}");
}

#[test]
fn anchors_that_contradict_the_table_are_borne() {
    // Even scores between bots that are said to be thousands apart: far from the top, where slopes say little.
    let even = Score { wins: 50, draws: 1, losses: 50 };
    let mut table = CrossTable::new(6);
    for (first, second) in (0..36).map(|i| (i / 6, i % 6)).filter(|(first, second)| first != second) {
        table.add(first, second, even);
    }
    for highest in [2_000.0, 5_000.0, 20_000.0] {
        for anchors in [vec![(0, 0.0), (1, highest)], vec![(0, 0.0), (1, highest), (2, highest), (3, -highest)]] {
            for prior_draws in [0.0, 0.1, 2.0] {
                let scale = Scale::anchors(anchors.clone());
                let settings = BradleyTerry { prior_draws, scale, ..BradleyTerry::default() };
                let ratings = settings.rate(&table).expect("ratings");
                assert_sound(&ratings, 6, &format!("{settings:?}"));
                assert_near(ratings.values()[4], ratings.values()[5], 0.01);
            }
        }
    }
    // Here steps by the slope alone would lead far beyond the top and back again.
    let mut upset = CrossTable::new(3);
    upset.add(0, 2, Score { wins: 32, draws: 0, losses: 13 });
    upset.add(1, 2, Score { wins: 11, draws: 0, losses: 0 });
    let scale = Scale::anchors([(0, 0.0), (2, 2000.0)]);
    let settings = BradleyTerry { scale, draws: Draws::HalfWins, ..BradleyTerry::default() };
    assert_sound(&settings.rate(&upset).expect("ratings"), 3, "an upset");
}

#[test]
fn numbering_the_players_otherwise_changes_nothing() {
    let mut random = Random::new(53);
    let renumbered = [4, 2, 0, 5, 1, 3];
    for _ in 0..10 {
        let table = random_table(&mut random, 6);
        let mut other = CrossTable::new(6);
        table.pairs().for_each(|(first, second, score)| other.add(renumbered[first], renumbered[second], score));
        for anchored in [false, true] {
            let scale = |player: usize| if anchored { Scale::anchors([(player, 1000.0)]) } else { Scale::Mean(0.0) };
            let settings = |player| BradleyTerry { scale: scale(player), ..BradleyTerry::default() };
            let one = settings(2).rate(&table).expect("ratings");
            let other = settings(renumbered[2]).rate(&other).expect("ratings");
            for (player, &number) in renumbered.iter().enumerate() {
                assert_near(other.of(number).value, one.of(player).value, 1e-5);
                assert_near(other.of(number).error(), one.of(player).error(), 1e-5);
            }
            assert_near(other.first_move().value, one.first_move().value, 1e-5);
            assert_near(other.draw_rate(), one.draw_rate(), 1e-8);
        }
    }
}

#[test]
fn swapping_the_sides_flips_the_first_move() {
    let mut random = Random::new(54);
    for _ in 0..10 {
        let table = random_table(&mut random, 5);
        let mut swapped = CrossTable::new(5);
        table.pairs().for_each(|(first, second, score)| swapped.add(second, first, score.swapped()));
        let one = BradleyTerry::default().rate(&table).expect("ratings");
        let other = BradleyTerry::default().rate(&swapped).expect("ratings");
        for player in 0..5 {
            assert_near(other.of(player).value, one.of(player).value, 1e-5);
        }
        assert_near(other.first_move().value, -one.first_move().value, 1e-5);
        assert_near(other.first_move().error(), one.first_move().error(), 1e-5);
        assert_near(other.draw_rate(), one.draw_rate(), 1e-8);
        let ([loss, draw, win], [win_swapped, draw_swapped, loss_swapped]) = (one.chances(0, 1), other.chances(1, 0));
        assert_near(loss, loss_swapped, 1e-8);
        assert_near(draw, draw_swapped, 1e-8);
        assert_near(win, win_swapped, 1e-8);
    }
}

#[test]
fn without_draws_and_sides_all_models_agree() {
    // The same results from either side, none of them drawn: nothing to tell of draws or of the first move.
    let mut random = Random::new(55);
    let mut table = CrossTable::new(6);
    for (first, second) in (0..36).map(|i| (i / 6, i % 6)).filter(|(first, second)| first < second) {
        let [wins, losses] = std::array::from_fn(|_| 1 + random.below(9) as u64);
        table.add(first, second, Score { wins, draws: 0, losses });
        table.add(second, first, Score { wins: losses, draws: 0, losses: wins });
    }
    let plain = BradleyTerry { prior_draws: 0.0, draws: Draws::HalfWins, first_move: false, ..BradleyTerry::default() };
    let full = BradleyTerry { prior_draws: 0.0, ..BradleyTerry::default() }.rate(&table).expect("connected");
    let plain = plain.rate(&table).expect("connected");
    for player in 0..6 {
        assert_near(full.of(player).value, plain.of(player).value, 0.01);
        assert_near(full.of(player).error(), plain.of(player).error(), 0.01);
    }
    assert_near(full.first_move().value, 0.0, 1e-6);
    assert!(full.draw_rate() < 1e-4, "{}", full.draw_rate());
}

#[test]
fn moving_first_is_taken_into_account() {
    // Both scored the same against the same opponent, but one of them had the better side every time.
    let mut table = CrossTable::new(4);
    table.add(2, 3, Score { wins: 75, draws: 0, losses: 25 });
    table.add(3, 2, Score { wins: 75, draws: 0, losses: 25 });
    table.add(0, 2, Score { wins: 10, draws: 0, losses: 10 });
    table.add(2, 1, Score { wins: 10, draws: 0, losses: 10 });
    let ratings = BradleyTerry::default().rate(&table).expect("ratings");
    assert!(ratings.first_move().low > 100.0, "{:?}", ratings.first_move());
    assert!(ratings.likelihood_of_superiority(1, 0) > 0.95, "{ratings:?}");
    let blind = BradleyTerry { first_move: false, ..BradleyTerry::default() }.rate(&table).expect("ratings");
    assert_near(blind.difference(1, 0).value, 0.0, 1e-5);
}

#[test]
fn draws_are_expected_where_they_were_seen() {
    // What the likeliest model expects is what was counted: as many draws, and each player's wins less losses.
    let mut table = random_table(&mut Random::new(56), 5);
    (0..5).for_each(|player| table.record(player, (player + 1) % 5, MatchResult::Draw));
    let ratings = BradleyTerry { prior_draws: 0.0, ..BradleyTerry::default() }.rate(&table).expect("connected");
    let (mut draws, mut expected, mut leads) = (0.0, 0.0, [0.0; 5]);
    for (first, second, score) in table.pairs() {
        let matches = score.matches() as f64;
        let [loss, draw, win] = ratings.chances(first, second);
        draws += score.draws as f64;
        expected += draw * matches;
        let surprise = score.wins as f64 - score.losses as f64 - (win - loss) * matches;
        leads[first] += surprise;
        leads[second] -= surprise;
    }
    assert_near(expected, draws, 0.001);
    leads.iter().for_each(|&lead| assert_near(lead, 0.0, 0.001));
}
