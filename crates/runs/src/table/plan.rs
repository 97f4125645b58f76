//! What is to be played and by whom: as somebody asks for it, or from a saved game.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use agon_entrants::Containment;
use agon_house::Aim;
use agon_originals::Original;
use agon_referee::{Record, RecordError, TimeControl, TimeControlError, TurnMade};
use agon_rules::{AnyGame, BySide, PositionError, RuleSet, SetupError, Side, quote};
use agon_wire::GameSetup;
use thiserror::Error;

use super::{
    keeper::{Keeper, SaveError},
    seat::{HUMAN, SeatError, entrant},
};
use crate::{SandboxError, SandboxOptions};

/// The opponent of somebody who named none.
const OPPONENT: &str = "level1";

/// What somebody asks for, in the words in which people name things.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The game's short name; a saved game says it itself.
    pub game: Option<String>,
    /// The board and parameters; the game's default if absent.
    pub variant: Option<String>,
    /// The rule set; `text` unless a bot speaks an original protocol if absent.
    pub rules: Option<String>,
    /// The position to begin with, as text; the start position if absent.
    pub position: Option<String>,
    /// The opponent of a person.
    pub versus: Option<String>,
    /// The side of a person who has an opponent.
    pub side: Option<String>,
    /// Who plays each side, where somebody says that instead.
    pub players: BySide<Option<String>>,
    /// What house bots try to achieve.
    pub objective: Aim,
    /// The clock, for people too; if absent, people have none and bots have the game's own.
    pub time: Option<TimeControl>,
    /// Where random choices begin; a new one if absent.
    pub seed: Option<u64>,
    /// A new file to keep the game in.
    pub save: Option<PathBuf>,
    /// How far bots are trusted.
    pub sandbox: SandboxOptions,
}

/// Everything that is known before the first turn.
pub struct Plan {
    /// The game.
    pub game: &'static dyn Original,
    /// Variant, rule set and beginning.
    pub setup: GameSetup,
    /// How long the bots may think.
    pub time: TimeControl,
    /// Whether the clock runs for people.
    pub people_timed: bool,
    /// Who plays: a bot as it was named, or [`HUMAN`].
    pub players: BySide<String>,
    /// Where random choices begin.
    pub seed: u64,
    /// Turns that were played on an earlier day.
    pub turns: Vec<TurnMade>,
    /// Where the game is kept.
    pub keeper: Keeper,
    /// The saved game that this one goes on with.
    pub resumed: Option<PathBuf>,
    /// How far bots are trusted.
    pub containment: Containment,
}

