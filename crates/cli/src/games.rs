//! `agon games`.

use std::io::{self, Write};

use agon_all::GAMES;
use agon_rules::AnyGame;
use clap::Args;
use serde_json::{Value, json};

use crate::error::CliError;

/// List the games with their variants, rule sets and clocks
#[derive(Args)]
pub(crate) struct Games {
    /// Print a JSON array instead
    #[arg(long)]
    json: bool,
}

impl Games {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        if self.json {
            let games: Vec<Value> = GAMES.iter().map(|game| as_json(*game)).collect();
            writeln!(out, "{}", Value::from(games))?;
            return Ok(());
        }
        let (games, examples) = agon_all::apart();
        for game in games {
            write_game(&mut out, game)?;
        }
        for game in examples {
            write!(out, "An example: ")?;
            write_game(&mut out, game)?;
        }
        Ok(())
    }
}

fn rule_sets(game: &dyn AnyGame) -> Vec<&'static str> {
    game.rule_sets().iter().map(|rules| rules.name()).collect()
}

fn as_json(game: &dyn AnyGame) -> Value {
    let clocks: serde_json::Map<String, Value> =
        game.variants().iter().map(|&variant| (variant.to_owned(), game.clock(variant).to_string().into())).collect();
    json!({
        "name": game.name(),
        "title": game.title(),
        "summary": game.summary(),
        "example": game.is_example(),
        "sides": game.sides(),
        "variants": game.variants(),
        "variant_form": game.variant_form(),
        "rules": rule_sets(game),
        "clocks": clocks,
    })
}

fn write_game(out: &mut impl Write, game: &dyn AnyGame) -> io::Result<()> {
    writeln!(out, "{}  {}", game.name(), game.title())?;
    writeln!(out, "  {}", game.summary())?;
    writeln!(out, "  sides     {} (first), {} (second)", game.sides()[0], game.sides()[1])?;
    writeln!(out, "  variants  {}", game.variants().join(", "))?;
    writeln!(out, "            {}", game.variant_form())?;
    writeln!(out, "  rules     {}", rule_sets(game).join(", "))?;
    let clocks: Vec<String> =
        game.variants().iter().map(|variant| format!("{} ({variant})", game.clock(variant))).collect();
    writeln!(out, "  clock     {}\n", clocks.join("; "))
}
