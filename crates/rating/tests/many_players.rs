//! Ratings of many players: published examples, and what must hold for any table.

use std::f64::consts::LN_10;

use agon_rating::{BradleyTerry, CrossTable, Draws, EloTable, MatchResult, Scale, Score, Z_95, score_from_elo};

/// Elo per unit of the natural logarithm, in which statisticians publish.
const ELO_PER_UNIT: f64 = 400.0 / LN_10;

/// The model as it was first published: no prior, no sides, and draws, if any, are half wins.
const PLAIN: BradleyTerry =
    BradleyTerry { prior_draws: 0.0, scale: Scale::Mean(0.0), draws: Draws::HalfWins, first_move: false };

/// A table from how often each player (row) beat each other (column).
fn table_of_wins<const N: usize>(wins: [[u64; N]; N]) -> CrossTable {
    let mut table = CrossTable::new(N);
    for (player, row) in wins.iter().enumerate() {
        for (opponent, &wins) in row.iter().enumerate() {
            if player != opponent {
                table.add(player, opponent, Score { wins, ..Score::default() });
            }
        }
    }
    table
}

/// Asserts the ability and standard error of each player relative to the first, in natural units.
#[track_caller]
fn assert_abilities<const N: usize>(wins: [[u64; N]; N], published: &[(usize, f64, f64)], digit: f64) {
    let ratings = PLAIN.rate(&table_of_wins(wins)).expect("connected");
    for &(player, ability, standard_error) in published {
        let difference = ratings.difference(player, 0);
        let found = (difference.value / ELO_PER_UNIT, difference.error() / Z_95 / ELO_PER_UNIT);
        assert!((found.0 - ability).abs() < digit, "player {player}: {found:?} is not {ability}");
        assert!((found.1 - standard_error).abs() < digit, "player {player}: {found:?} has not error {standard_error}");
    }
}

#[test]
fn baseball_of_1987() {
    // A. Agresti, Categorical Data Analysis (2nd edition, 2002), section 10.6; data and summary as in the R package
    // BradleyTerry2 (data/baseball.csv with both venues added up, tests/baseball.Rout.save). Baltimore, Boston,
    // Cleveland, Detroit, Milwaukee, New York, Toronto.
    let wins = [
        [0, 1, 7, 4, 2, 3, 1],
        [12, 0, 7, 2, 6, 7, 6],
        [6, 6, 0, 4, 4, 6, 5],
        [9, 11, 9, 0, 6, 5, 7],
        [11, 7, 9, 7, 0, 7, 9],
        [10, 6, 7, 8, 6, 0, 6],
        [12, 7, 8, 6, 4, 7, 0],
    ];
    let published = [
        (1, 1.1077, 0.3339),
        (2, 0.6839, 0.3319),
        (3, 1.4364, 0.3396),
        (4, 1.5814, 0.3433),
        (5, 1.2476, 0.3359),
        (6, 1.2945, 0.3367),
    ];
    assert_abilities(wins, &published, 0.0001);
    assert_eq!(PLAIN.rate(&table_of_wins(wins)).expect("connected").ranking(), [4, 3, 6, 5, 1, 2, 0]);
}

#[test]
fn citations_between_journals() {
    // S. Stigler's counts (Agresti, p. 448; BradleyTerry2, data/citations.txt), abilities as in H. Turner and D. Firth,
    // "Bradley-Terry Models in R", Journal of Statistical Software 48(9), 2012, section 2.1. Biometrika, Communications
    // in Statistics, JASA, JRSS-B.
    let wins = [[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]];
    let published = [(1, -2.94907, 0.10255), (2, -0.47957, 0.06059), (3, 0.26895, 0.07083)];
    assert_abilities(wins, &published, 0.00001);
}

#[test]
fn running_ratings() {
    // Wikipedia, "Elo rating system", mathematical details: 1613 loses to 1609, draws with 1477, beats 1388 and 1586,
    // loses to 1720; expected 0.51 + 0.69 + 0.79 + 0.54 + 0.35 = 2.88, and with K = 32 the new rating is 1601.
    let mut table = EloTable::new(32.0, vec![1613.0, 1609.0, 1477.0, 1388.0, 1586.0, 1720.0]).expect("a table");
    for (opponent, expected) in [(1, 0.51), (2, 0.69), (3, 0.79), (4, 0.54), (5, 0.35)] {
        assert!((table.expected_score(0, opponent) - expected).abs() < 0.0051, "{opponent}");
    }
    table.record_round(&[
        (0, 1, MatchResult::Loss),
        (0, 2, MatchResult::Draw),
        (0, 3, MatchResult::Win),
        (0, 4, MatchResult::Win),
        (0, 5, MatchResult::Loss),
    ]);
    assert_eq!(table.ratings()[0].round(), 1601.0);
    assert_eq!(table.ranking(), [5, 1, 0, 4, 2, 3]);
}

