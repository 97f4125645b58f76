//! `agon perft`.

use std::io::{self, Write};

use clap::Args;
use serde_json::{Map, Value, json};

use crate::{error::CliError, setup::PositionArgs, show::MOST_TURNS};

/// Count the move tree below a position
#[derive(Args)]
pub(crate) struct Perft {
    #[command(flatten)]
    position: PositionArgs,
    /// How many moves, or turns, deep
    #[arg(value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: u32,
    /// Count complete turns in every canonical spelling, not search moves
    #[arg(long)]
    turns: bool,
    /// Show the count below each first move, or turn
    #[arg(long)]
    divide: bool,
    /// Print a JSON object before the count
    #[arg(long)]
    json: bool,
}

impl Perft {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let position = self.position.open()?;
        // A game that is over by its history has no continuation either.
        let over = position.outcome().is_some();
        let divided = match (self.divide, over || self.depth == 0) {
            (false, _) => None,
            (true, true) => Some(Vec::new()),
            (true, false) => Some(self.divide(&*position)?),
        };
        let count = match &divided {
            Some(parts) if !parts.is_empty() => parts.iter().map(|(_, count)| count).sum(),
            _ if self.depth == 0 => 1,
            _ if over => 0,
            _ if self.turns => position.perft_turns(self.depth),
            _ => position.perft(self.depth),
        };
        let mut out = io::stdout().lock();
        if self.json {
            let unit = if self.turns { "turns" } else { "moves" };
            let mut object = json!({ "depth": self.depth, "unit": unit, "count": count });
            if let Some(parts) = divided {
                let parts: Map<String, Value> = parts.into_iter().map(|(text, count)| (text, count.into())).collect();
                object["divide"] = parts.into();
            }
            writeln!(out, "{object}")?;
        } else {
            for (text, count) in divided.unwrap_or_default() {
                writeln!(out, "{text}: {count}")?;
            }
        }
        writeln!(out, "{count}")?;
        Ok(())
    }

    /// The count below each first move or, with `--turns`, below each spelling of each first turn.
    fn divide(&self, position: &dyn agon_rules::AnyPosition) -> Result<Vec<(String, u64)>, CliError> {
        if !self.turns {
            return Ok(position.divide(self.depth));
        }
        let mut parts = Vec::new();
        for turn in position.legal_turns(MOST_TURNS).map_err(CliError::input)? {
            let mut next = position.boxed();
            next.play(&turn.spellings[0]).map_err(CliError::input)?;
            let count = next.perft_turns(self.depth - 1);
            parts.extend(turn.spellings.into_iter().map(|text| (text, count)));
        }
        parts.sort_unstable();
        Ok(parts)
    }
}
