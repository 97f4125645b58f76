//! Ladders, rung by rung.

use std::collections::{BTreeSet, HashMap};

use agon_rules::Side;
use agon_tournament::{Battle, Half, Outcome, Secret};

use super::harness::{Game, Order, all_drawn, lower_wins, outcome, plan, play, rematches};

const EVERY_RUNG: &str = "[[stage]]\nkind = \"round-robin\"\nties = [\"points\", \"score\", \"battles\", \"head-to-head\", \
     \"margin\", \"moves\", \"combined\", \"house\", \"group\", \"earlier\", \"rating\", \"elo\", \"rematch 60\", \
     \"rematch 30/turn\", \"coin\"]";

#[test]
fn equals_need_every_rung_and_then_a_coin() {
    let plan = plan(EVERY_RUNG, 3);
    let mut game = Game::new(&plan);
    assert!(game.step(&all_drawn, Order::Waves));
    // With Elo, a draw with somebody who has just drawn is worth as much as any other.
    assert_eq!(rematches(&game.state), 3);
    assert!(game.step(&all_drawn, Order::Waves));
    assert_eq!(rematches(&game.state), 6);
    assert!(game.state.tosses.is_empty());
    let clocks: Vec<String> = game.state.battles[3..].iter().map(|battle| battle.clock.to_string()).collect();
    assert_eq!(clocks, ["60", "60", "60", "30/turn", "30/turn", "30/turn"]);
    game.finish(&all_drawn, Order::Waves);
    let [toss] = &game.state.tosses[..] else { panic!("one coin: {:?}", game.state.tosses) };
    assert_eq!(toss.occasion, "part 1, stage 1, group 1");
    assert_eq!(toss.order.len(), 3);
}

/// The margin scores of the text decide, not by how much points differ.
#[test]
fn margins_are_margin_scores() {
    let plan = plan("[[stage]]\nkind = \"round-robin\"\nties = [\"score\", \"margin\", \"seed\"]", 3);
    let oracle = |battle: &Battle, half: &Half| {
        let players = Side::BOTH.map(|side| battle.players[half.seat(side)]);
        // The lower number has the more points and the smaller margins, in a draw.
        let points = if players[0] < players[1] { [0.9, 0.1] } else { [0.1, 0.9] };
        Outcome { points, margins: Some(players.map(|player| player as f64)), ..outcome(None) }
    };
    let game = play(&plan, &oracle, Order::Waves);
    assert_eq!(game.places(), [3, 2, 1]);
    // Without them, as in games whose texts know none, it is the points.
    let without = |battle: &Battle, half: &Half| Outcome { margins: None, ..oracle(battle, half) };
    assert_eq!(play(&plan, &without, Order::Waves).places(), [1, 2, 3]);
}

#[test]
fn coins_depend_on_the_secret_and_on_nothing_else() {
    let mut plan = plan("[[stage]]\nkind = \"knockout\"", 3);
    let mut seen = BTreeSet::new();
    for number in 0..40 {
        plan.secret = Secret(format!("secret {number}"));
        let one = play(&plan, &all_drawn, Order::Waves);
        assert!(one.state == play(&plan, &all_drawn, Order::Last).state);
        seen.insert(one.places());
    }
    // 0 has a bye: it, or whoever wins the other semi-final, is first; the loser of the semi-final is always third.
    assert_eq!(seen.len(), 4, "{seen:?}");
}

#[test]
fn a_rematch_is_for_those_that_are_still_tied() {
    // Everything is drawn, but 0 wins all its rematches: then only 1 and 2 play once more, and 1 wins.
    let oracle = |battle: &Battle, half: &Half| match (battle.place.rematch, battle.players.contains(&0)) {
        (0, _) | (1, false) => outcome(None),
        _ => lower_wins(battle, half),
    };
    let plan = plan(EVERY_RUNG, 3);
    let game = play(&plan, &oracle, Order::Waves);
    assert_eq!(rematches(&game.state), 4);
    assert!(game.state.tosses.is_empty());
    assert_eq!(game.places(), [1, 2, 3]);
}

