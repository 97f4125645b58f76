//! The turn with which a game was lost.

use agon_referee::Record;
use agon_rules::{AnyGame, AnyPosition, RuleSet, Side};
use agon_search::{AnyEngine, EngineOptions, Limits, Thought};

use crate::{ReviewError, words};

/// Whose chance is no more than this is losing.
const LOSING: f64 = 0.2;
/// What a turn throws away at least that is said to lose.
const THROWN_AWAY: f64 = 0.15;
/// The second look takes so many times the nodes of the first. Nobody is told of a mistake that it does not see.
const SECOND_LOOK: u64 = 10;
/// It may think a little better of the position.
const NEARLY: f64 = 0.05;

/// With less than this nothing can be found, with so many nodes for each position.
pub fn least_budget(nodes: u64) -> u64 {
    nodes * 2 * (1 + SECOND_LOOK)
}

/// The first turn after which a side was losing, though it had not been before.
#[derive(Clone, PartialEq, Debug)]
pub struct LosingTurn {
    /// Its place in the record, from 0.
    pub number: usize,
    /// The turn.
    pub turn: String,
    /// The side's chance before it.
    pub before: f64,
    /// And after it.
    pub after: f64,
    /// What the engine would have played.
    pub best: String,
    /// How it is answered, and how the game goes on: complete turns.
    pub refutation: Vec<String>,
    /// The position after it, in words.
    pub verdict: String,
    /// The nodes that were spent on this position and the one before it, each.
    pub nodes: u64,
}

/// Looks for the turn with which `side` lost a game, with so many nodes for each position, and looks at it again with ten times as
/// many before it is named. `budget` is how many nodes may be spent; what is left of it is written there.
///
/// # Errors
/// If the record does not follow the rules.
pub fn losing_turn(
    record: &Record,
    side: Side,
    nodes: u64,
    budget: &mut u64,
) -> Result<Option<LosingTurn>, ReviewError> {
    let (game, start) = record.start(agon_all::rules)?;
    let positions = record.replay(agon_all::rules)?;
    let rules: RuleSet = record.tag("Rules").unwrap_or("text").parse()?;
    let variant = record.tag("Variant").unwrap_or(game.variants()[0]);
    let turns: Vec<String> = record.turns.iter().map(|turn| turn.text.clone()).collect();
    let engine = agon_all::find(game.name())?.engine(variant, rules, EngineOptions::default())?;
    let mut look = Look { engine, start: start.start_text(), turns: &turns, positions: &positions, side, budget };
    for (number, position) in positions.iter().enumerate().take(turns.len()) {
        if position.turn() != side || *look.budget < least_budget(nodes) {
            continue;
        }
        let after = look.chance(number + 1, nodes)?;
        if after > LOSING || look.chance(number, nodes)? - after < THROWN_AWAY {
            continue;
        }
        // Nothing that the first look remembers may sway the second one.
        look.engine = agon_all::find(game.name())?.engine(variant, rules, EngineOptions::default())?;
        if let Some(found) = look.again(game, number, nodes * SECOND_LOOK)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

struct Look<'a> {
    engine: Box<dyn AnyEngine>,
    start: Option<String>,
    turns: &'a [String],
    positions: &'a [Box<dyn AnyPosition>],
    side: Side,
    budget: &'a mut u64,
}

impl Look<'_> {
    fn think(&mut self, number: usize, nodes: u64) -> Result<Option<Thought>, ReviewError> {
        self.engine.follow(self.start.as_deref(), &self.turns[..number])?;
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let thought = self.engine.think(1, &limits, &mut |_| {});
        *self.budget = self.budget.saturating_sub(thought.as_ref().map_or(0, |thought| thought.nodes));
        Ok(thought)
    }

    /// The side's chance in a position.
    fn chance(&mut self, number: usize, nodes: u64) -> Result<f64, ReviewError> {
        let thought = self.think(number, nodes)?;
        Ok(self.chance_by(number, thought.as_ref()))
    }

    /// The side's chance by what was thought of a position; nothing is thought of one where the game is over.
    fn chance_by(&self, number: usize, thought: Option<&Thought>) -> f64 {
        let position = &self.positions[number];
        let of_mover = match thought {
            Some(thought) => thought.lines[0].chance,
            None => match position.outcome().and_then(|outcome| outcome.winner) {
                Some(winner) => f64::from(u8::from(winner == position.turn())),
                None => 0.5,
            },
        };
        if position.turn() == self.side { of_mover } else { 1.0 - of_mover }
    }

    /// The same with more nodes; `None` if the turn does not look so bad then.
    fn again(&mut self, game: &dyn AnyGame, number: usize, nodes: u64) -> Result<Option<LosingTurn>, ReviewError> {
        let answer = self.think(number + 1, nodes)?;
        let after = self.chance_by(number + 1, answer.as_ref());
        let Some(thought) = self.think(number, nodes)? else { return Ok(None) };
        let (before, best) = (thought.lines[0].chance, thought.turn);
        let turn = self.turns[number].clone();
        let loses = after <= LOSING + NEARLY && before - after >= THROWN_AWAY - NEARLY && best != turn;
        let line = answer.map(|answer| answer.lines[0].clone());
        let verdict =
            line.as_ref().map_or(String::new(), |line| words::verdict(line, game, &*self.positions[number + 1]));
        let refutation = line.map_or(Vec::new(), |mut line| {
            line.turns.truncate(line.complete);
            line.turns
        });
        Ok(loses.then_some(LosingTurn { number, turn, before, after, best, refutation, verdict, nodes }))
    }
}
