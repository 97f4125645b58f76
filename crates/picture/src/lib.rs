//! Boards as pictures, for code that knows no rules.
//!
//! A game describes a position as a [`Picture`]: regions, lines, spots, pieces, labels, marks. [`svg`] draws it for pages and files,
//! [`terminal`] for a screen of text. [`chart`] draws numbers.

pub mod chart;
mod side;
pub mod svg;
pub mod terminal;
mod vocabulary;

pub use side::{BySide, Side};
pub use vocabulary::*;
