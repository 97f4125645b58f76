//! The referee's end of UGI, our native protocol. docs/bot-authors/ugi.md describes it with a transcript.

use std::{sync::Arc, time::Duration};

use agon_rules::{Side, quote};

use crate::{
    Deadline, Info, Moment,
    bot::{Ask, Bot, BotFailure, Budget, Fault, GameSetup, Reply},
    launch::{BotCommand, Launcher},
    process::BotProcess,
    program::Program,
    words,
};

/// A process that speaks UGI. It is started anew for every game.
pub struct UgiBot {
    name: String,
    command: BotCommand,
    options: Vec<(String, String)>,
    launcher: Arc<dyn Launcher>,
    process: Option<BotProcess>,
}

impl UgiBot {
    /// A bot that is told the program's options before each game.
    pub fn new(program: Program) -> UgiBot {
        let command = program.reach.command();
        let options = program.options.into_iter().collect();
        UgiBot { name: program.name, command, options, launcher: program.launcher, process: None }
    }
}

impl Bot for UgiBot {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, setup: &GameSetup, _side: Side, _budget: Budget) -> Result<(), BotFailure> {
        let mut process = self.launcher.launch(&self.command)?;
        let (result, allowed) = (greet(&mut process, setup, &self.options), process.limits().start);
        self.process = Some(process);
        result.map_err(|failure| failure.before_the_first_turn(allowed))
    }

    fn turn(&mut self, ask: &Ask<'_>) -> Result<Reply, BotFailure> {
        let process = self.process.as_mut().ok_or_else(|| Fault::WouldNotStart("the bot is not running".to_owned()))?;
        let chatter = refuse_unasked(process)?;
        let cpu_before = process.cpu_time();
        process.send(&position_line(ask));
        let start = Moment::now();
        process.send(&go_line(ask.budget));
        let deadline = ask.patience.map(|patience| Deadline::after(start, patience));
        let mut answer = wait_for_bestmove(process, deadline)?;
        let wall = start.elapsed();
        let is_info = |line: &String| line.split_whitespace().next() == Some("info");
        answer.stray.splice(0..0, chatter.into_iter().filter(|line| !is_info(line)));
        let cpu = process.cpu_time().zip(cpu_before).map(|(after, before)| after.saturating_sub(before));
        Ok(Reply {
            turn: answer.turn,
            wall,
            stalled: start.stalled(),
            cpu,
            latency: answer.own_time.map(|own| wall.saturating_sub(own)),
            stderr: process.take_stderr().text(),
            info: answer.info,
            stray: answer.stray,
            ..Reply::default()
        })
    }

    fn process(&mut self) -> Option<&mut BotProcess> {
        self.process.as_mut()
    }

    fn end(&mut self) -> String {
        self.process.take().map_or(String::new(), |mut process| process.finish(Some("quit")).text())
    }
}

fn greet(process: &mut BotProcess, setup: &GameSetup, options: &[(String, String)]) -> Result<(), BotFailure> {
    let deadline = Deadline::from_now(process.limits().start);
    let ours = setup.game.name();
    process.send("ugi");
    let introduction = wait_for(process, "ugiok", deadline)?;
    refuse_others(introduction.iter().find_map(|line| only_game(line, ours)), ours)?;
    let game = [("Game", setup.game.name()), ("Variant", &setup.variant), ("Rules", setup.rules.name())];
    let own = options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    for (name, value) in game.into_iter().chain(own) {
        process.send(&words::joined(["setoption", "name", name, "value", value]));
    }
    process.send("uginewgame");
    process.send("isready");
    let answers = wait_for(process, "readyok", deadline)?;
    let other = answers.iter().find_map(|line| line.trim().strip_prefix(PLAYS));
    refuse_others(other.map(str::to_owned), ours)
}

/// What a bot says that is told to play another game than its own, which it names behind this.
pub(crate) const PLAYS: &str = "info string error: this bot plays ";

/// The game that a bot plays by its introduction, if that is not `ours`: `option name Game type string default hex`. One that plays
/// several names each in a `var`.
fn only_game(line: &str, ours: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["option", "name", "Game", rest @ ..] = words.as_slice() else { return None };
    let named = |pair: &&[&str]| matches!(pair, ["default" | "var", _]);
    let games: Vec<&str> = rest.windows(2).filter(named).map(|pair| pair[1]).collect();
    (!games.contains(&ours)).then(|| games.first().map(|game| (*game).to_owned()))?
}

