//! Who sits at a board.

use agon_referee::{BotSpec, Containment, Entrant, Language, RosterError, build_cache};
use agon_wire::{Bot, Original};
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
    agon_all::house::NAMES.contains(&spec)
}

/// Finds a bot, and builds it if need be.
pub(crate) fn entrant(spec: &str, game: &dyn Original, containment: &Containment) -> Result<Entrant, RosterError> {
    let spec = BotSpec::parse(spec, agon_all::house::NAMES)?;
    Entrant::prepare(&spec, game, &containment.workshop(build_cache()))
}

/// A bot for a match, and its language.
pub(crate) fn bot(
    spec: &str,
    game: &dyn Original,
    seed: u64,
    containment: &Containment,
) -> Result<(Box<dyn Bot>, Language), RosterError> {
    let entrant = entrant(spec, game, containment)?;
    let bot = entrant.bot(game, None, &containment.launcher(None), |name| agon_all::house::think(name, seed));
    Ok((bot, entrant.language))
}
