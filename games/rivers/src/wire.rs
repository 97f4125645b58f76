//! The original's own protocols.

use std::path::Path;

use agon_wire::{Bot, HouseCall, Original, Program, Protocol, Recipe, ServeError};

use crate::Rivers;

impl Original for Rivers {
    fn protocols(&self) -> &'static [Protocol] {
        &[]
    }

    fn bot(&self, _protocol: Protocol, program: Program) -> Box<dyn Bot> {
        Box::new(agon_wire::UgiBot::new(program))
    }

    fn form(&self) -> &'static str {
        ""
    }

    fn recognise(&self, _submission: &Path) -> Option<Recipe> {
        None
    }

    fn serve(&self, _call: HouseCall<'_>) -> Result<(), ServeError> {
        Ok(())
    }
}
