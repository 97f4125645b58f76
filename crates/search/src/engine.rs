//! A searcher for a game that is known only at run time: it follows a game in texts and answers in texts.

mod mcts;

use std::{sync::Arc, time::Duration};

use agon_picture::Click;
use agon_rules::{AnyPosition, Open, Position, Side};

use crate::{
    Book, EngineError, Evaluator, FollowError, Limits, Objective, Parameters, Personality, Progress, Report,
    SearchVisitor, Searchable, Searcher, TranspositionTable, Variation,
    score::{distance, is_decided, win_chance},
    threats::threats,
};

pub use mcts::{MCTS, leaves_for_depth};

/// What an engine is made of.
#[derive(Clone)]
pub struct EngineOptions {
    /// Mebibytes of memory for positions.
    pub table_size: usize,
    /// Changes to the game's own parameters: `name=value,name=value`.
    pub parameters: String,
    /// What it tries to achieve.
    pub objective: Objective,
    /// Which house bot it is: see [`Personality::NAMES`]; or [`MCTS`].
    pub personality: String,
    /// Where its mistakes begin, if it makes any, and its choices from the book.
    pub seed: u64,
    /// Whether it may play what it has proven before it knows how far away the end is. Who analyses wants to know that.
    pub proofs: bool,
    /// Whether it chooses among proven wins by their points. Who analyses wants to know how near the end is.
    pub weighs_wins: bool,
    /// The text of an opening book and the variant to look for in it.
    pub book: Option<(&'static str, String)>,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            table_size: 16,
            parameters: String::new(),
            objective: Objective::Win,
            personality: "master".to_owned(),
            seed: 0,
            proofs: false,
            weighs_wins: false,
            book: None,
        }
    }
}

/// A turn, and what the engine thinks of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// The turn's text.
    pub turn: String,
    /// What it expects, seen from the side to move.
    pub lines: Vec<ThoughtLine>,
    /// How deep it looked.
    pub depth: i32,
    /// How far ahead the longest line went that it looked at.
    pub deepest: usize,
    /// Positions looked at.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// A line of play in texts.
#[derive(Clone, PartialEq, Debug)]
pub struct ThoughtLine {
    /// The score: see [`crate::score`].
    pub score: i32,
    /// The chance to win, from 0 to 1.
    pub chance: f64,
    /// Who wins and when, where that is proven.
    pub end: Option<ProvenEnd>,
    /// The score in hundredths of a clear advantage, whatever the game's own unit is; [`MOST_CENTS`] where the game is decided.
    pub cents: i32,
    /// The turns of both sides; the last one may be incomplete.
    pub turns: Vec<String>,
    /// How many of them are complete.
    pub complete: usize,
}

/// A decided game in hundredths of a clear advantage: more than any estimate.
pub const MOST_CENTS: i32 = 10_000;

/// A proven end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProvenEnd {
    /// Who wins.
    pub winner: Side,
    /// Moves until then.
    pub moves: usize,
    /// Turns of the winner until then.
    pub turns: usize,
}

/// An engine for a game that is known only at run time.
pub trait AnyEngine: Send {
    /// A new game: what was learnt in the last one is forgotten, so that no game depends on another.
    fn forget(&mut self);

    /// Goes to the position after `turns` from `start` (the start position if `None`).
    fn follow(&mut self, start: Option<&str>, turns: &[String]) -> Result<(), FollowError>;

    /// Thinks about the position; `None` if the game is over there. `watch` sees each finished depth.
    fn think(&mut self, lines: usize, limits: &Limits, watch: &mut dyn FnMut(&Thought)) -> Option<Thought>;

    /// How far the game has come.
    fn progress(&self) -> Progress;

    /// The moves by which the other side would win in its next turn, whatever most answers do: the clicks that enter each.
    fn threats(&self) -> Vec<Vec<Click>>;
}

/// Makes engines: see [`crate::SearchGame::start_search`].
pub struct MakeEngine(pub EngineOptions);

impl SearchVisitor for MakeEngine {
    type Output = Result<Box<dyn AnyEngine>, EngineError>;

