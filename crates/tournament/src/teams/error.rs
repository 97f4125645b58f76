//! Why teams or their bots could not be found.

use std::{io, path::PathBuf};

use agon_entrants::RosterError;
use agon_rules::quote;

/// The teams could not be read.
#[derive(Debug, thiserror::Error)]
pub enum TeamsError {
    /// The list of teams makes no sense.
    #[error("teams {}: {problem}", .path.display())]
    List {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        problem: ListError,
    },
    /// The place where bots should be has none of any team.
    #[error("bots {}: no team has a bot there: their names must be the same", .0.display())]
    NoBots(PathBuf),
    /// No list says what bot a team has.
    #[error("no bot of {} {place}; name the teams' bots with --bots DIR|CSV", quote(.team))]
    NoBot {
        /// The team.
        team: String,
        /// Where it has none.
        place: String,
    },
    /// The bots of an earlier tournament could not be read.
    #[error("{0}")]
    Earlier(String),
}

/// What is wrong with a list of teams.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// It is no table.
    #[error(transparent)]
    Table(#[from] csv::Error),
    /// Nobody is in it.
    #[error("no teams: expected a CSV file with the columns team and bot, or a folder with a bot for each team")]
    Empty,
    /// A file has a name that no table could hold.
    #[error("the name of {0} is not UTF-8; rename it, with plain letters")]
    Name(String),
    /// Two columns have the same header.
    #[error("line 1: two columns are called {}; give them a name each", quote(.0))]
    SameColumns(String),
    /// There is no column of teams.
    #[error("line 1: expected at least the columns team and bot")]
    NoTeams,
    /// A row has no team.
    #[error("line {line}: expected a team and its bot")]
    NoTeam {
        /// The line, counted from 1.
        line: u64,
    },
    /// A cell should hold a number.
    #[error("line {line}: {column}: expected a number, found {}", quote(.found))]
    NoNumber {
        /// The line, counted from 1.
        line: u64,
        /// The header of its column.
        column: String,
        /// What it holds.
        found: String,
    },
    /// A team has a bot that is not there.
    #[error("line {line}: {problem}")]
    Bot {
        /// The line, counted from 1.
        line: u64,
        /// What is wrong with the bot.
        #[source]
        problem: BotError,
    },
}

/// A bot was not found.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// Its place cannot be read.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// Its command, address or options make no sense.
    #[error(transparent)]
    Named(#[from] RosterError),
    /// It is neither a path nor a house bot.
    #[error("there is no file or folder {}{place}{house}", quote(.bot))]
    Missing {
        /// How it was named.
        bot: String,
        /// The folder in which it was looked for, in words.
        place: String,
        /// The house bots that it could be, in words.
        house: String,
    },
}
