//! The searcher: iterative deepening from the root, limits, and what it reports.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use agon_rules::{BySide, Ending, Outcome, Side, keys::mix};

use crate::{
    Dfpn, Evaluator, Parameters, Searchable, Skill, Table,
    clock::{Pauses, Stopwatch},
    order::Memory,
    prune::{Reductions, circles},
    score::{DECIDED, DRAW, INFINITE, MOST_ESTIMATE, MOST_PLIES, distance, is_decided, loss_in, win_in},
};

/// What a search tries to achieve.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Objective {
    /// To win, and soon.
    #[default]
    Win,
    /// As many of the course's points more than the opponent as possible; a win is still worth more than any draw.
    Points,
}

/// When a search ends, whichever comes first. Without any it goes on until it is stopped or everything is decided.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// So many nodes, exactly: the same search again ends at the same node.
    pub nodes: Option<u64>,
    /// So many moves deep.
    pub depth: Option<i32>,
    /// No new iteration after so long.
    pub soft: Option<Duration>,
    /// Not a moment longer; less where the thread was lately kept off its core for a while.
    pub hard: Option<Duration>,
    /// Whether the two before mean time of this thread on a core, not time on the wall.
    pub cpu: bool,
    /// When somebody says so.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// Whether nothing but somebody's word ends the search.
    pub fn are_none(&self) -> bool {
        self.nodes.is_none() && self.depth.is_none() && self.soft.is_none() && self.hard.is_none()
    }
}

/// A line of play and its score for the side to move at the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<M> {
    /// What the root is worth if it is played.
    pub score: i32,
    /// The moves of both sides.
    pub moves: Vec<M>,
}

/// What a search has found so far.
#[derive(Clone, Debug)]
pub struct Report<M> {
    /// The last depth that was searched to its end.
    pub depth: i32,
    /// The best lines, the best one first; one unless more were asked for.
    pub lines: Vec<Line<M>>,
    /// How far ahead the longest line went that was looked at, in moves.
    pub deepest: usize,
    /// Positions looked at.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// How many turns each side has made since the root; points may depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Standing {
    made: BySide<u32>,
}

impl Standing {
    /// Turns that were made before the search.
    pub(crate) fn new(made: BySide<u32>) -> Standing {
        Standing { made }
    }

    /// After a move of `mover`, when `next` is to move: a turn is complete when the other side is to move.
    pub(crate) fn after(mut self, mover: Side, next: Side) -> Standing {
        self.made[mover] += u32::from(mover != next);
        self
    }
}

/// What the end of a game is worth to the side to move there.
pub(crate) fn final_score<P: Searchable>(
    position: &P,
    outcome: Outcome,
    ply: usize,
    standing: Standing,
    objective: Objective,
    fine: bool,
) -> i32 {
    let side = position.turn();
    if objective == Objective::Points {
        let points = position.points(Ending::Over(outcome), standing.made);
        // Tenths of a point; hundredths where wins are compared. Every formula stays below the room between a decided score and a proven one.
        let scale = if fine { 100.0 } else { 10.0 };
        let margin = ((points[side] - points[side.other()]) * scale).round().clamp(-14_000.0, 14_000.0) as i32;
        return match outcome.winner {
            Some(winner) if winner == side => DECIDED + 1 + margin.max(0),
            Some(_) => -DECIDED - 1 + margin.min(0),
            None => margin.clamp(-MOST_ESTIMATE, MOST_ESTIMATE),
        };
    }
    match outcome.winner {
        Some(winner) if winner == side => win_in(ply),
        Some(_) => loss_in(ply),
        None => 0,
    }
}

/// What belongs to one ply of the line that is being looked at.
struct Frame<M> {
    moves: Vec<M>,
    ranks: Vec<i32>,
    line: Vec<M>,
    pub(crate) killers: [u16; 2],
}

