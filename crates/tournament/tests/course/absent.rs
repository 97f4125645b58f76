//! Teams that did not start: whose bots have no turn of their own in any match.

use std::collections::BTreeSet;

use agon_rules::{Side, Verdict};
use agon_tournament::{
    Battle, Format, Half, NonStarters, Occupant, Outcome, Plan, Reached, SimulateOptions, measured_plan, rate, read,
    simulate,
};

use super::{
    harness::{Game, Order, lower_wins, plan, play, round},
    orders::formats,
};

/// A match in which the bots of some sides do not start.
fn not_started(absent: [bool; 2]) -> Outcome {
    let (verdict, points, turns) = match absent {
        [true, true] => (Verdict::BothLost, [0.0, 0.0], 0),
        [true, false] => (Verdict::Won(Side::Second), [0.0, 1.0], 0),
        // The first side has made its turn before it is found out.
        [false, true] => (Verdict::Won(Side::First), [1.0, 0.0], 1),
        [false, false] => panic!("both play"),
    };
    Outcome { verdict, points, margins: None, turns, forfeit: false }
}

/// The lower number wins, except that these teams never start.
fn without(absent: &[usize]) -> impl Fn(&Battle, &Half) -> Outcome + '_ {
    move |battle, half| match Side::BOTH.map(|side| absent.contains(&battle.players[half.seat(side)])) {
        [false, false] => lower_wins(battle, half),
        sides => not_started(sides),
    }
}

fn place_of(game: &Game, team: usize) -> usize {
    game.places()[team]
}

/// A match that was won because the opponent failed first shows nothing of the winner's bot.
#[test]
fn a_win_without_a_turn_is_no_start() {
    let table = "[[stage]]\nkind = \"round-robin\"\nties = [\"points\", \"coin\"]\n[marks]\nrank = { of = 4 }\n";
    let plan = plan(table, 4);
    // Teams 2 and 3 never make a turn; what they are asked first they fail, so that of the two the second side always wins.
    let play_one = |battle: &Battle, half: &Half| match Side::BOTH.map(|side| battle.players[half.seat(side)] >= 2) {
        [true, _] => not_started([true, false]),
        sides if sides[1] => not_started([false, true]),
        _ => lower_wins(battle, half),
    };
    let game = play(&plan, &play_one, Order::Waves);
    assert!(place_of(&game, 2) > place_of(&game, 1) && place_of(&game, 3) > place_of(&game, 1), "{:?}", game.places());
    assert_eq!(game.marks()[2..], [0.0, 0.0]);
    let measured = measured_plan(&plan, &game.state);
    let broken: Vec<bool> = measured.teams.iter().map(|team| team.broken.is_some()).collect();
    assert_eq!(broken, [false, false, true, true], "simulations know it too");
}

/// Whatever the format, the seeds and the order of the matches.
#[test]
fn they_come_after_everybody_who_played_and_get_no_marks() {
    for (name, format) in formats() {
        for teams in [4, 5, 16, 33] {
            let plan = plan(&format, teams);
            let sets: [Vec<usize>; 4] =
                [vec![0], (0..teams / 2).collect(), (0..teams).step_by(2).collect(), (1..teams).collect()];
            for absent in sets {
                for order in [Order::Waves, Order::Pieces(teams as u64)] {
                    let game = play(&plan, &without(&absent), order);
                    let context = format!("{name}, {teams} teams, without {absent:?}, {order:?}");
                    let places = game.places();
                    let last = (0..teams).filter(|team| !absent.contains(team)).map(|team| places[team]).max();
                    for &team in &absent {
                        assert!(Some(places[team]) > last, "{context}: team {team} is in place {}", places[team]);
                    }
                    if plan.format.marks.is_some() {
                        let marks = game.marks();
                        assert!(absent.iter().all(|&team| marks[team] == 0.0), "{context}: {marks:?}");
                        let best = marks.iter().copied().fold(0.0, f64::max);
                        assert!(best > 0.0, "{context}: who plays has marks: {marks:?}");
                    }
                    nobody_went_on(&game, &absent, &context);
                }
            }
        }
    }
}

