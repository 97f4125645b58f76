//! A person's turn.

use std::{
    io::Write,
    path::PathBuf,
    time::{Duration, Instant},
};

use agon_referee::Termination;
use agon_rules::Side;
use agon_runs::table::TurnList;

use super::{
    command::Command,
    prompt::{After, Prompt},
    screen,
};
use crate::{
    describe,
    error::CliError,
    input::{Heard, Input},
};

impl Prompt {
    /// Shows the board and listens until a turn is made, or something else ends the wait.
    pub(super) fn human_turn(&mut self, out: &mut dyn Write, side: Side) -> Result<After, CliError> {
        self.draw(out)?;
        let prompt = format!("{}> ", self.table.game.sides()[side.index()]);
        let begun = Instant::now();
        loop {
            let patience = self.table.open.patience(side);
            let rest = patience.map(|patience| patience.saturating_sub(begun.elapsed()));
            let heard = match &mut self.editor {
                Some(editor) => editor.ask(out, &prompt, self.table.open.position())?,
                None => self.input.get_or_insert_with(Input::stdin).ask(out, &prompt, rest)?,
            };
            let used = begun.elapsed();
            if patience.is_some_and(|patience| used > patience) {
                return Ok(After::End(self.table.open.out_of_time(used)));
            }
            match heard {
                Heard::End => return Ok(After::Quit),
                Heard::TimeUp => {}
                Heard::Line(line) => {
                    if let Some(next) = self.obey(out, Command::read(&line), used)? {
                        return Ok(next);
                    }
                }
            }
        }
    }

    /// Does what was typed; `None` goes on listening.
    fn obey(&mut self, out: &mut dyn Write, command: Command, used: Duration) -> Result<Option<After>, CliError> {
        match command {
            Command::Nothing => {}
            Command::Turn(text) => return self.try_turn(out, &text, used),
            Command::Pick(number) => return self.pick(out, number, used),
            Command::List(filter) => match TurnList::find(self.table.open.position(), &filter) {
                Ok(list) => write!(out, "{}", screen::page(self.list.insert(list)))?,
                Err(error) => writeln!(out, "{}.", screen::sentence(&error.to_string()))?,
            },
            Command::More => match &mut self.list {
                Some(list) => write!(out, "{}", screen::page(list))?,
                None => writeln!(out, "There is no list yet: `list` shows the legal turns.")?,
            },
            Command::Hint => {
                let hint = self.table.hint();
                writeln!(out, "The engine would play {hint}")?;
            }
            Command::Back => return self.take_back(out),
            Command::Moves => write!(out, "{}", screen::history(&self.table))?,
            Command::Show => {
                self.redraw();
                self.draw(out)?;
                writeln!(out, "{}", self.table.open.position().text())?;
            }
            Command::Save(file) => self.save_as(out, file)?,
            Command::Resign => return Ok(Some(After::End(Termination::Resigned(self.table.open.position().turn())))),
            Command::Help => write!(out, "{}", screen::help(&self.table))?,
            Command::Quit => return Ok(Some(After::Quit)),
        }
        Ok(None)
    }

    fn try_turn(&mut self, out: &mut dyn Write, text: &str, used: Duration) -> Result<Option<After>, CliError> {
        match self.table.play(text, used) {
            Ok(()) => Ok(Some(After::Turn)),
            Err(rule) => {
                let refusal = describe::wrap(&format!("Refused: {rule}."));
                writeln!(out, "{refusal}\n`list` shows the legal turns, `help` the commands.")?;
                Ok(None)
            }
        }
    }

    fn pick(&mut self, out: &mut dyn Write, number: usize, used: Duration) -> Result<Option<After>, CliError> {
        let Some(list) = &self.list else {
            writeln!(out, "A number picks from the list; type `list` first.")?;
            return Ok(None);
        };
        match list.pick(number).map(str::to_owned) {
            Some(turn) => self.try_turn(out, &turn, used),
            None => {
                writeln!(out, "The list has shown {} so far.", describe::count(list.shown(), "turn"))?;
                Ok(None)
            }
        }
    }

    /// Takes back the last turn that a person made, and what came after it.
    fn take_back(&mut self, out: &mut dyn Write) -> Result<Option<After>, CliError> {
        let taken = self.table.take_back().map_err(|e| CliError::Host(e.to_string()))?;
        if taken.is_empty() {
            writeln!(out, "You have made no turn yet.")?;
            return Ok(None);
        }
        let texts: Vec<String> = taken.iter().map(|turn| describe::clean(turn)).collect();
        self.redraw();
        writeln!(out, "Taken back: {}.", texts.join(", then "))?;
        Ok(Some(After::Turn))
    }

    fn save_as(&mut self, out: &mut dyn Write, file: Option<String>) -> Result<(), CliError> {
        if file.is_none() && self.table.keeper().file().is_none() {
            writeln!(out, "Not saved: type `save FILE` with the name of a new file.")?;
            return Ok(());
        }
        match self.table.keep(file.map(PathBuf::from)) {
            Ok(()) => writeln!(out, "{}", screen::kept(&self.table))?,
            Err(problem) => writeln!(out, "Not saved: {problem}.")?,
        }
        Ok(())
    }
}