/// Searches positions of one game. What it has learnt stays for the next search.
pub struct Searcher<P: Searchable> {
    pub(crate) table: Arc<Table>,
    pub(crate) parameters: Parameters,
    pub(crate) objective: Objective,
    pub(crate) evaluator: Evaluator,
    pub(crate) skill: Skill,
    pub(crate) memory: Memory,
    pub(crate) reductions: Reductions,
    frames: Vec<Frame<P::Move>>,
    /// The code of the move that led to each ply, and the static estimate there.
    pub(crate) played: Vec<u16>,
    pub(crate) estimates: Vec<i32>,
    /// Whether the side to move at each ply is threatened, once somebody has asked.
    threats: Vec<Option<bool>>,
    /// Codes of the quiet moves that were tried so far at each ply of the line, one ply after the other.
    pub(crate) quiet_tried: Vec<u16>,
    /// Keys of the game so far and of the line that is being looked at.
    history: Vec<u64>,
    /// Moves at the root that are not looked at: the best lines, when another one is wanted.
    pub(crate) left_out: Vec<P::Move>,
    pub(crate) wanted_lines: usize,
    /// The only move of the root that is looked at, if not all are.
    pub(crate) only: Option<P::Move>,
    /// Whether points decide between proven wins.
    pub(crate) weighs_wins: bool,
    /// Whether this is a search for that choice, within another one.
    pub(crate) aside: bool,
    /// How many moves the game may have at its end, since a win was proven.
    pub(crate) promised_end: Option<usize>,
    /// What each side thought of its position when it last searched in this game.
    pub(crate) expected: BySide<i32>,
    /// Proofs of wins of either side, in the game so far.
    pub(crate) dfpn: BySide<Option<Dfpn<P>>>,
    /// Moves of the root after which the other side is proven to win; never all.
    pub(crate) proven_losses: Vec<P::Move>,
    pub(crate) limits: Limits,
    pub(crate) started: Stopwatch,
    /// When the clock was last looked at.
    looked: Duration,
    pauses: Pauses,
    pub(crate) nodes: u64,
    pub(crate) root_depth: i32,
    /// The deepest ply that was entered.
    deepest: usize,
    /// Who searches: the side to move at the root.
    root_side: Side,
    /// How often both sides went round in circles before the root: see [`circles`].
    pub(crate) circles: i32,
    pub(crate) stopped: bool,
}

/// How often the clock is looked at: a few times in a millisecond, even where a node takes long.
const NODES_BETWEEN_LOOKS: u64 = 128;

impl<P: Searchable> Searcher<P> {
    /// A searcher with a table of its own or one that it shares.
    pub fn new(table: Arc<Table>, parameters: Parameters, objective: Objective) -> Searcher<P> {
        let frame = || Frame { moves: Vec::new(), ranks: Vec::new(), line: Vec::new(), killers: [0; 2] };
        Searcher {
            table,
            reductions: Reductions::new(&parameters),
            parameters,
            objective,
            evaluator: Evaluator::default(),
            skill: Skill::FULL,
            memory: Memory::new(),
            frames: (0..MOST_PLIES + 2).map(|_| frame()).collect(),
            played: vec![0; MOST_PLIES + 2],
            estimates: vec![0; MOST_PLIES + 2],
            threats: vec![None; MOST_PLIES + 2],
            quiet_tried: Vec::new(),
            history: Vec::new(),
            left_out: Vec::new(),
            wanted_lines: 1,
            only: None,
            weighs_wins: false,
            aside: false,
            promised_end: None,
            expected: BySide::default(),
            dfpn: BySide::from_fn(|_| None),
            proven_losses: Vec::new(),
            limits: Limits::default(),
            started: Stopwatch::start(false),
            looked: Duration::ZERO,
            pauses: Pauses::default(),
            nodes: 0,
            root_depth: 0,
            deepest: 0,
            root_side: Side::First,
            circles: 0,
            stopped: false,
        }
    }

    /// From now on it judges like this.
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

    /// Forgets what was learnt: the next search does what a new searcher would do.
    pub fn forget(&mut self) {
        self.table.clear();
        self.memory.clear();
        self.frames.iter_mut().for_each(|frame| frame.killers = [0; 2]);
        self.expected = BySide::default();
        self.dfpn = BySide::from_fn(|_| None);
        self.promised_end = None;
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
        let slip = self.slips(position);
        let whole = self.held_back(limits, slip);
        self.begin(history, self.leave_some(whole.clone()));
        self.root_side = position.turn();
        let lines = lines.clamp(1, moves.len());
        self.wanted_lines = lines;
        let first = Line { score: self.evaluator.evaluate(position), moves: vec![moves[0]] };
        let mut report = Report { depth: 0, lines: vec![first], deepest: 0, nodes: 0, time: Duration::ZERO };
        let proven = self.prove_first(position, history);
        if let Some(m) = proven.filter(|_| !self.weighs_wins) {
            let lines = vec![Line { score: DECIDED + 1, moves: vec![m] }];
            self.expected[position.turn()] = DECIDED;
            return Some(Report { depth: 1, lines, deepest: 1, nodes: self.nodes, time: self.started.elapsed() });
        }
        let most_depth = self.limits.depth.unwrap_or(i32::MAX).min(MOST_PLIES as i32 / 2);
        for depth in 1..=most_depth {
            self.root_depth = depth;
            let found = self.one_depth(position, depth, lines, &report.lines, Standing::new(made));
            let complete = found.len() == lines && !self.stopped;
            // A depth that was broken off still counts as far as it came: its first move is the last depth's best, so anything
            // found is at least as good.
            if !found.is_empty() {
                report.lines.splice(..found.len().min(report.lines.len()), found);
            }
            (report.nodes, report.time, report.deepest) = (self.nodes, self.started.elapsed(), self.deepest);
            if !complete {
                break;
            }
            report.depth = depth;
            watch(&report);
            if self.enough(&report, moves.len()) {
                break;
            }
        }
        if let Some(m) = proven.filter(|_| report.lines[0].score < DECIDED) {
            report.lines = vec![Line { score: DECIDED + 1, moves: vec![m] }];
        }
        report = self.choose_win(position, history, made, &whole, report);
        self.expected[position.turn()] = report.lines[0].score;
        if slip {
            self.evaluator.noise = self.skill.noise;
            self.forget();
        }
        Some(report)
    }

