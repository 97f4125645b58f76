//! The rules in both rule sets, written from the texts: turns, points, variants, positions and pictures.

mod boards;
mod points;
mod setup;
mod turns;
