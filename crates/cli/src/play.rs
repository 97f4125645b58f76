//! `agon play`: people and bots at one board.

mod command;
mod editor;
mod human;
mod page;
mod prompt;
mod screen;

use std::{
    io::{self, IsTerminal},
    path::PathBuf,
};

use agon_house::Aim;
use agon_referee::TimeControl;
use agon_rules::BySide;
use agon_runs::table::{Plan, Settings};
use clap::Args;

use crate::{contain::Contain, error::CliError};
use prompt::Prompt;

/// The options of an original's launcher, as ours. `None` if there are none among `arguments`.
pub(crate) fn original_options(arguments: &[String]) -> Option<Result<Vec<String>, String>> {
    let game = arguments.iter().find_map(|argument| agon_all::find(argument).ok())?;
    // Somebody at a terminal gets what the original's launcher showed by itself; a program that sends turns does not.
    let launcher = game.launcher()?;
    if arguments.len() == 1 && launcher.has_window() && io::stdin().is_terminal() {
        return Some(Ok(vec![arguments[0].clone(), "--page".to_owned()]));
    }
    let translated = launcher.play_options(arguments)?;
    Some(translated.map_err(|problem| problem.to_string()))
}

/// Play in the terminal, or on a page
#[derive(Args)]
#[command(after_help = "A game may also take the options of its original's launcher: see the README of the game.")]
pub(crate) struct Play {
    /// The game's short name: see `agon games`
    #[arg(required_unless_present = "resume")]
    game: Option<String>,
    /// The board and parameters; the game's default if absent
    #[arg(long, value_name = "V", conflicts_with = "resume")]
    variant: Option<String>,
    /// The rule set, `text` or `server`; `text` if absent
    #[arg(long, value_name = "R", conflicts_with = "resume")]
    rules: Option<String>,
    /// The position to begin with, as text; the start position if absent
    #[arg(long, value_name = "P", conflicts_with = "resume")]
    position: Option<String>,
    /// Your opponent: a house bot, a bot's folder or file, cmd:COMMAND, ws://HOST:PORT, or `human`; `level1` if absent
    #[arg(long, value_name = "BOT", conflicts_with_all = ["first", "second"])]
    vs: Option<String>,
    /// What house bots try to achieve: to win, or to make as many points as possible. A proven win is always the one with the most points
    #[arg(long, value_name = "win|points", default_value = "win", conflicts_with = "resume")]
    objective: Aim,
    /// Your side: `first`, `second`, or what the game calls it; `first` if absent
    #[arg(long, conflicts_with_all = ["first", "second"])]
    side: Option<String>,
    /// Who plays the first side; `human` if only the second one is given
    #[arg(long, value_name = "BOT")]
    first: Option<String>,
    /// Who plays the second side; `human` if only the first one is given
    #[arg(long, value_name = "BOT")]
    second: Option<String>,
    /// The clock, for people too: SECONDS, SECONDS+INCREMENT, SECONDS/turn, nodes=N, depth=N or inf. If absent, people have no
    /// clock and bots have the game's own
    #[arg(long, value_name = "TC", allow_hyphen_values = true, conflicts_with = "resume")]
    tc: Option<TimeControl>,
    /// Where random choices begin; if absent, a new one each time, which is printed
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    seed: Option<u64>,
    /// Keep the game in this new file: it is written after every turn
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Go on with a saved game, and keep it in its file
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Play on a page in the browser instead
    #[arg(long, conflicts_with_all = ["step", "ascii"])]
    page: bool,
    /// When two bots play, wait for Enter after each turn
    #[arg(long)]
    step: bool,
    /// Use only ASCII characters
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    contain: Contain,
}

impl Play {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let plan = match &self.resume {
            Some(file) => Plan::resumed(&self.settings(), file)?,
            None => Plan::fresh(&self.settings())?,
        };
        if self.step && plan.has_people() {
            return Err(CliError::Input("--step is for watching two bots: see --first and --second".to_owned()));
        }
        let mut out = io::stdout().lock();
        if self.page {
            return page::play(&plan, &mut out);
        }
        Prompt::open(plan, self.ascii, self.step)?.play(&mut out)
    }

    fn settings(&self) -> Settings {
        Settings {
            game: self.game.clone(),
            variant: self.variant.clone(),
            rules: self.rules.clone(),
            position: self.position.clone(),
            versus: self.vs.clone(),
            side: self.side.clone(),
            players: BySide::new(self.first.clone(), self.second.clone()),
            objective: self.objective,
            time: self.tc,
            seed: self.seed,
            save: self.save.clone(),
            sandbox: self.contain.options(),
        }
    }
}
