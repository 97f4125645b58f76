//! `agon new`: a starter kit in a new folder.

use std::{fs, io, path::PathBuf};

use agon_rules::quote;
use agon_server::kits;
use clap::Args;

use crate::error::CliError;

/// Put a starter kit into a new folder: a bot that plays legal random moves, to make better
#[derive(Args)]
pub(crate) struct New {
    /// The game's short name: see `agon games`
    game: String,
    /// The language: python, cpp, java or rust; some games have further kits, which an unknown name lists
    #[arg(long, value_name = "L")]
    lang: String,
    /// The folder to make; it must not exist, or be empty
    dir: PathBuf,
}

impl New {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let game = agon_all::find(&self.game).map_err(CliError::input)?;
        let kit = kits::kit(game.name(), &self.lang).ok_or_else(|| {
            let names = kits::of(game.name()).join(", ");
            CliError::Input(format!("no kit for {} in {}, expected one of {names}", game.name(), quote(&self.lang)))
        })?;
        let shown = self.dir.display();
        match fs::read_dir(&self.dir).map(|mut entries| entries.next().is_some()) {
            Ok(true) => {
                return Err(CliError::Input(format!("{shown} is not empty: choose a folder that does not exist yet")));
            }
            Ok(false) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(CliError::Input(format!("cannot use {shown}: {error}"))),
        }
        kits::write(kit, &self.dir)
            .map_err(|error| CliError::Host(format!("cannot write the kit to {shown}: {error}")))?;
        println!("{shown} is ready. Its README says what is where. Try it:");
        println!("  agon check {shown} --game {}", game.name());
        println!("  agon match {} {shown} random", game.name());
        Ok(())
    }
}
