//! A person's turn.

use std::{
    io::Write,
    path::PathBuf,
    time::{Duration, Instant},
};

use agon_referee::Termination;
use agon_rules::BySide;

use super::{
    command::Command,
    list::TurnList,
    screen,
    table::{Next, Table},
};
use crate::{
    describe,
    error::CliError,
    input::{Heard, Input},
};

impl Table {
    /// Shows the board and listens until a turn is made, or something else ends the wait.
    pub(super) fn human_turn(&mut self, out: &mut dyn Write) -> Result<Next, CliError> {
        self.draw(out)?;
        let side = self.open.position().turn();
        let prompt = format!("{}> ", self.game.sides()[side.index()]);
        let begun = Instant::now();
        loop {
            let patience = self.open.patience(side);
            let rest = patience.map(|patience| patience.saturating_sub(begun.elapsed()));
            let input = self.input.get_or_insert_with(Input::stdin);
            let heard = input.ask(out, &prompt, rest)?;
            let used = begun.elapsed();
            if patience.is_some_and(|patience| used > patience) {
                return Ok(Next::End(self.open.out_of_time(used)));
            }
            match heard {
                Heard::End => return Ok(Next::Quit),
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
    fn obey(&mut self, out: &mut dyn Write, command: Command, used: Duration) -> Result<Option<Next>, CliError> {
        match command {
            Command::Nothing => {}
            Command::Turn(text) => return self.try_turn(out, &text, used),
            Command::Pick(number) => return self.pick(out, number, used),
            Command::List(filter) => match TurnList::find(self.open.position(), &filter) {
                Ok(list) => write!(out, "{}", self.list.insert(list).page())?,
                Err(error) => writeln!(out, "{}.", screen::sentence(&error.to_string()))?,
            },
            Command::More => match &mut self.list {
                Some(list) => write!(out, "{}", list.page())?,
                None => writeln!(out, "There is no list yet: `list` shows the legal turns.")?,
            },
            Command::Hint => {
                let hint = self.hint();
                writeln!(out, "The engine would play {hint}")?;
            }
            Command::Back => return self.take_back(out),
            Command::Moves => write!(out, "{}", screen::history(self))?,
            Command::Show => {
                self.redraw();
                self.draw(out)?;
                writeln!(out, "{}", self.open.position().text())?;
            }
            Command::Save(file) => self.save_as(out, file)?,
            Command::Resign => return Ok(Some(Next::End(Termination::Resigned(self.open.position().turn())))),
            Command::Help => write!(out, "{}", screen::help(self))?,
            Command::Quit => return Ok(Some(Next::Quit)),
        }
        Ok(None)
    }

    fn try_turn(&mut self, out: &mut dyn Write, text: &str, used: Duration) -> Result<Option<Next>, CliError> {
        match self.open.play_human(text, used) {
            Ok(()) => Ok(Some(Next::Turn)),
            Err(rule) => {
                let refusal = describe::wrap(&format!("Refused: {rule}."));
                writeln!(out, "{refusal}\n`list` shows the legal turns, `help` the commands.")?;
                Ok(None)
            }
        }
    }

    fn pick(&mut self, out: &mut dyn Write, number: usize, used: Duration) -> Result<Option<Next>, CliError> {
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
    fn take_back(&mut self, out: &mut dyn Write) -> Result<Option<Next>, CliError> {
        let Some(last) = self.open.movers().iter().rposition(|&side| self.seats[side].is_human()) else {
            writeln!(out, "You have made no turn yet.")?;
            return Ok(None);
        };
        let turns = &self.open.turns()[last..];
        let texts: Vec<String> = turns.iter().map(|turn| describe::clean(&turn.text)).collect();
        self.open.take_back(last).map_err(|e| CliError::Host(e.to_string()))?;
        self.redraw();
        writeln!(out, "Taken back: {}.", texts.join(", then "))?;
        Ok(Some(Next::Turn))
    }

    fn save_as(&mut self, out: &mut dyn Write, file: Option<String>) -> Result<(), CliError> {
        let before = self.keeper.clone();
        let chosen = match file {
            Some(file) => self.keeper.new_file(PathBuf::from(file)),
            None if self.keeper.file().is_none() => Err("type `save FILE` with the name of a new file".to_owned()),
            None => Ok(()),
        };
        match chosen.and_then(|()| self.save(None, BySide::default())) {
            Ok(()) => writeln!(out, "{}", screen::kept(self))?,
            Err(problem) => {
                // The place where the game was kept until now is still good.
                self.keeper = before;
                writeln!(out, "Not saved: {problem}.")?;
            }
        }
        Ok(())
    }
}
