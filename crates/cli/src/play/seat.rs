//! Who sits at the board.

use agon_entrants::{BotSpec, Containment, Entrant, RosterError};
use agon_originals::Original;
use agon_referee::Language;
use agon_wire::{Bot, Budget};

use crate::{contain, error::CliError};

/// What a person is called on the command line and in records.
pub(super) const HUMAN: &str = "human";

/// A person or a bot.
pub(super) enum Seat {
    /// Somebody at this terminal.
    Human,
    /// A bot.
    Bot {
        /// What it is called.
        name: String,
        /// What it is written in.
        language: Language,
        /// Whether it is a program of its own, which may take its time.
        process: bool,
        bot: Box<dyn Bot>,
    },
}

impl Seat {
    /// Finds the player that `text` names.
    pub(super) fn find(
        text: &str,
        game: &dyn Original,
        seed: u64,
        containment: &Containment,
    ) -> Result<Seat, CliError> {
        let Some(entrant) = entrant(text, game, containment)? else { return Ok(Seat::Human) };
        let bot = entrant.bot(None, &containment.launcher(None), |name| agon_house::think(name, seed));
        Ok(Seat::Bot { name: entrant.name, language: entrant.language, process: entrant.protocol.is_some(), bot })
    }

    /// What it is called in records.
    pub(super) fn name(&self) -> &str {
        match self {
            Seat::Human => HUMAN,
            Seat::Bot { name, .. } => name,
        }
    }

    /// How long it takes for a turn, if it is a bot of the house.
    pub(super) fn pace(&self, budget: Budget) -> Option<String> {
        match self {
            Seat::Bot { name, process: false, .. } => agon_house::pace(name, budget),
            Seat::Human | Seat::Bot { .. } => None,
        }
    }

    pub(super) fn is_human(&self) -> bool {
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
pub(super) fn entrant(text: &str, game: &dyn Original, containment: &Containment) -> Result<Option<Entrant>, CliError> {
    if text == HUMAN {
        return Ok(None);
    }
    let spec = BotSpec::parse(text, agon_house::NAMES).map_err(refused)?;
    Entrant::prepare(&spec, game, &contain::workshop(containment)).map(Some).map_err(refused)
}

fn refused(error: RosterError) -> CliError {
    match error {
        RosterError::Unknown(problem) => CliError::Input(format!("{problem}, or human")),
        other => other.into(),
    }
}
