//! What is told while bots are prepared.

use std::{fmt, path::PathBuf};

use agon_rules::{inert, quote};

use crate::plan::Team;

/// Who hears it.
pub type Listener<'a> = dyn FnMut(Preparing<'_>) + Send + 'a;

/// What happens while bots are prepared for a tournament.
#[derive(Clone, Copy, Debug)]
pub enum Preparing<'a> {
    /// The bot of a team is being built.
    Building {
        /// The team.
        team: &'a str,
        /// Its place among them, from 1.
        number: usize,
        /// How many there are.
        of: usize,
    },
    /// Programs are started once, to see whether they give a turn.
    Starting {
        /// How many have been.
        done: usize,
        /// How many there are.
        of: usize,
    },
    /// Bots are no longer built, or no longer started.
    Done,
    /// Something that the organiser should know.
    Warning(&'a Warning),
}

/// Something that an organiser should know about a tournament; it can be played nevertheless.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Warning {
    /// Teams are called as the folders of their bots, in this one, and names are published.
    NamesOfFolders(PathBuf),
    /// Something in the list of teams was passed over or changed.
    Teams(String),
    /// Some teams have no opponent in their group.
    NoOpponent(String),
    /// The bot of a team cannot play.
    Broken {
        /// The team.
        team: String,
        /// Why.
        why: String,
    },
    /// Two teams have entered the same bot.
    SameBot([String; 2]),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::NamesOfFolders(folder) => write!(
                f,
                "the teams have the names of their folders in {}, and these names are published; a table with the columns team and bot gives them others",
                folder.display()
            ),
            Warning::Teams(problem) | Warning::NoOpponent(problem) => f.write_str(problem),
            Warning::Broken { team, why } => {
                let (team, why) = (quote(team), inert(why.lines().next().unwrap_or_default()));
                write!(f, "the bot of {team} cannot play and will lose its matches: {why}")
            }
            Warning::SameBot([one, other]) => {
                write!(f, "{} and {} have entered the same bot", quote(one), quote(other))
            }
        }
    }
}

/// What an organiser should know about the bots: those that are broken play and lose, and twins are allowed. Who handed in nothing
/// is no surprise.
pub(super) fn about_bots(teams: &[Team]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut playing: Vec<&Team> = Vec::new();
    for team in teams.iter().filter(|team| !team.handed_in_nothing()) {
        if let Some(why) = &team.broken {
            warnings.push(Warning::Broken { team: team.name.clone(), why: why.clone() });
            continue;
        }
        // Of several the last one is named.
        if let Some(other) = playing.iter().rfind(|other| other.hash == team.hash) {
            warnings.push(Warning::SameBot([other.name.clone(), team.name.clone()]));
        }
        playing.push(team);
    }
    warnings
}
