//! The spelling and the lines of cutechess, which engine authors know by heart.

mod lines;

use std::{path::PathBuf, time::Duration};

use agon_referee::CoreRule;
use agon_rules::quote;
use thiserror::Error;

use super::Settings;
use crate::SandboxOptions;

pub use lines::{end, finished, started};

/// A command in cutechess's spelling cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CutechessError {
    /// No game.
    #[error("expected a game's short name after 'match': see 'agon games'")]
    NoGame,
    /// Not two bots.
    #[error("expected exactly two -engine options")]
    Engines,
    /// A value where an option should be.
    #[error("expected an option, found {}", quote(.0))]
    NoOption(String),
    /// An option that means nothing here.
    #[error("{0}: not understood here; 'agon match --help' lists what is")]
    Unknown(String),
    /// Openings in a way that is not understood.
    #[error("-openings: expected file=FILE and nothing else")]
    Openings,
    /// No number.
    #[error("{option}: expected a number, found {}", quote(.found))]
    Number {
        /// The option.
        option: String,
        /// What it says.
        found: String,
    },
    /// A part of an option is missing.
    #[error("{option}: expected {name}=…")]
    Missing {
        /// The option.
        option: &'static str,
        /// The part.
        name: &'static str,
    },
    /// An engine has a part that means nothing here.
    #[error("-engine: {}= is not understood; expected cmd, name, proto, lang, tc, st, nodes, depth or timemargin", quote(.0))]
    Key(String),
    /// The engines have different conditions.
    #[error("{0}=: both engines need the same one; give it once, after -each")]
    Different(String),
}

/// Options that only cutechess has.
const ITS_OPTIONS: [&str; 12] = [
    "-engine",
    "-each",
    "-rounds",
    "-games",
    "-repeat",
    "-concurrency",
    "-sprt",
    "-pgnout",
    "-openings",
    "-maxmoves",
    "-srand",
    "-recover",
];

/// Whether these arguments of `agon match` are in cutechess's spelling.
pub fn is_cutechess(arguments: &[String]) -> bool {
    arguments.iter().any(|argument| ITS_OPTIONS.contains(&argument.as_str()))
}

/// An option with its values.
type Group<'a> = (&'a str, Vec<(&'a str, &'a str)>);

/// What `GAME -engine cmd=… -engine cmd=… -each tc=… …` asks for.
///
/// # Errors
/// If it cannot be understood, or not be done here.
pub fn read(arguments: &[String], sandbox: SandboxOptions) -> Result<Settings, CutechessError> {
    let (game, rest) = match arguments.split_first() {
        Some((game, rest)) if !game.starts_with('-') => (game.clone(), rest),
        _ => return Err(CutechessError::NoGame),
    };
    let groups = groups(rest)?;
    let mut translated = usual(game, sandbox);
    let each = groups.iter().filter(|(option, _)| *option == "-each").flat_map(|(_, values)| values.clone());
    let each: Vec<(&str, &str)> = each.collect();
    let mut bots = Vec::new();
    let mut games_a_round = 1;
    for (option, values) in &groups {
        match (*option, values.as_slice()) {
            ("-engine", values) => {
                let name = values.iter().find(|(key, _)| *key == "name").map(|(_, name)| (*name).to_owned());
                translated.names[bots.len().min(1)] = name;
                bots.push(engine(values, &each, &mut translated)?);
            }
            ("-each" | "-repeat", _) => {}
            // Cutechess, too, stops when an engine does not work, unless it is told to start it again.
            ("-recover", []) => translated.go_on = true,
            ("-rounds", [(count, "")]) => translated.battles = number(option, count)?,
            ("-games", [(count, "")]) => games_a_round = number(option, count)?,
            ("-concurrency", [(count, "")]) => translated.concurrency = number::<usize>(option, count)?,
            ("-maxmoves", [(count, "")]) => translated.most_turns = 2 * number::<usize>(option, count)?,
            ("-srand", [(seed, "")]) => translated.seed = number(option, seed)?,
            ("-pgnout", [(file, ""), ..]) => translated.records = Some(PathBuf::from(file)),
            ("-openings", [("file", file)]) => translated.openings = Some((*file).to_owned()),
            ("-openings", _) => {
                return Err(CutechessError::Openings);
            }
            ("-sprt", values) => translated.sprt = Some(sprt(values)?),
            _ => {
                return Err(CutechessError::Unknown((*option).to_owned()));
            }
        }
    }
    translated.bots = <[String; 2]>::try_from(bots).map_err(|_| CutechessError::Engines)?;
    // Its rounds are single games unless it is told to play pairs; ours are pairs.
    if games_a_round == 1 {
        translated.battles = translated.battles.div_ceil(2);
    }
    Ok(translated)
}