    /// Whether this move is made in haste; then evaluator is worse, and what the search learns is worth nothing later.
    fn slips(&mut self, position: &P) -> bool {
        let die = mix(position.key() ^ mix(self.evaluator.seed)) % 100;
        let slip = !self.aside && die < u64::from(self.skill.slips);
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

    fn begin(&mut self, history: &[u64], limits: Limits) {
        self.started = Stopwatch::start(limits.cpu);
        self.looked = Duration::ZERO;
        self.pauses.fade();
        (self.nodes, self.deepest) = (0, 0);
        self.stopped = false;
        self.limits = limits;
        self.history.clear();
        self.history.extend_from_slice(history);
        self.circles = if self.parameters.impatience == 0 { 0 } else { circles(history) };
        self.memory.fade();
        self.table.grow_older();
        self.left_out.clear();
        self.proven_losses.clear();
        self.threats[0] = None;
        self.quiet_tried.clear();
    }

    /// All lines at one depth; fewer if the search was stopped.
    fn one_depth(
        &mut self,
        position: &P,
        depth: i32,
        lines: usize,
        before: &[Line<P::Move>],
        standing: Standing,
    ) -> Vec<Line<P::Move>> {
        self.left_out.clear();
        let mut found: Vec<Line<P::Move>> = Vec::new();
        for number in 0..lines {
            let expected = before.get(number).map_or(0, |line| line.score);
            let score = self.aspire(position, depth, expected, standing);
            let moves = self.frames[0].line.clone();
            let Some(&first) = moves.first() else { break };
            found.push(Line { score, moves });
            if self.stopped {
                break;
            }
            self.left_out.push(first);
        }
        found.sort_by_key(|line| -line.score);
        found
    }

    /// **Aspiration**: a narrow window around the expected score, opened where the score falls outside.
    fn aspire(&mut self, position: &P, depth: i32, expected: i32, standing: Standing) -> i32 {
        let mut margin = (P::UNIT * self.parameters.aspiration / 100).max(1);
        let narrow = depth >= 4 && !is_decided(expected);
        let (mut alpha, mut beta) = if narrow { (expected - margin, expected + margin) } else { (-INFINITE, INFINITE) };
        loop {
            self.frames[0].line.clear();
            let score = self.node::<true>(position, alpha, beta, depth, 0, standing, 0);
            if self.stopped {
                return score;
            }
            if score <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = (score - margin).max(-INFINITE);
            } else if score >= beta && beta < INFINITE {
                beta = (score + margin).min(INFINITE);
            } else {
                return score;
            }
            margin += margin;
            if margin > 8 * P::UNIT {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Whether another depth would tell nothing, or there is no time for it.
    fn enough(&self, report: &Report<P::Move>, choices: usize) -> bool {
        let settled = |line: &Line<P::Move>| distance(line.score).is_some_and(|moves| moves as i32 <= report.depth);
        let only_choice = choices == 1 && report.lines.len() == 1 && self.limits.soft.is_some();
        let late = self.limits.soft.is_some_and(|soft| self.started.elapsed() >= soft);
        report.lines.iter().all(settled) || only_choice || late
    }

    /// Counts a node and says whether the search must end.
    pub(crate) fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.limits.nodes.is_some_and(|most| self.nodes >= most) {
            self.stopped = true;
        } else if self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) {
            let late = self.limits.hard.is_some_and(|hard| self.is_late(hard));
            // The first depth is always finished: there must be something to play.
            self.stopped |= (late || self.is_told_to_stop()) && self.root_depth > 1;
        }
        self.stopped
    }

    pub(crate) fn is_told_to_stop(&self) -> bool {
        self.limits.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Looks at the clock. What a pause was like is a reason to stop a little earlier, in this search already.
    fn is_late(&mut self, hard: Duration) -> bool {
        let now = self.started.elapsed();
        let gap = now.saturating_sub(self.looked);
        self.looked = now;
        if self.limits.cpu {
            return now >= hard;
        }
        self.pauses.saw(gap);
        now + self.pauses.reserve(hard) >= hard
    }

    /// The score of a game that is over here, by the board or by its history.
    pub(crate) fn settled(&mut self, position: &P, ply: usize, standing: Standing) -> Option<i32> {
        let mut scratch = std::mem::take(&mut self.frames[ply].moves);
        scratch.clear();
        let outcome = position.over(&mut scratch);
        self.frames[ply].moves = scratch;
        let outcome = outcome.or_else(|| position.adjudicate(&self.history))?;
        Some(self.score_of(position, outcome, ply, standing))
    }

    /// The score of a position whose history ends the game.
    pub(crate) fn adjudicated(&self, position: &P, ply: usize, standing: Standing) -> Option<i32> {
        let outcome = position.adjudicate(&self.history)?;
        Some(self.score_of(position, outcome, ply, standing))
    }

    pub(crate) fn score_of(&self, position: &P, outcome: Outcome, ply: usize, standing: Standing) -> i32 {
        if outcome.winner.is_none() && self.objective == Objective::Win {
            return self.score_of_draw(position);
        }
        final_score(position, outcome, ply, standing, self.objective, self.aside)
    }

    /// **Contempt**: a draw is a little worse than an even position for the side that searches, so that it tries something else;
    /// and ever worse the longer nothing else was tried.
    pub(crate) fn score_of_draw(&self, position: &P) -> i32 {
        let cost = P::UNIT * (self.parameters.contempt + self.circles * self.parameters.impatience) / 100;
        if position.turn() == self.root_side { DRAW - cost } else { DRAW + cost }
    }

    /// The keys of the game and of the line so far.
    pub(crate) fn history(&self) -> &[u64] {
        &self.history
    }

    /// Whether the side to move is threatened: asked before a move is searched and again in every search of it, answered once.
    pub(crate) fn is_threatened(&mut self, position: &P, ply: usize) -> bool {
        *self.threats[ply].get_or_insert_with(|| position.threatened())
    }

    /// Plays a move and looks one ply deeper.
    pub(crate) fn enter(&mut self, position: &P, m: P::Move, ply: usize) -> P {
        let mut next = position.clone();
        next.play(m);
        self.played[ply + 1] = P::code(m);
        self.threats[ply + 1] = None;
        self.history.push(position.history_key());
        self.frames[ply + 1].line.clear();
        self.deepest = self.deepest.max(ply + 1);
        self.count_node();
        next
    }

    /// Back to the ply before.
    pub(crate) fn leave(&mut self) {
        self.history.pop();
    }

    /// A move became the best one at `ply`: the line is it and what followed.
    pub(crate) fn keep_line(&mut self, ply: usize, m: P::Move) {
        let (upper, lower) = self.frames.split_at_mut(ply + 1);
        let line = &mut upper[ply].line;
        line.clear();
        line.push(m);
        line.extend_from_slice(&lower[0].line);
    }

    pub(crate) fn killers(&mut self, ply: usize) -> &mut [u16; 2] {
        &mut self.frames[ply].killers
    }

    /// The buffers of a ply, empty. They are given back so that nothing is allocated twice.
    pub(crate) fn take_buffers(&mut self, ply: usize) -> (Vec<P::Move>, Vec<i32>) {
        let frame = &mut self.frames[ply];
        let (mut moves, mut ranks) = (std::mem::take(&mut frame.moves), std::mem::take(&mut frame.ranks));
        moves.clear();
        ranks.clear();
        (moves, ranks)
    }

    /// A search of the same ply, inside another one, must not disturb its buffers: it gets new ones.
    pub(crate) fn take_buffers_for_inner_search(&mut self, ply: usize) -> (Vec<P::Move>, Vec<i32>) {
        let frame = &mut self.frames[ply];
        (std::mem::take(&mut frame.moves), std::mem::take(&mut frame.ranks))
    }

    pub(crate) fn take_line(&mut self, ply: usize) -> Vec<P::Move> {
        std::mem::take(&mut self.frames[ply].line)
    }

    pub(crate) fn give_line(&mut self, ply: usize, line: Vec<P::Move>) {
        self.frames[ply].line = line;
    }

    pub(crate) fn give_buffers(&mut self, ply: usize, moves: Vec<P::Move>, ranks: Vec<i32>) {
        let frame = &mut self.frames[ply];
        (frame.moves, frame.ranks) = (moves, ranks);
    }
}
