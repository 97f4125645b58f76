//! Draws that the search would rather avoid.

use std::sync::Arc;

use agon_rivers::RiversPosition;
use agon_rules::{BySide, Position, RuleSet};
use agon_search::{Limits, Objective, Parameters, Searchable, Searcher, Table};

/// What the start is worth to a search for which every position that can follow has been there before.
fn worth_of_repeating(contempt: i32) -> i32 {
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
    let parameters = Parameters { repetition: 1, contempt, ..Parameters::exact() };
    let mut searcher = Searcher::new(Arc::new(Table::new(1)), parameters, Objective::Win);
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let report = searcher.search(&start, &seen, BySide::default(), 1, limits, &mut |_| {});
    report.expect("the game is not over").lines[0].score
}

#[test]
fn a_repetition_costs_whoever_searches_its_contempt() {
    assert_eq!(worth_of_repeating(0), 0);
    assert_eq!(worth_of_repeating(40), -40);
}

#[test]
fn in_this_game_a_draw_is_worth_less_than_half_a_win() {
    let own = RiversPosition::<4>::parameters();
    assert!(own.repetition == 1 && own.contempt > 0, "{own:?}");
}
