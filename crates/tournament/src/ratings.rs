//! Ratings over the matches of a tournament.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use agon_rating::{BradleyTerry, CrossTable, EloTable, MatchResult, Ratings, Scale};
use agon_rules::{Side, Verdict};
use serde_json::{Value, json};

use crate::{
    battle::{Battle, Outcome},
    derive::{State, result_of_first},
    format::NonStarters,
    plan::Plan,
};

/// Players by side, and the result of the first.
type Played = ([usize; 2], MatchResult);

/// Played matches in the order of their numbers. Forfeits, matches that both lost, and matches of teams that did not start say
/// nothing about strength.
pub(crate) fn matches<'a>(plan: &Plan, battles: impl Iterator<Item = &'a Battle>) -> Vec<Played> {
    let battles: Vec<&Battle> = battles.collect();
    let mut all = all_matches(battles.iter().copied());
    if let Some(present) = present(plan, &battles) {
        all.retain(|(players, _)| players.iter().all(|player| present.contains(player)));
    }
    all
}

/// Who has played in some match; `None` where the format asks nothing of the kind.
fn present(plan: &Plan, battles: &[&Battle]) -> Option<BTreeSet<usize>> {
    let seats = battles.iter().flat_map(|battle| [(battle, 0), (battle, 1)]);
    let there = seats.filter(|(battle, seat)| battle.tally(*seat).played > 0);
    (plan.format.non_starters == NonStarters::Last).then(|| there.map(|(battle, seat)| battle.players[seat]).collect())
}

/// The same with the matches of teams that did not start.
fn all_matches<'a>(battles: impl Iterator<Item = &'a Battle>) -> Vec<Played> {
    let mut all: Vec<(u32, u8, [usize; 2], MatchResult)> = Vec::new();
    for battle in battles {
        for half in &battle.halves {
            let Some(outcome) = half.outcome.filter(is_evidence) else { continue };
            let players = Side::BOTH.map(|side| battle.players[half.seat(side)]);
            let Some(result) = result_of_first(outcome.verdict) else { continue };
            all.push((half.number, half.half, players, result));
        }
    }
    all.sort_by_key(|&(number, half, ..)| (number, half));
    all.into_iter().map(|(_, _, players, result)| (players, result)).collect()
}

/// Whether a match says anything about who is stronger.
fn is_evidence(outcome: &Outcome) -> bool {
    !outcome.forfeit && outcome.verdict != Verdict::BothLost
}

/// Sequential Elo, match after match.
pub(crate) struct SequentialElo {
    table: Option<EloTable>,
    start: f64,
}

impl SequentialElo {
    pub(crate) fn new(plan: &Plan) -> SequentialElo {
        let players = plan.teams.len() + plan.house().len();
        let start = plan.format.elo.start;
        SequentialElo { table: EloTable::new(plan.format.elo.k, vec![start; players]).ok(), start }
    }

    /// Counts battles in the order of their numbers, which must be higher than those of all battles before.
    pub(crate) fn extend<'a>(&mut self, battles: impl IntoIterator<Item = &'a Battle>) {
        self.count(&all_matches(battles.into_iter()));
    }

    fn count(&mut self, matches: &[Played]) {
        let Some(table) = &mut self.table else { return };
        for (players, result) in matches {
            table.record(players[0], players[1], *result);
        }
    }

    pub(crate) fn of(&self, player: usize) -> f64 {
        self.table.as_ref().and_then(|table| table.ratings().get(player)).copied().unwrap_or(self.start)
    }
}

/// Sequential Elo of everybody who played.
pub(crate) fn elo<'a>(plan: &Plan, battles: impl Iterator<Item = &'a Battle>) -> HashMap<usize, f64> {
    let battles: Vec<&Battle> = battles.collect();
    let mut elo = SequentialElo::new(plan);
    let matches = matches(plan, battles.iter().copied());
    elo.count(&matches);
    // Who has played, but no match that says anything, has the rating that everybody begins with.
    let present = present(plan, &battles);
    let played = |battle: &&&Battle| battle.halves.iter().any(|half| half.outcome.is_some_and(|known| !known.forfeit));
    let players: BTreeSet<usize> = battles.iter().filter(played).flat_map(|battle| battle.players).collect();
    let players = players.into_iter().filter(|player| present.as_ref().is_none_or(|all| all.contains(player)));
    players.map(|player| (player, elo.of(player))).collect()
}

