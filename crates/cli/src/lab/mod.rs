//! `agon lab`: what a change to the search is worth.

mod book;
mod contest;
mod ladder;
mod openings;
mod suite;
mod tune;
mod weights;

use clap::{Args, Subcommand};

use crate::error::CliError;

/// Matches between searches in this process: openings, contests, tests, tuning
#[derive(Args)]
pub(crate) struct Lab {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make balanced random openings and keep them for contests
    Openings(openings::MakeOpenings),
    /// Play pairs of games between two searches and say what the difference is worth
    Match(contest::Match),
    /// Play until a sequential test is decided
    Sprt(contest::Test),
    /// Make an opening book: search finds candidates, search and games from each decide
    Book(book::Book),
    /// Measure the ladder of the house bots, and draw it
    Ladder(ladder::Ladder),
    /// Tune parameters by self-play, or fit the weights of an evaluation to it
    Tune(tune::Tune),
    /// Make a suite of forced wins from played games, or solve one
    Suite(suite::Suite),
    /// List the parameters of the search
    Parameters,
    /// List the weights of a game's evaluation
    Weights(weights::ListWeights),
}

impl Lab {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match &self.command {
            Command::Openings(command) => command.run(),
            Command::Match(command) => command.run(),
            Command::Sprt(command) => command.run(),
            Command::Book(command) => command.run(),
            Command::Ladder(command) => command.run(),
            Command::Tune(command) => command.run(),
            Command::Suite(command) => command.run(),
            Command::Parameters => list_parameters(),
            Command::Weights(command) => command.run(),
        }
    }
}

fn list_parameters() -> Result<(), CliError> {
    for known in agon_search::Parameters::LIST {
        println!("{:<26}{:>6}  {:>4} to {:<5} {}", known.name, known.usual, known.least, known.most, known.meaning);
    }
    Ok(())
}
