//! Why a bot could not be checked.

use agon_entrants::RosterError;
use agon_wire::HostError;

/// Nothing can be said about the bot.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The request makes no sense.
    #[error("{0}")]
    Input(String),
    /// There is no such bot.
    #[error(transparent)]
    Bot(#[from] RosterError),
    /// This machine could not do its part.
    #[error("the check broke off, and the bot is not to blame: {0}")]
    Host(String),
}

impl CheckError {
    pub(crate) fn input(error: impl ToString) -> CheckError {
        CheckError::Input(error.to_string())
    }
}

impl From<HostError> for CheckError {
    fn from(error: HostError) -> CheckError {
        CheckError::Host(error.0)
    }
}
