//! The bots of a match, as people name them.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use agon_originals::{FIRST_LINE, LINES, OlderLine, Original, Server};
use agon_rules::{AnyGame, RuleSet, quote};
use agon_wire::{Bot, BotCommand, Brain, HouseBot, Language, Launcher, Program, Protocol, Reach, UGI, UnknownLanguage};

use crate::{
    built::{Built, Workshop, shell},
    manifest::{Manifest, ManifestError},
    misplaced::misplaced,
    named,
};

/// What somebody wrote to name a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BotSpec {
    /// A house bot.
    House(String),
    /// A folder or a file: a bot with a `bot.toml`, or a submission in the form that the game's original asked for.
    Path(PathBuf),
    /// A bot that runs somewhere already: `ws://host:port`.
    Address(String),
    /// A command: `cmd:python3 bot.py;proto=ugi;lang=python;name=mine`.
    Command {
        /// The shell command.
        run: String,
        /// How it is spoken to: the name of a protocol.
        protocol: String,
        /// What it is written in.
        language: Language,
        /// What it is called; the command if absent.
        name: Option<String>,
    },
    /// Any of these, with options for it: `path;first-line=3`.
    WithOptions(Box<BotSpec>, BTreeMap<String, String>),
}

/// A bot could not be found or built.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RosterError {
    /// The text names no bot.
    #[error("{0}")]
    Unknown(String),
    /// Its manifest or build is at fault.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
}

impl BotSpec {
    /// Reads the name of a bot; `house` are the names of the house bots.
    pub fn parse(text: &str, house: &[&str]) -> Result<BotSpec, RosterError> {
        // Levels may be written with a colon too: `level:3`.
        let plain = text.strip_prefix("level:").map(|level| format!("level{level}"));
        let plain = plain.as_deref().unwrap_or(text);
        // `win` is what a house bot is for; `points` is said.
        let base = plain.strip_suffix(":points").or_else(|| plain.strip_suffix(":win")).unwrap_or(plain);
        if house.contains(&base) {
            let name = if plain.ends_with(":points") { plain } else { base };
            return Ok(BotSpec::House(name.to_owned()));
        }
        if let Some(rest) = text.strip_prefix("cmd:") {
            return parse_command(rest);
        }
        if let Some(address) = text.strip_prefix("ws://") {
            return parse_address(address.trim_end_matches('/'));
        }
        if let Some((path, options)) = text.split_once(';').filter(|(path, _)| Path::new(path).exists())
            && !Path::new(text).exists()
        {
            let wrong = |part: &str| {
                RosterError::Unknown(format!("bot {}: expected {FIRST_LINE}=, found {}", quote(text), quote(part)))
            };
            let read = |part: &str| match part.trim().split_once('=') {
                Some((FIRST_LINE, value)) if !value.is_empty() => Ok((FIRST_LINE.to_owned(), value.to_owned())),
                _ => Err(wrong(part)),
            };
            return Ok(
                BotSpec::parse(path, house)?.with_options(options.split(';').map(read).collect::<Result<_, _>>()?)
            );
        }
        let path = Path::new(text);
        if path.file_name().is_some_and(|name| name == "bot.toml") && path.is_file() {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            return Ok(BotSpec::Path(folder.to_owned()));
        }
        if path.exists() {
            return Ok(BotSpec::Path(path.to_owned()));
        }
        Err(RosterError::Unknown(format!(
            "unknown bot {}, expected a house bot ({}), a bot's folder or file, cmd:COMMAND;proto=PROTOCOL, or ws://HOST:PORT",
            quote(text),
            house.join(", ")
        )))
    }
}

impl BotSpec {
    /// The same with options.
    pub fn with_options(self, options: BTreeMap<String, String>) -> BotSpec {
        if options.is_empty() { self } else { BotSpec::WithOptions(Box::new(self), options) }
    }

    /// The bot without its options, and these.
    pub fn parts(self) -> (BotSpec, BTreeMap<String, String>) {
        match self {
            BotSpec::WithOptions(bot, options) => (*bot, options),
            other => (other, BTreeMap::new()),
        }
    }
}

fn parse_address(text: &str) -> Result<BotSpec, RosterError> {
    let (host, port) = text.rsplit_once(':').unwrap_or((text, ""));
    match port.parse::<u16>() {
        Ok(1..) if !host.is_empty() => Ok(BotSpec::Address(text.to_owned())),
        _ => Err(RosterError::Unknown(format!("bot {}: expected ws://HOST:PORT", quote(&format!("ws://{text}"))))),
    }
}

