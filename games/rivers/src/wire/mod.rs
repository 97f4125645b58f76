//! The original's own interfaces: the class that students wrote, the web server and its bots, the launcher's options.

mod class_bot;
mod client;
mod launcher;
mod server;
mod shown;
mod submission;

use agon_originals::{Original, PlayLauncher, Player, Preset, Server, Submissions};
use agon_wire::{Advice, Output, Protocol};

use crate::Rivers;

/// A Python class that is asked for each turn.
static PYTHON_CLASS: Protocol = Protocol {
    name: "python-class",
    is_original: true,
    knows_positions: true,
    tells_turn_time: true,
    knows_turn_limits: true,
    stops_thinking: false,
    bot: |program| Box::new(class_bot::ClassBot::new(program)),
    advice: Advice {
        input: Advice::NOTHING_ON_STDIN,
        waiting: Advice::WAITING_ELSEWHERE,
        until: Advice::UNTIL_INPUT_ENDS,
        output: Output::Driver,
        chatter: Advice::PERHAPS_AN_ANSWER,
        ends: None,
        greeting: None,
        no_turn: Some((
            "None",
            "Return a turn: this time None was returned, as Python does where a function ends without `return`. Look for a way \
             through it that has none, and for a search that found nothing.",
        )),
    },
};

impl Original for Rivers {
    fn protocols(&self) -> &'static [&'static Protocol] {
        const { &[&PYTHON_CLASS] }
    }

    fn player(&self) -> Option<Player> {
        Some(client::serve)
    }

    fn submissions(&self) -> Option<&'static dyn Submissions> {
        Some(&submission::StudentAgent)
    }

    fn server(&self) -> Option<Server> {
        Some(Server::Http(server::start))
    }

    fn launcher(&self) -> Option<&'static dyn PlayLauncher> {
        Some(&launcher::GameEngine)
    }

    fn presets(&self) -> &'static [Preset] {
        &[Preset { name: "col333-2025-rivers", format: include_str!("../../presets/col333-2025-rivers.toml") }]
    }

    fn courses(&self) -> &'static [Preset] {
        &[Preset { name: "col333-2025-rivers", format: include_str!("../../courses/col333-2025-rivers.toml") }]
    }
}
