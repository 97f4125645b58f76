//! Formats by name: the presets of the games, and files.

use std::{io, path::Path};

use agon_originals::Preset;
use agon_rules::quote;

use crate::source::{FormatError, Written, read};

/// There is no such format, or it makes no sense.
#[derive(Debug, thiserror::Error)]
pub enum FindFormatError {
    /// Neither a file nor a preset has this name.
    #[error("no file and no preset is called {}; the presets are {}", quote(.0), preset_names())]
    Unknown(String),
    /// The file cannot be read.
    #[error("{name}: {reason}")]
    Unreadable {
        /// The file.
        name: String,
        /// Why.
        #[source]
        reason: io::Error,
    },
    /// The file holds no format.
    #[error("{name}: {problem}")]
    File {
        /// The file.
        name: String,
        /// What is wrong with it.
        #[source]
        problem: FormatError,
    },
    /// The preset holds no format.
    #[error("preset {name}: {problem}")]
    Preset {
        /// The preset.
        name: String,
        /// What is wrong with it.
        #[source]
        problem: FormatError,
    },
}

fn preset_names() -> String {
    presets().map(|preset| preset.name).collect::<Vec<_>>().join(", ")
}

/// The presets of all games.
pub fn presets() -> impl Iterator<Item = &'static Preset> {
    agon_all::GAMES.iter().flat_map(|game| game.presets())
}

/// The text of a preset.
///
/// # Errors
/// If there is none of this name.
pub fn preset(name: &str) -> Result<&'static str, FindFormatError> {
    let found = presets().find(|preset| preset.name == name);
    found.map(|preset| preset.format).ok_or_else(|| FindFormatError::Unknown(name.to_owned()))
}

/// The format of a file or preset, and what a tournament of it is called if nobody says otherwise.
///
/// # Errors
/// If there is none, or it makes no sense.
pub fn find_format(name: &str) -> Result<(Written, String), FindFormatError> {
    let path = Path::new(name);
    if path.is_file() {
        let name = name.to_owned();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(reason) => return Err(FindFormatError::Unreadable { name, reason }),
        };
        let written = read(&text).map_err(|problem| FindFormatError::File { name, problem })?;
        return Ok((written, file_stem(path)));
    }
    let written = read(preset(name)?);
    let written = written.map_err(|problem| FindFormatError::Preset { name: name.to_owned(), problem })?;
    Ok((written, name.to_owned()))
}

/// What a tournament of a format's file is called if nobody says otherwise.
pub(crate) fn file_stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
