//! Playing a tournament many times.

use std::{ops::Range, thread};

use super::{SimulateOptions, model::Lot, model::Model};
use crate::{
    battle::Results,
    derive::{Deriver, State},
    plan::{Interventions, Plan, Secret},
};

/// How a run ended for a team.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Finish {
    pub(super) place: usize,
    /// Its best place in a part; its place where the whole is ranked.
    pub(super) best: usize,
    /// Whether it reached the last stage of a part.
    pub(super) last_stage: bool,
    pub(super) marks: f64,
}

/// The finishes of all runs, by team.
pub(super) fn play_all(plan: &Plan, strengths: &[f64], options: &SimulateOptions) -> Vec<Vec<Finish>> {
    let model = Model::new(plan, strengths, options);
    let threads = options.threads.clamp(1, options.runs.max(1));
    let piece = options.runs.div_ceil(threads).max(1);
    let pieces: Vec<Range<usize>> =
        (0..options.runs).step_by(piece).map(|from| from..(from + piece).min(options.runs)).collect();
    thread::scope(|scope| {
        let play = |runs: Range<usize>| {
            let model = &model;
            move || runs.map(|run| play_once(plan, model, options.seed, run as u64)).collect::<Vec<_>>()
        };
        let workers: Vec<_> = pieces.into_iter().map(|runs| scope.spawn(play(runs))).collect();
        // Pieces are put together in order, so that the number of threads changes nothing.
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
    })
}

fn play_once(plan: &Plan, model: &Model, seed: u64, run: u64) -> Vec<Finish> {
    let mut plan = plan.clone();
    // Coins fall anew in every run.
    plan.secret = Secret(format!("simulation {seed}, run {run}"));
    let deriver = Deriver::new(&plan);
    let (mut interventions, mut results) = (Interventions::default(), Results::new());
    loop {
        let state = deriver.derive(&interventions, &results);
        let before = results.len();
        for battle in state.open() {
            for half in battle.halves.iter().filter(|half| half.outcome.is_none()) {
                results.insert((half.number, half.half), model.outcome(run, battle, half));
            }
        }
        if results.len() > before {
            continue;
        }
        if state.is_over() || state.undecided.is_empty() {
            return finishes(&plan, &state);
        }
        decide(&mut interventions, &state, seed, run);
    }
}

/// What an organiser would decide is a coin to us.
fn decide(interventions: &mut Interventions, state: &State, seed: u64, run: u64) {
    for tie in &state.undecided {
        let mut order = tie.clone();
        let made = interventions.decisions.len() as u64;
        let lot = |team: usize| Lot::new(&[seed, run, made, team as u64]).next();
        order.sort_by(|&a, &b| lot(a).total_cmp(&lot(b)));
        interventions.decisions.push(order);
    }
}

fn finishes(plan: &Plan, state: &State) -> Vec<Finish> {
    let mut finishes =
        vec![Finish { place: plan.teams.len(), best: plan.teams.len(), ..Finish::default() }; plan.teams.len()];
    for standing in state.standings.iter().flatten() {
        let finish = &mut finishes[standing.team];
        finish.place = standing.place;
        let parts = standing.parts.iter().flatten().map(|part| part.place);
        finish.best =
            if plan.format.ranking.is_some() { standing.place } else { parts.min().unwrap_or(standing.place) };
        finish.marks = standing.marks.unwrap_or(0.0);
    }
    for part in state.parts.iter().filter(|part| part.stages.len() == plan.format.stages.len()) {
        let last = part.stages.last();
        last.iter().flat_map(|stage| &stage.entrants).for_each(|&team| finishes[team].last_stage = true);
    }
    finishes
}
