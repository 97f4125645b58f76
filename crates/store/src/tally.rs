//! A run in numbers, seen from one bot.

use std::collections::BTreeMap;

use agon_rules::{Side, Verdict};
use rusqlite::Row;
use rusqlite::types::Type;

use crate::digest;
use crate::error::StoreError;
use crate::matches::WITHOUT_RECORD;
use crate::store::Store;

/// How one bot fared in a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Matches won.
    pub wins: u64,
    /// Matches drawn.
    pub draws: u64,
    /// Matches lost.
    pub losses: u64,
    /// How many of its matches ended in each way.
    pub terminations: BTreeMap<String, u64>,
    /// Finished battles in which it scored 0, ½, 1, 1½ and 2. One with a match that both sides lost is left out: it says nothing
    /// about who is stronger.
    pub pentanomial: [u64; 5],
}

/// One match, seen from the bot: its half points are 0, 1 or 2.
struct Line {
    battle: u32,
    half_points: usize,
    both_lost: bool,
    termination: String,
}

impl Store {
    /// The tally of a run for the bot of this name. Matches without it do not count, and half a battle counts as a
    /// match but not in the pentanomial. If both sides bear the name (a bot against itself), the bot meant is the one
    /// that has the first side in half 0 and the second side in half 1.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn tally(&self, run: &str, bot: &str) -> Result<Tally, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                &format!("SELECT {WITHOUT_RECORD} FROM matches WHERE run = ?1 AND ?2 IN (first_name, second_name) ORDER BY battle, half"),
            )?;
            let mut tally = Tally::default();
            let mut waiting: Option<Line> = None;
            for line in statement.query_map([run, bot], |row| from_row(row, bot))? {
                let line = line?;
                tally.add_match(&line);
                waiting = match waiting {
                    Some(other) if other.battle == line.battle => {
                        if !other.both_lost && !line.both_lost {
                            tally.pentanomial[other.half_points + line.half_points] += 1;
                        }
                        None
                    }
                    _ => Some(line),
                };
            }
            Ok(tally)
        })
    }
}

impl Tally {
    fn add_match(&mut self, line: &Line) {
        let count = match line.half_points {
            0 => &mut self.losses,
            1 => &mut self.draws,
            _ => &mut self.wins,
        };
        *count += 1;
        *self.terminations.entry(line.termination.clone()).or_default() += 1;
    }
}

fn from_row(row: &Row, bot: &str) -> Result<Line, rusqlite::Error> {
    digest::check(row, "matches", "id")?;
    let [first, second]: [String; 2] = [row.get("first_name")?, row.get("second_name")?];
    let is_first = if first == second { row.get::<_, u8>("half")? == 0 } else { first == bot };
    let result: String = row.get("result")?;
    let [of_first, of_second] = half_points(&result).ok_or_else(|| {
        rusqlite::Error::FromSqlConversionFailure(1, Type::Text, format!("{result:?} is no result").into())
    })?;
    let half_points = if is_first { of_first } else { of_second };
    let both_lost = of_first + of_second == 0;
    Ok(Line { battle: row.get("battle")?, half_points, both_lost, termination: row.get("termination")? })
}

/// Twice the score of the first and of the second side, or `None` if the text is no result.
pub(crate) fn half_points(result: &str) -> Option<[usize; 2]> {
    Some(match result.parse().ok()? {
        Verdict::Won(Side::First) => [2, 0],
        Verdict::Won(Side::Second) => [0, 2],
        Verdict::Drawn => [1, 1],
        Verdict::BothLost => [0, 0],
    })
}