fn groups(arguments: &[String]) -> Result<Vec<Group<'_>>, CutechessError> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for argument in arguments {
        if argument.starts_with('-') && argument.len() > 1 && !argument.as_bytes()[1].is_ascii_digit() {
            groups.push((argument, Vec::new()));
        } else {
            let pair = argument.split_once('=').unwrap_or((argument, ""));
            let group = groups.last_mut();
            group.ok_or_else(|| CutechessError::NoOption(argument.clone()))?.1.push(pair);
        }
    }
    Ok(groups)
}

fn number<T: std::str::FromStr>(option: &str, text: &str) -> Result<T, CutechessError> {
    text.parse().map_err(|_| CutechessError::Number { option: option.to_owned(), found: text.to_owned() })
}

fn value<'a>(values: &[(&str, &'a str)], name: &'static str, option: &'static str) -> Result<&'a str, CutechessError> {
    let found = values.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
    found.ok_or(CutechessError::Missing { option, name })
}

/// An engine as `agon match` names bots. Its time control holds for both.
fn engine(values: &[(&str, &str)], each: &[(&str, &str)], into: &mut Settings) -> Result<String, CutechessError> {
    let find = |name: &str| values.iter().chain(each).find(|(key, _)| *key == name).map(|(_, value)| *value);
    for (key, text) in values.iter().chain(each) {
        match *key {
            "cmd" | "proto" | "name" | "lang" => {}
            "tc" => same_for_both(&mut into.time, (*text).to_owned(), "tc")?,
            "st" => same_for_both(&mut into.time, format!("{text}/turn"), "st")?,
            "nodes" | "depth" => same_for_both(&mut into.time, format!("{key}={text}"), key)?,
            "timemargin" => {
                same_for_both(&mut into.grace, Duration::from_millis(number("timemargin", text)?), "timemargin")?;
            }
            _ => return Err(CutechessError::Key((*key).to_owned())),
        }
    }
    let command = find("cmd").ok_or(CutechessError::Missing { option: "-engine", name: "cmd" })?;
    // A house bot or a folder is no command.
    if agon_house::NAMES.contains(&command) || std::path::Path::new(command).is_dir() {
        return Ok(command.to_owned());
    }
    let mut bot = format!("cmd:{command}");
    for key in ["proto", "lang"] {
        if let Some(text) = find(key) {
            bot.push_str(&format!(";{key}={text}"));
        }
    }
    Ok(bot)
}

/// Both bots play under one time control here; another one is refused rather than forgotten.
fn same_for_both<T: PartialEq>(setting: &mut Option<T>, value: T, key: &str) -> Result<(), CutechessError> {
    if setting.as_ref().is_some_and(|before| *before != value) {
        return Err(CutechessError::Different(key.to_owned()));
    }
    *setting = Some(value);
    Ok(())
}

fn sprt(values: &[(&str, &str)]) -> Result<String, CutechessError> {
    let get = |name: &'static str| value(values, name, "-sprt");
    Ok(format!("{},{},{},{},logistic", get("elo0")?, get("elo1")?, get("alpha")?, get("beta")?))
}

/// What holds where cutechess's options say nothing.
fn usual(game: String, sandbox: SandboxOptions) -> Settings {
    Settings {
        game,
        bots: [String::new(), String::new()],
        names: [None, None],
        objective: agon_house::Aim::default(),
        variant: None,
        rules: None,
        battles: 1,
        time: None,
        grace: None,
        concurrency: 1,
        force: false,
        openings: None,
        sprt: None,
        seed: 1,
        most_turns: 5000,
        db: None,
        run: None,
        records: None,
        cores: CoreRule::default(),
        go_on: false,
        sandbox,
    }
}