/// After a table none of them is in the next stage, and none goes on in a bracket against anybody.
fn nobody_went_on(game: &Game, absent: &[usize], context: &str) {
    for part in &game.state.parts {
        for pair in part.stages.windows(2) {
            let on: BTreeSet<usize> = pair[1].entrants.iter().copied().collect();
            let played = &game.state.battles[pair[0].battles.0..pair[0].battles.1];
            // Alone in its group nobody knows yet.
            let seen: BTreeSet<usize> = played.iter().flat_map(|battle| battle.players).collect();
            let late = absent.iter().find(|team| on.contains(team) && pair[0].bracket.is_none() && seen.contains(team));
            assert_eq!(late, None, "{context}: it takes a place in the next stage");
        }
        for found in part.stages.iter().flat_map(|stage| &stage.bracket).flat_map(|bracket| &bracket.rounds).flatten() {
            if let ([Occupant::Team(_), Occupant::Team(_)], Occupant::Team(winner)) = (found.opponents, found.winner) {
                assert!(!absent.contains(&winner), "{context}: team {winner} goes on");
            }
        }
    }
}

#[test]
fn two_that_cannot_play_leave_a_bye() {
    let plan = plan("[[stage]]\nkind = \"knockout\"\nthird_place = true\nties = [\"points\", \"seed\"]", 4);
    let game = play(&plan, &without(&[1, 2]), Order::Waves);
    assert_eq!(round(&game.state, 2), Vec::<[usize; 2]>::new(), "there is no final");
    let bracket = game.state.parts[0].stages[0].bracket.as_ref().expect("a bracket");
    assert_eq!(bracket.rounds[0][1].winner, Occupant::Nobody);
    assert_eq!(bracket.rounds[1][0].winner, Occupant::Team(0));
    let ranking = game.state.parts[0].ranking.clone().expect("over");
    let expected = [
        (Reached::Winner, vec![0]),
        // It lost its semi-final, and has nobody to play for the third place.
        (Reached::Third, vec![3]),
        (Reached::DidNotStart, vec![1, 2]),
    ];
    assert_eq!(ranking, expected);
}

#[test]
fn a_group_sends_on_only_who_played() {
    let format = "[[stage]]\nkind = \"groups\"\ngroups = 2\nadvance = 2\nseeding = \"modulo\"\n\
        [[stage]]\nkind = \"knockout\"\nbracket = \"crossing\"\n[marks]\nrank = { of = 12 }";
    // Groups 0 2 4 and 1 3 5: of the first only one plays, though two go on.
    let plan = plan(format, 6);
    let game = play(&plan, &without(&[0, 4]), Order::Waves);
    let stages = &game.state.parts[0].stages;
    let table: Vec<(usize, usize, bool)> =
        stages[0].tables[0].rows.iter().map(|row| (row.team, row.place, row.started)).collect();
    assert_eq!(table, [(2, 1, true), (0, 2, false), (4, 2, false)]);
    let on: BTreeSet<usize> = stages[1].entrants.iter().copied().collect();
    assert_eq!(on, BTreeSet::from([1, 2, 3]));
    // Marks go by the places of those who played: 12, 10, 8 and 6 of six teams; the places of the others are worth nothing.
    assert_eq!((game.places(), game.marks()), (vec![5, 1, 2, 3, 5, 4], vec![0.0, 12.0, 10.0, 8.0, 0.0, 6.0]));
}

