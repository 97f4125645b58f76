//! Draws that the search would rather avoid.

use std::sync::Arc;

use agon_rivers::RiversPosition;
use agon_rules::{BySide, Position, RuleSet};
use agon_search::{Limits, Objective, Parameters, Searchable, Searcher, TranspositionTable};

/// What the start is worth to a search for which every position that can follow has been there so often before.
fn worth_of_repeating(often: usize, contempt: i32, impatience: i32) -> i32 {
    let start = RiversPosition::small(RuleSet::Text);
    let mut moves = Vec::new();
    assert!(start.generate(&mut moves).is_none());
    let seen: Vec<u64> = moves
        .into_iter()
        .map(|m| {
            let mut next = start.clone();
            next.play(m);
            next.history_key()
        })
        .collect();
    let seen = seen.repeat(often);
    let parameters = Parameters { repetition: 1, contempt, impatience, ..Parameters::exact() };
    let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(1)), parameters, Objective::Win);
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let report = searcher.search(&start, &seen, BySide::default(), 1, limits, &mut |_| {});
    report.expect("the game is not over").lines[0].score
}

#[test]
fn a_repetition_costs_whoever_searches_its_contempt() {
    assert_eq!(worth_of_repeating(1, 0, 0), 0);
    assert_eq!(worth_of_repeating(1, 40, 0), -40);
}

#[test]
fn the_longer_both_sides_go_round_in_circles_the_less_a_draw_is_worth() {
    assert_eq!(worth_of_repeating(1, 40, 8), -40, "nothing has come twice");
    // All of the 48 first moves twice: more circles than count.
    assert_eq!(worth_of_repeating(2, 40, 8), -40 - 5 * 8);
    assert_eq!(worth_of_repeating(2, 40, 0), -40);
}

#[test]
fn in_this_game_a_draw_is_worth_less_than_half_a_win() {
    let own = RiversPosition::<4>::parameters();
    assert!(own.repetition == 1 && own.contempt > 0 && own.impatience > 0, "{own:?}");
}
