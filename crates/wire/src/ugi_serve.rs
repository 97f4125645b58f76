//! The bot's end of UGI, for house bots: `agon bot`.

use std::{
    io::{self, BufRead, Write},
    time::Duration,
};

use agon_rules::{AnyGame, AnyPosition, BySide, RuleSet};

use crate::{
    bot::{Ask, Budget, GameSetup},
    house::Brain,
    words,
};

/// Speaks UGI with whoever is at the other end until `quit` or the end of the input.
///
/// `brain` makes a new mind for each game. What cannot be understood is answered with an `info string`, and ignored.
pub fn serve_ugi(
    game: &'static dyn AnyGame,
    brain: &mut dyn FnMut(&GameSetup) -> Box<dyn Brain>,
    input: impl BufRead,
    output: impl Write,
) -> io::Result<()> {
    let setup = GameSetup {
        game,
        variant: game.variants()[0].to_owned(),
        rules: game.rule_sets()[0],
        position: None,
        swapped: false,
    };
    let brain_of_the_day = brain(&setup);
    let mut session =
        Session { setup, position: None, turns: Vec::new(), brain: brain_of_the_day, fresh: true, output };
    for line in input.lines() {
        let line = line?;
        let words = match words::split(&line) {
            Ok(words) => words,
            Err(problem) => {
                session.complain(&problem.to_string())?;
                continue;
            }
        };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            [] | ["stop"] => {}
            ["quit"] => break,
            ["ugi"] => session.introduce()?,
            ["isready"] => {
                if session.fresh {
                    session.brain.prepare(&session.setup);
                }
                session.say("readyok")?;
            }
            ["uginewgame"] => {
                session.brain = brain(&session.setup);
                session.fresh = true;
            }
            ["setoption", "name", name, "value", value] => session.set_option(name, value)?,
            ["position", rest @ ..] => session.set_position(rest)?,
            ["go", limits @ ..] => session.go(limits)?,
            [word, ..] => session.complain(&format!("cannot understand {}", agon_rules::quote(word)))?,
        }
    }
    Ok(())
}

struct Session<W> {
    setup: GameSetup,
    /// The position and whether it was set up without error.
    position: Option<Box<dyn AnyPosition>>,
    turns: Vec<String>,
    brain: Box<dyn Brain>,
    /// Whether the brain has not seen this game yet.
    fresh: bool,
    output: W,
}

impl<W: Write> Session<W> {
    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }

    fn complain(&mut self, problem: &str) -> io::Result<()> {
        self.say(&format!("info string error: {problem}"))
    }

    fn introduce(&mut self) -> io::Result<()> {
        let game = self.setup.game;
        writeln!(self.output, "id name agon {}", self.brain.name())?;
        writeln!(self.output, "id author the Agon authors")?;
        writeln!(self.output, "option name Game type string default {}", game.name())?;
        writeln!(self.output, "option name Variant type string default {}", game.variants()[0])?;
        writeln!(self.output, "option name Rules type string default {}", game.rule_sets()[0])?;
        self.say("ugiok")
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        match name {
            "Game" if value == self.setup.game.name() => {}
            "Game" => {
                return self.complain(&format!("this bot plays {}", self.setup.game.name()));
            }
            "Variant" => value.clone_into(&mut self.setup.variant),
            "Rules" => match value.parse::<RuleSet>() {
                Ok(rules) => self.setup.rules = rules,
                Err(problem) => return self.complain(&problem.to_string()),
            },
            _ => return self.complain(&format!("no option {}", agon_rules::quote(name))),
        }
        self.fresh = true;
        Ok(())
    }

    fn set_position(&mut self, words: &[&str]) -> io::Result<()> {
        let before = self.position.take().filter(|_| !self.fresh);
        match self.read_position(words, before) {
            Ok(position) => {
                self.position = Some(position);
                Ok(())
            }
            Err(problem) => self.complain(&problem),
        }
    }

    /// The position that `words` describe. If it comes after the one `before`, only what is new is played: in a long game the clock
    /// would run through all of it at every turn.
    fn read_position(
        &mut self,
        words: &[&str],
        before: Option<Box<dyn AnyPosition>>,
    ) -> Result<Box<dyn AnyPosition>, String> {
        let (start, rest) = match words {
            ["startpos", rest @ ..] => (None, rest),
            ["fen", text, rest @ ..] => (Some(*text), rest),
            _ => return Err("expected 'position startpos' or 'position fen \"…\"'".to_owned()),
        };
        let turns = match rest {
            [] => &[],
            ["moves", turns @ ..] => turns,
            [word, ..] => return Err(format!("expected 'moves', found {}", agon_rules::quote(word))),
        };
        let goes_on = |position: &dyn AnyPosition| {
            position.start_text().as_deref() == start
                && turns.len() >= self.turns.len()
                && self.turns.iter().eq(&turns[..self.turns.len()])
        };
        let mut position = match before.filter(|before| goes_on(&**before)) {
            Some(position) => position,
            None => {
                self.turns.clear();
                self.set_up(start)?
            }
        };
        for turn in &turns[self.turns.len()..] {
            position.play(turn).map_err(|e| format!("turn {}: {e}", agon_rules::quote(turn)))?;
            self.turns.push((*turn).to_owned());
        }
        Ok(position)
    }

    fn set_up(&self, start: Option<&str>) -> Result<Box<dyn AnyPosition>, String> {
        let mut position =
            self.setup.game.open(&self.setup.variant, self.setup.rules).map_err(|e| format!("set-up: {e}"))?;
        if let Some(text) = start {
            position.set_up(text).map_err(|e| format!("position: {e}"))?;
        }
        Ok(position)
    }

    fn go(&mut self, limits: &[&str]) -> io::Result<()> {
        if self.position.is_none() {
            self.set_position(&["startpos"])?;
        }
        let Some(position) = self.position.take() else { return Ok(()) };
        let side = position.turn();
        if self.fresh {
            self.brain.new_game(&self.setup, side);
            self.fresh = false;
        }
        let budget = read_limits(limits);
        let ask = Ask { side, position: &*position, turns: &self.turns, budget, patience: None };
        let line = match position.outcome() {
            Some(outcome) => format!("info string error: the game is over ({})", outcome.reason),
            None => words::joined(["bestmove", self.brain.choose(&ask).as_str()]),
        };
        self.position = Some(position);
        self.say(&line)
    }
}

/// The limits of a `go`; a generous second where there are none.
fn read_limits(words: &[&str]) -> Budget {
    let number = |name: &str| {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    let milliseconds = |first: &str, second: &str| {
        BySide::new(number(first), number(second)).map(|time| time.map(Duration::from_millis))
    };
    if let Some(nodes) = number("nodes") {
        return Budget::Nodes(nodes);
    }
    if let Some(depth) = number("depth") {
        return Budget::Depth(depth.try_into().unwrap_or(u32::MAX));
    }
    if let Some(time) = number("movetime") {
        return Budget::Turn(Duration::from_millis(time));
    }
    let left = milliseconds("p1time", "p2time");
    if left == BySide::default() {
        return Budget::Turn(Duration::from_secs(1));
    }
    Budget::Clocks {
        left: left.map(|time| time.unwrap_or(Duration::from_secs(1))),
        increment: milliseconds("p1inc", "p2inc").map(Option::unwrap_or_default),
    }
}