/// Why there is no game.
#[derive(Debug, Error)]
pub enum PlanError {
    /// No such game, variant or rule set.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// No such position.
    #[error("position: {0}")]
    Position(#[from] PositionError),
    /// No such side.
    #[error("unknown side {}, expected 'first' ({}) or 'second' ({})", quote(.found), .sides[0], .sides[1])]
    Side {
        /// What was written.
        found: String,
        /// What the game calls its sides.
        sides: [&'static str; 2],
    },
    /// The bots cannot be contained as somebody wants it.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// Nobody takes a seat.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// The game cannot be kept where somebody wants it.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// The saved game cannot be read.
    #[error("cannot read {}: {reason}", .file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// The file holds no game that goes on.
    #[error("{}: {problem}", .file.display())]
    Saved {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        problem: SavedError,
    },
}

/// Why nobody can go on with a saved game.
#[derive(Debug, Error)]
pub enum SavedError {
    /// It is no text.
    #[error("this is no text, so it is no saved game")]
    NoText,
    /// It is no record, or one that does not follow the rules.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// It is a game of another kind than was named.
    #[error("this is a game of {0}; leave out the game's name")]
    OtherGame(&'static str),
    /// It is over.
    #[error("this game is over; `agon replay {}` shows it", .0.display())]
    Over(PathBuf),
    /// Its clock cannot be read.
    #[error("TimeControl: {0}")]
    Time(#[from] TimeControlError),
}

impl Plan {
    /// A new game.
    ///
    /// # Errors
    /// If the settings make no sense together, or a bot cannot be built.
    pub fn fresh(settings: &Settings) -> Result<Plan, PlanError> {
        let game = agon_all::find(settings.game.as_deref().unwrap_or_default())?;
        let players = players(settings, game)?.map(|player| settings.objective.spelled(&player));
        let containment = settings.sandbox.containment()?;
        let rules: RuleSet = match &settings.rules {
            Some(text) => text.parse()?,
            None => {
                let mut original = false;
                for side in Side::BOTH {
                    original |= entrant(&players[side], game, &containment)?.is_some_and(|bot| bot.speaks_original());
                }
                agon_entrants::usual_rules(game, original)
            }
        };
        let variant = settings.variant.as_deref().unwrap_or(game.variants()[0]).to_owned();
        let mut start = game.open(&variant, rules)?;
        if let Some(text) = &settings.position {
            start.set_up(text)?;
        }
        let mut keeper = Keeper::default();
        if let Some(file) = &settings.save {
            keeper.new_file(file.clone())?;
        }
        Ok(Plan {
            time: settings.time.unwrap_or_else(|| game.clock(&variant).into()),
            people_timed: settings.time.is_some(),
            players,
            seed: settings.seed.unwrap_or_else(new_seed),
            turns: Vec::new(),
            keeper,
            resumed: None,
            containment,
            setup: GameSetup { game, variant, rules, position: start.start_text(), swapped: false },
            game,
        })
    }

    /// A saved game.
    ///
    /// # Errors
    /// If the file holds no game that goes on, or the settings do not fit it.
    pub fn resumed(settings: &Settings, file: &Path) -> Result<Plan, PlanError> {
        let wrong = |problem: SavedError| PlanError::Saved { file: file.to_owned(), problem };
        let record = read(file)?;
        let (game, start) = record.start(agon_all::rules).map_err(|e| wrong(e.into()))?;
        let game = agon_all::find(game.name())?;
        if settings.game.as_ref().is_some_and(|name| name != game.name()) {
            return Err(wrong(SavedError::OtherGame(game.name())));
        }
        if record.tag("Result") != Some("*") {
            return Err(wrong(SavedError::Over(file.to_owned())));
        }
        record.replay(agon_all::rules).map_err(|e| wrong(e.into()))?;
        let mut keeper = Keeper::own(file.to_owned());
        if let Some(file) = &settings.save {
            keeper.new_file(file.clone())?;
        }
        let tag = |name: &str| record.tag(name).map(str::to_owned);
        let time = match record.tag("TimeControl") {
            Some(text) => text.parse().map_err(|e| wrong(SavedError::Time(e)))?,
            None => TimeControl::Unlimited,
        };
        let named = tag("FirstPlayer").zip(tag("SecondPlayer")).filter(|_| !names_players(settings));
        let players = match named {
            Some((first, second)) => BySide::new(first, second),
            None => players(settings, game)?,
        };
        Ok(Plan {
            game,
            setup: GameSetup {
                game,
                swapped: false,
                variant: tag("Variant").unwrap_or_default(),
                rules: tag("Rules").unwrap_or_default().parse()?,
                position: start.start_text(),
            },
            time,
            people_timed: record.tag("HumanClock") != Some("off"),
            players,
            seed: record.tag("Seed").and_then(|seed| seed.parse().ok()).unwrap_or_else(new_seed),
            turns: record.turns,
            keeper,
            resumed: Some(file.to_owned()),
            containment: settings.sandbox.containment()?,
        })
    }

    /// Whether a person plays.
    pub fn has_people(&self) -> bool {
        Side::BOTH.iter().any(|&side| self.players[side] == HUMAN)
    }
}

/// Reads a saved game.
fn read(file: &Path) -> Result<Record, PlanError> {
    let wrong = |problem: SavedError| PlanError::Saved { file: file.to_owned(), problem };
    let bytes = fs::read(file).map_err(|reason| PlanError::Unreadable { file: file.to_owned(), reason })?;
    let text = String::from_utf8(bytes).map_err(|_| wrong(SavedError::NoText))?;
    Record::parse(&text).map_err(|e| wrong(e.into()))
}

fn names_players(settings: &Settings) -> bool {
    let BySide { first, second } = &settings.players;
    [&settings.versus, &settings.side, first, second].iter().any(|option| option.is_some())
}

fn players(settings: &Settings, game: &dyn AnyGame) -> Result<BySide<String>, PlanError> {
    let BySide { first, second } = &settings.players;
    let or_human = |player: &Option<String>| player.clone().unwrap_or_else(|| HUMAN.to_owned());
    if first.is_some() || second.is_some() {
        return Ok(BySide::new(or_human(first), or_human(second)));
    }
    let mine = settings.side.as_deref().map_or(Ok(Side::First), |text| side(text, game))?;
    let opponent = settings.versus.as_deref().unwrap_or(OPPONENT);
    Ok(BySide::from_fn(|side| if side == mine { HUMAN } else { opponent }.to_owned()))
}

fn side(text: &str, game: &dyn AnyGame) -> Result<Side, PlanError> {
    let sides = game.sides();
    let means = |side: &Side| {
        let known = [["first", "second"][side.index()], sides[side.index()]];
        known.iter().any(|name| name.eq_ignore_ascii_case(text))
    };
    let found = Side::BOTH.into_iter().find(means);
    found.ok_or_else(|| PlanError::Side { found: text.to_owned(), sides })
}

/// A seed that is short enough to be typed again.
fn new_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_micros() as u64 % 1_000_000
}
