//! The course of a tournament, derived from its plan, its log and the results that are known, and from nothing else.
//!
//! [`derive`] is a pure function: whoever has the same plan, log and results finds the same pairings, standings, coin tosses and
//! marks, in whatever order the matches were played. Running, resuming, verifying and simulating a tournament all ask it.

mod bracket;
mod cursor;
mod forfeit;
mod order;
mod presence;
mod rounds;
mod tables;

use std::collections::HashMap;

use agon_referee::TimeControl;
use cursor::Cursor;
use presence::Presence;

use crate::{
    battle::{Battle, Half, Place, Results, Spot},
    format::{Reached, Stage},
    number::{MOST_ATTEMPTS, Numbers},
    plan::{Interventions, Plan},
    standings::{self, Standing},
};

pub use bracket::{Bracket, Occupant, Pairing};
pub(crate) use order::{Contest, Order, Tallies, measure, result_of_first};
pub(crate) use rounds::{PairingRule, pair_of};
pub use tables::{Row, Table};

/// Everything that is known about a tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The tournaments of the series that have begun.
    pub parts: Vec<PartState>,
    /// Every battle that was, is or can now be played. Those of a stage stand together, in the order of their numbers.
    pub battles: Vec<Battle>,
    /// Ties that the organiser has to decide.
    pub undecided: Vec<Vec<usize>>,
    /// Coins that were tossed.
    pub tosses: Vec<Toss>,
    /// Places and marks, if everything is played.
    pub standings: Option<Vec<Standing>>,
}

/// A coin that was tossed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Toss {
    /// What about.
    pub occasion: String,
    /// The teams, the luckiest first.
    pub order: Vec<usize>,
}

/// A tournament of the series.
#[derive(Clone, PartialEq, Debug)]
pub struct PartState {
    /// Who plays, by seed, the best first.
    pub entrants: Vec<usize>,
    /// Its stages that have begun.
    pub stages: Vec<StageState>,
    /// How far everybody came, if it is over: teams that share a place stand together.
    pub ranking: Option<Vec<(Reached, Vec<usize>)>>,
}

/// A stage that has begun.
#[derive(Clone, PartialEq, Debug)]
pub struct StageState {
    /// Who plays, by seed, the best first.
    pub entrants: Vec<usize>,
    /// Tables, one for each group.
    pub tables: Vec<Table>,
    /// The bracket of a knockout.
    pub bracket: Option<Bracket>,
    /// Where its battles begin in [`State::battles`], and where they end.
    pub battles: (usize, usize),
    /// Whether it is over.
    pub over: bool,
}

impl State {
    /// The battles that can be played now.
    pub fn open(&self) -> impl Iterator<Item = &Battle> {
        self.battles.iter().filter(|battle| !battle.is_over())
    }

    /// Whether everything is played and decided.
    pub fn is_over(&self) -> bool {
        self.standings.is_some()
    }
}

/// What is constant while a state is derived, so that it is computed once.
pub struct Deriver<'a> {
    plan: &'a Plan,
    seeds: Vec<usize>,
    /// The seed of each team.
    seed_of: Vec<usize>,
    forfeits: HashMap<String, [[f64; 2]; 2]>,
    /// The margin scores of matches that are not played, by variant.
    margins: HashMap<String, [f64; 2]>,
}

impl<'a> Deriver<'a> {
    /// For this plan.
    pub fn new(plan: &'a Plan) -> Deriver<'a> {
        let seeds = plan.seeds();
        let mut seed_of = vec![usize::MAX; seeds.len()];
        seeds.iter().enumerate().for_each(|(seed, &team)| seed_of[team] = seed);
        Deriver { plan, seeds, seed_of, forfeits: plan.forfeits(), margins: plan.start_margins() }
    }

    /// The state after these results.
    pub fn derive(&self, interventions: &Interventions, results: &Results) -> State {
        let numbers = Numbers::first(self.plan.format.matches);
        let mut derivation = Derivation {
            constants: self,
            plan: self.plan,
            interventions,
            results: Cursor::new(results),
            numbers,
            part: 0,
            battles: Vec::new(),
            undecided: Vec::new(),
            tosses: Vec::new(),
            left: interventions.left.iter().enumerate().map(|(when, &team)| (team, when)).collect(),
            decisions_used: Vec::new(),
            presence: Presence::default(),
        };
        let parts = derivation.parts();
        let over = parts.len() == self.plan.format.parts.len() && parts.iter().all(|part| part.ranking.is_some());
        let mut state = State {
            parts,
            battles: derivation.battles,
            undecided: derivation.undecided,
            tosses: derivation.tosses,
            standings: None,
        };
        if over {
            state.standings = Some(standings::standings(self.plan, interventions, &state));
        }
        state
    }
}

/// [`Deriver::derive`] for those who ask once.
pub fn derive(plan: &Plan, interventions: &Interventions, results: &Results) -> State {
    Deriver::new(plan).derive(interventions, results)
}

/// A state in the making.
pub(crate) struct Derivation<'a> {
    constants: &'a Deriver<'a>,
    pub(crate) plan: &'a Plan,
    interventions: &'a Interventions,
    results: Cursor<'a>,
    /// The numbers of the stage at hand.
    pub(crate) numbers: Numbers,
    part: usize,
    pub(crate) battles: Vec<Battle>,
    undecided: Vec<Vec<usize>>,
    tosses: Vec<Toss>,
    /// When each of those left who are out: the how manieth.
    left: HashMap<usize, usize>,
    /// Decisions that were made use of: each settles one tie.
    decisions_used: Vec<usize>,
    /// Who has played so far.
    presence: Presence,
}

