//! `agon bot`: a house bot for others to play with.

use std::io::{self, BufRead, Cursor, Read};

use agon_house::{Aim, UnknownAim};
use agon_originals::{HouseCall, ServeError};
use agon_wire::serve_ugi;
use clap::Args;

use crate::error::CliError;

/// Be a bot: speak UGI or the original protocol of a game with a house bot's mind
///
/// Without further arguments it listens on stdin: to `ugi` it answers in UGI, to anything else as the game's original would have had
/// it. Further arguments are those of the original's bots: a port to listen on, say.
#[derive(Args)]
pub(crate) struct Bot {
    /// The game's short name: see `agon games`
    game: String,
    /// Which house bot: random, greedy, novice, adept, master, 1 to 10, aggressive, defensive, balanced or mcts
    #[arg(long, default_value = "random", value_parser = house_bot)]
    level: String,
    /// Where its random choices begin
    #[arg(long, default_value_t = 1, allow_negative_numbers = true, value_parser = crate::input::whole_number)]
    seed: u64,
    /// What it tries to achieve: to win, or to make as many points as possible. A proven win is always the one with the most points
    #[arg(long, value_name = "win|points", default_value = "win")]
    objective: Aim,
    /// What the original's bots are started with
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

impl Bot {
    pub(crate) fn run(mut self) -> Result<(), CliError> {
        let game = agon_all::find(&self.game).map_err(CliError::input)?;
        self.take_options()?;
        let name = self.objective.spelled(&self.level);
        let mut brain = |_: &agon_wire::GameSetup| agon_house::think(&name, self.seed);
        // UGI writes from the thread that thinks, so the output is not locked; a line is written at once.
        let (mut stdin, mut stdout) = (io::stdin().lock(), io::stdout());
        let mut first = Vec::new();
        if self.arguments.is_empty() {
            stdin.by_ref().take(LONGEST_FIRST_LINE).read_until(b'\n', &mut first)?;
            if first.trim_ascii() == b"ugi" || first.is_empty() {
                return Ok(serve_ugi(game, &mut brain, Cursor::new(first).chain(stdin), stdout)?);
            }
        }
        let mut input = Cursor::new(first).chain(stdin);
        let call = HouseCall {
            name: &name,
            arguments: &self.arguments,
            brain: &mut brain,
            input: &mut input,
            output: &mut stdout,
        };
        let Some(player) = game.player() else {
            let problem = format!("bots of {} speak UGI only: it begins with the line `ugi` on stdin", game.name());
            return Err(CliError::Input(problem));
        };
        player(call).map_err(|error| match error {
            ServeError::Usage(problem) | ServeError::Protocol(problem) => CliError::Input(problem),
            ServeError::Io(error) => error.into(),
        })
    }
}

impl Bot {
    /// Options may also stand behind the original's arguments, where they look like one of them.
    fn take_options(&mut self) -> Result<(), CliError> {
        let mut words = std::mem::take(&mut self.arguments).into_iter();
        while let Some(word) = words.next() {
            let (name, value) = word.split_once('=').map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
            if !["--level", "--seed", "--objective"].contains(&name) {
                self.arguments.push(word);
                continue;
            }
            let value = value.map(str::to_owned).or_else(|| words.next());
            let value = value.ok_or_else(|| CliError::Input(format!("{name}: expected a value")))?;
            let wrong = |problem: String| CliError::Input(format!("{name} {}: {problem}", agon_rules::quote(&value)));
            if name == "--level" {
                self.level = house_bot(&value).map_err(wrong)?;
            } else if name == "--objective" {
                self.objective = value.parse().map_err(|problem: UnknownAim| wrong(problem.to_string()))?;
            } else {
                self.seed = value.parse().map_err(|_| wrong("expected a number".to_owned()))?;
            }
        }
        Ok(())
    }
}

/// The name of a house bot; a number is a level.
fn house_bot(text: &str) -> Result<String, String> {
    let level = format!("level{text}");
    let found = agon_house::NAMES.iter().find(|&&name| name == text || name == level);
    found.map(|&name| name.to_owned()).ok_or_else(|| format!("expected one of {}", agon_house::NAMES.join(", ")))
}

/// No protocol begins with a longer line.
const LONGEST_FIRST_LINE: u64 = 64 << 10;
