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

use agon_originals::{Original, Player, Preset, Submissions};
use agon_wire::{Advice, Output, Protocol};

use crate::{Rollerball, native};
pub(crate) use bot::TELL_RULES;

/// The bot is a websocket server.
pub(crate) static WEBSOCKET: Protocol = Protocol {
    name: "websocket",
    is_original: true,
    knows_positions: false,
    tells_turn_time: false,
    knows_turn_limits: true,
    stops_thinking: true,
    bot: |program| Box::new(bot::WebsocketBot::new(program)),
    advice: Advice {
        input: Advice::NOTHING_ON_STDIN,
        waiting: Advice::WAITING_ELSEWHERE,
        until: Advice::UNTIL_INPUT_ENDS,
        output: Output::Connection,
        chatter: Advice::PERHAPS_AN_ANSWER,
        ends: None,
        greeting: None,
        no_turn: None,
    },
};

impl Original for Rollerball {
    fn protocols(&self) -> &'static [&'static Protocol] {
        const { &[&WEBSOCKET] }
    }

    fn player(&self) -> Option<Player> {
        Some(serve::serve)
    }

    fn submissions(&self) -> Option<&'static dyn Submissions> {
        Some(&native::Engines)
    }

    fn presets(&self) -> &'static [Preset] {
        &[
            Preset {
                name: "col333-2023-rollerball-phase1",
                format: include_str!("../presets/col333-2023-rollerball-phase1.toml"),
            },
            Preset {
                name: "col333-2023-rollerball-phase2",
                format: include_str!("../presets/col333-2023-rollerball-phase2.toml"),
            },
        ]
    }

    fn courses(&self) -> &'static [Preset] {
        &[Preset { name: "col333-2023-rollerball", format: include_str!("../courses/col333-2023-rollerball.toml") }]
    }
}
