//! Ratings over the matches of a tournament.

use std::collections::{HashMap, HashSet};

use agon_rating::{BradleyTerry, CrossTable, EloTable};
use agon_rules::Side;
use serde_json::{Value, json};

use crate::{
    battle::Battle,
    derive::{State, result_of_first},
    plan::Plan,
};

/// Played matches in the order of their numbers: players by side, and who won. Forfeits say nothing about strength.
pub(crate) fn matches<'a>(battles: impl Iterator<Item = &'a Battle>) -> Vec<([usize; 2], Option<Side>)> {
    let mut all: Vec<(u32, u8, [usize; 2], Option<Side>)> = Vec::new();
    for battle in battles {
        for half in &battle.halves {
            let Some(outcome) = half.outcome.filter(|outcome| !outcome.forfeit) else { continue };
            let players = Side::BOTH.map(|side| battle.players[half.seat(side)]);
            all.push((half.number, half.half, players, outcome.winner));
        }
    }
    all.sort_by_key(|&(number, half, ..)| (number, half));
    all.into_iter().map(|(_, _, players, winner)| (players, winner)).collect()
}

/// Sequential Elo of everybody who played.
pub(crate) fn elo<'a>(plan: &Plan, battles: impl Iterator<Item = &'a Battle>) -> HashMap<usize, f64> {
    let players = plan.teams.len() + plan.house().len();
    let start = vec![plan.format.elo.start; players];
    let Ok(mut table) = EloTable::new(plan.format.elo.k, start) else { return HashMap::new() };
    let matches = matches(battles);
    for (players, winner) in &matches {
        table.record(players[0], players[1], result_of_first(*winner));
    }
    matches.iter().flat_map(|(players, _)| *players).map(|player| (player, table.ratings()[player])).collect()
}

/// The ratings of everybody who played.
pub(crate) fn values(plan: &Plan, battles: &[Battle]) -> HashMap<usize, f64> {
    let players = plan.teams.len() + plan.house().len();
    let mut table = CrossTable::new(players);
    let matches = matches(battles.iter());
    for (players, winner) in &matches {
        table.record(players[0], players[1], result_of_first(*winner));
    }
    let Ok(ratings) = BradleyTerry::default().rate(&table) else { return HashMap::new() };
    matches.iter().flat_map(|(players, _)| *players).map(|player| (player, ratings.values()[player])).collect()
}

/// Ratings for programs: the strongest first, with bounds at 95 %.
pub(crate) fn json(plan: &Plan, state: &State) -> Vec<Value> {
    let players = plan.teams.len() + plan.house().len();
    let mut table = CrossTable::new(players);
    let matches = matches(state.battles.iter());
    for (players, winner) in &matches {
        table.record(players[0], players[1], result_of_first(*winner));
    }
    let Ok(ratings) = BradleyTerry::default().rate(&table) else { return Vec::new() };
    let played: HashSet<usize> = matches.iter().flat_map(|(players, _)| *players).collect();
    let shown = ratings.ranking().into_iter().filter(|player| played.contains(player));
    let number = |number: f64| (number * 10.0).round() / 10.0;
    shown
        .map(|player| {
            let rating = ratings.of(player);
            json!({ "player": plan.name(player), "rating": number(rating.value), "low": number(rating.low), "high": number(rating.high) })
        })
        .collect()
}
