//! Bots that are websocket servers, seen from both ends.
//!
//! [`WebsocketLink`] is the referee's end: it starts a bot, or reaches one that runs somewhere, and waits for its lines no longer
//! than it is told to. [`WebsocketHub`] is the bot's end, for house bots. Both live in the caller's thread, with one `poll` for all
//! that can happen, and neither is ever blocked by what the other end does or leaves undone.

mod hub;
mod link;
mod port;
mod stream;

pub use hub::WebsocketHub;
pub use link::WebsocketLink;
