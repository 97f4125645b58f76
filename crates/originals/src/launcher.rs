//! The programs that started a game on a screen.

use crate::ArgumentError;

/// A program that people and scripts started games with.
pub trait PlayLauncher: Send + Sync {
    /// Whether it opened a window unless it was told otherwise.
    fn has_window(&self) -> bool {
        false
    }

    /// Translates its options into those of `agon play`. `None` if there are none among `arguments`.
    fn play_options(&self, arguments: &[String]) -> Option<Result<Vec<String>, ArgumentError>>;
}
