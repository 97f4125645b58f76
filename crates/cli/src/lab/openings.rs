//! Openings: made once for each variant and rule set, and kept.

use std::{fs, path::PathBuf};

use agon_lab::make_openings;
use agon_referee::build_cache;
use agon_rules::RuleSet;
use agon_search::{SearchVisitor, Searchable};
use clap::Args;

use crate::{error::CliError, setup::GameArgs};

/// How many openings a contest has, where nobody made more.
const USUAL_COUNT: usize = 500;

/// Make balanced random openings and keep them for contests
#[derive(Args)]
pub(super) struct MakeOpenings {
    #[command(flatten)]
    game: GameArgs,
    /// How many
    #[arg(long, default_value_t = USUAL_COUNT)]
    count: usize,
    /// Where random choices begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write; one in the cache folder, where contests find it, if absent
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl MakeOpenings {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let (name, variant, rules) = self.game.names()?;
        let text = make(&name, &variant, rules, self.count, self.seed)?;
        let file = self.out.clone().unwrap_or_else(|| kept_in(&name, &variant, rules));
        write(&file, &text)?;
        println!("{} openings in {}", text.lines().count(), file.display());
        Ok(())
    }
}

struct Make {
    count: usize,
    seed: u64,
}

impl SearchVisitor for Make {
    type Output = String;

    fn visit<P: Searchable>(self, start: P) -> String {
        make_openings(&start, self.count, self.seed).text(&start)
    }
}

fn make(name: &str, variant: &str, rules: RuleSet, count: usize, seed: u64) -> Result<String, CliError> {
    agon_all::start_search(name, variant, rules, Make { count, seed }).map_err(CliError::input)
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
            let text = make(name, variant, rules, USUAL_COUNT, 1)?;
            write(&file, &text)?;
            Ok(text)
        }
    }
}
