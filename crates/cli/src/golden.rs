//! `agon golden`.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use agon_all::GAMES;
use agon_rules::playthrough;
use clap::Args;

use crate::error::CliError;

/// Compare the golden playthroughs of all games with the rules as they are, or rewrite them
#[derive(Args)]
pub(crate) struct Golden {
    /// Rewrite the files
    #[arg(long)]
    write: bool,
    /// The folder that holds a folder for each game
    #[arg(default_value = "games")]
    games: PathBuf,
}

impl Golden {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        let mut differing = 0;
        for game in GAMES {
            let folder = self.games.join(game.name()).join("golden");
            for (name, text) in playthrough::all(*game) {
                let path = folder.join(name);
                if fs::read_to_string(&path).is_ok_and(|old| old == text) {
                    continue;
                }
                differing += 1;
                writeln!(out, "{}", path.display())?;
                if self.write {
                    let write = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, text));
                    write.map_err(|e| CliError::Host(format!("cannot write {}: {e}", path.display())))?;
                }
            }
        }
        match (differing, self.write) {
            (0, _) => writeln!(out, "all golden playthroughs are up to date")?,
            (n, true) => writeln!(out, "rewrote {n} of them")?,
            (n, false) => {
                return Err(CliError::Failed(format!(
                    "{n} golden playthroughs differ; 'agon golden --write' rewrites them"
                )));
            }
        }
        Ok(())
    }
}
