//! How far the bots of a match are trusted.

use std::{path::PathBuf, sync::Arc};

use agon_rules::BySide;
use agon_sandbox::{Host, Jail, Level};
use agon_wire::{Allowance, JailLauncher, Language, Launcher, PlainLauncher, Transcript};

use crate::Workshop;

/// A level of containment that this host does not offer, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotOffered(String);

/// How bots are contained, and what they may use up.
#[derive(Clone, Debug)]
pub struct Containment {
    jail: Option<Jail>,
    /// What bots may use up.
    pub allowance: Allowance,
    /// Whether bots are stopped while it is not their turn, where that is possible.
    pub sleep: bool,
}

impl Containment {
    /// Bots are ordinary processes.
    pub fn none() -> Containment {
        Containment { jail: None, allowance: Allowance::default(), sleep: false }
    }

    /// The strongest that this host offers.
    pub fn strongest() -> Containment {
        let host = Host::get();
        let jail = host.jail(host.strongest()).ok().flatten();
        Containment { jail, allowance: Allowance::default(), sleep: true }
    }

    /// A certain level.
    ///
    /// # Errors
    /// If this host does not offer it: why.
    pub fn of(level: Level) -> Result<Containment, NotOffered> {
        Ok(Containment {
            jail: Host::get().jail(level).map_err(|why| NotOffered(why.to_string()))?,
            allowance: Allowance::default(),
            sleep: true,
        })
    }

    /// Its level.
    pub fn level(&self) -> Level {
        self.jail.as_ref().map_or(Level::None, Jail::level)
    }

    /// Mebibytes of memory that bots in these languages may use, for records: one number if it is the same for both.
    pub fn memory_tag(&self, languages: BySide<Language>) -> Option<String> {
        memory_tag(&*self.launcher(None), languages)
    }

    /// Starts bots like this.
    pub fn launcher(&self, transcript: Option<Transcript>) -> Arc<dyn Launcher> {
        let limits = agon_wire::BotLimits::default();
        match &self.jail {
            None => Arc::new(PlainLauncher { limits, transcript }),
            Some(jail) => {
                let (jail, allowance) = (jail.clone(), self.allowance.clone());
                Arc::new(JailLauncher { jail, allowance, sleeps: self.sleep, limits, transcript })
            }
        }
    }

    /// Builds bots like this.
    pub fn workshop(&self, cache: PathBuf) -> Workshop {
        Workshop::new(cache, self.jail.clone(), self.allowance.clone())
    }
}

/// What a record says of the memory that the bots of a match may use: mebibytes, one number if both may use the same.
pub fn memory_tag(launcher: &dyn Launcher, languages: BySide<Language>) -> Option<String> {
    let mebibytes = languages.map(|language| launcher.memory(language).map(|bytes| bytes >> 20));
    let (first, second) = (mebibytes.first?, mebibytes.second?);
    Some(if first == second { first.to_string() } else { format!("{first} {second}") })
}
