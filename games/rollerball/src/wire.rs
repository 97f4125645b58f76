//! The original's own protocol: every bot is a websocket server, and whoever conducts the game connects to it.
//!
//! It comes in two dialects, one for each of the two assignments that the course set. In both the words are those of chess engines.
//!
//! | | A2 | A5 |
//! |---|---|---|
//! | a new game | `ucinewgame`, no answer | `ucinewgame board-7-3 60`, answered by `newgameok` |
//! | ready? | `isready`, answered by `readyok` | – |
//! | a turn | `go`, and after a while `stop`, answered by `bestmove c2b3` | `go MILLISECONDS`, answered by `bestmove c2b3` |
//! | the end | `quit` ends the bot | `quit` is ignored |
//! | boards | 7-3 | all |
//!
//! In both a bot keeps its own board: it applies its own move when it answers, and of `position startpos moves …` only the last.
//!
//! Which dialect a bot speaks is found out by what it answers, or said by the option `dialect = "a2"` or `"a5"` of its manifest.

mod bot;
mod house;
mod serve;
mod tempo;

use std::path::Path;

use agon_wire::{Bot, HouseCall, Original, Program, Protocol, Recipe, ServeError};

use crate::Rollerball;
pub(crate) use bot::TELL_RULES;

impl Original for Rollerball {
    fn presets(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("col333-2023-rollerball-phase1", include_str!("../presets/col333-2023-rollerball-phase1.toml")),
            ("col333-2023-rollerball-phase2", include_str!("../presets/col333-2023-rollerball-phase2.toml")),
        ]
    }

    fn protocols(&self) -> &'static [Protocol] {
        &[Protocol::Websocket]
    }

    fn bot(&self, _protocol: Protocol, program: Program) -> Box<dyn Bot> {
        Box::new(bot::WebsocketBot::new(program))
    }

    fn form(&self) -> &'static str {
        "engine.cpp or engine.py, with a Readme.md"
    }

    fn file_names(&self) -> &'static [&'static str] {
        &["engine.cpp", "engine.py", "engine.hpp"]
    }

    fn recognise(&self, submission: &Path) -> Option<Recipe> {
        crate::native::recognise(submission)
    }

    fn serve(&self, call: HouseCall<'_>) -> Result<(), ServeError> {
        serve::serve(call)
    }
}
