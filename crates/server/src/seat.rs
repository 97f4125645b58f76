//! Who sits at a board.

use agon_entrants::{BotSpec, Containment, Entrant, RosterError, build_cache};
use agon_originals::Original;
use agon_referee::{Language, TimeControl};
use agon_wire::Bot;
use serde::{Deserialize, Serialize};

/// A place at the board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Seat {
    /// A person in a browser.
    Person {
        /// What they are called.
        name: String,
        /// The digest of what their browser knows; nobody sits here yet if absent.
        owner: Option<String>,
    },
    /// A bot, as people name it.
    Bot {
        /// What it is called.
        name: String,
        /// A house bot, a folder, a command or an address.
        spec: String,
        /// What it is written in: some clocks depend on it. Matches that an older program stored do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        language: Option<String>,
    },
}

impl Seat {
    pub(crate) fn name(&self) -> &str {
        match self {
            Seat::Person { name, .. } | Seat::Bot { name, .. } => name,
        }
    }

    pub(crate) fn is_bot(&self) -> bool {
        matches!(self, Seat::Bot { .. })
    }

    /// What the bot here is written in, as far as the clock cares. A bot that is gone has the clock of compiled languages.
    pub(crate) fn language(&self, time: TimeControl, game: &dyn Original, containment: &Containment) -> Language {
        match self {
            Seat::Bot { language: Some(language), .. } => language.parse().unwrap_or_default(),
            Seat::Bot { spec, language: None, .. } if matches!(time, TimeControl::PerTurnByLanguage { .. }) => {
                entrant(spec, game, containment).map_or(Language::Other, |entrant| entrant.language)
            }
            Seat::Bot { .. } | Seat::Person { .. } => Language::Other,
        }
    }

    /// Which bot of the house sits here, if one does.
    pub(crate) fn house_bot(&self) -> Option<&str> {
        match self {
            Seat::Bot { spec, .. } => Some(spec.as_str()).filter(|spec| is_house(spec)),
            Seat::Person { .. } => None,
        }
    }

    /// Whether somebody may still sit down here.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self, Seat::Person { owner: None, .. })
    }

    pub(crate) fn belongs_to(&self, client: &str) -> bool {
        matches!(self, Seat::Person { owner: Some(owner), .. } if owner == client)
    }
}

/// Whether a bot of this spec lives in this program: others start programs or open connections.
pub(crate) fn is_house(spec: &str) -> bool {
    matches!(BotSpec::parse(spec, agon_house::NAMES), Ok(BotSpec::House(_)))
}

/// Finds a bot, and builds it if need be.
pub(crate) fn entrant(spec: &str, game: &dyn Original, containment: &Containment) -> Result<Entrant, RosterError> {
    let spec = BotSpec::parse(spec, agon_house::NAMES)?;
    Entrant::prepare(&spec, game, &containment.workshop(build_cache()))
}

/// A bot for a match.
pub(crate) fn bot(
    spec: &str,
    game: &dyn Original,
    seed: u64,
    containment: &Containment,
) -> Result<Box<dyn Bot>, RosterError> {
    let entrant = entrant(spec, game, containment)?;
    Ok(entrant.bot(None, &containment.launcher(None), |name| agon_house::think(name, seed)))
}
