//! Why a tournament was not set up.

use std::path::PathBuf;

use agon_referee::TimeControlError;
use agon_rules::{RuleSet, SetupError, quote};
use agon_runs::SandboxError;
use agon_wire::{HostError, Protocol};

use crate::{preset::FindFormatError, stored::TournamentError, teams::TeamsError};

/// A tournament was not set up.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// There is no such format.
    #[error(transparent)]
    Format(#[from] FindFormatError),
    /// Nothing can be called like this.
    #[error("name {}: expected a name without slashes", quote(.0))]
    Name(String),
    /// There is no such game or rule set.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The game does not know the rule set.
    #[error("{game} has no '{rules}' rule set")]
    Rules {
        /// The game.
        game: &'static str,
        /// The rule set.
        rules: RuleSet,
    },
    /// There is no such time control.
    #[error(transparent)]
    Time(#[from] TimeControlError),
    /// The bots cannot be contained as somebody wants it.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// Nobody said who plays.
    #[error("no teams: add --teams DIR|CSV, or teams = \"…\" to the format")]
    NoTeams,
    /// The teams or their bots are not there.
    #[error(transparent)]
    Teams(#[from] TeamsError),
    /// One team alone has nobody to play against.
    #[error(
        "teams {}: expected at least two teams, found only {}; to try a bot, play it with `agon match`",
        .path.display(),
        quote(.team)
    )]
    OneTeam {
        /// The list of teams.
        path: PathBuf,
        /// The team.
        team: String,
    },
    /// A bot cannot be told its time.
    #[error(transparent)]
    Clock(#[from] ClockError),
    /// It would have more battles than can be played.
    #[error("{0}")]
    TooLarge(String),
    /// It was stopped before it was done.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The host failed to build a bot.
    #[error("{}", .0.0)]
    Host(HostError),
    /// The host has no random numbers for the secret.
    #[error("no random numbers: {0}")]
    NoRandomNumbers(getrandom::Error),
    /// It cannot be kept.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
}

/// The protocol of a bot cannot say how long it has for a turn.
#[derive(Debug, thiserror::Error)]
#[error("{bot}: the '{protocol}' protocol tells a bot its time for the whole match; choose a clock in SECONDS")]
pub struct ClockError {
    /// The bot.
    pub bot: String,
    /// How it speaks.
    pub protocol: &'static Protocol,
}

/// Somebody stopped what was being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("stopped; nothing was changed")]
pub struct Stopped;
