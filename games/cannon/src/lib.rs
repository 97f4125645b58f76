//! Rules of the game.