    fn visit<P: Searchable>(self, start: P) -> Self::Output {
        let options = self.0;
        let by_mcts = options.personality == MCTS;
        let personality = if by_mcts { Some(Personality::MASTER) } else { Personality::of::<P>(&options.personality) };
        let personality = personality.ok_or_else(|| EngineError::Personality(options.personality.clone()))?;
        let mut parameters = P::parameters();
        for changes in [personality.parameters, &options.parameters] {
            parameters.set_all(changes)?;
        }
        if !options.proofs {
            parameters.proof_share = 0;
        }
        let evaluator = Evaluator::by_weights(&start, personality.weights)?;
        let mut engine = Engine::new(start, &options, parameters);
        engine.by_mcts = by_mcts;
        engine.searcher.evaluate_with(evaluator);
        engine.searcher.hold_back(personality.skill);
        engine.searcher.set_seed(options.seed);
        if options.weighs_wins {
            engine.searcher.weigh_wins();
        }
        if let Some((text, variant)) = &options.book {
            // A rule set may forbid a line of the book: then it does without.
            engine.book = Book::parse(text, variant, &engine.start).unwrap_or_default();
            engine.seed = options.seed;
        }
        Ok(Box::new(engine))
    }
}

/// An engine for one type of positions.
struct Engine<P: Searchable> {
    start: P,
    game: Open<P>,
    begun_at: Option<String>,
    played: Vec<String>,
    searcher: Searcher<P>,
    book: Book,
    seed: u64,
    /// Whether it grows a Monte-Carlo tree instead of searching.
    by_mcts: bool,
}

impl<P: Searchable> Engine<P> {
    fn new(start: P, options: &EngineOptions, parameters: Parameters) -> Engine<P> {
        let table = Arc::new(TranspositionTable::new(options.table_size));
        Engine {
            game: Open::new(start.clone()),
            start,
            begun_at: None,
            played: Vec::new(),
            searcher: Searcher::new(table, parameters, options.objective),
            book: Book::default(),
            seed: 0,
            by_mcts: false,
        }
    }

    /// The whole turn that the best line begins with. A line may end within it: then the rest is looked for.
    fn complete_turn(&mut self, moves: &[P::Move], most_nodes: u64) -> String {
        let side = self.game.position().turn();
        let mut position = self.game.position().clone();
        let mut history = self.game.history().to_vec();
        let mut texts = Vec::new();
        let mut planned = moves.iter().copied();
        let mut legal = Vec::new();
        loop {
            legal.clear();
            if position.turn() != side || position.generate(&mut legal).is_some() {
                return texts.join(" ");
            }
            let m = planned.next().unwrap_or_else(|| self.rest_of_turn(&position, &history, &legal, most_nodes));
            texts.push(position.move_text(m));
            history.push(position.history_key());
            position.play(m);
        }
    }

    fn rest_of_turn(&mut self, position: &P, history: &[u64], legal: &[P::Move], most_nodes: u64) -> P::Move {
        if self.by_mcts {
            return self.move_of_tree(position, history, most_nodes).unwrap_or(legal[0]);
        }
        let limits = Limits { nodes: Some(most_nodes), ..Limits::default() };
        let report = self.searcher.search(position, history, self.game.turns_made(), 1, limits, &mut |_| {});
        report.and_then(|report| report.lines[0].moves.first().copied()).unwrap_or(legal[0])
    }
}

/// A report in texts, seen from `position`.
fn thought<P: Searchable>(position: &P, report: &Report<P::Move>) -> Thought {
    let lines: Vec<ThoughtLine> = report.lines.iter().map(|line| in_texts(position, line)).collect();
    Thought {
        turn: lines[0].turns.first().cloned().unwrap_or_default(),
        lines,
        depth: report.depth,
        deepest: report.deepest,
        nodes: report.nodes,
        time: report.time,
    }
}

