//! Tables of teams, and how the stages end that have them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use super::{
    Derivation, Progress, StageEnd, StageSetup, StageState,
    order::{Contest, Order, comparable},
};
use crate::{
    battle::{Battle, Tally},
    format::Reached,
    quick::QuickSet,
};

/// A table of teams.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// Its rows: the best first if it is decided, else by points so far.
    pub rows: Vec<Row>,
    /// Whether the order is final.
    pub decided: bool,
}

/// A row of a table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Row {
    /// The team.
    pub team: usize,
    /// Its place; those that share one have the same.
    pub place: usize,
    /// What it has won.
    pub tally: Tally,
    /// Whether it has played, or has had no match yet.
    pub started: bool,
}

impl Derivation<'_> {
    /// The table of a contest, and its order if that is final.
    pub(crate) fn table(&mut self, contest: &Contest, teams: &[usize]) -> (Table, Option<Order>) {
        let played = &self.battles[contest.battles.0..contest.battles.1];
        let over = played.iter().all(Battle::is_over);
        let tallies = self.tallies(contest);
        let order = if over { self.order(contest, teams.to_vec(), &tallies) } else { None };
        let tally = |team: usize| tallies.of(team);
        let classes = order.clone().unwrap_or_else(|| {
            let mut teams = teams.to_vec();
            teams.sort_by(|&a, &b| {
                let points = |team| tally(team).average(tally(team).points);
                points(b).total_cmp(&points(a))
            });
            teams.into_iter().map(|team| vec![team]).collect()
        });
        let mut rows = Vec::new();
        for class in classes {
            let place = rows.len() + 1;
            rows.extend(class.into_iter().map(|team| {
                let tally = tally(team);
                Row { team, place, tally, started: !self.did_not_start(team, &tally) }
            }));
        }
        (Table { rows, decided: order.is_some() }, order)
    }

    /// Ends a stage of tables, if all of them are decided.
    pub(crate) fn close(
        &self,
        setup: &StageSetup,
        begin: usize,
        tables: Vec<Table>,
        orders: Option<Vec<Order>>,
        house: HashMap<usize, f64>,
    ) -> Progress {
        let points = tables.iter().flat_map(|table| &table.rows);
        let points = points.map(|row| (row.team, row.tally.average(row.tally.points))).collect();
        let rows = tables.iter().flat_map(|table| &table.rows);
        let absent: QuickSet<usize> = rows.filter(|row| !row.started).map(|row| row.team).collect();
        let end = orders.map(|orders| end(setup, &orders, &absent, points, house));
        let state = StageState {
            entrants: setup.entrants.clone(),
            tables,
            bracket: None,
            battles: (begin, self.battles.len()),
            over: end.is_some(),
        };
        Progress { state, end }
    }
}

/// Who goes on and who is out after decided tables.
fn end(
    setup: &StageSetup,
    orders: &[Order],
    absent: &QuickSet<usize>,
    points: HashMap<usize, f64>,
    house: HashMap<usize, f64>,
) -> StageEnd {
    let most = if setup.last { 0 } else { setup.stage.advance.unwrap_or(usize::MAX) };
    // Those at the same place of their groups, the groups' winners first.
    let depth = orders.iter().map(|order| order.iter().map(Vec::len).sum::<usize>()).max().unwrap_or(0);
    // Who did not start takes nobody's place, also where nobody else is left for it.
    let started = |order: &Order| order.concat().into_iter().filter(|team| !absent.contains(team)).collect();
    let flat: Vec<Vec<usize>> = orders.iter().map(started).collect();
    let groups: Vec<Vec<usize>> = flat.iter().map(|teams| teams[..teams.len().min(most)].to_vec()).collect();
    let mut advancing = Vec::new();
    for place in 0..depth.min(most) {
        let mut here: Vec<usize> = flat.iter().filter_map(|teams| teams.get(place).copied()).collect();
        // Within a place the better group results come first.
        here.sort_by_cached_key(|team| Reverse(comparable(points.get(team).copied().unwrap_or(0.0))));
        advancing.extend(here);
    }
    // Those that stay tied share a place, and those at the same place of their groups do.
    let mut places: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (order, on) in orders.iter().zip(&groups) {
        let mut place = 1;
        for class in order {
            let left = class.iter().copied().filter(|team| !on.contains(team) && !absent.contains(team));
            places.entry(place).or_default().extend(left);
            place += class.len();
        }
    }
    places.retain(|_, teams| !teams.is_empty());
    let single = orders.len() == 1 && (setup.last || !setup.stage.kind.system().in_groups());
    let name = |place: usize| if single { reached(setup, place) } else { Reached::Group(place) };
    let mut out: Vec<(Reached, Vec<usize>)> = places.into_iter().map(|(place, teams)| (name(place), teams)).collect();
    let did_not_start = orders.iter().flatten().flatten().copied().filter(|team| absent.contains(team));
    out.push((Reached::DidNotStart, did_not_start.collect()));
    let seeds: HashMap<usize, usize> = setup.entrants.iter().enumerate().map(|(seed, &team)| (team, seed)).collect();
    let best =
        |teams: &Vec<usize>| teams.iter().filter_map(|team| seeds.get(team).copied()).min().unwrap_or(usize::MAX);
    let best_seeds = flat.iter().map(best).collect();
    StageEnd { advancing, groups, best_seeds, out, points, house }
}

/// What a place in a single table is called: in the last stage it is the place in the tournament.
fn reached(setup: &StageSetup, place: usize) -> Reached {
    match place {
        1 if setup.last => Reached::Winner,
        2 if setup.last => Reached::RunnerUp,
        3 if setup.last => Reached::Third,
        4 if setup.last => Reached::Fourth,
        _ if setup.stage.kind.system().is_round_robin() && !setup.last => Reached::Group(place),
        _ => Reached::Place(place),
    }
}
