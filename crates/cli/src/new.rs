//! `agon new`: a starter kit in a new folder.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use agon_rules::quote;
use agon_server::kits;
use clap::Args;
use include_dir::Dir;

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
        write_kit(kit, kit.path(), &self.dir)
            .map_err(|error| CliError::Host(format!("cannot write the kit to {shown}: {error}")))?;
        println!("{shown} is ready. Its README says what is where. Try it:");
        println!("  agon check {shown} --game {}", game.name());
        println!("  agon match {} {shown} random", game.name());
        Ok(())
    }
}

fn write_kit(kit: &Dir<'_>, root: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for file in kit.files() {
        let target = to.join(file.path().strip_prefix(root).map_err(io::Error::other)?);
        fs::write(&target, file.contents())?;
        if target.extension().is_some_and(|end| end == "sh") {
            fs::set_permissions(&target, fs::Permissions::from_mode(0o755))?;
        }
    }
    for folder in kit.dirs() {
        write_kit(folder, root, &to.join(folder.path().strip_prefix(root).map_err(io::Error::other)?))?;
    }
    Ok(())
}
