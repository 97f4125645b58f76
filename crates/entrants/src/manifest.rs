//! `bot.toml`: what a bot is called, how it is built and how it is run.

use std::{collections::BTreeMap, fmt, fs::File, io::Read, path::Path};

use agon_wire::{HostError, Language, UGI};
use serde::Deserialize;

/// The bytes of the longest `bot.toml` that is read.
const LONGEST: u64 = 1 << 20;

/// The contents of a `bot.toml`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// What the bot is called.
    pub name: String,
    /// The short name of the game that it plays; any game if absent.
    pub game: Option<String>,
    /// How it is spoken to: the name of a protocol.
    #[serde(default = "native")]
    pub protocol: String,
    /// What it is written in.
    #[serde(default)]
    pub language: Language,
    /// A shell command that builds it, run once in a copy of the folder.
    pub build: Option<String>,
    /// A shell command that runs it, in its folder.
    pub run: String,
    /// Options that it is told before each game.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
}

fn native() -> String {
    UGI.name.to_owned()
}

/// A bot could not be read or built.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ManifestError {
    /// The manifest is missing or wrong.
    #[error("{0}")]
    Manifest(String),
    /// The build failed: its output.
    #[error("{0}")]
    Build(String),
    /// This machine could not do its part.
    #[error("{0}")]
    Host(String),
}

impl From<HostError> for ManifestError {
    fn from(error: HostError) -> ManifestError {
        ManifestError::Host(error.0)
    }
}

impl Manifest {
    /// Reads the text of a `bot.toml`; `path` is what errors call it.
    pub fn parse(text: &str, path: &Path) -> Result<Manifest, ManifestError> {
        let wrong = |problem: String| ManifestError::Manifest(format!("{}: {problem}", path.display()));
        let manifest: Manifest = toml::from_str(text).map_err(|e| wrong(e.to_string().trim_end().to_owned()))?;
        let empty =
            [("name", &manifest.name), ("run", &manifest.run)].into_iter().find(|(_, text)| text.trim().is_empty());
        if let Some((key, _)) = empty {
            return Err(wrong(format!("'{key}' is empty; expected a text")));
        }
        let build = manifest.build.as_deref().unwrap_or_default();
        let texts = [("name", manifest.name.as_str()), ("run", manifest.run.as_str()), ("build", build)];
        if let Some((key, _)) = texts.into_iter().find(|(_, text)| text.contains('\0')) {
            return Err(wrong(format!("'{key}' has a NUL character in it, which no program can be told")));
        }
        Ok(manifest)
    }

    /// Reads the `bot.toml` of a folder.
    pub fn of_folder(folder: &Path) -> Result<Manifest, ManifestError> {
        let path = folder.join("bot.toml");
        let wrong =
            |problem: &dyn fmt::Display| ManifestError::Manifest(format!("cannot read {}: {problem}", path.display()));
        let mut bytes = Vec::new();
        let read = File::open(&path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes));
        if read.map_err(|e| wrong(&e))? as u64 > LONGEST {
            return Err(wrong(&format!("it is longer than {LONGEST} bytes")));
        }
        Manifest::parse(&String::from_utf8(bytes).map_err(|_| wrong(&"it is not UTF-8 text"))?, &path)
    }
}
