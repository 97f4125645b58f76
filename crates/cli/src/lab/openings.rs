//! Openings: made once for each variant and rule set, and kept.

use std::{fs, path::PathBuf};

use agon_entrants::build_cache;
use agon_lab::{Wanted, make_openings};
use agon_rules::RuleSet;
use agon_search::{SearchVisitor, Searchable};
use clap::Args;

use crate::{error::CliError, setup::GameArgs};

/// What a contest has, where nobody made anything else.
const USUAL: Wanted = Wanted { count: 500, moves: 6, nodes: 3000, seed: 1 };

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
        let (name, variant, rules) = self.game.names()?;
        let (count, moves) = (self.count as usize, usize::from(self.moves));
        let wanted = Wanted { count, moves, nodes: self.nodes, seed: self.seed };
        let text = make(&name, &variant, rules, wanted)?;
        let found = text.lines().count();
        let file = self.out.clone().unwrap_or_else(|| kept_in(&name, &variant, rules));
        write(&file, &text)?;
        println!("{found} openings in {}", file.display());
        if found < count {
            println!(
                "{count} were wanted, but too few are level after so many random moves: ask for fewer, or for more moves"
            );
        }
        Ok(())
    }
}

struct Make(Wanted);

impl SearchVisitor for Make {
    type Output = String;

    fn visit<P: Searchable>(self, start: P) -> String {
        make_openings(&start, self.0).text(&start)
    }
}

fn make(name: &str, variant: &str, rules: RuleSet, wanted: Wanted) -> Result<String, CliError> {
    agon_all::start_search(name, variant, rules, Make(wanted)).map_err(CliError::input)
}

/// Where the openings of a variant are kept.
fn kept_in(name: &str, variant: &str, rules: RuleSet) -> PathBuf {
    build_cache().join("openings").join(format!("{name}-{variant}-{rules}.txt"))
}

fn write(file: &PathBuf, text: &str) -> Result<(), CliError> {
    let made = file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(file, text));
    made.map_err(|e| CliError::Host(format!("cannot write {}: {e}", file.display())))
}

/// The openings of a variant: those in `chosen`, or the kept ones, which are made if there are none yet.
pub(super) fn find(name: &str, variant: &str, rules: RuleSet, chosen: Option<&PathBuf>) -> Result<String, CliError> {
    if let Some(file) = chosen {
        return fs::read_to_string(file).map_err(|e| {
            let file = file.display();
            CliError::Input(format!("cannot read {file}: {e}; `agon lab openings {name} --out {file}` makes openings"))
        });
    }
    let file = kept_in(name, variant, rules);
    match fs::read_to_string(&file) {
        Ok(text) if !text.trim().is_empty() => Ok(text),
        _ => {
            let text = make(name, variant, rules, USUAL)?;
            write(&file, &text)?;
            Ok(text)
        }
    }
}
