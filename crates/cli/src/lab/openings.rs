//! Openings: made once for each variant and rule set, and kept.

use std::path::PathBuf;

use agon_entrants::build_cache;
use agon_lab::{Start, Wanted, write_openings};
use clap::Args;

use crate::{error::CliError, setup::GameArgs};

const USUAL: Wanted = Wanted::USUAL;

/// Make balanced random openings and keep them for contests
#[derive(Args)]
pub(super) struct MakeOpenings {
    #[command(flatten)]
    game: GameArgs,
    /// How many
    #[arg(long, default_value_t = USUAL.count as u32, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Random moves in each; so many, or one or two more
    #[arg(long, default_value_t = USUAL.moves as u16, value_parser = clap::value_parser!(u16).range(1..=100))]
    moves: u16,
    /// How many nodes decide whether an opening is level
    #[arg(long, default_value_t = USUAL.nodes, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Where random choices begin
    #[arg(long, default_value_t = USUAL.seed)]
    seed: u64,
    /// The file to write; one in the cache folder, where contests find it, if absent
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl MakeOpenings {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let start = self.game.lab_start()?;
        let count = self.count as usize;
        let wanted = Wanted { count, moves: self.moves.into(), nodes: self.nodes, seed: self.seed };
        let text = start.make_openings(wanted)?;
        let found = text.lines().count();
        let file = self.out.clone().unwrap_or_else(|| start.openings_in(&build_cache()));
        write_openings(&file, &text)?;
        println!("{found} openings in {}", file.display());
        if found < count {
            println!(
                "{count} were wanted, but too few are level after so many random moves: ask for fewer, or for more moves"
            );
        }
        Ok(())
    }
}

/// The openings of a contest: those in `chosen`, or the kept ones.
pub(super) fn find(start: &Start, chosen: Option<&PathBuf>) -> Result<String, CliError> {
    Ok(start.openings(chosen.map(PathBuf::as_path), &build_cache())?)
}
