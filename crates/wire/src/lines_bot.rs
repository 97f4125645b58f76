//! Bots that are told the board and the clock in a first line and then only hear their opponent's turns.

use std::{io::BufRead, sync::Arc, time::Duration};

use agon_rules::{BySide, RuleSet, Side, quote};

use crate::{
    Deadline, Moment,
    bot::{Ask, Bot, BotFailure, Budget, Fault, GameSetup, HostError, Reply},
    launch::{BotCommand, Launcher},
    original::{FIRST_LINE, FirstLine, HouseCall, LinesGame, Original, Program, ServeError},
    process::BotProcess,
};

/// A process that speaks the `lines` protocol. It is started anew for every game.
pub struct LinesBot {
    name: String,
    command: BotCommand,
    launcher: Arc<dyn Launcher>,
    game: &'static dyn LinesGame,
    /// The first line that it expects, if not the usual one.
    older: Option<String>,
    process: Option<BotProcess>,
    /// How many turns of the game the bot knows of.
    known: usize,
}

impl LinesBot {
    /// A bot of `game`.
    pub fn new(game: &'static dyn LinesGame, program: Program) -> LinesBot {
        let command = program.reach.command();
        let older = program.options.get(FIRST_LINE).cloned();
        LinesBot { name: program.name, command, launcher: program.launcher, game, older, process: None, known: 0 }
    }
}

impl Bot for LinesBot {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, setup: &GameSetup, side: Side, budget: Budget) -> Result<(), BotFailure> {
        if setup.position.is_some() {
            let problem = "the 'lines' protocol knows only games from the start position";
            return Err(HostError(problem.to_owned()).into());
        }
        let seconds = match budget {
            Budget::Clocks { left, .. } => left[side].as_secs().max(1),
            Budget::Turn(_) => {
                let problem =
                    "the 'lines' protocol tells a bot a total time, so it cannot be given so much for each turn";
                return Err(HostError(problem.to_owned()).into());
            }
            // No clock runs: any number will do.
            Budget::Nodes(_) | Budget::Depth(_) | Budget::Unlimited => 3600,
        };
        let mut process = self.launcher.launch(&self.command)?;
        let line = FirstLine { side, variant: setup.variant.clone(), seconds };
        process.send(&match &self.older {
            Some(name) => self.game.older_line(&line, name),
            None => self.game.first_line(&line),
        });
        self.process = Some(process);
        self.known = 0;
        Ok(())
    }

    fn turn(&mut self, ask: &Ask<'_>) -> Result<Reply, BotFailure> {
        let process = self.process.as_mut().ok_or_else(|| Fault::WouldNotStart("the bot is not running".to_owned()))?;
        let unknown = &ask.turns[self.known.min(ask.turns.len())..];
        if unknown.len() > 1 {
            let problem = "the 'lines' protocol knows only games from the start: a bot cannot be told its own turns";
            return Err(HostError(problem.to_owned()).into());
        }
        let cpu_before = process.cpu_time();
        let start = Moment::now();
        for turn in unknown {
            process.send(turn);
        }
        let deadline = ask.patience.map(|patience| Deadline::after(start, patience));
        let line = process.next_line(deadline, "turn")?;
        let wall = start.elapsed();
        self.known = ask.turns.len() + 1;
        let turn = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let cpu = process.cpu_time().zip(cpu_before).map(|(after, before)| after.saturating_sub(before));
        let stray = process.waiting_lines();
        Ok(Reply {
            turn,
            wall,
            stalled: start.stalled(),
            cpu,
            stray,
            stderr: process.take_stderr().text(),
            ..Reply::default()
        })
    }

    fn process(&mut self) -> Option<&mut BotProcess> {
        self.process.as_mut()
    }

    fn end(&mut self) -> String {
        self.process.take().map_or(String::new(), |mut process| process.finish(None).text())
    }
}

/// The bot's end, for house bots: reads the first line, then plays one game until it is over or the input ends.
pub fn serve_lines(game: &'static dyn Original, lines: &dyn LinesGame, call: HouseCall<'_>) -> Result<(), ServeError> {
    if let [argument, ..] = call.arguments {
        return Err(ServeError::Usage(format!(
            "unexpected argument {}: this bot speaks on stdin and stdout",
            quote(argument)
        )));
    }
    let mut input = call.input.lines();
    let Some(first) = input.next() else { return Ok(()) };
    let first = lines.read_first_line(&first?).map_err(ServeError::Protocol)?;
    let rules = if game.rule_sets().contains(&RuleSet::Server) { RuleSet::Server } else { game.rule_sets()[0] };
    let mut position = game.open(&first.variant, rules).map_err(|e| ServeError::Protocol(e.to_string()))?;
    let setup = GameSetup { game, variant: first.variant, rules, position: None, swapped: false };
    let mut brain = (call.brain)(&setup);
    brain.new_game(&setup, first.side);
    let mut left = Duration::from_secs(first.seconds);
    let mut turns: Vec<String> = Vec::new();
    while position.outcome().is_none() {
        if position.turn() == first.side {
            let start = Moment::now();
            let clocks = BySide::new(left, left);
            let ask = Ask {
                side: first.side,
                position: &*position,
                turns: &turns,
                budget: Budget::clocks(clocks),
                patience: None,
            };
            let turn = brain.choose(&ask);
            left = left.saturating_sub(start.elapsed());
            position.play(&turn).map_err(|e| ServeError::Protocol(format!("own turn {}: {e}", quote(&turn))))?;
            writeln!(call.output, "{turn}")?;
            call.output.flush()?;
            turns.push(turn);
        } else {
            let Some(line) = input.next() else { return Ok(()) };
            let turn = line?;
            position
                .play(turn.trim())
                .map_err(|e| ServeError::Protocol(format!("the opponent's turn {}: {e}", quote(&turn))))?;
            turns.push(turn.trim().to_owned());
        }
    }
    Ok(())
}
