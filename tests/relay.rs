//! The drop-in relay server and client: every dialogue of the originals, byte by byte, and what the originals did not survive.

mod client;
mod judge;
mod messages;
mod options;
mod server;
mod support;
mod together;
