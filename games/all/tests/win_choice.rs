//! House bots choose among proven wins by their points, in every game, and lose none by it.

use agon_rules::{Ending, RuleSet};
use agon_search::{AnyEngine, EngineOptions, Limits, Objective};

const NODES: u64 = 20_000;
/// Wins that every search finds with so many nodes.
const FARTHEST: usize = 5;
/// A win may be put off by so many moves of both sides in all.
const PATIENCE: usize = 6;

/// A position in which the side to move wins.
struct Won {
    variant: String,
    rules: RuleSet,
    /// Moves of both sides until then.
    distance: usize,
    position: String,
}

fn wins(suite: &str) -> Vec<Won> {
    let read = |line: &str| {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [variant, rules, distance, position] = fields[..] else { panic!("{line}") };
        Won {
            variant: variant.to_owned(),
            rules: rules.parse().expect("a rule set"),
            distance: distance.parse().expect("a number"),
            position: position.to_owned(),
        }
    };
    suite
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(read)
        .filter(|won| won.distance <= FARTHEST)
        .collect()
}

/// Plays on until the end, against a search that puts off its loss. Gives what the winner makes more than the loser.
fn play_out(game: &str, won: &Won, weighs_wins: bool, objective: Objective) -> f64 {
    let engine = |weighs_wins, objective| -> Box<dyn AnyEngine> {
        let options = EngineOptions { weighs_wins, objective, table_size: 2, ..EngineOptions::default() };
        agon_all::find(game).and_then(|game| game.engine(&won.variant, won.rules, options)).expect("an engine")
    };
    let rules = agon_all::rules(game).expect("a game");
    let mut position = rules.open(&won.variant, won.rules).expect("a start");
    position.set_up(&won.position).expect("a position");
    let side = position.turn();
    let (mut winner, mut loser) = (engine(weighs_wins, objective), engine(false, Objective::Win));
    let mut turns: Vec<String> = Vec::new();
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    while position.outcome().is_none() {
        let mover = if position.turn() == side { &mut winner } else { &mut loser };
        mover.follow(Some(&won.position), &turns).expect("a game that goes on");
        let thought = mover.think(1, &limits, &mut |_| {}).expect("a turn");
        turns.push(position.play(&thought.turn).expect("a legal turn"));
        let most = if objective == Objective::Win { won.distance + PATIENCE } else { 200 };
        assert!(turns.len() <= most, "{game} {}: put off: {turns:?}", won.position);
    }
    let outcome = position.outcome().expect("an end");
    assert_eq!(
        outcome.winner,
        Some(side),
        "{game} {}: a won game thrown away, choosing {weighs_wins}: {turns:?}",
        won.position
    );
    let points = position.points(Ending::Over(outcome));
    points[side] - points[side.other()]
}

/// What the wins of a game bring without and with the choice.
fn compare(game: &str, suite: &str) -> (f64, f64) {
    let (mut plain, mut weighed) = (0.0, 0.0);
    for won in wins(suite) {
        plain += play_out(game, &won, false, Objective::Win);
        weighed += play_out(game, &won, true, Objective::Win);
    }
    (plain, weighed)
}

#[test]
fn proven_wins_bring_more_points_and_none_is_lost() {
    let suites = [
        ("cannon", include_str!("../../cannon/wins.suite")),
        ("connectx", include_str!("../../connectx/wins.suite")),
        ("rivers", include_str!("../../rivers/wins.suite")),
        ("rollerball", include_str!("../../rollerball/wins.suite")),
        ("yinsh", include_str!("../../yinsh/wins.suite")),
    ];
    let mut more = 0.0;
    for (game, suite) in suites {
        let (plain, weighed) = compare(game, suite);
        assert!(weighed >= plain - 1e-9, "{game}: {weighed} points more than the loser, {plain} without a choice");
        more += weighed - plain;
    }
    // The distances are those of a full-width search, so most of these wins allow no choice.
    assert!(more >= 1.0, "{more} points more in all games together");
}

#[test]
fn who_wants_only_points_still_ends_the_game() {
    for won in wins(include_str!("../../cannon/wins.suite")).iter().take(4) {
        play_out("cannon", won, true, Objective::Points);
    }
}
