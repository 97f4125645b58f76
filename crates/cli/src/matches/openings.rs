//! Where battles begin.

use std::{fs, path::Path};

use agon_rules::{Random, keys::mix, quote};
use agon_wire::GameSetup;

use crate::error::CliError;

/// The beginnings of battles, in order; after the last comes the first again.
#[derive(Clone, Debug)]
pub(super) enum Openings {
    /// The start position, and so many random turns.
    Random(usize),
    /// A list.
    Listed(Vec<Opening>),
}

/// One beginning: a position, and turns from there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Opening {
    pub(super) position: Option<String>,
    pub(super) turns: Vec<String>,
}

impl Openings {
    /// `random:N`, or a file.
    pub(super) fn parse(text: Option<&str>, setup: &GameSetup) -> Result<Openings, CliError> {
        let Some(text) = text else { return Ok(Openings::Random(0)) };
        if let Some(count) = text.strip_prefix("random:") {
            let count = count.parse().ok().filter(|&count| count <= 1000);
            return count
                .map(Openings::Random)
                .ok_or_else(|| CliError::Input(format!("openings {}: expected random:N, N up to 1000", quote(text))));
        }
        let contents = fs::read_to_string(Path::new(text))
            .map_err(|e| CliError::Input(format!("cannot read the openings in {text}: {e}")))?;
        let mut list = Vec::new();
        for (i, line) in contents.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                let opening = read_opening(line, setup);
                list.push(opening.map_err(|e| CliError::Input(format!("{text}, line {}: {e}", i + 1)))?);
            }
        }
        if list.is_empty() {
            return Err(CliError::Input(format!("{text} holds no opening; expected one a line")));
        }
        Ok(Openings::Listed(list))
    }

    /// The opening of a battle. It does not depend on which battles were played before.
    pub(super) fn of_battle(&self, battle: u32, seed: u64, setup: &GameSetup) -> Result<Opening, CliError> {
        match self {
            Openings::Listed(list) => Ok(list[battle as usize % list.len()].clone()),
            Openings::Random(count) => {
                let mut random = Random::new(mix(seed ^ mix(u64::from(battle))));
                random_opening(*count, &mut random, setup)
            }
        }
    }
}

/// Random turns that do not end the game; a few are tried before giving up.
fn random_opening(count: usize, random: &mut Random, setup: &GameSetup) -> Result<Opening, CliError> {
    for _ in 0..100 {
        let mut position = setup.game.open(&setup.variant, setup.rules).map_err(CliError::input)?;
        let mut turns = Vec::new();
        while turns.len() < count {
            let Some(turn) = position.random_turn(random) else { break };
            position.play(&turn).map_err(CliError::input)?;
            turns.push(turn);
        }
        if turns.len() == count && position.outcome().is_none() {
            return Ok(Opening { position: None, turns });
        }
    }
    Err(CliError::Input(format!("{count} random turns always end the game: choose fewer")))
}

fn read_opening(line: &str, setup: &GameSetup) -> Result<Opening, String> {
    let mut position = setup.game.open(&setup.variant, setup.rules).map_err(|e| e.to_string())?;
    if let Some(text) = line.strip_prefix("position ") {
        position.set_up(text).map_err(|e| e.to_string())?;
        return Ok(Opening { position: Some(text.to_owned()), turns: Vec::new() });
    }
    let turns: Vec<String> =
        line.split(';').map(|turn| turn.trim().to_owned()).filter(|turn| !turn.is_empty()).collect();
    for turn in &turns {
        position.play(turn).map_err(|e| format!("turn {}: {e}", quote(turn)))?;
    }
    match position.outcome() {
        None => Ok(Opening { position: None, turns }),
        Some(outcome) => Err(format!("the game is over after these turns ({})", outcome.reason)),
    }
}
