//! Bots that are a Python class, asked for each turn. A small driver of ours runs the class and speaks JSON lines with us; its
//! head describes them.

use std::{sync::Arc, time::Duration};

use agon_rules::{BySide, RuleSet, Side, quote};
use agon_wire::{
    Ask, Bot, BotCommand, BotFailure, BotProcess, Budget, Deadline, Fault, GameSetup, HostError, Launcher, Moment,
    Program, Reply,
};
use serde_json::{Map, Value, json};

use super::shown::{Shown, shown};
use crate::text::side_name;

/// How long an agent may take to be imported and made: some bring a large library along.
const START: Duration = Duration::from_secs(60);

/// The seconds that an agent is told where no clock runs.
const NO_CLOCK: f64 = 3600.0;

/// A process that runs a `StudentAgent`. It is started anew for every game.
pub(super) struct ClassBot {
    name: String,
    command: BotCommand,
    launcher: Arc<dyn Launcher>,
    process: Option<BotProcess>,
    variant: String,
    rules: RuleSet,
    seen: Option<Seen>,
}

/// The board as far as it is known.
struct Seen {
    start: Option<String>,
    turns: Vec<String>,
    board: Box<dyn Shown>,
}

impl ClassBot {
    pub(super) fn new(program: Program) -> ClassBot {
        ClassBot {
            name: program.name,
            command: program.reach.command(),
            launcher: program.launcher,
            process: None,
            variant: String::new(),
            rules: RuleSet::Server,
            seen: None,
        }
    }

    /// The board after the turns of `ask`. People may take turns back: then it is set up anew.
    fn board(&mut self, ask: &Ask<'_>) -> Result<&dyn Shown, HostError> {
        let start = ask.position.start_text();
        let goes_on = |seen: &Seen| seen.start == start && ask.turns.starts_with(&seen.turns);
        let mut seen = match self.seen.take().filter(goes_on) {
            Some(seen) => seen,
            None => {
                let board = shown(&self.variant, self.rules, start.as_deref()).map_err(HostError)?;
                Seen { start, turns: Vec::new(), board }
            }
        };
        for turn in &ask.turns[seen.turns.len()..] {
            seen.board.play(turn);
            seen.turns.push(turn.clone());
        }
        if seen.board.text() != ask.position.text() {
            return Err(HostError(format!("the bot's board would be {}", quote(&seen.board.text()))));
        }
        Ok(&*self.seen.insert(seen).board)
    }
}

impl Bot for ClassBot {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, setup: &GameSetup, side: Side, _budget: Budget) -> Result<(), BotFailure> {
        self.variant.clone_from(&setup.variant);
        self.rules = setup.rules;
        self.seen = None;
        let process = self.process.insert(self.launcher.launch(&self.command)?);
        let allowed = process.limits().start.max(START);
        process.send(&json!({"new": {"player": side_name(side)}}).to_string());
        let answer = answer(process, Some(Deadline::from_now(allowed)), "sign that the agent is ready");
        match answer.map_err(|failure| failure.before_the_first_turn(allowed))? {
            answer if answer.contains_key("ready") => Ok(()),
            answer => Err(Fault::WouldNotStart(error_of(&answer)).into()),
        }
    }

    fn turn(&mut self, ask: &Ask<'_>) -> Result<Reply, BotFailure> {
        let board = self.board(ask)?;
        let (rows, columns) = board.size();
        let times = seconds(ask);
        let request = json!({"choose": {
            "board": board.cells(),
            "rows": rows,
            "cols": columns,
            "score_cols": board.score_columns(),
            "my_time": times[ask.side],
            "opponent_time": times[ask.side.other()],
        }});
        let process = self.process.as_mut().ok_or_else(|| Fault::WouldNotStart("the bot is not running".to_owned()))?;
        if let Some(line) = process.unasked_lines()?.first() {
            let problem = format!("an answer that was not asked for: {}", quote(line));
            return Err(Fault::ProtocolViolation(problem).into());
        }
        let cpu_before = process.cpu_time();
        let start = Moment::now();
        process.send(&request.to_string());
        let answer = answer(process, ask.patience.map(|patience| Deadline::after(start, patience)), "move")?;
        let wall = start.elapsed();
        let turn = turn_of(&answer)?;
        let own = answer.get("seconds").and_then(Value::as_f64).and_then(|own| Duration::try_from_secs_f64(own).ok());
        Ok(Reply {
            turn,
            wall,
            stalled: start.stalled(),
            cpu: process.cpu_time().zip(cpu_before).map(|(after, before)| after.saturating_sub(before)),
            latency: own.map(|own| wall.saturating_sub(own)),
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

/// What the agent is told about the clocks.
fn seconds(ask: &Ask<'_>) -> BySide<f64> {
    match ask.budget {
        Budget::Clocks { left, .. } => left.map(|left| left.as_secs_f64()),
        Budget::Turn(time) => BySide::new(time.as_secs_f64(), time.as_secs_f64()),
        Budget::Nodes(_) | Budget::Depth(_) | Budget::Unlimited => BySide::new(NO_CLOCK, NO_CLOCK),
    }
}

/// Waits for the driver's next answer.
fn answer(
    process: &mut BotProcess,
    deadline: Option<Deadline>,
    waiting_for: &str,
) -> Result<Map<String, Value>, BotFailure> {
    let line = process.next_line(deadline, waiting_for)?;
    serde_json::from_str(&line).map_err(|_| {
        let problem = format!("expected a JSON object, found {}", quote(&line));
        Fault::ProtocolViolation(problem).into()
    })
}

/// The turn in an answer to a request for one.
fn turn_of(answer: &Map<String, Value>) -> Result<String, Fault> {
    if let Some(found @ Value::Object(_)) = answer.get("move") {
        return Ok(found.to_string());
    }
    let text = |name: &str| answer.get(name).and_then(Value::as_str);
    match text("illegal") {
        Some(rule) => {
            Err(Fault::IllegalTurn { turn: text("sent").unwrap_or("no move").to_owned(), rule: rule.to_owned() })
        }
        None => Err(Fault::Crash(format!("raised an exception: {}", error_of(answer)))),
    }
}

fn error_of(answer: &Map<String, Value>) -> String {
    match answer.get("error").and_then(Value::as_str) {
        Some(error) => error.to_owned(),
        None => format!("an answer that means nothing: {}", quote(&Value::Object(answer.clone()).to_string())),
    }
}
