//! The original arena's own protocol: the position on stdin, `row col` on stdout.

mod arena;
mod bots;
mod serve;
mod submission;

use agon_originals::{Original, Player, Preset, Submissions};
use agon_wire::{Advice, Output, Protocol};

use crate::ConnectX;

/// A process for every turn: the position on stdin, the turn on stdout.
static ONESHOT: Protocol = Protocol {
    name: "oneshot",
    is_original: true,
    knows_positions: true,
    tells_turn_time: false,
    knows_turn_limits: true,
    stops_thinking: false,
    bot: |program| Box::new(bots::OneshotBot::new(program)),
    advice: Advice {
        input: "Read only the lines that describe the position, print the turn, and end.",
        waiting: "Does it read until the end of its input? Its input is not closed: it must read only the lines that describe the \
                  position, print its turn and end.",
        until: "Print one line with the turn, flush it, and only then end: nothing was printed.",
        output: Output::Stdout("the first line on stdout is taken as the turn."),
        chatter: Advice::PERHAPS_AN_ANSWER,
        ends: None,
        greeting: None,
        no_turn: None,
    },
};

/// The same words, but the process lives for the whole match.
static PERSISTENT: Protocol = Protocol {
    name: "persistent",
    bot: |program| Box::new(bots::PersistentBot::new(program)),
    advice: Advice {
        input: "Read only the lines that describe the position, answer, and wait for the next position.",
        waiting: "Does it read until the end of its input? Its input stays open for the whole match: it must read only the lines \
                  that describe the position, and answer.",
        until: Advice::UNTIL_INPUT_ENDS,
        output: Output::Stdout("every line on stdout is taken as a turn."),
        chatter: Advice::PERHAPS_AN_ANSWER,
        ends: Some("when its input ends"),
        greeting: None,
        no_turn: None,
    },
    is_original: true,
    knows_positions: true,
    tells_turn_time: false,
    knows_turn_limits: true,
    stops_thinking: false,
};

impl Original for ConnectX {
    fn protocols(&self) -> &'static [&'static Protocol] {
        const { &[&ONESHOT, &PERSISTENT] }
    }

    fn player(&self) -> Option<Player> {
        Some(serve::serve)
    }

    fn submissions(&self) -> Option<&'static dyn Submissions> {
        Some(&submission::SourceFile)
    }

    fn presets(&self) -> &'static [Preset] {
        &[Preset { name: "avishkar-connectx", format: include_str!("../presets/avishkar-connectx.toml") }]
    }

    fn courses(&self) -> &'static [Preset] {
        &[Preset { name: "avishkar-connectx", format: include_str!("../courses/avishkar-connectx.toml") }]
    }
}
