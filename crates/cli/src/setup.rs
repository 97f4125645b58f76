//! The arguments that name a position, shared by several commands.

use agon_all::Entry;
use agon_lab::Start;
use agon_rules::{AnyPosition, RuleSet};
use agon_runs::table::play_typed;
use agon_search::{AnyEngine, EngineOptions};
use clap::Args;

use crate::error::CliError;

/// A game and its variant and rule set.
#[derive(Args)]
pub(crate) struct GameArgs {
    /// The game's short name: see `agon games`
    game: String,
    /// The board and parameters; the game's default if absent
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// The rule set, `text` or `server`
    #[arg(long, value_name = "R", default_value = "text")]
    rules: String,
}

/// A position: of a game, set up or reached by turns.
#[derive(Args)]
pub(crate) struct PositionArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The position as text; the start position if absent
    #[arg(long, value_name = "P")]
    position: Option<String>,
    /// Turns to play from there, separated by ';'
    #[arg(long, value_name = "TURNS")]
    moves: Option<String>,
}

impl GameArgs {
    /// The game.
    pub(crate) fn game(&self) -> Result<&'static dyn Entry, CliError> {
        agon_all::find(&self.game).map_err(CliError::input)
    }

    /// What the lab is to play.
    pub(crate) fn lab_start(&self) -> Result<Start, CliError> {
        self.start()?;
        let game = self.game()?;
        let variant = self.variant.clone().unwrap_or_else(|| game.variants()[0].to_owned());
        Ok(Start { game: game.name().to_owned(), variant, rules: self.rules.parse().map_err(CliError::input)? })
    }

    /// An engine for it.
    pub(crate) fn engine(&self, options: EngineOptions) -> Result<Box<dyn AnyEngine>, CliError> {
        let (game, rules) = (self.game()?, self.rules.parse().map_err(CliError::input)?);
        let variant = self.variant.as_deref().unwrap_or(game.variants()[0]);
        game.engine(variant, rules, options).map_err(CliError::input)
    }

    /// The start position.
    pub(crate) fn start(&self) -> Result<Box<dyn AnyPosition>, CliError> {
        let game = self.game()?;
        let rules: RuleSet = self.rules.parse().map_err(CliError::input)?;
        let variant = self.variant.as_deref().unwrap_or(game.variants()[0]);
        game.open(variant, rules).map_err(CliError::input)
    }
}

impl PositionArgs {
    /// The game.
    pub(crate) fn game(&self) -> Result<&'static dyn Entry, CliError> {
        self.game.game()
    }

    /// The position asked for.
    pub(crate) fn open(&self) -> Result<Box<dyn AnyPosition>, CliError> {
        let mut position = self.game.start()?;
        if let Some(text) = &self.position {
            position.set_up(text).map_err(|e| CliError::Input(format!("position: {e}")))?;
        }
        if let Some(turns) = &self.moves {
            play_typed(&mut *position, turns).map_err(CliError::input)?;
        }
        Ok(position)
    }
}
