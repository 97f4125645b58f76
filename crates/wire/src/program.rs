//! A bot's program: what it is written in, and how to get at it.

use std::{collections::BTreeMap, str::FromStr, sync::Arc};

use agon_rules::quote;
use serde::Deserialize;

use crate::launch::{BotCommand, Launcher};

/// A bot's program, and how to get at it.
pub struct Program {
    /// What the bot is called.
    pub name: String,
    /// How to get at it.
    pub reach: Reach,
    /// Options from its manifest.
    pub options: BTreeMap<String, String>,
    /// What starts processes.
    pub launcher: Arc<dyn Launcher>,
}

/// How to get at a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Start it.
    Start(BotCommand),
    /// It runs somewhere already: `host:port`.
    At(String),
}

impl Reach {
    /// The command, for protocols that are only spoken over pipes. Starting a bot that is somewhere else fails with its address in
    /// the sentence.
    pub fn command(self) -> BotCommand {
        match self {
            Reach::Start(command) => command,
            Reach::At(address) => BotCommand { program: address, ..BotCommand::default() },
        }
    }
}

/// The language of a bot; some clocks depend on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// C or C++.
    #[serde(alias = "c", alias = "c++")]
    Cpp,
    /// Java, or another language of its virtual machine.
    Java,
    /// Python.
    Python,
    /// Rust.
    Rust,
    /// Anything else, counted as compiled.
    #[default]
    Other,
}

impl Language {
    /// The word for records.
    pub const fn name(self) -> &'static str {
        match self {
            Language::Cpp => "cpp",
            Language::Java => "java",
            Language::Python => "python",
            Language::Rust => "rust",
            Language::Other => "other",
        }
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(text: &str) -> Result<Language, UnknownLanguage> {
        match text {
            "cpp" | "c" | "c++" => Ok(Language::Cpp),
            "java" => Ok(Language::Java),
            "python" => Ok(Language::Python),
            "rust" => Ok(Language::Rust),
            "other" => Ok(Language::Other),
            _ => Err(UnknownLanguage(text.to_owned())),
        }
    }
}

/// A word that names no language.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown language {}, expected 'cpp', 'java', 'python', 'rust' or 'other'", quote(.0))]
pub struct UnknownLanguage(String);
