//! What is to be played and by whom: from the command line or from a saved game.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use agon_entrants::Containment;
use agon_originals::Original;
use agon_referee::{Record, TimeControl, TurnMade};
use agon_rules::{AnyGame, BySide, RuleSet, Side, quote};
use agon_wire::GameSetup;

use super::{
    Play,
    save::Keeper,
    seat::{HUMAN, entrant},
};
use crate::error::CliError;

/// The opponent of somebody who named none.
const OPPONENT: &str = "level1";

/// Everything that is known before the first turn.
pub(super) struct Plan {
    pub(super) game: &'static dyn Original,
    pub(super) setup: GameSetup,
    pub(super) time: TimeControl,
    /// Whether the clock runs for people.
    pub(super) people_timed: bool,
    /// Who plays: a bot as it was named, or [`HUMAN`].
    pub(super) players: BySide<String>,
    pub(super) seed: u64,
    /// Turns that were played on an earlier day.
    pub(super) turns: Vec<TurnMade>,
    pub(super) keeper: Keeper,
    /// The saved game that this one goes on with.
    pub(super) resumed: Option<PathBuf>,
    /// How far bots are trusted.
    pub(super) containment: Containment,
}

impl Plan {
    /// A new game.
    pub(super) fn fresh(args: &Play) -> Result<Plan, CliError> {
        let game = agon_all::find(args.game.as_deref().unwrap_or_default()).map_err(CliError::input)?;
        let players = players(args, game)?.map(|player| args.objective.spelled(&player));
        let containment = args.contain.containment()?;
        let rules: RuleSet = match &args.rules {
            Some(text) => text.parse().map_err(CliError::input)?,
            None => {
                let mut original = false;
                for side in Side::BOTH {
                    original |= entrant(&players[side], game, &containment)?.is_some_and(|bot| bot.speaks_original());
                }
                agon_entrants::usual_rules(game, original)
            }
        };
        let variant = args.variant.as_deref().unwrap_or(game.variants()[0]).to_owned();
        let mut start = game.open(&variant, rules).map_err(CliError::input)?;
        if let Some(text) = &args.position {
            start.set_up(text).map_err(|e| CliError::Input(format!("position: {e}")))?;
        }
        let mut keeper = Keeper::default();
        if let Some(file) = &args.save {
            keeper.new_file(file.clone()).map_err(CliError::Input)?;
        }
        Ok(Plan {
            time: args.tc.unwrap_or_else(|| game.clock(&variant).into()),
            people_timed: args.tc.is_some(),
            players,
            seed: args.seed.unwrap_or_else(new_seed),
            turns: Vec::new(),
            keeper,
            resumed: None,
            containment,
            setup: GameSetup { game, variant, rules, position: start.start_text(), swapped: false },
            game,
        })
    }

    /// A saved game.
    pub(super) fn resumed(args: &Play, file: &Path) -> Result<Plan, CliError> {
        let record = read(file)?;
        let wrong = |problem: String| CliError::Input(format!("{}: {problem}", file.display()));
        let (game, start) = record.start(agon_all::rules).map_err(|e| wrong(e.to_string()))?;
        let game = agon_all::find(game.name()).map_err(CliError::input)?;
        if args.game.as_ref().is_some_and(|name| name != game.name()) {
            return Err(wrong(format!("this is a game of {}; leave out the game's name", game.name())));
        }
        if record.tag("Result") != Some("*") {
            return Err(wrong(format!("this game is over; `agon replay {}` shows it", file.display())));
        }
        record.replay(agon_all::rules).map_err(|e| wrong(e.to_string()))?;
        let mut keeper = Keeper::own(file.to_owned());
        if let Some(file) = &args.save {
            keeper.new_file(file.clone()).map_err(CliError::Input)?;
        }
        let tag = |name: &str| record.tag(name).map(str::to_owned);
        let time = match record.tag("TimeControl") {
            Some(text) => text.parse().map_err(|e| wrong(format!("TimeControl: {e}")))?,
            None => TimeControl::Unlimited,
        };
        let named = tag("FirstPlayer").zip(tag("SecondPlayer")).filter(|_| !names_players(args));
        let players = match named {
            Some((first, second)) => BySide::new(first, second),
            None => players(args, game)?,
        };
        Ok(Plan {
            game,
            setup: GameSetup {
                game,
                swapped: false,
                variant: tag("Variant").unwrap_or_default(),
                rules: tag("Rules").unwrap_or_default().parse().map_err(CliError::input)?,
                position: start.start_text(),
            },
            time,
            people_timed: record.tag("HumanClock") != Some("off"),
            players,
            seed: record.tag("Seed").and_then(|seed| seed.parse().ok()).unwrap_or_else(new_seed),
            turns: record.turns,
            keeper,
            resumed: Some(file.to_owned()),
            containment: args.contain.containment()?,
        })
    }

    /// Whether a person plays.
    pub(super) fn has_people(&self) -> bool {
        Side::BOTH.iter().any(|&side| self.players[side] == HUMAN)
    }
}

/// Reads a saved game.
fn read(file: &Path) -> Result<Record, CliError> {
    let wrong = |problem: &dyn std::fmt::Display| CliError::Input(format!("{}: {problem}", file.display()));
    let bytes = fs::read(file).map_err(|e| CliError::Input(format!("cannot read {}: {e}", file.display())))?;
    let text = String::from_utf8(bytes).map_err(|_| wrong(&"this is no text, so it is no saved game"))?;
    Record::parse(&text).map_err(|e| wrong(&e))
}

fn names_players(args: &Play) -> bool {
    [&args.vs, &args.side, &args.first, &args.second].iter().any(|option| option.is_some())
}

fn players(args: &Play, game: &dyn AnyGame) -> Result<BySide<String>, CliError> {
    let or_human = |player: &Option<String>| player.clone().unwrap_or_else(|| HUMAN.to_owned());
    if args.first.is_some() || args.second.is_some() {
        return Ok(BySide::new(or_human(&args.first), or_human(&args.second)));
    }
    let mine = args.side.as_deref().map_or(Ok(Side::First), |text| side(text, game))?;
    let opponent = args.vs.as_deref().unwrap_or(OPPONENT);
    Ok(BySide::from_fn(|side| if side == mine { HUMAN } else { opponent }.to_owned()))
}

fn side(text: &str, game: &dyn AnyGame) -> Result<Side, CliError> {
    let names = game.sides();
    let means = |side: &Side| {
        let known = [["first", "second"][side.index()], names[side.index()]];
        known.iter().any(|name| name.eq_ignore_ascii_case(text))
    };
    Side::BOTH.into_iter().find(means).ok_or_else(|| {
        let [first, second] = names;
        CliError::Input(format!("unknown side {}, expected 'first' ({first}) or 'second' ({second})", quote(text)))
    })
}

/// A seed that is short enough to be typed again.
fn new_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_micros() as u64 % 1_000_000
}
