//! Stages that end in tables: gauntlets and groups.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use super::{
    Course, Ended, Outgoing, Scene, StageState,
    order::{Contest, grain_of},
};
use crate::{
    battle::{Battle, Spot, Tally},
    format::{GroupCount, Reached, Seeding, StageKind},
    quick::{QuickMap, QuickSet},
    rung::Rung,
    seeding::deal,
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

impl Course<'_> {
    pub(super) fn gauntlet(&mut self, scene: &Scene, house: &[String]) -> Outgoing {
        let known = self.plan.house();
        let begin = self.battles.len();
        for (i, &team) in scene.entrants.iter().enumerate() {
            for (j, name) in house.iter().enumerate() {
                let bot = known.iter().position(|known| known == name).unwrap_or(0);
                let (slot, spot) = (i * house.len() + j, Spot::Group { group: 0, battle: i * house.len() + j });
                let place = self.place(scene, spot, 0);
                self.battle(place, slot, [team, self.plan.teams.len() + bot], scene.clock);
            }
        }
        let battles = (begin, self.battles.len());
        let contest = Contest::new(scene, self.occasion(scene, "table"), battles, &|_, _| None);
        let (table, order) = self.table(&contest, &scene.entrants);
        let house = if order.is_some() { self.house_scores(battles) } else { HashMap::new() };
        self.numbers = self.numbers.after(scene.entrants.len() * house_size(scene));
        self.close(scene, begin, vec![table], order.map(|order| vec![order]), house)
    }

    pub(super) fn groups(&mut self, scene: &Scene, count: GroupCount, seeding: Seeding, rounds: u32) -> Outgoing {
        let dealt = deal(scene.entrants.len(), count.of(scene.entrants.len()), seeding);
        let begin = self.battles.len();
        let (mut tables, mut orders, mut slots) = (Vec::new(), Vec::new(), 0);
        for (group, seeds) in dealt.iter().enumerate() {
            let teams: Vec<usize> = seeds.iter().map(|&seed| scene.entrants[seed]).collect();
            let schedule = round_robin(teams.len());
            let first = self.battles.len();
            for round in 0..rounds as usize {
                for (i, &(one, other)) in schedule.iter().enumerate() {
                    // Who begins is swapped from round to round, which matters where battles have one match.
                    let players = if round % 2 == 0 { [teams[one], teams[other]] } else { [teams[other], teams[one]] };
                    let battle = round * schedule.len() + i;
                    let place = self.place(scene, Spot::Group { group, battle }, 0);
                    self.battle(place, slots + battle, players, scene.clock);
                }
            }
            let met = first_meetings(scene, &teams, &schedule);
            let meeting = |one: usize, other: usize| {
                let met = met.get(&(one.min(other), one.max(other))).copied()?;
                Some((slots + met, Spot::Group { group, battle: met }))
            };
            let occasion = self.occasion(scene, &format!("group {}", group + 1));
            let contest = Contest::new(scene, occasion, (first, self.battles.len()), &meeting);
            let (table, order) = self.table(&contest, &teams);
            slots += schedule.len() * rounds as usize;
            tables.push(table);
            orders.push(order);
        }
        self.numbers = self.numbers.after(slots);
        let orders: Option<Vec<Vec<Vec<usize>>>> = orders.into_iter().collect();
        self.close(scene, begin, tables, orders, HashMap::new())
    }

    /// What a contest is called when a coin is tossed.
    pub(super) fn occasion(&self, scene: &Scene, what: &str) -> String {
        format!("part {}, stage {}, {what}", self.part + 1, scene.index + 1)
    }

    /// The table of a contest, and its order if that is final.
    pub(super) fn table(&mut self, contest: &Contest, teams: &[usize]) -> (Table, Option<Vec<Vec<usize>>>) {
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

    fn house_scores(&self, battles: (usize, usize)) -> HashMap<usize, f64> {
        let mut points: HashMap<usize, f64> = HashMap::new();
        for battle in &self.battles[battles.0..battles.1] {
            *points.entry(battle.players[0]).or_default() += battle.tally(1).points;
        }
        points
    }

    /// Ends a stage of tables, if all of them are decided.
    pub(super) fn close(
        &mut self,
        scene: &Scene,
        begin: usize,
        tables: Vec<Table>,
        orders: Option<Vec<Vec<Vec<usize>>>>,
        house: HashMap<usize, f64>,
    ) -> Outgoing {
        let points = tables.iter().flat_map(|table| &table.rows);
        let points = points.map(|row| (row.team, row.tally.average(row.tally.points))).collect();
        let rows = tables.iter().flat_map(|table| &table.rows);
        let absent: QuickSet<usize> = rows.filter(|row| !row.started).map(|row| row.team).collect();
        let ended = orders.map(|orders| ended(scene, &orders, &absent, points, house));
        let state = StageState {
            entrants: scene.entrants.clone(),
            tables,
            bracket: None,
            battles: (begin, self.battles.len()),
            over: ended.is_some(),
        };
        Outgoing { state, ended }
    }
}

fn house_size(scene: &Scene) -> usize {
    match &scene.stage.kind {
        StageKind::Gauntlet { house } => house.len(),
        _ => 0,
    }
}

/// Which battle of the schedule is that of two teams, the lower number first. Only rematches ask.
fn first_meetings(scene: &Scene, teams: &[usize], schedule: &[(usize, usize)]) -> QuickMap<(usize, usize), usize> {
    if !scene.stage.ties.iter().any(|rung| matches!(rung, Rung::Rematch(_))) {
        return QuickMap::default();
    }
    let pair = |one: usize, other: usize| (one.min(other), one.max(other));
    schedule.iter().enumerate().map(|(battle, &(one, other))| (pair(teams[one], teams[other]), battle)).collect()
}

/// Whether the format speaks of groups, though there may be only one for want of teams.
fn is_grouped(scene: &Scene) -> bool {
    matches!(&scene.stage.kind, StageKind::Groups { groups, .. } if *groups != GroupCount::Number(1))
}

/// Who goes on and who is out after decided tables.
fn ended(
    scene: &Scene,
    orders: &[Vec<Vec<usize>>],
    absent: &QuickSet<usize>,
    points: HashMap<usize, f64>,
    house: HashMap<usize, f64>,
) -> Ended {
    let most = if scene.last { 0 } else { scene.stage.advance.unwrap_or(usize::MAX) };
    // Those at the same place of their groups, the groups' winners first.
    let depth = orders.iter().map(|order| order.iter().map(Vec::len).sum::<usize>()).max().unwrap_or(0);
    // Who did not start takes nobody's place, also where nobody else is left for it.
    let started = |order: &Vec<Vec<usize>>| order.concat().into_iter().filter(|team| !absent.contains(team)).collect();
    let flat: Vec<Vec<usize>> = orders.iter().map(started).collect();
    let groups: Vec<Vec<usize>> = flat.iter().map(|teams| teams[..teams.len().min(most)].to_vec()).collect();
    let mut on = Vec::new();
    for place in 0..depth.min(most) {
        let mut here: Vec<usize> = flat.iter().filter_map(|teams| teams.get(place).copied()).collect();
        // Within a place the better group results come first.
        here.sort_by_cached_key(|team| Reverse(grain_of(points.get(team).copied().unwrap_or(0.0))));
        on.extend(here);
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
    let table = orders.len() == 1 && (scene.last || !is_grouped(scene));
    let name = |place: usize| if table { reached(scene, place) } else { Reached::Group(place) };
    let mut out: Vec<(Reached, Vec<usize>)> = places.into_iter().map(|(place, teams)| (name(place), teams)).collect();
    let did_not_start = orders.iter().flatten().flatten().copied().filter(|team| absent.contains(team));
    out.push((Reached::DidNotStart, did_not_start.collect()));
    let seeds: HashMap<usize, usize> = scene.entrants.iter().enumerate().map(|(seed, &team)| (team, seed)).collect();
    let best =
        |teams: &Vec<usize>| teams.iter().filter_map(|team| seeds.get(team).copied()).min().unwrap_or(usize::MAX);
    let heads = flat.iter().map(best).collect();
    Ended { on, groups, heads, out, points, house }
}

/// What a place in a single table is called: in the last stage it is the place in the tournament.
fn reached(scene: &Scene, place: usize) -> Reached {
    match place {
        1 if scene.last => Reached::Winner,
        2 if scene.last => Reached::RunnerUp,
        3 if scene.last => Reached::Third,
        4 if scene.last => Reached::Fourth,
        _ if matches!(scene.stage.kind, StageKind::Groups { .. }) && !scene.last => Reached::Group(place),
        _ => Reached::Place(place),
    }
}

/// Every pair of `teams` once, in rounds in which nobody plays twice: one team stays, the others move around it.
pub(super) fn round_robin(teams: usize) -> Vec<(usize, usize)> {
    let seats = teams + teams % 2;
    let mut circle: Vec<usize> = (0..seats).collect();
    let mut pairs = Vec::new();
    for round in 1..seats {
        for i in 0..seats / 2 {
            let (one, other) = (circle[i], circle[seats - 1 - i]);
            if one < teams && other < teams {
                // The one that stays begins every other time.
                pairs.push(if i == 0 && round % 2 == 0 { (other, one) } else { (one, other) });
            }
        }
        circle[1..].rotate_right(1);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::round_robin;
    use std::collections::HashSet;

    #[test]
    fn everybody_meets_everybody_once() {
        for teams in 0..40 {
            let pairs = round_robin(teams);
            let met: HashSet<(usize, usize)> = pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
            assert_eq!(met.len(), pairs.len());
            assert_eq!(pairs.len(), teams * teams.saturating_sub(1) / 2);
            assert!(pairs.iter().all(|(a, b)| a != b));
        }
    }
}