fn parse_command(text: &str) -> Result<BotSpec, RosterError> {
    let mut parts = text.split(';');
    let run = parts.next().unwrap_or_default().trim().to_owned();
    let wrong = |problem: String| Err(RosterError::Unknown(format!("bot {}: {problem}", quote(text))));
    if run.is_empty() {
        return wrong("expected a command after 'cmd:'".to_owned());
    }
    let (mut protocol, mut language, mut name) = (UGI.name.to_owned(), Language::Other, None);
    let mut options = BTreeMap::new();
    for part in parts {
        match part.trim().split_once('=') {
            Some(("proto", value)) => protocol = value.to_owned(),
            Some(("lang", value)) => match value.parse() {
                Ok(value) => language = value,
                Err(problem) => return wrong(UnknownLanguage::to_string(&problem)),
            },
            Some(("name", value)) if !value.is_empty() => name = Some(value.to_owned()),
            Some((FIRST_LINE, value)) if !value.is_empty() => {
                options.insert(FIRST_LINE.to_owned(), value.to_owned());
            }
            _ => return wrong(format!("expected proto=, lang= or name=, found {}", quote(part))),
        }
    }
    Ok(BotSpec::Command { run, protocol, language, name }.with_options(options))
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
    pub protocol: Option<&'static Protocol>,
    /// Threads that are our own and do not count as the bot's.
    pub harness_threads: usize,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    House(String),
    Program { reach: Reach, options: BTreeMap<String, String> },
}

impl Entrant {
    /// Finds the bot and builds it if need be. `game` is the game that it is to play.
    pub fn prepare(spec: &BotSpec, game: &dyn Original, workshop: &Workshop) -> Result<Entrant, RosterError> {
        let entrant = match spec {
            BotSpec::WithOptions(bot, options) => {
                return Entrant::prepare(bot, game, workshop)?.with_options(options, game);
            }
            BotSpec::House(name) => Entrant {
                name: name.clone(),
                hash: format!("house:{name}"),
                language: Language::Rust,
                protocol: None,
                harness_threads: 0,
                kind: Kind::House(name.clone()),
            },
            BotSpec::Path(path) => {
                let built = build(path, game, workshop)?;
                Entrant {
                    protocol: Some(spoken(game, &built.manifest.protocol, &built.manifest.name)?),
                    name: built.manifest.name,
                    hash: built.hash,
                    language: built.manifest.language,
                    harness_threads: built.harness_threads,
                    kind: Kind::Program { reach: Reach::Start(built.command), options: built.manifest.options },
                }
            }
            BotSpec::Command { run, protocol, language, name } => Entrant {
                name: name.clone().unwrap_or_else(|| run.clone()),
                hash: named::identity(run, &here()),
                language: *language,
                protocol: Some(spoken(game, protocol, name.as_ref().unwrap_or(run))?),
                harness_threads: 0,
                kind: Kind::Program {
                    reach: Reach::Start(BotCommand { language: *language, ..shown(run) }),
                    options: BTreeMap::new(),
                },
            },
            BotSpec::Address(address) => Entrant {
                name: format!("ws://{address}"),
                hash: format!("ws://{address}"),
                language: Language::Other,
                protocol: Some(spoken(game, "websocket", &format!("ws://{address}"))?),
                harness_threads: 0,
                kind: Kind::Program { reach: Reach::At(address.clone()), options: BTreeMap::new() },
            },
        };
        entrant.with_options(&BTreeMap::new(), game)
    }

    /// The bot with more options, if they make sense.
    pub fn with_options(
        mut self,
        more: &BTreeMap<String, String>,
        game: &dyn Original,
    ) -> Result<Entrant, RosterError> {
        for (name, value) in more {
            self.hash.push_str(&format!(";{name}={value}"));
        }
        let Kind::Program { options, .. } = &mut self.kind else {
            return match more.keys().next() {
                Some(name) => Err(RosterError::Unknown(format!("{}: a house bot has no option {name}", self.name))),
                None => Ok(self),
            };
        };
        options.extend(more.clone());
        let Some(value) = options.get(FIRST_LINE).filter(|_| self.protocol != Some(&UGI)) else {
            return Ok(self);
        };
        let older = older_lines(game);
        if older.is_empty() {
            return Err(RosterError::Unknown(format!("{}: {} has no option {FIRST_LINE}", self.name, game.name())));
        }
        if self.protocol.is_none_or(|protocol| protocol.name != LINES) {
            let problem = format!("{}: only bots that speak '{LINES}' have the option {FIRST_LINE}", self.name);
            return Err(RosterError::Unknown(problem));
        }
        if older.iter().any(|line| line.name == value) {
            return Ok(self);
        }
        let known: Vec<String> = older.iter().map(|line| format!("'{}' ({})", line.name, line.about)).collect();
        let expected = known.join(" or ");
        Err(RosterError::Unknown(format!("{}: {FIRST_LINE}: expected {expected}, found {}", self.name, quote(value))))
    }

