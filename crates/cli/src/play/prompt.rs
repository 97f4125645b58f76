//! A game at the terminal: the board, whose turn it is, and what happens at the end.

use std::io::Write;

use agon_picture::terminal::Style;
use agon_referee::Termination;
use agon_rules::{BySide, Side};
use agon_runs::table::{Next, Plan, SaveError, Seat, Table, TableError, TurnList};

use super::{editor::LineEditor, screen};
use crate::{
    describe,
    error::CliError,
    input::{Heard, Input},
    show::style,
};

/// A table, and the terminal at which it stands.
pub(super) struct Prompt {
    pub(super) table: Table,
    /// What `list` showed in this position.
    pub(super) list: Option<TurnList>,
    /// Absent when nobody is asked anything.
    pub(super) input: Option<Input>,
    /// Where somebody edits lines at a terminal; then `input` is not read.
    pub(super) editor: Option<LineEditor>,
    style: Style,
    /// How many turns the last board showed.
    drawn: Option<usize>,
}

/// What comes after a turn.
pub(super) enum After {
    /// The next turn.
    Turn,
    /// The end of the match.
    End(Termination),
    /// Somebody wants to leave.
    Quit,
}

impl Prompt {
    /// Everyone takes a seat; bots are built if need be.
    pub(super) fn open(plan: Plan, ascii: bool, step: bool) -> Result<Prompt, CliError> {
        let table = Table::set(plan)?;
        // An editor cannot be called back when a clock runs out.
        let timed = Side::BOTH.into_iter().any(|side| table.open.patience(side).is_some());
        let editor = if table.people() > 0 && !timed { LineEditor::at_terminal() } else { None };
        let asks = editor.is_none() && (table.people() > 0 || step);
        Ok(Prompt { table, list: None, input: asks.then(Input::stdin), editor, style: style(ascii), drawn: None })
    }

    /// Plays until the game is over or somebody leaves.
    pub(super) fn play(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        self.table.begin().map_err(would_not_begin)?;
        // Whoever asked for a file hears at once, not after an hour, that it cannot be written.
        self.table.save(None, BySide::default()).map_err(not_saved)?;
        write!(out, "{}", screen::header(&self.table))?;
        loop {
            let after = match self.table.next() {
                Next::Over(termination) => After::End(termination),
                Next::Person(side) => self.human_turn(out, side)?,
                Next::Bot(side) => self.bot_turn(out, side)?,
            };
            match after {
                After::Turn => self.save_and_go_on(out)?,
                After::End(termination) => return self.finish(out, &termination),
                After::Quit => return self.leave(out),
            }
        }
    }

    /// Draws the position unless it was the last thing drawn.
    pub(super) fn draw(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        let count = self.table.open.turns().len();
        if self.drawn.replace(count) != Some(count) {
            let board = describe::board(self.table.open.position(), self.style);
            write!(out, "\n{board}{}", screen::status(&self.table))?;
        }
        Ok(())
    }

    /// Forgets what was drawn and listed: the position is another one, or is to be shown again.
    pub(super) fn redraw(&mut self) {
        self.drawn = None;
        self.list = None;
    }

    fn bot_turn(&mut self, out: &mut dyn Write, side: Side) -> Result<After, CliError> {
        let watched = self.table.people() == 0;
        if watched {
            self.draw(out)?;
            if self.wait_for_enter(out)? {
                return Ok(After::Quit);
            }
        }
        if let Seat::Bot { name, process: true, .. } = &self.table.seats[side]
            && !watched
        {
            writeln!(out, "{} is thinking ...", describe::clean(name))?;
        }
        out.flush()?;
        match self.table.ask() {
            Ok(None) => Ok(After::Turn),
            Ok(Some(termination)) => Ok(After::End(termination)),
            Err(error) => Err(CliError::Host(format!("{error}; {}", self.how_to_resume()))),
        }
    }

    /// Waits if steps are wanted; says whether to leave.
    fn wait_for_enter(&mut self, out: &mut dyn Write) -> Result<bool, CliError> {
        let Some(input) = &self.input else { return Ok(false) };
        loop {
            match input.ask(out, "Enter, run or quit> ", None)? {
                Heard::Line(line) if line.is_empty() => return Ok(false),
                Heard::Line(line) if line == "run" => {
                    self.input = None;
                    return Ok(false);
                }
                Heard::Line(line) if ["q", "quit", "exit"].contains(&line.as_str()) => return Ok(true),
                Heard::Line(_) => writeln!(out, "Enter alone shows the next turn, run all of them, quit none.")?,
                Heard::End | Heard::TimeUp => return Ok(true),
            }
        }
    }

    fn finish(&mut self, out: &mut dyn Write, termination: &Termination) -> Result<(), CliError> {
        self.draw(out)?;
        let last_stderr = self.table.end_bots();
        write!(out, "\n{}", screen::ending(&self.table, termination, &last_stderr))?;
        self.table.save(Some(termination), last_stderr).map_err(not_saved)?;
        if let Some(file) = self.table.keeper().file() {
            let file = file.display();
            writeln!(out, "The record is in {file}; `agon replay {file}` shows it again.")?;
        }
        Ok(())
    }

    fn leave(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        let last_stderr = self.table.end_bots();
        self.table.save(None, last_stderr).map_err(not_saved)?;
        writeln!(out, "{}", screen::sentence(&self.how_to_resume()))?;
        Ok(())
    }

    fn how_to_resume(&self) -> String {
        match self.table.keeper().file() {
            Some(file) => format!("the game is saved: go on with `agon play --resume {}`", file.display()),
            None => "the game was not saved".to_owned(),
        }
    }

    /// A save that fails does not end the game: the disk may have room again, or another one has.
    fn save_and_go_on(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        self.list = None;
        if let Err(problem) = self.table.save(None, BySide::default()) {
            writeln!(out, "Not saved: {problem}. The game goes on; `save FILE` tries another place.")?;
        }
        Ok(())
    }
}

fn not_saved(error: SaveError) -> CliError {
    CliError::Host(error.to_string())
}

/// A bot that fails before its first turn may have said why.
fn would_not_begin(error: TableError) -> CliError {
    let TableError::Fault { stderr, .. } = &error else { return error.into() };
    let noise = screen::indented(stderr, screen::NOISE_LINES);
    let said = if noise.is_empty() { noise } else { format!("\nIts stderr:\n{}", noise.trim_end()) };
    CliError::Failed(format!("{error}{said}"))
}