/// Nothing can come of a match with a bot for another game: it ends before any clock runs.
fn refuse_others(other: Option<String>, ours: &str) -> Result<(), BotFailure> {
    other.map_or(Ok(()), |other| {
        let what = format!("{ITS_GAME}{}, not {}", quote(&other), quote(ours));
        Err(Fault::WouldNotStart(what).into())
    })
}

/// How the evidence begins against a bot that plays another game.
pub const ITS_GAME: &str = "it plays ";

/// Waits for a line that is `word`, and gives those before it.
fn wait_for(process: &mut BotProcess, word: &str, deadline: Deadline) -> Result<Vec<String>, BotFailure> {
    let mut chatter = Vec::new();
    loop {
        let line = process.next_line(Some(deadline), &format!("'{word}'"))?;
        if line.trim() == word {
            return Ok(chatter);
        }
        if line.split_whitespace().next() == Some("bestmove") {
            return Err(unasked(&line));
        }
        chatter.push(line);
    }
}

/// Chatter may come at any time, an answer only after a question. Gives the chatter.
fn refuse_unasked(process: &mut BotProcess) -> Result<Vec<String>, BotFailure> {
    let lines = process.unasked_lines()?;
    match lines.iter().find(|line| line.split_whitespace().next() == Some("bestmove")) {
        Some(line) => Err(unasked(line)),
        None => Ok(lines),
    }
}

fn unasked(line: &str) -> BotFailure {
    Fault::ProtocolViolation(format!("an answer that was not asked for: {}", quote(line))).into()
}

fn position_line(ask: &Ask<'_>) -> String {
    let start = ask.position.start_text();
    let mut line = match &start {
        None => "position startpos".to_owned(),
        Some(text) => format!("position fen {}", words::quoted(text)),
    };
    if !ask.turns.is_empty() {
        line.push_str(" moves ");
        line.push_str(&words::joined(ask.turns));
    }
    line
}

fn go_line(budget: Budget) -> String {
    match budget {
        Budget::Clocks { left, increment } => {
            let (left, increment) = (left.map(|time| time.as_millis()), increment.map(|time| time.as_millis()));
            format!(
                "go p1time {} p2time {} p1inc {} p2inc {}",
                left.first, left.second, increment.first, increment.second
            )
        }
        Budget::Turn(time) => format!("go movetime {}", time.as_millis()),
        Budget::Nodes(nodes) => format!("go nodes {nodes}"),
        Budget::Depth(depth) => format!("go depth {depth}"),
        // Not `infinite`: that would have to be ended by `stop`, which a match never sends.
        Budget::Unlimited => "go".to_owned(),
    }
}

struct Answer {
    turn: String,
    own_time: Option<Duration>,
    info: Option<String>,
    stray: Vec<String>,
}

fn wait_for_bestmove(process: &mut BotProcess, deadline: Option<Deadline>) -> Result<Answer, BotFailure> {
    let mut answer = Answer { turn: String::new(), own_time: None, info: None, stray: Vec::new() };
    loop {
        let line = process.next_line(deadline, "'bestmove'")?;
        let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        match word {
            "bestmove" => {
                answer.turn = read_bestmove(&line, rest)?;
                return Ok(answer);
            }
            "info" => {
                let info = Info::read(rest);
                answer.own_time = info.time.or(answer.own_time);
                // A last remark must not hide what the bot thought of the position.
                if info != Info::default() || answer.info.is_none() {
                    answer.info = Some(rest.to_owned());
                }
            }
            _ => answer.stray.push(line),
        }
    }
}

/// `bestmove "P 2 7"`, `bestmove c2b3`, also with a `ponder` part, which is ignored.
fn read_bestmove(line: &str, rest: &str) -> Result<String, BotFailure> {
    let broken = |problem: &str| Fault::ProtocolViolation(format!("{problem}: {}", quote(line)));
    let words = words::split(rest).map_err(|e| broken(&e.to_string()))?;
    match words.as_slice() {
        [turn] => Ok(turn.clone()),
        [turn, ponder, _] if ponder == "ponder" => Ok(turn.clone()),
        [] => Err(broken("bestmove without a turn").into()),
        _ => Err(broken("a turn with blanks must be in double quotes").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_says_which_games_it_plays() {
        let line = "option name Game type string default hex";
        assert_eq!(only_game(line, "nim").as_deref(), Some("hex"));
        let several = "option name Game type combo default hex var hex var nim";
        for line in [line, several, "option name Game type string", "option name Variant type string default x", ""] {
            assert_eq!(only_game(line, "hex"), None, "{line}");
        }
        assert_eq!(only_game(several, "nim"), None);
    }
}
