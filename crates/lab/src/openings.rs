//! Balanced beginnings: random moves after which neither side is much better.

use std::sync::Arc;

use agon_rules::{BySide, Random, keys::mix};
use agon_search::{Limits, Objective, Searchable, Searcher, TranspositionTable, turns_of};

use crate::LabError;

/// The moves of one opening.
pub type Opening<M> = Vec<M>;

/// Openings of one variant and rule set.
#[derive(Clone, PartialEq, Debug)]
pub struct Openings<P: Searchable> {
    /// Each with the moves from the start.
    pub list: Vec<Opening<P::Move>>,
}

/// What openings are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// How many.
    pub count: usize,
    /// Random moves in each: so many, or one or two more, so that both sides come to move first.
    pub moves: usize,
    /// Nodes that decide whether one is level. After few, somebody may have lost a man already who does not see it yet.
    pub nodes: u64,
    /// Where random choices begin.
    pub seed: u64,
}

/// Attempts for each opening that is wanted. Some games are seldom level after random moves.
const TRIES: u64 = 40;

/// Makes openings: neither side is ahead by more than half the game's unit, and no two are the same. There may be fewer than wanted.
pub fn make_openings<P: Searchable>(start: &P, wanted: Wanted) -> Openings<P> {
    let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(4)), P::parameters(), Objective::Win);
    let mut list = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for attempt in 0..TRIES * wanted.count as u64 {
        if list.len() == wanted.count {
            break;
        }
        let mut random = Random::new(mix(wanted.seed ^ mix(attempt)));
        let length = wanted.moves + random.below(3);
        let Some((position, history, moves)) = wander(start, length, &mut random) else { continue };
        if !seen.insert(position.key()) {
            continue;
        }
        searcher.forget();
        let limits = Limits { nodes: Some(wanted.nodes), ..Limits::default() };
        let report = searcher.search(&position, &history, BySide::default(), 1, limits, &mut |_| {});
        if report.is_some_and(|report| report.lines[0].score.abs() * 2 <= P::UNIT) {
            list.push(moves);
        }
    }
    Openings { list }
}

/// Random moves from the start, up to the end of a turn; `None` if the game ends within them.
fn wander<P: Searchable>(start: &P, length: usize, random: &mut Random) -> Option<(P, Vec<u64>, Vec<P::Move>)> {
    let mut position = start.clone();
    let (mut history, mut made) = (Vec::new(), Vec::new());
    loop {
        let mut moves = Vec::new();
        if position.generate(&mut moves).is_some() || position.adjudicate(&history).is_some() {
            return None;
        }
        let m = random.pick(&moves);
        history.push(position.history_key());
        let mover = position.turn();
        position.play(m);
        made.push(m);
        if made.len() >= length && position.turn() != mover {
            let goes_on = position.generate(&mut moves).is_none() && position.adjudicate(&history).is_none();
            return goes_on.then_some((position, history, made));
        }
    }
}

impl<P: Searchable> Openings<P> {
    /// One opening a line: its turns separated by `;`.
    pub fn text(&self, start: &P) -> String {
        let mut text = String::new();
        for opening in &self.list {
            text.push_str(&turns_of(start, opening).join("; "));
            text.push('\n');
        }
        text
    }

    /// Reads what [`Openings::text`] wrote. Empty lines and lines that begin with `#` do not count.
    pub fn parse(text: &str, start: &P) -> Result<Openings<P>, LabError> {
        let mut list = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut position = start.clone();
            let mut opening = Vec::new();
            for turn in line.split(';').map(str::trim) {
                let moves = position.parse_turn(turn).map_err(|reason| LabError::OpeningTurn {
                    line: number + 1,
                    turn: turn.to_owned(),
                    reason,
                })?;
                for m in moves {
                    let mut legal = Vec::new();
                    position.generate(&mut legal);
                    if !legal.contains(&m) {
                        return Err(LabError::IllegalOpening { line: number + 1, turn: turn.to_owned() });
                    }
                    position.play(m);
                    opening.push(m);
                }
            }
            list.push(opening);
        }
        Ok(Openings { list })
    }
}
