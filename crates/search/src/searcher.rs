//! The searcher: what it is made of, and one search from beginning to end.
//!
//! Its parts have one job each: [`Timer`] knows the limits and the clock, [`Knowledge`] keeps what was learnt for the next search,
//! [`Tree`] holds the line that is looked at and its buffers, and [`Root`] says what was asked. How it searches lies beside them, one
//! file for each step.

mod deepening;
mod draws;
mod history;
mod knowledge;
mod node;
mod ordering;
mod proofs;
mod pruning;
mod quiescence;
mod root;
mod timer;
mod tree;
mod win_choice;

use std::sync::Arc;

use agon_rules::{BySide, Outcome, keys::mix};

use crate::{
    Evaluator, Limits, Objective, Parameters, Report, Searchable, Skill, TranspositionTable, Variation,
    objective::{PointScale, final_score},
    score::DECIDED,
};
use knowledge::Knowledge;
use node::Node;
use pruning::Reductions;
use root::{Root, RootPosition};
use timer::Timer;
use tree::Tree;

/// Searches positions of one game. What it has learnt stays for the next search.
pub struct Searcher<P: Searchable> {
    parameters: Parameters,
    reductions: Reductions,
    objective: Objective,
    /// Whether points decide between proven wins.
    weighs_wins: bool,
    evaluator: Evaluator,
    skill: Skill,
    timer: Timer,
    knowledge: Knowledge<P>,
    tree: Tree<P::Move>,
    root: Root<P::Move>,
}

impl<P: Searchable> Searcher<P> {
    /// A searcher with a table of its own or one that it shares.
    pub fn new(table: Arc<TranspositionTable>, parameters: Parameters, objective: Objective) -> Searcher<P> {
        Searcher {
            reductions: Reductions::new(&parameters),
            parameters,
            objective,
            weighs_wins: false,
            evaluator: Evaluator::default(),
            skill: Skill::FULL,
            timer: Timer::new(),
            knowledge: Knowledge::new(table),
            tree: Tree::new(),
            root: Root::new(),
        }
    }

    /// From now on it evaluates positions like this.
    pub fn evaluate_with(&mut self, mut evaluator: Evaluator) {
        (evaluator.noise, evaluator.seed) = (self.evaluator.noise, self.evaluator.seed);
        self.evaluator = evaluator;
    }

    /// From now on it is held back like this.
    pub fn hold_back(&mut self, skill: Skill) {
        self.skill = skill;
        self.evaluator.noise = skill.noise;
    }

    /// Where its mistakes come from: in the next game it makes others.
    pub fn set_seed(&mut self, seed: u64) {
        self.evaluator.seed = mix(seed);
    }

    /// From now on it chooses among proven wins by their points; it may think a little longer about turns that win.
    pub fn weigh_wins(&mut self) {
        self.weighs_wins = true;
    }

    /// Forgets what was learnt: the next search does what a new searcher would do.
    pub fn forget(&mut self) {
        self.knowledge.forget();
    }

    /// Searches a position that is not over. `history` is what came before it, `made` the turns that each side has made; `watch`
    /// is shown every finished depth. `None` if the game is over here.
    pub fn search(
        &mut self,
        position: &P,
        history: &[u64],
        made: BySide<u32>,
        lines: usize,
        limits: Limits,
        watch: &mut dyn FnMut(&Report<P::Move>),
    ) -> Option<Report<P::Move>> {
        let mut moves = Vec::new();
        if position.generate(&mut moves).is_some() || position.adjudicate(history).is_some() {
            return None;
        }
        let root = RootPosition { position, history, made };
        let slip = self.slips(position);
        let limits = self.held_back(limits, slip);
        self.begin(root, lines.clamp(1, moves.len()), self.without_reserve(limits.clone()));
        let proven = self.prove_first(position, history);
        if let Some(m) = proven.filter(|_| !self.weighs_wins) {
            self.knowledge.last_score[position.turn()] = DECIDED;
            let (nodes, time) = (self.timer.nodes, self.timer.elapsed());
            return Some(Report { depth: 1, lines: vec![proven_line(m)], deepest: 1, nodes, time });
        }
        let mut report = self.deepen(root, &moves, watch);
        if let Some(m) = proven.filter(|_| report.lines[0].score < DECIDED) {
            report.lines = vec![proven_line(m)];
        }
        report = self.choose_win(root, &limits, report);
        self.knowledge.last_score[position.turn()] = report.lines[0].score;
        if slip {
            self.evaluator.noise = self.skill.noise;
            self.forget();
        }
        Some(report)
    }

