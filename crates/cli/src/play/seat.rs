//! Who sits at the board.

use std::sync::Arc;

use agon_referee::{BotSpec, Entrant, Language, ManifestError, RosterError, build_cache};
use agon_rules::AnyGame;
use agon_wire::{Bot, Launcher, PlainLauncher};

use crate::{error::CliError, house};

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
    pub(super) fn find(text: &str, game: &dyn AnyGame, seed: u64) -> Result<Seat, CliError> {
        if text == HUMAN {
            return Ok(Seat::Human);
        }
        let spec = BotSpec::parse(text, house::NAMES).map_err(refused)?;
        let entrant = Entrant::prepare(&spec, game.name(), &build_cache()).map_err(refused)?;
        let launcher: Arc<dyn Launcher> = Arc::new(PlainLauncher::default());
        let bot = entrant.bot(None, &launcher, |name| house::think(name, seed));
        Ok(Seat::Bot { name: entrant.name, language: entrant.language, process: entrant.protocol.is_some(), bot })
    }

    /// What it is called in records.
    pub(super) fn name(&self) -> &str {
        match self {
            Seat::Human => HUMAN,
            Seat::Bot { name, .. } => name,
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

fn refused(error: RosterError) -> CliError {
    let message = error.to_string();
    match error {
        RosterError::Unknown(_) => CliError::Input(format!("{message}, or human")),
        RosterError::Manifest(ManifestError::Manifest(_)) => CliError::Input(message),
        RosterError::Manifest(ManifestError::Build(_)) => CliError::Failed(message),
        RosterError::Manifest(ManifestError::Host(_)) => CliError::Host(message),
    }
}
