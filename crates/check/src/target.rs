//! Which bot is checked, and for which game.

use std::path::{Path, PathBuf};

use agon_all::Entry;
use agon_entrants::{BotSpec, Containment, Entrant, Manifest, ManifestError, RosterError, file_names, misplaced};
use agon_originals::{Original, Recipe};

use crate::{CheckError, workshop};

/// The bot before it is built.
pub(crate) struct Target {
    pub(crate) game: &'static dyn Original,
    spec: BotSpec,
    /// The folder or file that was handed in, unpacked, if there is one.
    pub(crate) submission: Option<PathBuf>,
    /// Whether there is anything to build.
    pub(crate) builds: bool,
}

/// Why there is no bot to check.
pub(crate) enum Unfit {
    /// It could not be built: what the build said.
    Build(String),
    /// Anything else.
    Other(CheckError),
}

impl Target {
    /// Finds the bot that `text` names, and its game if nobody has named one.
    pub(crate) fn find(text: &str, game: Option<&str>, containment: &Containment) -> Result<Target, CheckError> {
        let (spec, options) = BotSpec::parse(text, agon_house::NAMES)?.parts();
        let unpacked = match &spec {
            BotSpec::Path(path) => {
                let folder = workshop(containment).unpacked(path);
                BotSpec::Path(folder.map_err(|error| CheckError::from(RosterError::Manifest(error)))?)
            }
            other => other.clone(),
        };
        let game = match game {
            Some(name) => agon_all::find(name).map_err(CheckError::input)?,
            None => guess(&unpacked, text)?,
        };
        let builds = match &unpacked {
            BotSpec::Path(path) if has_manifest(path) => manifest(path)?.build.is_some(),
            BotSpec::Path(path) => match recipe(game, path) {
                Some(recipe) => recipe.build.is_some(),
                // Nobody knows how to build it: that is said before anything is tried.
                None => {
                    return Err(Entrant::prepare(&spec, game, &workshop(containment))
                        .map_or_else(CheckError::from, |_| {
                            CheckError::Input(format!("{text} is no bot of {}", game.name()))
                        }));
                }
            },
            BotSpec::House(_) | BotSpec::Address(_) | BotSpec::Command { .. } | BotSpec::WithOptions(..) => false,
        };
        let submission = match unpacked {
            BotSpec::Path(path) => Some(path),
            BotSpec::House(_) | BotSpec::Address(_) | BotSpec::Command { .. } | BotSpec::WithOptions(..) => None,
        };
        Ok(Target { game, spec: spec.with_options(options), submission, builds })
    }

    /// Builds it.
    pub(crate) fn prepare(&self, containment: &Containment) -> Result<Entrant, Unfit> {
        Entrant::prepare(&self.spec, self.game, &workshop(containment)).map_err(|error| match error {
            RosterError::Manifest(ManifestError::Build(said)) => Unfit::Build(said),
            other => Unfit::Other(other.into()),
        })
    }
}

fn has_manifest(path: &Path) -> bool {
    path.join("bot.toml").is_file()
}

fn manifest(path: &Path) -> Result<Manifest, CheckError> {
    Manifest::of_folder(path).map_err(CheckError::input)
}

/// How the game's original would have built and run it.
fn recipe(game: &dyn Original, path: &Path) -> Option<Recipe> {
    game.submissions()?.recognise(path)
}

/// What is wrong with a submission to one of the games that ask for files of certain names.
fn named_remedy(path: &Path) -> Option<String> {
    agon_all::GAMES.iter().filter(|game| !file_names(**game).is_empty()).find_map(|game| misplaced(*game, path))
}

/// The game that the bot itself names, or the only one that knows such a folder.
fn guess(spec: &BotSpec, text: &str) -> Result<&'static dyn Entry, CheckError> {
    let ask = |problem: String, games: &[&'static dyn Entry]| {
        let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
        CheckError::Input(format!("{problem}; add --game with one of {}", names.join(", ")))
    };
    let BotSpec::Path(path) = spec else {
        return Err(ask(format!("nothing says which game '{text}' plays"), agon_all::GAMES));
    };
    if has_manifest(path) {
        return match manifest(path)?.game {
            Some(name) => agon_all::find(&name).map_err(|e| CheckError::Input(format!("{text}: bot.toml: {e}"))),
            None => {
                let problem =
                    format!("{text}: its bot.toml does not say which game it plays: add game = \"GAME\" there");
                Err(CheckError::Input(format!("{problem}, or --game GAME here")))
            }
        };
    }
    let known: Vec<&'static dyn Entry> =
        agon_all::GAMES.iter().copied().filter(|game| recipe(*game, path).is_some()).collect();
    match known.as_slice() {
        // Any source file is a bot of such a game, also one that lies beside what another game asked for.
        [game]
            if file_names(*game).is_empty()
                && let Some(remedy) = named_remedy(path) =>
        {
            Err(CheckError::Input(format!("{text}: {remedy}; or add --game {}", game.name())))
        }
        [game] => Ok(*game),
        [] if let Some(remedy) = agon_all::GAMES.iter().find_map(|game| misplaced(*game, path)) => {
            Err(CheckError::Input(format!("{text}: {remedy}")))
        }
        [] => Err(ask(
            format!("{text} has no bot.toml and is in no form that a game's original asked for"),
            agon_all::GAMES,
        )),
        several => Err(ask(format!("{text} has the form of a bot for several games"), several)),
    }
}