#[test]
fn running_ratings_follow_the_order_of_matches() {
    let mut table = EloTable::new(32.0, vec![2400.0, 2000.0]).expect("a table");
    // 400 apart the stronger expects 10/11, so it gains 32/11 and a loss would cost ten times that.
    assert!((table.record(0, 1, MatchResult::Win) - 32.0 / 11.0).abs() < 1e-9);
    let mut upset = EloTable::new(32.0, vec![2400.0, 2000.0]).expect("a table");
    assert!((upset.record(1, 0, MatchResult::Win) - 320.0 / 11.0).abs() < 1e-9);
    assert!(table.record(0, 1, MatchResult::Win) < 32.0 / 11.0, "the second win is expected more");
}

#[test]
fn two_players_agree_with_the_elo_of_their_score() {
    let score = Score { wins: 136, draws: 0, losses: 96 };
    let mut table = CrossTable::new(2);
    table.add(1, 0, score);
    let difference = PLAIN.rate(&table).expect("connected").difference(1, 0);
    let elo = score.elo().interval().expect("measured");
    assert!((difference.value - elo.value).abs() < 1e-6, "{difference:?} {elo:?}");
    assert!((difference.error() - elo.error()).abs() < 0.01 * elo.error(), "{difference:?} {elo:?}");
}

#[test]
fn known_ratings_are_recovered() {
    // Scores as expected, in thousands of matches, between players who meet only their neighbours.
    let truth = [1800.0, 1650.0, 1600.0, 1500.0, 1450.0, 1300.0, 1200.0];
    let mut table = CrossTable::new(truth.len());
    for player in 1..truth.len() {
        let wins = (score_from_elo(truth[player] - truth[player - 1]) * 1e6).round() as u64;
        table.add(player, player - 1, Score { wins, draws: 0, losses: 1_000_000 - wins });
    }
    let settings = BradleyTerry { prior_draws: 2.0, scale: Scale::Mean(1500.0), ..PLAIN };
    let ratings = settings.rate(&table).expect("ratings");
    for (player, truth) in truth.into_iter().enumerate() {
        let found = ratings.of(player);
        assert!((found.value - truth).abs() < 0.1, "{found:?} {truth}");
        assert!(found.contains(truth), "{found:?} {truth}");
    }
    assert!((ratings.values().iter().sum::<f64>() / 7.0 - 1500.0).abs() < 1e-9);
    assert!(ratings.likelihood_of_superiority(0, 1) > 0.999);
}

#[test]
fn the_prior_keeps_extremes_finite_and_groups_together() {
    // 0 beats 1 and 2 always; 3 and 4 never met them.
    let mut table = CrossTable::new(5);
    table.add(0, 1, Score { wins: 50, ..Score::default() });
    table.add(0, 2, Score { wins: 50, ..Score::default() });
    table.add(3, 4, Score { wins: 5, draws: 2, losses: 3 });
    let settings = BradleyTerry { first_move: false, ..BradleyTerry::default() };
    let ratings = settings.rate(&table).expect("ratings");
    assert_eq!(ratings.ranking(), [0, 3, 4, 1, 2]);
    for player in 0..5 {
        let rating = ratings.of(player);
        assert!(rating.value.abs() < 1000.0 && rating.error() > 0.0 && rating.error() < 1000.0, "{rating:?}");
    }
    assert_eq!(ratings.values()[1], ratings.values()[2]);
    let stronger = BradleyTerry { prior_draws: 10.0, ..settings }.rate(&table).expect("ratings");
    assert!(stronger.values()[0] < ratings.values()[0], "more prior, less spread");
}

#[test]
fn a_win_more_is_never_a_rating_less() {
    let mut table = table_of_wins([[0, 3, 4], [2, 0, 3], [1, 2, 0]]);
    let before = BradleyTerry::default().rate(&table).expect("ratings").values()[1];
    table.record(1, 2, MatchResult::Win);
    let after = BradleyTerry::default().rate(&table).expect("ratings").values()[1];
    assert!(after > before, "{before} {after}");
}

#[test]
fn order_of_recording_and_numbering_do_not_matter() {
    let wins = [[0, 3, 4], [2, 0, 3], [1, 2, 0]];
    let mirrored = [[0, 2, 1], [3, 0, 2], [4, 3, 0]];
    let ratings = BradleyTerry::default().rate(&table_of_wins(wins)).expect("ratings");
    let reversed = BradleyTerry::default().rate(&table_of_wins(mirrored)).expect("ratings");
    for player in 0..3 {
        assert!((ratings.values()[player] - reversed.values()[2 - player]).abs() < 1e-6, "{ratings:?} {reversed:?}");
        assert!((ratings.of(player).error() - reversed.of(2 - player).error()).abs() < 1e-6);
    }
}

#[test]
fn many_players_are_rated_quickly_enough() {
    // A Swiss tournament of 120 in which the smaller number always wins: hard for the likelihood, easy for the prior.
    let mut table = CrossTable::new(120);
    for player in 0..120 {
        for step in 1..=9 {
            table.add(player, (player + step) % 120, Score { wins: 1, draws: 0, losses: u64::from(step == 9) });
        }
    }
    let ratings = BradleyTerry::default().rate(&table).expect("ratings");
    assert!(ratings.values().iter().all(|rating| rating.is_finite()));
}

#[test]
#[should_panic(expected = "a player cannot meet itself")]
fn nobody_meets_itself() {
    CrossTable::new(2).record(1, 1, MatchResult::Win);
}
