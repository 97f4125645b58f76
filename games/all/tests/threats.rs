//! Threats that pages mark: checked against the rules as texts, which know nothing of the search.

use std::{fs, path::Path};

use agon_all::Entry;
use agon_lab::Problem;
use agon_rules::{AnyPosition, RuleSet};
use agon_search::{EngineOptions, Limits};

/// Problems that are looked at in each game.
const PROBLEMS: usize = 4;
/// What the engine may spend on solving one.
const MOST_NODES: u64 = 20_000;
/// More turns than this take too long to try.
const MOST_TURNS: usize = 400;

fn turns(position: &dyn AnyPosition) -> Option<Vec<String>> {
    let legal = position.legal_turns(MOST_TURNS).ok()?;
    Some(legal.into_iter().map(|turn| turn.spellings[0].clone()).collect())
}

fn after(position: &dyn AnyPosition, turn: &str) -> Box<dyn AnyPosition> {
    let mut next = position.boxed();
    next.play(turn).unwrap_or_else(|e| panic!("{turn}: {e}"));
    next
}

/// Against how many of how many turns the other side wins at once.
fn exposed(position: &dyn AnyPosition) -> Option<(usize, usize)> {
    let other = position.turn().other();
    let (mut losing, mut all) = (0, 0);
    for turn in turns(position)? {
        let next = after(position, &turn);
        if next.outcome().is_some() {
            continue;
        }
        let wins = |reply: &String| after(&*next, reply).outcome().is_some_and(|end| end.winner == Some(other));
        all += 1;
        losing += usize::from(turns(&*next)?.iter().any(wins));
    }
    Some((losing, all))
}

/// A game's problems in which the side to move wins soon.
fn problems(game: &str) -> Vec<Problem> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(game).join("wins.suite");
    let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let all = Problem::parse_all(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    all.into_iter().filter(|problem| (3..=7).contains(&problem.distance)).collect()
}

fn check(game: &'static dyn Entry) {
    let (mut looked, mut threatened) = (0, 0);
    for problem in problems(game.name()) {
        let (variant, rules) = (&*problem.variant, problem.rules);
        let mut engine = game.engine(variant, rules, EngineOptions::default()).unwrap();
        engine.follow(Some(&problem.position), &[]).unwrap();
        let limits = Limits { nodes: Some(MOST_NODES), ..Limits::default() };
        let best = engine.think(1, &limits, &mut |_| {}).unwrap().turn;
        let mut start = game.open(variant, rules).unwrap();
        start.set_up(&problem.position).unwrap();
        let position = after(&*start, &best);
        // Only where the next turn wins, whatever the answer.
        let lost = |&(losing, all): &(usize, usize)| all > 0 && losing == all;
        if position.outcome().is_some() || exposed(&*position).filter(lost).is_none() {
            continue;
        }
        engine.follow(Some(&problem.position), &[best]).unwrap();
        let threats = engine.threats();
        looked += 1;
        threatened += usize::from(!threats.is_empty());
        if looked == PROBLEMS {
            break;
        }
    }
    assert!(looked > 0, "{}: no such problem", game.name());
    // Where every answer loses to another reply, no reply is the threat.
    assert!(2 * threatened >= looked, "{}: {threatened} threats in {looked} positions", game.name());
}

#[test]
fn nothing_threatens_at_the_start() {
    for game in agon_all::GAMES {
        let engine = game.engine(game.variants()[0], RuleSet::Text, EngineOptions::default());
        assert!(engine.unwrap().threats().is_empty(), "{}", game.name());
    }
}

#[test]
fn what_is_marked_as_a_threat_wins() {
    for game in agon_all::GAMES {
        check(*game);
    }
}