/// How far a stage is.
pub(crate) struct Progress {
    pub(crate) state: StageState,
    /// Absent while the stage goes on.
    pub(crate) end: Option<StageEnd>,
}

/// What a stage leaves.
pub(crate) struct StageEnd {
    /// Who goes on, the best first.
    pub(crate) advancing: Vec<usize>,
    /// Who goes on of each group, where there are groups.
    pub(crate) groups: Vec<Vec<usize>>,
    /// The best seed of each group, whoever goes on of it.
    pub(crate) best_seeds: Vec<usize>,
    /// Who does not, the best first; those that share a place stand together.
    pub(crate) out: Vec<(Reached, Vec<usize>)>,
    /// The average points of everybody, for the ties of later stages.
    pub(crate) points: HashMap<usize, f64>,
    /// What house bots scored against everybody.
    pub(crate) house: HashMap<usize, f64>,
}

/// What the ties of later stages may ask about earlier ones.
#[derive(Default)]
pub(crate) struct EarlierScores {
    groups: HashMap<usize, f64>,
    house: HashMap<usize, f64>,
}

/// What a stage begins with.
pub(crate) struct StageSetup<'a> {
    index: usize,
    pub(crate) stage: &'a Stage,
    /// Who plays, by seed, the best first.
    pub(crate) entrants: Vec<usize>,
    /// Who advanced from each group of the stage before.
    pub(crate) groups: Vec<Vec<usize>>,
    /// The best seed of each of these groups.
    pub(crate) best_seeds: Vec<usize>,
    earlier: &'a EarlierScores,
    pub(crate) clock: TimeControl,
    /// Whether nothing comes after it.
    pub(crate) last: bool,
}

impl Derivation<'_> {
    fn parts(&mut self) -> Vec<PartState> {
        let mut entrants = self.constants.seeds.clone();
        let mut parts = Vec::new();
        for part in 0..self.plan.format.parts.len() {
            self.part = part;
            let state = self.play_part(entrants.clone());
            // Nobody wins a part that nobody is left to play.
            let first = |ranking: &Vec<(Reached, Vec<usize>)>| {
                let best = ranking.first().filter(|(reached, _)| *reached != Reached::DidNotStart);
                best.map(|(_, teams)| teams.clone())
            };
            let winners = state.ranking.as_ref().map(|ranking| first(ranking).unwrap_or_default());
            parts.push(state);
            let Some(winners) = winners else { break };
            if self.plan.format.winner_leaves.is_some() {
                entrants.retain(|team| !winners.contains(team));
            }
        }
        parts
    }

    fn play_part(&mut self, entrants: Vec<usize>) -> PartState {
        let plan = self.plan;
        let stages = &plan.format.stages;
        let mut state = PartState { entrants: entrants.clone(), stages: Vec::new(), ranking: None };
        let (mut advancing, mut groups, mut best_seeds) = (entrants, Vec::new(), Vec::new());
        let mut earlier = EarlierScores::default();
        // The last that are out come last, so this grows at its front.
        let mut ranking: Vec<(Reached, Vec<usize>)> = Vec::new();
        for (index, stage) in stages.iter().enumerate() {
            let system = stage.kind.system();
            let setup = StageSetup {
                index,
                stage,
                entrants: advancing.clone(),
                groups: std::mem::take(&mut groups),
                best_seeds: std::mem::take(&mut best_seeds),
                earlier: &earlier,
                clock: plan.format.parts[self.part].clock,
                last: index + 1 == stages.len(),
            };
            let progress = system.derive(self, &setup);
            self.note_attendance();
            state.stages.push(progress.state);
            let Some(end) = progress.end else { return state };
            ranking.splice(0..0, end.out);
            if system.is_round_robin() {
                earlier.groups = end.points;
            }
            earlier.house.extend(end.house);
            (advancing, groups, best_seeds) = (end.advancing, end.groups, end.best_seeds);
        }
        state.ranking = Some(self.close_part(ranking));
        state
    }

    /// Where a battle of a stage has its place.
    pub(crate) fn place(&self, setup: &StageSetup, spot: Spot, rematch: usize) -> Place {
        Place { part: self.part, stage: setup.index, spot, rematch }
    }

    /// What a contest is called when a coin is tossed.
    pub(crate) fn occasion(&self, setup: &StageSetup, what: &str) -> String {
        format!("part {}, stage {}, {what}", self.part + 1, setup.index + 1)
    }

    /// Adds a battle with what is known about it, and says where it stands. It is numbered by its index in the stage.
    pub(crate) fn battle(&mut self, place: Place, index: usize, players: [usize; 2], clock: TimeControl) -> usize {
        let matches = self.plan.format.matches;
        let mut halves = Vec::with_capacity(matches as usize);
        for nth in 0..matches {
            let (pair, half) = (nth / 2, (nth % 2) as u8);
            let first = self.numbers.of(index, place.rematch, 0, pair);
            let attempt = self.interventions.void.get(&(first, half)).copied().unwrap_or(0).min(MOST_ATTEMPTS - 1);
            let number = self.numbers.of(index, place.rematch, attempt, pair);
            let outcome = self.results.get((number, half));
            let half = Half { number, half, attempt, outcome };
            halves.push(Half { outcome: outcome.or_else(|| self.forfeit(&half, players)), ..half });
        }
        let battle = Battle { place, players, clock, halves };
        self.battles.push(battle);
        self.battles.len() - 1
    }
}
