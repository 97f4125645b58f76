//! Every turn of a recorded game, judged.

use agon_referee::{Record, RecordError, RecordedTurn};
use agon_rules::{AnyGame, AnyPosition, RuleSet, SetupError, Side};
use agon_search::{AnyEngine, EngineOptions, FollowError, Limits};
use thiserror::Error;

use crate::words;

/// A turn that throws away so much of the chance to win is a mistake, and a blunder beyond the second number.
const MISTAKE: f64 = 0.12;
const BLUNDER: f64 = 0.25;

/// What became of one turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// Who made it.
    pub mover: Side,
    /// Its text.
    pub turn: String,
    /// The first side's chance after it.
    pub chance: f64,
    /// The first side's chance as the bot that made it believed, if it said so.
    pub believed: Option<f64>,
    /// What the mover's chance lost by it.
    pub lost: f64,
    /// What the engine would have played.
    pub best: String,
    /// The position after it, in words.
    pub verdict: String,
}

impl Judged {
    /// `mistake` or `blunder`; empty if it is neither.
    pub fn mark(&self) -> &'static str {
        match self.lost {
            BLUNDER.. => "blunder",
            MISTAKE.. => "mistake",
            _ => "",
        }
    }
}

/// Why a record cannot be judged.
#[derive(Debug, Error)]
pub enum ReviewError {
    /// It does not follow the rules.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// It names no rule set or variant that has an engine.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The engine cannot follow it.
    #[error(transparent)]
    Engine(#[from] FollowError),
}

/// What the engine thinks before a turn.
struct Opinion {
    /// The chance of the side to move.
    chance: f64,
    best: String,
    verdict: String,
}

/// Judges every turn, with so much thought for each position.
///
/// # Errors
/// If the record does not follow the rules.
pub fn review(record: &Record, options: EngineOptions, limits: &Limits) -> Result<Vec<Judged>, ReviewError> {
    let (game, start) = record.start(agon_all::rules)?;
    let positions = record.replay(agon_all::rules)?;
    let rules: RuleSet = record.tag("Rules").unwrap_or("text").parse()?;
    let variant = record.tag("Variant").unwrap_or(game.variants()[0]);
    let mut engine = agon_all::find(game.name())?.engine(variant, rules, options)?;
    let start_text = start.start_text();
    let turns: Vec<String> = record.turns.iter().map(|turn| turn.text.clone()).collect();
    let mut opinions = Vec::new();
    for (count, position) in positions.iter().enumerate() {
        engine.follow(start_text.as_deref(), &turns[..count])?;
        opinions.push(opinion(limits, &mut *engine, game, &**position));
    }
    Ok(judge(&record.turns, &positions, &opinions))
}

fn opinion(limits: &Limits, engine: &mut dyn AnyEngine, game: &dyn AnyGame, position: &dyn AnyPosition) -> Opinion {
    match engine.think(1, limits, &mut |_| {}) {
        Some(thought) => Opinion {
            chance: thought.lines[0].chance,
            verdict: words::verdict(&thought.lines[0], game, position),
            best: thought.turn,
        },
        None => {
            let winner = position.outcome().and_then(|outcome| outcome.winner);
            let chance = winner.map_or(0.5, |winner| f64::from(u8::from(winner == position.turn())));
            let verdict =
                winner.map_or("a draw".to_owned(), |winner| format!("{} has won", game.sides()[winner.index()]));
            Opinion { chance, best: String::new(), verdict }
        }
    }
}

fn judge(turns: &[RecordedTurn], positions: &[Box<dyn AnyPosition>], opinions: &[Opinion]) -> Vec<Judged> {
    let of_first = |number: usize| {
        let chance = opinions[number].chance;
        if positions[number].turn() == Side::First { chance } else { 1.0 - chance }
    };
    let one = |(number, made): (usize, &RecordedTurn)| {
        let mover = positions[number].turn();
        let (before, after) = (of_first(number), of_first(number + 1));
        let lost = if mover == Side::First { before - after } else { after - before };
        Judged {
            mover,
            turn: made.text.clone(),
            believed: made.first_chance(mover),
            chance: after,
            // Whoever played what the engine wanted made no mistake, whatever it thinks later.
            lost: if opinions[number].best == made.text { 0.0 } else { lost.max(0.0) },
            best: opinions[number].best.clone(),
            verdict: opinions[number + 1].verdict.clone(),
        }
    };
    turns.iter().enumerate().map(one).collect()
}
