//! Every turn of a recorded game.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use agon_referee::{Record, RecordedTurn};
use agon_rules::{AnyGame, AnyPosition, RuleSet, Side};
use agon_search::AnyEngine;
use serde_json::json;

use super::{Analyse, curve, words};
use crate::{describe, error::CliError, replay::choose};

/// A turn that throws away so much of the chance to win is a mistake, and a blunder beyond the second number.
const MISTAKE: f64 = 0.12;
const BLUNDER: f64 = 0.25;

/// What became of one turn.
pub(super) struct Judged {
    pub(super) mover: Side,
    pub(super) turn: String,
    /// The first side's chance after it.
    pub(super) chance: f64,
    /// The first side's chance as the bot that made it believed, if it said so.
    pub(super) believed: Option<f64>,
    /// What the mover's chance lost by it.
    pub(super) lost: f64,
    best: String,
    verdict: String,
}

impl Judged {
    pub(super) fn mark(&self) -> &'static str {
        match self.lost {
            BLUNDER.. => "blunder",
            MISTAKE.. => "mistake",
            _ => "",
        }
    }
}

/// What the engine thinks before a turn.
struct Opinion {
    /// The chance of the side to move.
    chance: f64,
    best: String,
    verdict: String,
}

pub(super) fn run(command: &Analyse, file: &Path) -> Result<(), CliError> {
    let text = fs::read_to_string(file).map_err(|e| CliError::Input(format!("cannot read {}: {e}", file.display())))?;
    let wrong = |problem: String| CliError::Input(format!("{}: {problem}", file.display()));
    let text = choose::record(&text, command.number).map_err(|e| wrong(e.to_string()))?;
    let record = Record::parse(&text).map_err(|e| wrong(e.to_string()))?;
    let (game, start) = record.start(agon_all::rules).map_err(|e| wrong(e.to_string()))?;
    if game.name() != command.game.game()?.name() {
        return Err(wrong(format!("this is a game of {}", game.name())));
    }
    let positions = record.replay(agon_all::rules).map_err(|e| wrong(e.to_string()))?;
    let rules: RuleSet = record.tag("Rules").unwrap_or("text").parse().map_err(CliError::input)?;
    let variant = record.tag("Variant").unwrap_or(game.variants()[0]);
    let mut engine = agon_all::find(game.name())
        .and_then(|game| game.engine(variant, rules, command.options()))
        .map_err(CliError::input)?;
    let start_text = start.start_text();
    let turns: Vec<String> = record.turns.iter().map(|turn| turn.text.clone()).collect();
    let mut opinions = Vec::new();
    for (count, position) in positions.iter().enumerate() {
        engine.follow(start_text.as_deref(), &turns[..count]).map_err(CliError::Input)?;
        opinions.push(opinion(command, &mut *engine, game, &**position));
    }
    let judged = judge(&record.turns, &positions, opinions);
    if let Some(svg) = &command.svg {
        fs::write(svg, curve::draw(&judged, game))
            .map_err(|e| CliError::Host(format!("cannot write {}: {e}", svg.display())))?;
    }
    print(command, game, &judged)
}

fn opinion(command: &Analyse, engine: &mut dyn AnyEngine, game: &dyn AnyGame, position: &dyn AnyPosition) -> Opinion {
    match engine.think(1, &command.limits(0.2), &mut |_| {}) {
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

fn judge(turns: &[RecordedTurn], positions: &[Box<dyn AnyPosition>], opinions: Vec<Opinion>) -> Vec<Judged> {
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

fn print(command: &Analyse, game: &dyn AnyGame, judged: &[Judged]) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    if command.json {
        let rows: Vec<_> = judged
            .iter()
            .map(|row| {
                json!({
                    "side": row.mover.number(),
                    "turn": row.turn,
                    "first_chance": (row.chance * 1e4).round() / 1e4,
                    "believed_first_chance": row.believed.map(|chance| (chance * 1e4).round() / 1e4),
                    "lost": (row.lost * 1e4).round() / 1e4,
                    "best": row.best,
                    "mark": row.mark(),
                })
            })
            .collect();
        writeln!(out, "{}", json!({ "game": game.name(), "turns": rows }))?;
        return Ok(());
    }
    let widest = judged.iter().map(|row| row.turn.chars().count()).max().unwrap_or(4).clamp(4, 40);
    for (number, row) in judged.iter().enumerate() {
        let side = game.sides()[row.mover.index()];
        let better = if row.mark().is_empty() { String::new() } else { format!("  {}: {}", row.mark(), row.best) };
        let line = format!("{:>4}. {side:<8} {:<widest$}  {:<24}{better}", number + 1, row.turn, row.verdict);
        writeln!(out, "{}", describe::clean(line.trim_end()))?;
    }
    Ok(())
}