    /// Whether it is a program that is started here: no house bot, and none that runs elsewhere.
    pub fn is_program(&self) -> bool {
        matches!(&self.kind, Kind::Program { reach: Reach::Start(_), .. })
    }

    /// Whether it speaks a protocol of the game's original, so that the rules are the original server's unless somebody says
    /// otherwise.
    pub fn speaks_original(&self) -> bool {
        self.protocol.is_some_and(|protocol| protocol.is_original)
    }

    /// A bot for matches, on the core of a worker if there are such. `think` makes the minds of house bots.
    pub fn bot(
        &self,
        worker: Option<usize>,
        launcher: &Arc<dyn Launcher>,
        think: impl FnOnce(&str) -> Box<dyn Brain>,
    ) -> Box<dyn Bot> {
        let (reach, options) = match &self.kind {
            Kind::House(name) => return Box::new(HouseBot::new(think(name))),
            Kind::Program { reach: Reach::Start(command), options } => {
                (Reach::Start(BotCommand { worker, ..command.clone() }), options)
            }
            Kind::Program { reach, options } => (reach.clone(), options),
        };
        let program =
            Program { name: self.name.clone(), reach, options: options.clone(), launcher: Arc::clone(launcher) };
        (self.protocol.unwrap_or(&UGI).bot)(program)
    }
}

/// The protocol of this name, if bots of the game speak it.
fn spoken(game: &dyn Original, protocol: &str, bot: &str) -> Result<&'static Protocol, RosterError> {
    agon_originals::protocol(game, protocol).map_err(|error| RosterError::Unknown(format!("{bot}: {error}")))
}

/// A command that somebody typed. In a jail it sees the current folder and the folders of the files that it names.
fn shown(run: &str) -> BotCommand {
    let here = here();
    let named = named::named(run, &here).into_iter().filter_map(|path| {
        let folder = if path.is_dir() { path } else { path.parent()?.to_owned() };
        (folder.parent().is_some() && !folder.starts_with(&here)).then_some(folder)
    });
    BotCommand { shown: Some(named.collect()), ..shell(run, here.clone()) }
}

/// The folder that commands are run in.
fn here() -> PathBuf {
    Path::new(".").canonicalize().unwrap_or_else(|_| PathBuf::from("/"))
}

/// Builds the bot at `path`: by its `bot.toml`, or as the game's original would have built it.
fn build(path: &Path, game: &dyn Original, workshop: &Workshop) -> Result<Built, RosterError> {
    let archive = path;
    let path = &*workshop.unpacked(archive).map_err(RosterError::Manifest)?;
    if path.join("bot.toml").is_file() {
        // What can never play is not built.
        let manifest = Manifest::of_folder(path).map_err(RosterError::Manifest)?;
        spoken(game, &manifest.protocol, &path.join("bot.toml").display().to_string())?;
        if let Some(other) = manifest.game.filter(|other| other != game.name()) {
            let problem = format!("{} plays {other}, not {}: see its bot.toml", archive.display(), game.name());
            return Err(RosterError::Unknown(problem));
        }
        return Built::from_folder(path, workshop).map_err(RosterError::Manifest);
    }
    let submissions = game.submissions();
    let Some(recipe) = submissions.and_then(|submissions| submissions.recognise(path)) else {
        if let Some(remedy) = misplaced(game, path) {
            return Err(RosterError::Unknown(format!("{}: {remedy}", archive.display())));
        }
        let form = submissions.map_or(String::new(), |submissions| format!(", or {}", submissions.form()));
        let expected = format!("{} is no bot of {}: expected a bot.toml{form}", archive.display(), game.name());
        return Err(RosterError::Unknown(expected));
    };
    let mut built = Built::from_recipe(recipe, path, workshop).map_err(RosterError::Manifest)?;
    if path != archive {
        // The folder's name says nothing: it may be a digest.
        let name = archive.file_name().unwrap_or_default().to_string_lossy();
        built.manifest.name = name.split('.').find(|part| !part.is_empty()).unwrap_or("bot").to_owned();
    }
    Ok(built)
}

/// The first lines of other times that bots of a game may ask for.
pub fn older_lines(game: &dyn Original) -> &'static [OlderLine] {
    match game.server() {
        Some(Server::Relay(relay)) => relay.older_lines(),
        Some(Server::Http(_)) | None => &[],
    }
}

/// The rule set of a match where nobody chose one: the original server's if a bot speaks an original protocol.
pub fn usual_rules(game: &dyn AnyGame, original: bool) -> RuleSet {
    let server = Some(RuleSet::Server).filter(|rules| original && game.rule_sets().contains(rules));
    server.unwrap_or(game.rule_sets()[0])
}
