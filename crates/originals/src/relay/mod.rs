//! The relay of the originals: two clients, each with a bot, and a server between them that hands their messages on.
//!
//! The server of the originals knows no rules and no clock; each client judges its own bot and counts its time. Everything that
//! they say to each other is a [`Message`]. What they say to people goes through a [`Console`], so that the bytes of stdout, which
//! programs read, stay apart from what is told to a person.

pub mod arguments;
mod client;
mod command;
mod connection;
mod game;
mod judge;
mod line;
mod message;
mod player;
mod server;
mod verdict;

pub use client::{ClientEnd, ClientOptions, play_at};
pub use command::{Asked, ClientCommand, ClientError, CommandError, ServerCommand, ServerError};
pub use game::{BoardOption, NoSuchBoard, RelayGame};
pub use message::{Garbage, LONGEST_MESSAGE, Message, MessageReader, Received};
pub use player::{Player, StartError, Starter};
pub use server::{RelayOptions, RelayServer, ServerEnd, accept_clients};
pub use verdict::{Offence, score_text, written_like_python};

use agon_rules::AnyPosition;

/// Where a server or a client writes.
pub trait Console {
    /// A line that the original printed to stdout.
    fn print(&mut self, line: &str);
    /// A sentence for the person in front of it, apart from stdout.
    fn tell(&mut self, sentence: &str);
    /// The board, for those who want to see it; `variant` is the game's.
    fn show(&mut self, variant: &str, position: &dyn AnyPosition);
}
