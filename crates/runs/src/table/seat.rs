//! Who sits at the board.

use agon_entrants::{BotSpec, Containment, Entrant, RosterError};
use agon_originals::Original;
use agon_wire::{Bot, Budget, Language};
use thiserror::Error;

use crate::sandbox_options::workshop;

/// What a person is called on command lines and in records.
pub const HUMAN: &str = "human";

/// A person or a bot.
pub enum Seat {
    /// Somebody who is asked by whoever drives the game.
    Human,
    /// A bot.
    Bot {
        /// What it is called.
        name: String,
        /// What it is written in.
        language: Language,
        /// Whether it is a program of its own, which may take its time.
        process: bool,
        /// The bot.
        bot: Box<dyn Bot>,
    },
}

/// Nobody can take a seat.
#[derive(Debug, Error)]
pub enum SeatError {
    /// The text names no bot.
    #[error("{0}, or human")]
    Unknown(String),
    /// The bot is at fault.
    #[error(transparent)]
    Bot(RosterError),
}

impl Seat {
    /// Finds the player that `text` names.
    pub(super) fn find(
        text: &str,
        game: &dyn Original,
        seed: u64,
        containment: &Containment,
    ) -> Result<Seat, SeatError> {
        let Some(entrant) = entrant(text, game, containment)? else { return Ok(Seat::Human) };
        let bot = entrant.bot(None, &containment.launcher(None), |name| agon_house::think(name, seed));
        Ok(Seat::Bot { name: entrant.name, language: entrant.language, process: entrant.protocol.is_some(), bot })
    }

    /// What it is called in records.
    pub fn name(&self) -> &str {
        match self {
            Seat::Human => HUMAN,
            Seat::Bot { name, .. } => name,
        }
    }

    /// How long it takes for a turn, if it is a bot of the house.
    pub fn pace(&self, budget: Budget) -> Option<String> {
        match self {
            Seat::Bot { name, process: false, .. } => agon_house::pace(name, budget),
            Seat::Human | Seat::Bot { .. } => None,
        }
    }

    /// Whether it is a person.
    pub fn is_human(&self) -> bool {
        matches!(self, Seat::Human)
    }

    pub(super) fn language(&self) -> Language {
        match self {
            Seat::Human => Language::Other,
            Seat::Bot { language, .. } => *language,
        }
    }
}

/// The bot that `text` names; `None` is a person.
pub(super) fn entrant(
    text: &str,
    game: &dyn Original,
    containment: &Containment,
) -> Result<Option<Entrant>, SeatError> {
    if text == HUMAN {
        return Ok(None);
    }
    let refused = |error| match error {
        RosterError::Unknown(problem) => SeatError::Unknown(problem),
        other => SeatError::Bot(other),
    };
    let spec = BotSpec::parse(text, agon_house::NAMES).map_err(refused)?;
    Entrant::prepare(&spec, game, &workshop(containment)).map(Some).map_err(refused)
}
