//! The original arena's own protocol: the position on stdin, `row col` on stdout.

mod arena;
mod bots;
mod serve;
mod submission;

use std::path::Path;

use agon_wire::{Bot, HouseCall, Original, Program, Protocol, Recipe, ServeError};

use crate::ConnectX;

impl Original for ConnectX {
    fn presets(&self) -> &'static [(&'static str, &'static str)] {
        &[("avishkar-connectx", include_str!("../presets/avishkar-connectx.toml"))]
    }

    fn protocols(&self) -> &'static [Protocol] {
        &[Protocol::Oneshot, Protocol::Persistent]
    }

    fn bot(&self, protocol: Protocol, program: Program) -> Box<dyn Bot> {
        match protocol {
            Protocol::Persistent => Box::new(bots::PersistentBot::new(program)),
            _ => Box::new(bots::OneshotBot::new(program)),
        }
    }

    fn form(&self) -> &'static str {
        "a single .cpp, .c, .java or .py file"
    }

    fn recognise(&self, submission: &Path) -> Option<Recipe> {
        submission::recognise(submission)
    }

    fn serve(&self, call: HouseCall<'_>) -> Result<(), ServeError> {
        serve::serve(call)
    }
}