/// A team that played before is not passed by one that never did, also where both fail and the ladder would choose the other.
#[test]
fn a_seed_and_a_coin_do_not_help_against_a_team_that_has_played() {
    for rung in ["seed", "coin"] {
        // Five teams: 3 and 4 play a first round, 0, 1 and 2 have a bye.
        let plan = plan(&format!("[[stage]]\nkind = \"knockout\"\nties = [\"points\", \"{rung}\"]"), 5);
        let oracle = |battle: &Battle, half: &Half| match battle.players {
            [3, 4] | [4, 3] => lower_wins(battle, half),
            _ if battle.players.contains(&0) => not_started([true, true]),
            _ => lower_wins(battle, half),
        };
        let game = play(&plan, &oracle, Order::Waves);
        // Team 0 meets 3, and neither bot starts: 3 goes on, because it has played.
        assert!(round(&game.state, 4).iter().any(|pair| pair.contains(&0) && pair.contains(&3)));
        assert!(round(&game.state, 2)[0].contains(&3), "{rung}");
        assert_eq!(place_of(&game, 0), 5, "{rung}");
    }
}

#[test]
fn a_battle_that_neither_played_is_won_by_nobody() {
    let plan =
        plan("[[stage]]\nkind = \"round-robin\"\nties = [\"battles\", \"coin\"]\n[marks]\nplaces = [3, 2, 1]", 4);
    // 1 and 2 play, and lose to 0; 3 plays once and then no more, and the match of 2 and 3 is a double fault.
    let oracle = |battle: &Battle, half: &Half| {
        let pair = [battle.players[0].min(battle.players[1]), battle.players[0].max(battle.players[1])];
        if pair == [2, 3] { not_started([true, true]) } else { lower_wins(battle, half) }
    };
    let game = play(&plan, &oracle, Order::Waves);
    let rows = &game.state.parts[0].stages[0].tables[0].rows;
    let battles: Vec<(usize, f64, u32)> =
        rows.iter().map(|row| (row.team, row.tally.battle_score, row.tally.losses())).collect();
    assert!(battles.contains(&(2, 0.0, 6)) && battles.contains(&(3, 0.0, 6)), "{battles:?}");
    assert!(rows.iter().all(|row| row.started), "both have played against others");
}

#[test]
fn who_is_left_without_having_played_does_not_win_a_series() {
    let part = |name: &str| format!("[[part]]\nname = \"{name}\"\nclock = \"60\"\n");
    let format = format!(
        "{}{}{}[[stage]]\nkind = \"knockout\"\n[series]\nwinner_leaves = true\nfull_marks = 12\n\
         [marks]\nreached = {{ winner = 12, runner-up = 4 }}\notherwise = 1",
        part("one"),
        part("two"),
        part("three")
    );
    // Two play, one never starts: when the two have left, it is alone in the third tournament.
    let plan = plan(&format, 3);
    let game = play(&plan, &without(&[2]), Order::Waves);
    assert_eq!(game.state.parts[2].entrants, [2]);
    assert_eq!(game.marks(), [12.0, 12.0, 0.0]);
    assert_eq!(place_of(&game, 2), 3);
}

#[test]
fn a_format_may_place_them_like_others() {
    let ladder = "[[stage]]\nkind = \"knockout\"\nties = [\"seed\"]\n[marks]\nrank = { of = 10 }";
    let last = plan(ladder, 2);
    let placed = plan(&format!("non_starters = \"placed\"\n{ladder}"), 2);
    assert_eq!((last.format.non_starters, placed.format.non_starters), (NonStarters::Last, NonStarters::Placed));
    let marks = |plan: &Plan| play(plan, &without(&[0]), Order::Waves).marks();
    assert_eq!((marks(&last), marks(&placed)), (vec![0.0, 10.0], vec![10.0, 5.0]));
}

/// Tournaments from before the question was asked keep their results, and their records the format that they name.
#[test]
fn formats_of_old_tournaments_mean_what_they_meant() {
    let format = plan("[[stage]]\nkind = \"swiss\"\nrounds = 2", 2).format;
    let text = serde_json::to_string(&format).expect("JSON");
    assert!(text.contains("\"non_starters\":\"last\""), "{text}");
    let old = text.replace("\"non_starters\":\"last\",", "");
    let read: Format = serde_json::from_str(&old).expect("an old format");
    assert_eq!(read.non_starters, NonStarters::Placed);
    assert_eq!(serde_json::to_string(&read).expect("JSON"), old);
}

