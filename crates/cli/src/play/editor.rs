//! The line that somebody edits at a terminal: earlier lines with the arrows, what may be typed here with Tab.

use std::io::{self, IsTerminal, Write};

use agon_rules::AnyPosition;
use agon_runs::table::TurnList;
use rustyline::{
    CompletionType, Config, Context, Editor, Helper, completion::Completer, error::ReadlineError,
    highlight::Highlighter, hint::Hinter, history::MemHistory, validate::Validator,
};

use super::command::WORDS;
use crate::{error::CliError, input::Heard};

/// A terminal whose lines can be edited.
pub(super) struct LineEditor(Editor<Tab, MemHistory>);

impl LineEditor {
    /// Takes the terminal; `None` if there is none on both ends.
    pub(super) fn at_terminal() -> Option<LineEditor> {
        if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
            return None;
        }
        // Pasted lines are obeyed one after the other, as they are through a pipe.
        let config = Config::builder()
            .auto_add_history(true)
            .bracketed_paste(false)
            .completion_type(CompletionType::List)
            .build();
        Some(LineEditor(Editor::with_history(config.clone(), MemHistory::with_config(&config)).ok()?))
    }

    /// Asks for a line, and waits as long as it takes. Tab offers the turns that are legal in `position`.
    pub(super) fn ask(
        &mut self,
        out: &mut dyn Write,
        question: &str,
        position: &dyn AnyPosition,
    ) -> Result<Heard, CliError> {
        out.flush()?;
        self.0.set_helper(Some(Tab(position.boxed())));
        match self.0.readline(question) {
            Ok(line) => Ok(Heard::Line(line.trim().to_owned())),
            // Ctrl-C is a key like any other while a line is edited: it leaves as Ctrl-D does, and the game is saved.
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(Heard::End),
            Err(ReadlineError::Io(error)) => Err(error.into()),
            Err(error) => Err(CliError::Host(format!("the terminal cannot be read: {error}"))),
        }
    }
}

/// Completes lines for this position.
struct Tab(Box<dyn AnyPosition>);

impl Completer for Tab {
    type Candidate = String;

    fn complete(&self, line: &str, cursor: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok((0, completions(&*self.0, &line[..cursor])))
    }
}

// Nothing is coloured, hinted at or refused while it is typed.
impl Helper for Tab {}
impl Highlighter for Tab {}
impl Validator for Tab {}
impl Hinter for Tab {
    type Hint = String;
}

/// The turns and commands that begin like this. Where there are too many turns to list, there are commands alone.
fn completions(position: &dyn AnyPosition, typed: &str) -> Vec<String> {
    let typed = typed.trim_start();
    let turns = TurnList::find(position, "").map_or(Vec::new(), |list| list.turns().to_vec());
    let words = WORDS.iter().map(|&word| word.to_owned());
    words.chain(turns).filter(|text| text.starts_with(typed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tab_offers_turns_and_commands() {
        for game in agon_all::GAMES {
            let position = game.open(game.variants()[0], game.rule_sets()[0]).expect("a start");
            let list = TurnList::find(&*position, "").expect("a list");
            let turn = &list.turns()[0];
            assert!(completions(&*position, "").len() == WORDS.len() + list.turns().len(), "{}", game.name());
            assert!(completions(&*position, &format!(" {turn}")).contains(turn), "{}", game.name());
            assert_eq!(completions(&*position, "resi"), ["resign"], "{}", game.name());
        }
    }
}
