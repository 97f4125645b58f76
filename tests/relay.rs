//! The drop-in relay server and client: every dialogue of the originals, byte by byte, and what the originals did not survive.

#[path = "relay/client.rs"]
mod client;
#[path = "relay/judge.rs"]
mod judge;
#[path = "relay/messages.rs"]
mod messages;
#[path = "relay/options.rs"]
mod options;
#[path = "relay/server.rs"]
mod server;
#[path = "relay/support.rs"]
mod support;
#[path = "relay/together.rs"]
mod together;
