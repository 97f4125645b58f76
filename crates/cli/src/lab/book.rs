//! Opening books, made.

use std::{fs, path::PathBuf};

use agon_lab::MakeBook;
use clap::Args;

use super::contest::{stopped_by_signals, threads};
use crate::{error::CliError, progress::progress, setup::GameArgs};

/// Make an opening book: search finds candidates, search and games from each decide
///
/// It prints the part for one variant; those of a game's variants, one after the other, are its book.
#[derive(Args)]
pub(super) struct Book {
    #[command(flatten)]
    game: GameArgs,
    /// Moves from the start that the book covers
    #[arg(long, default_value_t = 6)]
    plies: usize,
    /// Moves that are looked at in each position
    #[arg(long, default_value_t = 4)]
    width: usize,
    /// Positions that the search looks at to find them
    #[arg(long, default_value_t = 200_000)]
    nodes: u64,
    /// Pairs of games from each candidate
    #[arg(long, default_value_t = 20)]
    pairs: usize,
    /// Nodes for each move of these games
    #[arg(long, default_value_t = 500)]
    game_nodes: u64,
    /// Positions that the book may have
    #[arg(long, default_value_t = 400)]
    positions: usize,
    /// Where random choices begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Positions at once; all cores if absent
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The file to write; stdout if absent
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Book {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let start = self.game.lab_start()?;
        let stop = stopped_by_signals()?;
        let bar = progress(true);
        let watch = |ply: usize, done: usize, all: usize| {
            bar.set_message(format!("move {}: {done} of {all} positions", ply + 1));
        };
        let make = MakeBook {
            plies: self.plies,
            width: self.width.max(1),
            nodes: self.nodes.max(1),
            pairs: self.pairs,
            game_nodes: self.game_nodes.max(1),
            most_positions: self.positions,
            seed: self.seed,
            threads: threads(self.threads),
            watch: &watch,
            stop: &stop,
        };
        let lines = start.search(make).map_err(CliError::input)?.map_err(CliError::input)?;
        bar.finish_and_clear();
        let text = format!("variant {}\n{lines}", start.variant);
        match &self.out {
            None => print!("{text}"),
            Some(file) => {
                fs::write(file, &text).map_err(|e| CliError::Host(format!("cannot write {}: {e}", file.display())))?;
            }
        }
        Ok(())
    }
}