    /// Whether this move is a slip; then the evaluation is worse, and what the search learns is worth nothing later.
    fn slips(&mut self, position: &P) -> bool {
        let die = mix(position.key() ^ mix(self.evaluator.seed)) % 100;
        let slip = !self.root.nested && die < u64::from(self.skill.slips);
        if slip {
            self.evaluator.noise = 4 * self.skill.noise;
            self.forget();
        }
        slip
    }

    fn held_back(&self, limits: Limits, slip: bool) -> Limits {
        let least =
            |limit: Option<u64>, skill: u64| if skill == 0 { limit } else { Some(limit.unwrap_or(skill).min(skill)) };
        let depth = if slip { 1 } else { self.skill.depth };
        let depth = least(limits.depth.map(|depth| depth.max(0) as u64), depth as u64);
        Limits { depth: depth.map(|depth| depth as i32), nodes: least(limits.nodes, self.skill.nodes), ..limits }
    }

    fn begin(&mut self, root: RootPosition<'_, P>, lines: usize, limits: Limits) {
        self.timer.begin(limits);
        self.tree.begin(root.history);
        self.knowledge.age();
        let impatient = self.parameters.impatience != 0;
        self.root.repeated_cycles = if impatient { draws::repeated_cycles(root.history) } else { 0 };
        self.root.side = root.position.turn();
        self.root.wanted_lines = lines;
        self.root.excluded.clear();
        self.root.losing.clear();
    }

    /// The score of a game that is over here, by the board or by its history.
    fn score_if_over(&mut self, position: &P, node: &Node) -> Option<i32> {
        let mut list = self.tree.take_list();
        let outcome = position.over(&mut list.moves);
        self.tree.give_list(list);
        match outcome {
            Some(outcome) => Some(self.score_of_outcome(position, outcome, node)),
            None => self.score_if_adjudicated(position, node),
        }
    }

    /// The score of a position whose history ends the game.
    #[inline]
    fn score_if_adjudicated(&self, position: &P, node: &Node) -> Option<i32> {
        let outcome = position.adjudicate(self.tree.path())?;
        Some(self.score_of_outcome(position, outcome, node))
    }

    fn score_of_outcome(&self, position: &P, outcome: Outcome, node: &Node) -> i32 {
        if outcome.winner.is_none() && self.objective == Objective::Win {
            return self.score_of_draw(position);
        }
        let scale = if self.root.nested { PointScale::Hundredths } else { PointScale::Tenths };
        final_score(position, outcome, node.ply, node.made, self.objective, scale)
    }

    #[inline]
    fn is_threatened(&mut self, position: &P, ply: usize) -> bool {
        self.tree.is_threatened(ply, || position.threatened())
    }

    /// Plays a move and looks one ply deeper.
    #[inline]
    fn enter(&mut self, position: &P, m: P::Move, ply: usize) -> P {
        let mut next = position.clone();
        next.play(m);
        self.tree.enter(ply, P::code(m), position.history_key());
        self.timer.count_node(self.root.depth <= 1);
        next
    }
}

/// A win that was proven, at an unknown distance.
fn proven_line<M>(m: M) -> Variation<M> {
    Variation { score: DECIDED + 1, moves: vec![m] }
}
