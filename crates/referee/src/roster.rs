//! The bots of a match, as people name them.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use agon_rules::quote;
use agon_wire::{Bot, BotCommand, Brain, HouseBot, Launcher, UgiBot};

use crate::manifest::{Built, Language, ManifestError, Protocol, shell};

/// What somebody wrote to name a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BotSpec {
    /// A house bot.
    House(String),
    /// A folder with a `bot.toml`.
    Folder(PathBuf),
    /// A command: `cmd:python3 bot.py;proto=ugi;lang=python;name=mine`.
    Command {
        /// The shell command.
        run: String,
        /// How it is spoken to.
        protocol: Protocol,
        /// What it is written in.
        language: Language,
        /// What it is called; the command if absent.
        name: Option<String>,
    },
}

/// A bot could not be found or built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RosterError {
    /// The text names no bot.
    Unknown(String),
    /// Its manifest or build is at fault.
    Manifest(ManifestError),
}

impl fmt::Display for RosterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RosterError::Unknown(problem) => f.write_str(problem),
            RosterError::Manifest(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RosterError {}

impl BotSpec {
    /// Reads the name of a bot; `house` are the names of the house bots.
    pub fn parse(text: &str, house: &[&str]) -> Result<BotSpec, RosterError> {
        if house.contains(&text) {
            return Ok(BotSpec::House(text.to_owned()));
        }
        if let Some(rest) = text.strip_prefix("cmd:") {
            return parse_command(rest);
        }
        let path = Path::new(text);
        if path.is_dir() {
            return Ok(BotSpec::Folder(path.to_owned()));
        }
        if path.is_file() && path.file_name().is_some_and(|name| name == "bot.toml") {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            return Ok(BotSpec::Folder(folder.to_owned()));
        }
        Err(RosterError::Unknown(format!(
            "unknown bot {}, expected a house bot ({}), a folder with a bot.toml, a bot.toml, or cmd:COMMAND;proto=ugi",
            quote(text),
            house.join(", ")
        )))
    }
}

fn parse_command(text: &str) -> Result<BotSpec, RosterError> {
    let mut parts = text.split(';');
    let run = parts.next().unwrap_or_default().trim().to_owned();
    let wrong = |problem: String| Err(RosterError::Unknown(format!("bot {}: {problem}", quote(text))));
    if run.is_empty() {
        return wrong("expected a command after 'cmd:'".to_owned());
    }
    let (mut protocol, mut language, mut name) = (Protocol::Ugi, Language::Other, None);
    for part in parts {
        match part.trim().split_once('=') {
            Some(("proto", "ugi")) => protocol = Protocol::Ugi,
            Some(("proto", other)) => return wrong(format!("unknown protocol {}, expected 'ugi'", quote(other))),
            Some(("lang", "cpp" | "c" | "c++")) => language = Language::Cpp,
            Some(("lang", "java")) => language = Language::Java,
            Some(("lang", "python")) => language = Language::Python,
            Some(("lang", "rust")) => language = Language::Rust,
            Some(("lang", "other")) => language = Language::Other,
            Some(("lang", other)) => {
                let known = "expected 'cpp', 'java', 'python', 'rust' or 'other'";
                return wrong(format!("unknown language {}, {known}", quote(other)));
            }
            Some(("name", value)) if !value.is_empty() => name = Some(value.to_owned()),
            _ => return wrong(format!("expected proto=, lang= or name=, found {}", quote(part))),
        }
    }
    Ok(BotSpec::Command { run, protocol, language, name })
}

/// A bot that can be sent into matches.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// What it is called.
    pub name: String,
    /// Identifies its program: a content hash, or the words that name it.
    pub hash: String,
    /// What it is written in.
    pub language: Language,
    /// How it is spoken to.
    pub protocol: Option<Protocol>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    House(String),
    Process { command: BotCommand, options: Vec<(String, String)> },
}

impl Entrant {
    /// Finds the bot and builds it if need be. `game` is the game that it is to play.
    pub fn prepare(spec: &BotSpec, game: &str, cache: &Path) -> Result<Entrant, RosterError> {
        match spec {
            BotSpec::House(name) => Ok(Entrant {
                name: name.clone(),
                hash: format!("house:{name}"),
                language: Language::Rust,
                protocol: None,
                kind: Kind::House(name.clone()),
            }),
            BotSpec::Folder(folder) => {
                let built = Built::from_folder(folder, cache).map_err(RosterError::Manifest)?;
                if let Some(other) = built.manifest.game.as_deref().filter(|other| *other != game) {
                    let problem = format!("{} plays {other}, not {game}: see its bot.toml", folder.display());
                    return Err(RosterError::Unknown(problem));
                }
                Ok(Entrant {
                    name: built.manifest.name,
                    hash: built.hash,
                    language: built.manifest.language,
                    protocol: Some(built.manifest.protocol),
                    kind: Kind::Process {
                        command: built.command,
                        options: built.manifest.options.into_iter().collect(),
                    },
                })
            }
            BotSpec::Command { run, protocol, language, name } => Ok(Entrant {
                name: name.clone().unwrap_or_else(|| run.clone()),
                hash: format!("cmd:{run}"),
                language: *language,
                protocol: Some(*protocol),
                kind: Kind::Process { command: shell(run, PathBuf::from(".")), options: Vec::new() },
            }),
        }
    }

    /// A bot for matches, pinned to `core`. `think` makes the minds of house bots.
    pub fn bot(
        &self,
        core: Option<usize>,
        launcher: &Arc<dyn Launcher>,
        think: impl FnOnce(&str) -> Box<dyn Brain>,
    ) -> Box<dyn Bot> {
        match &self.kind {
            Kind::House(name) => Box::new(HouseBot::new(think(name))),
            Kind::Process { command, options } => {
                let command = BotCommand { core, ..command.clone() };
                Box::new(UgiBot::new(self.name.clone(), command, options.clone(), Arc::clone(launcher)))
            }
        }
    }
}
