//! How a referee talks to a bot.
//!
//! To a referee a bot is a [`Bot`]: something that begins a game, is asked for turns, and ends. Behind it may be a process
//! that speaks a protocol over pipes ([`UgiBot`]) or code of this program ([`HouseBot`]). Processes are started by a [`Launcher`],
//! so that a sandbox can take the place of the plain one.
//!
//! Whatever a bot does wrong is a [`Fault`] with evidence. Only what this machine does wrong is an error ([`HostError`]).

mod bot;
mod cores;
mod ending;
mod host_clock;
mod house;
mod info;
mod launch;
mod lines;
mod process;
mod program;
mod protocol;
mod transcript;
mod ugi;
mod ugi_serve;
mod websocket;
pub mod words;

pub use bot::{Ask, Bot, BotFailure, Budget, Fault, GameSetup, HostError, Idle, Reply, Tasks};
pub use ending::{ending, not_ending};
pub use host_clock::{Deadline, Moment, discount_stalls};
pub use house::{Brain, HouseBot, Onlooker, RandomBrain};
pub use info::{Info, Score};
pub use launch::{Allowance, BotCommand, JailLauncher, Launcher, PlainLauncher};
pub use process::{BotLimits, BotProcess, Captured};
pub use program::{Language, Program, Reach, UnknownLanguage};
pub use protocol::{Advice, Output, Protocol, UGI};
pub use transcript::{Speaker, Spoken, Transcript};
pub use ugi::{ITS_GAME, UgiBot};
pub use ugi_serve::serve_ugi;
pub use websocket::{WebsocketHub, WebsocketLink};
