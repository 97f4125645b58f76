//! Bots that are told the board and the clock in a first line and then only hear their opponent's turns.

use std::{io::BufRead, sync::Arc, time::Duration};

use agon_rules::{BySide, RuleSet, Side, quote};
use agon_wire::{
    Advice, Ask, Bot, BotCommand, BotFailure, BotProcess, Budget, Deadline, Fault, GameSetup, HostError, Launcher,
    Moment, Output, Program, Protocol, Reply,
};

use crate::{HouseCall, Original, ServeError};

/// What the `lines` protocol says of a game in its first line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstLine {
    /// The side of whoever reads it.
    pub side: Side,
    /// The variant.
    pub variant: String,
    /// Seconds for the whole match.
    pub seconds: u64,
}

/// The name of the protocol.
pub const LINES: &str = "lines";

/// A first line that cannot be read: what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("first line {}: expected '{expected}', for example '{example}'", quote(.found))]
pub struct FirstLineError {
    /// The line.
    pub found: String,
    /// The words of such a line.
    pub expected: &'static str,
    /// One.
    pub example: &'static str,
}

/// The option of a bot that asks for the first line of another time.
pub const FIRST_LINE: &str = "first-line";

/// A first line that servers of another time sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OlderLine {
    /// The value of the option [`FIRST_LINE`] that asks for it.
    pub name: &'static str,
    /// What it is and when it was sent, for people.
    pub about: &'static str,
}

/// A game whose bots are told the board and the clock in a first line, after which turns alternate.
pub trait LinesGame: Send + Sync {
    /// The first line.
    fn first_line(&self, line: &FirstLine) -> String;

    /// First lines of other times.
    fn older_lines(&self) -> &'static [OlderLine] {
        &[]
    }

    /// The first line as it was in another time: the name of one of [`older_lines`](LinesGame::older_lines).
    fn older_line(&self, line: &FirstLine, _name: &str) -> String {
        self.first_line(line)
    }

    /// Reads a first line.
    ///
    /// # Errors
    /// If it is none of this game.
    fn read_first_line(&self, text: &str) -> Result<FirstLine, FirstLineError>;
}

/// The `lines` protocol of a game; `bot` makes a [`LinesBot`] of it.
pub const fn lines_protocol(bot: fn(Program) -> Box<dyn Bot>) -> Protocol {
    Protocol {
        name: LINES,
        is_original: true,
        knows_positions: false,
        tells_turn_time: false,
        knows_turn_limits: false,
        stops_thinking: false,
        bot,
        advice: Advice {
            input: "Read one first line, then one line for each turn of the opponent: nothing else is sent, and as the first side it \
                    must make a turn right after the first line.",
            waiting: "Does it wait for a line that does not come? It is sent one first line, then every turn of its opponent; as the \
                      first side it must make a turn right after the first line.",
            until: Advice::UNTIL_INPUT_ENDS,
            output: Output::Stdout("every line on stdout is taken as a turn."),
            chatter: "In the 'lines' protocol every line on stdout is taken as a turn.",
            ends: Some("when its input ends"),
            greeting: None,
            no_turn: None,
        },
    }
}

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
    let first = lines.read_first_line(&first?).map_err(|e| ServeError::Protocol(e.to_string()))?;
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