#[test]
fn what_else_could_be_written_is_refused_with_its_line() {
    let read = |text: &str| {
        let head = format!("title = \"Test\"\ngame = \"{}\"\n", agon_all::GAMES[0].name());
        read(&format!("{head}{text}\n[[stage]]\nkind = \"swiss\"\nrounds = 2\n")).unwrap_err().to_string()
    };
    assert_eq!(read("non_starters = \"none\""), "line 3: non_starters: expected one of last, placed, found 'none'");
    let marks = read("[marks]\nreached = { did-not-start = 1 }");
    assert!(marks.starts_with("line 4: reached: teams that did not start get no marks"), "{marks}");
}

#[test]
fn a_win_against_them_says_nothing_about_strength() {
    let plan = plan("[[stage]]\nkind = \"round-robin\"\nties = [\"elo\", \"coin\"]", 4);
    let game = play(&plan, &without(&[0, 3]), Order::Waves);
    let rated = rate(&plan, game.state.battles.iter()).expect("two have played");
    assert_eq!(rated.players, [1, 2]);
    let rows = &game.state.parts[0].stages[0].tables[0].rows;
    assert_eq!(rows.iter().map(|row| (row.team, row.place)).collect::<Vec<_>>(), [(1, 1), (2, 2), (0, 3), (3, 3)]);
}

#[test]
fn a_disqualified_team_has_no_mark_in_any_part() {
    let plan = plan(
        "[[part]]\nname = \"one\"\nclock = \"60\"\n[[part]]\nname = \"two\"\nclock = \"60\"\n\
         [[stage]]\nkind = \"round-robin\"\n[marks]\nplaces = [5, 4, 3]",
        3,
    );
    let mut game = play(&plan, &lower_wins, Order::Waves);
    game.interventions.take_out(0, true, Some(&[]));
    let state = game.deriver.derive(&game.interventions, &game.results);
    let standing = state.standings.as_ref().and_then(|all| all.iter().find(|standing| standing.team == 0));
    let standing = standing.expect("a standing");
    assert_eq!((standing.marks, standing.place), (Some(0.0), 3));
    assert!(standing.parts.iter().flatten().all(|part| part.marks.is_none()), "{:?}", standing.parts);
}

/// A team that withdraws before its first match did not play for a place either; one that has played keeps its own.
#[test]
fn who_withdraws_before_the_first_match_did_not_start() {
    let format = "[[stage]]\nkind = \"round-robin\"\nties = [\"points\", \"seed\"]\n[marks]\nplaces = [4, 3, 2, 1]";
    let plan = plan(format, 4);
    let mut game = Game::new(&plan);
    game.interventions.take_out(0, false, Some(&[]));
    game.look();
    game.finish(&lower_wins, Order::Waves);
    assert_eq!((place_of(&game, 0), game.marks()), (4, vec![0.0, 4.0, 3.0, 2.0]));
}

#[test]
fn bots_that_could_not_be_built_lose_in_a_simulation_too() {
    let format = "[[stage]]\nkind = \"groups\"\ngroups = 2\nadvance = 1\n[[stage]]\nkind = \"knockout\"\n\
        [marks]\nrank = { of = 10 }";
    let mut plan = plan(format, 6);
    plan.teams[0].broken = Some("exit code 1".to_owned());
    assert_eq!(plan.seeds(), [1, 2, 3, 4, 5, 0], "they are seeded last");
    let options = SimulateOptions { runs: 50, matches: vec![2], ..SimulateOptions::default() };
    let simulation = simulate(&plan, &[500.0, 0.0, 0.0, 0.0, 0.0, 0.0], &options);
    let broken = simulation.teams.iter().find(|team| team.team == 0).expect("a team");
    assert_eq!((broken.wins, broken.place, broken.marks), (0.0, 6.0, Some(0.0)));
}
