//! Setting a tournament up.

use std::{io::Write, path::PathBuf};

use agon_originals::Preset;
use agon_runs::SandboxOptions;
use agon_tournament::{Created, Settings, create, preset, presets, read, text};
use clap::Args;

use super::{Database, screen::prepare_on_screen, slots};
use crate::{contain::Contain, error::CliError, interrupt};

/// List the presets: formats of the courses that the games come from
#[derive(Args)]
pub(crate) struct Presets {
    /// Print the format of this one, to copy and change it
    name: Option<String>,
}

impl Presets {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut out = std::io::stdout().lock();
        if let Some(name) = &self.name {
            return Ok(write!(out, "{}", preset(name)?)?);
        }
        for Preset { name, format } in presets() {
            let title = read(format).map_or_else(|e| e.to_string(), |written| written.format.title);
            writeln!(out, "{name:<32} {title}")?;
        }
        Ok(())
    }
}

/// What a tournament is made of.
#[derive(Args, Clone)]
pub(crate) struct Setting {
    /// The teams: a CSV file with the columns team, bot and, if there was an earlier phase, score and house; or a folder with a bot
    /// for each team; or the standings.csv of an earlier tournament
    #[arg(long, value_name = "DIR|CSV")]
    teams: Option<PathBuf>,
    /// Where the teams' bots are, by the names of the teams: a folder or a CSV file, as for --teams. Without it the table says it, and
    /// teams of an earlier tournament's standings.csv play with the bots that they had there
    #[arg(long, value_name = "DIR|CSV")]
    bots: Option<PathBuf>,
    /// What the tournament is called; the name of its format if absent
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Play with this time control in every part and rematch instead: for rehearsals
    #[arg(long, value_name = "TC", allow_hyphen_values = true)]
    tc: Option<String>,
    /// The rule set, `text` or `server`, instead of the format's
    #[arg(long, value_name = "R")]
    rules: Option<String>,
    /// Keep the number of groups that the format announces, however few teams there are
    #[arg(long)]
    as_announced: bool,
    /// Where the random choices of bots begin
    #[arg(long, default_value_t = 1, allow_negative_numbers = true, value_parser = crate::input::whole_number)]
    seed: u64,
    /// What coins are tossed with; random if absent. Its digest is published now, itself at the end
    #[arg(long, value_name = "TEXT")]
    secret: Option<String>,
}

impl Setting {
    /// What that means for this format.
    pub(super) fn of(&self, format: &str, database: &Database, sandbox: SandboxOptions) -> Settings {
        Settings {
            format: format.to_owned(),
            teams: self.teams.clone(),
            bots: self.bots.clone(),
            name: self.name.clone(),
            time: self.tc.clone(),
            rules: self.rules.clone(),
            as_announced: self.as_announced,
            seed: self.seed,
            secret: self.secret.clone(),
            database: database.place(),
            sandbox,
        }
    }
}

/// Set a tournament up: read its format, build the bots of its teams, say how long it will take
#[derive(Args)]
pub(crate) struct New {
    /// A preset, or a file with a format
    #[arg(value_name = "PRESET|FILE")]
    format: String,
    #[command(flatten)]
    setting: Setting,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    contain: Contain,
}

impl New {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let stop = interrupt::listen();
        let settings = self.setting.of(&self.format, &self.database, self.contain.options());
        let Created { tournament, .. } = create(&settings, stop, &mut prepare_on_screen)?;
        let mut out = std::io::stdout().lock();
        write!(out, "{}", text::announcement(&tournament, slots(None), &settings.sandbox))?;
        writeln!(out, "Play it with `agon tournament run {}`.", tournament.name)?;
        Ok(())
    }
}
