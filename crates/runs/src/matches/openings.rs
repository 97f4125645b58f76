//! Where battles begin.

use std::{fs, io, path::Path};

use agon_rules::{PositionError, Random, SetupError, TurnError, keys::mix, quote};
use agon_wire::GameSetup;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The beginnings of battles, in order; after the last comes the first again.
#[derive(Clone, Debug)]
pub enum Openings {
    /// The start position, and so many random turns.
    Random(usize),
    /// A list.
    Listed(Vec<Opening>),
}

/// One beginning: a position, and turns from there.
// The name of a run is made from this as it is printed for debugging: no field can be renamed or come before another.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Opening {
    /// The position as text; the start position if absent.
    pub position: Option<String>,
    /// Turns that are played from there before the bots are asked.
    pub turns: Vec<String>,
}

/// Openings that cannot be read or made.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// Not so many random turns.
    #[error("openings {}: expected random:N, N up to {MOST}", quote(.0), MOST = MOST_RANDOM)]
    Count(String),
    /// The file cannot be read.
    #[error("cannot read the openings in {file}: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        reason: io::Error,
    },
    /// A line of the file is no opening.
    #[error("{file}, line {line}: {problem}")]
    Line {
        /// The file.
        file: String,
        /// The number of the line; the first is 1.
        line: usize,
        /// What is wrong with it.
        problem: LineError,
    },
    /// The file holds nothing.
    #[error("{0} holds no opening; expected one a line")]
    Empty(String),
    /// There is no such game.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The game refuses a turn that it has chosen itself.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// The game is always over before.
    #[error("{0} random turns always end the game: choose fewer")]
    TooLong(usize),
}

/// What is wrong with a line that is to be an opening.
#[derive(Debug, Error)]
pub enum LineError {
    /// There is no such game.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The position cannot be read.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A turn is refused.
    #[error("turn {}: {rule}", quote(.turn))]
    Turn {
        /// The turn.
        turn: String,
        /// The rule that it breaks.
        rule: TurnError,
    },
    /// Nothing is left to play; the word is the reason for the end.
    #[error("the game is over after these turns ({0})")]
    Over(String),
}

/// More random turns than this are refused.
const MOST_RANDOM: usize = 1000;

/// So often random turns are made that may not end the game.
const MOST_TRIES: usize = 100;

impl Openings {
    /// `random:N`, or a file.
    ///
    /// # Errors
    /// If the file cannot be read, or holds something else than openings of this game.
    pub fn parse(text: Option<&str>, setup: &GameSetup) -> Result<Openings, OpeningsError> {
        let Some(text) = text else { return Ok(Openings::Random(0)) };
        if let Some(count) = text.strip_prefix("random:") {
            let count = count.parse().ok().filter(|&count| count <= MOST_RANDOM);
            return count.map(Openings::Random).ok_or_else(|| OpeningsError::Count(text.to_owned()));
        }
        let contents = fs::read_to_string(Path::new(text))
            .map_err(|reason| OpeningsError::Unreadable { file: text.to_owned(), reason })?;
        let mut list = Vec::new();
        for (i, line) in contents.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                let wrong = |problem| OpeningsError::Line { file: text.to_owned(), line: i + 1, problem };
                list.push(read_opening(line, setup).map_err(wrong)?);
            }
        }
        if list.is_empty() {
            return Err(OpeningsError::Empty(text.to_owned()));
        }
        Ok(Openings::Listed(list))
    }

    /// The opening of a battle. It does not depend on which battles were played before.
    ///
    /// # Errors
    /// If so many random turns always end the game.
    pub fn of_battle(&self, battle: u32, seed: u64, setup: &GameSetup) -> Result<Opening, OpeningsError> {
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
fn random_opening(count: usize, random: &mut Random, setup: &GameSetup) -> Result<Opening, OpeningsError> {
    for _ in 0..MOST_TRIES {
        let mut position = setup.game.open(&setup.variant, setup.rules)?;
        let mut turns = Vec::new();
        while turns.len() < count {
            let Some(turn) = position.random_turn(random) else { break };
            position.play(&turn)?;
            turns.push(turn);
        }
        if turns.len() == count && position.outcome().is_none() {
            return Ok(Opening { position: None, turns });
        }
    }
    Err(OpeningsError::TooLong(count))
}

fn read_opening(line: &str, setup: &GameSetup) -> Result<Opening, LineError> {
    let mut position = setup.game.open(&setup.variant, setup.rules)?;
    if let Some(text) = line.strip_prefix("position ") {
        position.set_up(text)?;
        return Ok(Opening { position: Some(text.to_owned()), turns: Vec::new() });
    }
    let turns: Vec<String> =
        line.split(';').map(|turn| turn.trim().to_owned()).filter(|turn| !turn.is_empty()).collect();
    for turn in &turns {
        position.play(turn).map_err(|rule| LineError::Turn { turn: turn.clone(), rule })?;
    }
    match position.outcome() {
        None => Ok(Opening { position: None, turns }),
        Some(outcome) => Err(LineError::Over(outcome.reason.to_string())),
    }
}
