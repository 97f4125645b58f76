//! Places and marks at the end.

use std::collections::HashMap;

use crate::{
    battle::Tally,
    derive::State,
    format::{Marks, Reached},
    plan::{Interventions, Plan},
    ratings,
    rung::Rung,
};

/// What a team has in the end.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// The team.
    pub team: usize,
    /// Its place; those that share one have the same.
    pub place: usize,
    /// Its marks, if the format knows any.
    pub marks: Option<f64>,
    /// All its points by the rules of the game.
    pub points: f64,
    /// All its matches.
    pub tally: Tally,
    /// How it fared in each tournament of the series; absent where it did not play.
    pub parts: Vec<Option<PartStanding>>,
    /// Whether it left, and whether it was disqualified.
    pub out: Option<bool>,
}

/// How a team fared in a tournament of a series.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PartStanding {
    /// Its place.
    pub place: usize,
    /// How far it came.
    pub reached: Reached,
    /// Its marks for that.
    pub marks: Option<f64>,
}

impl PartStanding {
    fn is_won(&self) -> bool {
        self.place == 1 && self.reached != Reached::DidNotStart
    }
}

impl Standing {
    /// Whether it did not start in any tournament of the series.
    pub fn did_not_start(&self) -> bool {
        let mut parts = self.parts.iter().flatten().peekable();
        parts.peek().is_some() && parts.all(|part| part.reached == Reached::DidNotStart)
    }
}

pub(crate) fn standings(plan: &Plan, interventions: &Interventions, state: &State) -> Vec<Standing> {
    let mut all: Vec<Standing> = (0..plan.teams.len())
        .map(|team| Standing {
            team,
            place: 0,
            marks: None,
            points: 0.0,
            tally: Tally::default(),
            parts: vec![None; state.parts.len()],
            out: interventions.out.get(&team).copied(),
        })
        .collect();
    let per_part = tallies_by_part(plan, state);
    for (index, part) in state.parts.iter().enumerate() {
        let mut place = 1;
        for (reached, teams) in part.ranking.iter().flatten() {
            for &team in teams {
                let tally = per_part[index].get(&team).copied().unwrap_or_default();
                let marks = plan.format.marks.as_ref().filter(|_| plan.format.ranking.is_none());
                let marks = marks.map(|marks| marks_of(marks, *reached, place, part.entrants.len(), &tally));
                all[team].parts[index] = Some(PartStanding { place, reached: *reached, marks });
                all[team].tally.add(&tally);
            }
            place += teams.len();
        }
    }
    for standing in &mut all {
        if standing.out == Some(true) {
            // Who is disqualified has no marks, in no tournament of the series.
            standing.parts.iter_mut().flatten().for_each(|part| part.marks = None);
        }
        standing.points = standing.tally.points;
        let sum = standing.parts.iter().flatten().filter_map(|part| part.marks).sum::<f64>();
        standing.marks = plan.format.marks.as_ref().map(|_| sum);
        let won = standing.parts.iter().flatten().any(PartStanding::is_won);
        if let (Some(full), true) = (plan.format.winner_leaves, won) {
            standing.marks = standing.marks.map(|_| full);
        }
    }
    place_all(plan, state, &mut all);
    all
}

/// What everybody won in each part, house bots included.
fn tallies_by_part(plan: &Plan, state: &State) -> Vec<HashMap<usize, Tally>> {
    let mut all = vec![HashMap::new(); plan.format.parts.len()];
    for battle in &state.battles {
        for seat in 0..2 {
            let tally: &mut Tally = all[battle.place.part].entry(battle.players[seat]).or_default();
            tally.add(&battle.tally(seat));
        }
    }
    all
}

fn marks_of(marks: &Marks, reached: Reached, place: usize, teams: usize, tally: &Tally) -> f64 {
    match marks {
        _ if reached == Reached::DidNotStart => 0.0,
        Marks::Reached { table, otherwise } => {
            table.iter().find(|(key, _)| *key == reached).map_or(*otherwise, |(_, marks)| *marks)
        }
        Marks::Places { table, otherwise } => table.get(place - 1).copied().unwrap_or(*otherwise),
        Marks::Share { of, full, average } => {
            let points = if *average { tally.average(tally.points) } else { tally.points };
            (of * points / full).clamp(0.0, *of)
        }
        Marks::Rank { of } => of * (teams + 1 - place) as f64 / teams as f64,
    }
}

/// What the whole is ordered by, higher is better; equal keys share a place.
fn place_all(plan: &Plan, state: &State, all: &mut [Standing]) {
    let by_rung = plan.format.ranking.map(|rung| overall(plan, state, rung));
    let single = state.parts.len() == 1 && plan.format.marks.is_none();
    let key = |standing: &Standing| -> (bool, bool, i64) {
        let value = match &by_rung {
            Some(values) => values.get(&standing.team).copied().unwrap_or(f64::NEG_INFINITY),
            None if single || state.parts.len() == 1 => {
                -(standing.parts[0].map_or(usize::MAX, |part| part.place) as f64)
            }
            // Parts of a series are added by their marks, or by their places where there are none.
            None => standing.marks.unwrap_or_else(|| {
                -standing.parts.iter().map(|part| part.map_or(0.0, |part| part.place as f64)).sum::<f64>()
            }),
        };
        (standing.out != Some(true), !standing.did_not_start(), (value * 1e6).round() as i64)
    };
    // Equals are listed by points, which decide nothing, and then as they were entered.
    all.sort_by(|a, b| key(b).cmp(&key(a)).then(b.points.total_cmp(&a.points)).then(a.team.cmp(&b.team)));
    let keys: Vec<(bool, bool, i64)> = all.iter().map(key).collect();
    let teams = all.len();
    for (i, standing) in all.iter_mut().enumerate() {
        standing.place = 1 + keys.iter().position(|other| *other == keys[i]).unwrap_or(i);
        if let (Some(marks), Some(_)) = (&plan.format.marks, plan.format.ranking) {
            let reached = if standing.did_not_start() { Reached::DidNotStart } else { Reached::Place(standing.place) };
            standing.marks = Some(marks_of(marks, reached, standing.place, teams, &standing.tally));
        }
        if standing.out == Some(true) {
            standing.marks = standing.marks.map(|_| 0.0);
        }
    }
}

fn overall(plan: &Plan, state: &State, rung: Rung) -> HashMap<usize, f64> {
    match rung {
        Rung::Elo => ratings::elo(plan, state.battles.iter()),
        Rung::Rating => ratings::values(plan, &state.battles),
        _ => {
            let mut tallies: HashMap<usize, Tally> = HashMap::new();
            for part in tallies_by_part(plan, state) {
                for (player, tally) in part {
                    tallies.entry(player).or_default().add(&tally);
                }
            }
            let value = |tally: &Tally| tally.average(if rung == Rung::Score { tally.score() } else { tally.points });
            tallies.iter().map(|(&player, tally)| (player, value(tally))).collect()
        }
    }
}
