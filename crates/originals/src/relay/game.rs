//! A game whose original was played over a relay.

use crate::{LinesGame, Original};

/// A game that was played over a relay: the server hands the clients' messages on.
pub trait RelayGame: LinesGame {
    /// The game.
    fn game(&self) -> &'static dyn Original;

    /// The server's options that choose the board: without dash, with default and meaning.
    fn board_options(&self) -> &'static [BoardOption];

    /// The variant for values of the board options, in their order.
    ///
    /// # Errors
    /// If there is no such board.
    fn variant(&self, values: &[u32]) -> Result<String, NoSuchBoard>;

    /// What the server printed between a message and who sent it. In its log file that was always a blank.
    fn before_sender(&self) -> &'static str;
}

/// An option of a relay server that chooses the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardOption {
    /// Its name without the dash.
    pub name: &'static str,
    /// Its value if absent.
    pub default: u32,
    /// What it means.
    pub help: &'static str,
}

/// A board that an original does not offer, in its own words.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NoSuchBoard(pub &'static str);