/// Ratings of those who played, and who they are: the numbers of the ratings are indices into the list.
pub struct Rated {
    /// Ratings with their errors, the worth of the first move and the draw rate.
    pub ratings: Ratings,
    /// The players that they are of.
    pub players: Vec<usize>,
}

/// Rates everybody who played, on the scale of the house bots if the format knows theirs. `None` if there is nothing to rate.
pub fn rate<'a>(plan: &Plan, battles: impl Iterator<Item = &'a Battle>) -> Option<Rated> {
    let matches = matches(plan, battles);
    let players: BTreeSet<usize> = matches.iter().flat_map(|(players, _)| *players).collect();
    let players: Vec<usize> = players.into_iter().collect();
    let index: HashMap<usize, usize> = players.iter().enumerate().map(|(index, &player)| (player, index)).collect();
    let mut table = CrossTable::new(players.len());
    for (players, result) in &matches {
        table.record(index[&players[0]], index[&players[1]], *result);
    }
    let known =
        |player: usize| Some(player).filter(|&player| player >= plan.teams.len()).map(|player| plan.name(player));
    let anchors: BTreeMap<usize, f64> = players
        .iter()
        .enumerate()
        .filter_map(|(index, &player)| Some((index, *plan.format.anchors.get(known(player)?)?)))
        .collect();
    let scale = if anchors.is_empty() { Scale::Mean(plan.format.elo.start) } else { Scale::Anchors(anchors) };
    let ratings = BradleyTerry { scale, ..BradleyTerry::default() }.rate(&table).ok()?;
    Some(Rated { ratings, players })
}

/// The bare ratings of everybody who played.
pub(crate) fn values(plan: &Plan, battles: &[Battle]) -> HashMap<usize, f64> {
    let present = present(plan, &battles.iter().collect::<Vec<_>>());
    let mut values: HashMap<usize, f64> =
        present.into_iter().flatten().map(|player| (player, plan.format.elo.start)).collect();
    if let Some(rated) = rate(plan, battles.iter()) {
        values.extend(rated.players.iter().copied().zip(rated.ratings.values().iter().copied()));
    }
    values
}

/// Players in the matrix of superiority, at most: for more nobody would read it.
const MATRIX: usize = 64;

/// Ratings for programs: the strongest first, with bounds at 95 %, and how likely each is stronger than each.
pub(crate) fn json(plan: &Plan, state: &State) -> Value {
    let Some(Rated { ratings, players }) = rate(plan, state.battles.iter()) else { return Value::Null };
    let number = |number: f64| (number * 10.0).round() / 10.0;
    let order = ratings.ranking();
    let row = |&index: &usize| {
        let rating = ratings.of(index);
        json!({
            "player": plan.name(players[index]),
            "rating": number(rating.value),
            "low": number(rating.low),
            "high": number(rating.high),
        })
    };
    let first = ratings.first_move();
    let percent = |one: usize, other: usize| (1000.0 * ratings.likelihood_of_superiority(one, other)).round() / 10.0;
    let superiority = (order.len() <= MATRIX).then(|| {
        let row = |&one: &usize| order.iter().map(|&other| percent(one, other)).collect::<Vec<_>>();
        order.iter().map(row).collect::<Vec<_>>()
    });
    json!({
        "players": order.iter().map(row).collect::<Vec<_>>(),
        "first_move": { "rating": number(first.value), "low": number(first.low), "high": number(first.high) },
        "draw_rate": number(100.0 * ratings.draw_rate()),
        "superiority": superiority,
    })
}