#[test]
fn a_group_may_need_rematches_while_another_still_plays() {
    let format = "[[stage]]\nkind = \"groups\"\ngroups = 2\nadvance = 1\nties = [\"points\", \"rematch 60\", \"coin\"]\n\
                  [[stage]]\nkind = \"knockout\"";
    let plan = plan(format, 4);
    let mut game = Game::new(&plan);
    let first: Vec<_> = game.state.battles[0].halves.iter().map(|half| (half.number, half.half)).collect();
    game.results.extend(first.into_iter().map(|key| (key, outcome(None))));
    game.look();
    assert_eq!((rematches(&game.state), game.state.open().count()), (1, 2));
    game.finish(&lower_wins, Order::Last);
    assert_eq!(game.places(), [1, 2, 3, 3]);
}

#[test]
fn the_group_decides_a_drawn_knockout() {
    // 0 to 3 are a group; what 0 and 1 bring from it decides their drawn final.
    let oracle = |battle: &Battle, half: &Half| match battle.place.stage {
        0 => lower_wins(battle, half),
        _ => outcome(None),
    };
    let format = "[[stage]]\nkind = \"groups\"\ngroups = 1\nadvance = 4\n\
                  [[stage]]\nkind = \"knockout\"\nties = [\"points\", \"group\", \"coin\"]";
    let plan = plan(format, 4);
    let game = play(&plan, &oracle, Order::Waves);
    assert_eq!(game.places(), [1, 2, 3, 3]);
    assert!(game.state.tosses.is_empty());
}

#[test]
fn house_bots_break_ties_of_seeds() {
    // 1 and 2 have the same score; the house bots scored less against 2.
    let mut plan = plan("[[stage]]\nkind = \"knockout\"\nties = [\"points\", \"seed\"]", 4);
    for (team, (score, house)) in [(1.0, 0.0), (7.0, 9.0), (7.0, 5.0), (9.0, 0.0)].into_iter().enumerate() {
        (plan.teams[team].score, plan.teams[team].house) = (Some(score), Some(house));
    }
    assert_eq!(plan.seeds(), [3, 2, 1, 0]);
    let game = play(&plan, &all_drawn, Order::Waves);
    assert_eq!(game.places(), [3, 3, 2, 1]);
}

#[test]
fn a_decision_settles_one_tie_and_no_later_one() {
    let format = "[[part]]\nname = \"a\"\n[[part]]\nname = \"b\"\n[[stage]]\nkind = \"knockout\"\nties = [\"points\", \"decision\"]";
    let plan = plan(format, 2);
    let mut game = Game::new(&plan);
    while game.step(&all_drawn, Order::Waves) {}
    assert_eq!(game.state.undecided, [vec![0, 1]]);
    game.interventions.decisions.push(vec![1, 0]);
    game.look();
    while game.step(&all_drawn, Order::Waves) {}
    assert!(!game.state.is_over(), "the second tie is another one");
    assert_eq!(game.state.undecided, [vec![0, 1]]);
    game.interventions.decisions.push(vec![0, 1]);
    game.look();
    assert!(game.state.is_over());
    let winners: Vec<usize> =
        game.state.parts.iter().map(|part| part.ranking.as_ref().expect("a ranking")[0].1[0]).collect();
    assert_eq!(winners, [1, 0]);
}

#[test]
fn sums_of_decimals_that_people_call_equal_are_equal() {
    // 0.1 + 0.2 against 0.3 + 0.0: a computer says that the first is more.
    let oracle = |battle: &Battle, half: &Half| {
        let points = HashMap::from([((0, 0), 0.1), ((0, 1), 0.2), ((1, 0), 0.3), ((1, 1), 0.0)]);
        let of = |side: Side| points[&(battle.players[half.seat(side)], half.half)];
        agon_tournament::Outcome { points: [of(Side::First), of(Side::Second)], ..outcome(None) }
    };
    let plan = plan("[[stage]]\nkind = \"round-robin\"\nties = [\"points\"]", 2);
    assert_eq!(play(&plan, &oracle, Order::Waves).places(), [1, 1]);
}