fn in_texts<P: Searchable>(position: &P, line: &Variation<P::Move>) -> ThoughtLine {
    let turns = turns_of(position, &line.moves);
    let winner = if line.score > 0 { position.turn() } else { position.turn().other() };
    let mut last = position.clone();
    let mut movers = Vec::new();
    for &m in &line.moves {
        movers.push(last.turn());
        last.play(m);
    }
    let whole = movers.last() != Some(&last.turn()) || last.generate(&mut Vec::new()).is_some();
    let of_winner = turns.len().saturating_add(usize::from(winner == position.turn())) / 2;
    let end = distance(line.score).map(|moves| {
        // A line may break off before the end that it leads to: then the turns alternate from there.
        let rest = moves.saturating_sub(line.moves.len());
        let rest = if movers.last() == Some(&winner) { rest / 2 } else { rest.div_ceil(2) };
        ProvenEnd { winner, moves, turns: (of_winner + rest).max(1) }
    });
    let cents = if is_decided(line.score) {
        MOST_CENTS * line.score.signum()
    } else {
        (line.score * 100 / P::UNIT.max(1)).clamp(1 - MOST_CENTS, MOST_CENTS - 1)
    };
    let complete = if whole { turns.len() } else { turns.len() - 1 };
    ThoughtLine { score: line.score, chance: win_chance(line.score, P::UNIT), end, cents, turns, complete }
}

/// A move of the book: nothing was thought about it.
fn from_book<P: Searchable>(position: &P, m: P::Move) -> Thought {
    let turn = position.move_text(m);
    let line = ThoughtLine { score: 0, chance: 0.5, end: None, cents: 0, turns: vec![turn.clone()], complete: 1 };
    Thought { turn, lines: vec![line], depth: 0, deepest: 0, nodes: 0, time: Duration::ZERO }
}

/// The texts of a line of moves, turn by turn; the last turn may be incomplete.
pub fn turns_of<P: Position>(start: &P, moves: &[P::Move]) -> Vec<String> {
    let mut position = start.clone();
    let mut turns: Vec<String> = Vec::new();
    let mut mover = None;
    for &m in moves {
        let text = position.move_text(m);
        match turns.last_mut().filter(|_| mover == Some(position.turn())) {
            Some(turn) => *turn = format!("{turn} {text}"),
            None => turns.push(text),
        }
        mover = Some(position.turn());
        position.play(m);
    }
    turns
}

impl<P: Searchable> AnyEngine for Engine<P> {
    fn forget(&mut self) {
        self.searcher.forget();
    }

    fn follow(&mut self, start: Option<&str>, turns: &[String]) -> Result<(), FollowError> {
        let goes_on = self.begun_at.as_deref() == start && turns.starts_with(&self.played);
        if !goes_on {
            self.game = Open::new(self.start.clone());
            if let Some(text) = start {
                self.game.set_up(text)?;
            }
            self.begun_at = start.map(str::to_owned);
            self.played.clear();
        }
        for turn in &turns[self.played.len()..] {
            self.game.play(turn).map_err(|reason| FollowError::Turn { turn: turn.clone(), reason })?;
            self.played.push(turn.clone());
        }
        Ok(())
    }

    fn think(&mut self, lines: usize, limits: &Limits, watch: &mut dyn FnMut(&Thought)) -> Option<Thought> {
        let (position, history, made) = (self.game.position(), self.game.history(), self.game.turns_made());
        // Who sets no limit analyses, and wants more than a move.
        if !limits.are_none()
            && let Some(m) = self.book.choose(position, self.seed)
        {
            return Some(from_book(position, m));
        }
        let mut watch = |report: &Report<P::Move>| watch(&thought(position, report));
        let report = match self.by_mcts {
            true => self.grow_tree(limits, &mut watch)?,
            false => self.searcher.search(position, history, made, lines, limits.clone(), &mut watch)?,
        };
        let mut thought = thought(position, &report);
        // Where a clock runs, or somebody waits to stop it, the time is up by now.
        let hurry = limits.hard.is_some() || limits.are_none();
        let nodes_for_rest = if hurry { 100 } else { 2000 };
        thought.turn = self.complete_turn(&report.lines[0].moves, nodes_for_rest);
        Some(thought)
    }

    fn progress(&self) -> Progress {
        let position = self.game.position();
        let made = self.game.turns_made()[position.turn()];
        Progress { made, usual: position.usual_turns(), longest: P::LONGEST_TURNS }
    }

    fn threats(&self) -> Vec<Vec<Click>> {
        threats(self.game.position())
    }
}
