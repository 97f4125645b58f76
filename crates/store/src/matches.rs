//! Matches: saved once, never changed.

use agon_rules::Verdict;
use rusqlite::{Connection, OptionalExtension, Row, ToSql, named_params};

use crate::digest;
use crate::error::{Failure, StoreError, quoted};
use crate::live;
use crate::readable::Readable;
use crate::run::{Run, begin_or_go_on};
use crate::store::Store;
use crate::tally::half_points;

/// One finished match.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// Unique; the caller makes it from run, battle and half.
    pub id: String,
    /// The run it belongs to, which must be stored.
    pub run: String,
    /// The battle within the run.
    pub battle: u32,
    /// Which of the two matches of the battle: 0, or 1 with the sides swapped.
    pub half: u8,
    /// The game.
    pub game: String,
    /// The variant of the game.
    pub variant: String,
    /// The rule set.
    pub rules: String,
    /// Who had the first side.
    pub first: BotRef,
    /// Who had the second side.
    pub second: BotRef,
    /// The name of a [`Verdict`].
    pub result: String,
    /// Points of the first side by the rule set.
    pub first_points: f64,
    /// Points of the second side by the rule set.
    pub second_points: f64,
    /// Why the match ended.
    pub termination: String,
    /// What proves it.
    pub evidence: String,
    /// How many turns were played.
    pub turns: u32,
    /// When it began.
    pub started_ms: i64,
    /// How long it took.
    pub duration_ms: i64,
    /// The match written down.
    pub record: String,
}

/// The columns of a match, but for the long one.
pub(crate) const WITHOUT_RECORD: &str =
    "id, run, battle, half, game, variant, rules, first_name, first_hash, second_name, second_hash,
    result, first_points, second_points, termination, turns, started_ms, duration_ms, evidence, record_digest, digest";

/// A bot as a match names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotRef {
    /// The name it played under.
    pub name: String,
    /// The hash of its content.
    pub hash: String,
}

/// A finished match in brief: without its record, which is long.
#[derive(Debug, Clone, PartialEq)]
pub struct Brief {
    /// The battle within the run.
    pub battle: u32,
    /// Which match of the battle.
    pub half: u8,
    /// The name of a [`Verdict`].
    pub result: String,
    /// Points of the first and the second side.
    pub points: [f64; 2],
    /// Who had the first side, and who the second.
    pub names: [String; 2],
    /// Why the match ended.
    pub termination: String,
    /// How many turns were played.
    pub turns: u32,
    /// How long it took.
    pub duration_ms: i64,
}

/// Which matches are wanted; all of them if nothing is said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Those of this game.
    pub game: Option<String>,
    /// Those in which somebody of this name played.
    pub player: Option<String>,
    /// None of the runs of this kind whose names begin like this: the kind is the program's, the name may be anybody's.
    pub except_runs: Option<(String, String)>,
}

/// Whether saving changed anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saved {
    /// It is stored now.
    New,
    /// It was stored before; nothing changed.
    AlreadyThere,
}

impl Store {
    /// Stores a match in one transaction; when this returns, `kill -9` cannot take it away. Saving the same match again
    /// changes nothing, so whoever does not know whether it was saved may simply save it.
    ///
    /// # Errors
    /// [`StoreError::MatchDiffers`] and [`StoreError::HalfTaken`] rather than overwriting anything;
    /// [`StoreError::UnknownRun`]; [`StoreError::Unfit`] for values that no match has.
    pub fn save_match(&mut self, finished: &Match) -> Result<Saved, StoreError> {
        check(finished)?;
        self.write(|transaction| save(transaction, finished))
    }

    /// Ends a match that was in progress, in one transaction: its run is begun if need be, the match is stored, and it is no longer
    /// in progress. After an error all of it is as it was.
    ///
    /// # Errors
    /// As [`Store::save_match`] and [`Store::create_or_resume_run`].
    pub fn finish(&mut self, run: &Run, finished: &Match) -> Result<Saved, StoreError> {
        check(finished)?;
        self.write(|transaction| {
            begin_or_go_on(transaction, run)?;
            let saved = save(transaction, finished)?;
            live::remove(transaction, &finished.id)?;
            Ok(saved)
        })
    }

    /// The match of this id, if it is stored.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn match_by_id(&self, id: &str) -> Result<Option<Match>, StoreError> {
        self.read(|connection| Ok(find(connection, id)?))
    }

    /// The matches of a run, records included, by battle and half; none if there is no such run.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn matches_of(&self, run: &str) -> Result<Vec<Match>, StoreError> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT * FROM matches WHERE run = ?1 ORDER BY battle, half")?;
            let matches = statement.query_map([run], from_row)?.collect::<Result<_, _>>()?;
            Ok(matches)
        })
    }

    /// The matches of a run in brief, by battle and half.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn briefs_of(&self, run: &str) -> Result<Vec<Brief>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {WITHOUT_RECORD} FROM matches WHERE run = ?1 ORDER BY battle, half"
            ))?;
            let briefs = statement.query_map([run], |row| {
                digest::check(row, "matches", "id")?;
                Ok(Brief {
                    battle: row.get("battle")?,
                    half: row.get("half")?,
                    result: row.get("result")?,
                    points: [row.get("first_points")?, row.get("second_points")?],
                    names: [row.get("first_name")?, row.get("second_name")?],
                    termination: row.get("termination")?,
                    turns: row.get("turns")?,
                    duration_ms: row.get("duration_ms")?,
                })
            })?;
            Ok(briefs.collect::<Result<_, _>>()?)
        })
    }

    /// The matches of all runs that were saved last, the newest first.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn recent_matches(&self, limit: u32) -> Result<Vec<Match>, StoreError> {
        self.find_matches(&Wanted::default(), limit)
    }

    /// The wanted matches of all runs, the newest first.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn find_matches(&self, wanted: &Wanted, limit: u32) -> Result<Vec<Match>, StoreError> {
        self.found_matches(wanted, limit, |rows| Ok(rows.collect::<Result<_, _>>()?))
    }

    /// As [`Store::find_matches`], without the rows that were damaged: one of them does not hide the others.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn find_readable_matches(&self, wanted: &Wanted, limit: u32) -> Result<Readable<Match>, StoreError> {
        self.found_matches(wanted, limit, Readable::of)
    }

    fn found_matches<T>(
        &self,
        wanted: &Wanted,
        limit: u32,
        take: impl FnOnce(&mut dyn Iterator<Item = Result<Match, rusqlite::Error>>) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        self.read(|connection| {
            let (kind, begin) = wanted.except_runs.clone().unzip();
            let mut statement = connection.prepare_cached(
                "SELECT * FROM matches
                 WHERE (:game IS NULL OR game = :game)
                   AND (:player IS NULL OR first_name = :player OR second_name = :player)
                   AND (:except IS NULL OR substr(run, 1, length(:except)) <> :except
                        OR (SELECT kind FROM runs WHERE id = run) <> :kind)
                 ORDER BY seq DESC LIMIT :limit",
            )?;
            let values = named_params! {
                ":game": wanted.game, ":player": wanted.player, ":kind": kind, ":except": begin, ":limit": limit,
            };
            take(&mut statement.query_map(values, from_row)?)
        })
    }

    /// The record of the match of this id, if it is stored.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn record(&self, id: &str) -> Result<Option<String>, StoreError> {
        self.read(|connection| Ok(find(connection, id)?.map(|found| found.record)))
    }

    /// The battles of a run of which both halves are stored, in order.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn finished_battles(&self, run: &str) -> Result<Vec<u32>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT battle FROM matches WHERE run = ?1 GROUP BY battle HAVING count(*) = 2 ORDER BY battle",
            )?;
            let battles = statement.query_map([run], |row| row.get(0))?.collect::<Result<_, _>>()?;
            Ok(battles)
        })
    }
}

/// What [`Store::save_match`] does, within a transaction.
fn save(connection: &Connection, finished: &Match) -> Result<Saved, Failure> {
    if let Some(stored) = find(connection, &finished.id)? {
        let fields = differing_fields(&stored, finished);
        if fields.is_empty() {
            return Ok(Saved::AlreadyThere);
        }
        return Err(StoreError::MatchDiffers { id: finished.id.clone(), fields }.into());
    }
    refuse_unknown_run(connection, finished)?;
    refuse_taken_half(connection, finished)?;
    insert(connection, finished)?;
    Ok(Saved::New)
}

/// Says in words what the table would refuse with a code, and what SQLite would silently turn into something else (NaN
/// becomes NULL).
fn check(finished: &Match) -> Result<(), StoreError> {
    let reason = if finished.half > 1 {
        format!("a battle has halves 0 and 1, not {}", finished.half)
    } else if half_points(&finished.result).is_none() {
        format!("the result is {}, not {}", Verdict::every_name(), quoted(&finished.result))
    } else if !(finished.first_points.is_finite() && finished.second_points.is_finite()) {
        format!("points are finite numbers, not {} and {}", finished.first_points, finished.second_points)
    } else if finished.duration_ms < 0 {
        format!("a match cannot take {} ms", finished.duration_ms)
    } else {
        return Ok(());
    };
    Err(StoreError::Unfit { id: finished.id.clone(), reason })
}

fn refuse_unknown_run(connection: &Connection, finished: &Match) -> Result<(), Failure> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM runs WHERE id = ?1")?;
    if statement.exists([&finished.run])? {
        Ok(())
    } else {
        Err(StoreError::UnknownRun { run: finished.run.clone() }.into())
    }
}

fn refuse_taken_half(connection: &Connection, finished: &Match) -> Result<(), Failure> {
    let Match { run, battle, half, .. } = finished;
    let by: Option<String> = connection
        .prepare_cached("SELECT id FROM matches WHERE run = ?1 AND battle = ?2 AND half = ?3")?
        .query_row((run, battle, half), |row| row.get(0))
        .optional()?;
    match by {
        None => Ok(()),
        Some(by) => Err(StoreError::HalfTaken { run: run.clone(), battle: *battle, half: *half, by }.into()),
    }
}

fn insert(connection: &Connection, finished: &Match) -> Result<(), rusqlite::Error> {
    let record_digest = digest::of_text(&finished.record);
    let columns: [(&str, &dyn ToSql); 21] = [
        ("id", &finished.id),
        ("run", &finished.run),
        ("battle", &finished.battle),
        ("half", &finished.half),
        ("game", &finished.game),
        ("variant", &finished.variant),
        ("rules", &finished.rules),
        ("first_name", &finished.first.name),
        ("first_hash", &finished.first.hash),
        ("second_name", &finished.second.name),
        ("second_hash", &finished.second.hash),
        ("result", &finished.result),
        ("first_points", &finished.first_points),
        ("second_points", &finished.second_points),
        ("termination", &finished.termination),
        ("evidence", &finished.evidence),
        ("turns", &finished.turns),
        ("started_ms", &finished.started_ms),
        ("duration_ms", &finished.duration_ms),
        ("record", &finished.record),
        ("record_digest", &record_digest),
    ];
    digest::insert(connection, "matches", &columns, "")?;
    Ok(())
}

fn find(connection: &Connection, id: &str) -> Result<Option<Match>, rusqlite::Error> {
    connection.prepare_cached("SELECT * FROM matches WHERE id = ?1")?.query_row([id], from_row).optional()
}

fn from_row(row: &Row) -> Result<Match, rusqlite::Error> {
    digest::check(row, "matches", "id")?;
    Ok(Match {
        id: row.get("id")?,
        run: row.get("run")?,
        battle: row.get("battle")?,
        half: row.get("half")?,
        game: row.get("game")?,
        variant: row.get("variant")?,
        rules: row.get("rules")?,
        first: BotRef { name: row.get("first_name")?, hash: row.get("first_hash")? },
        second: BotRef { name: row.get("second_name")?, hash: row.get("second_hash")? },
        result: row.get("result")?,
        first_points: row.get("first_points")?,
        second_points: row.get("second_points")?,
        termination: row.get("termination")?,
        evidence: row.get("evidence")?,
        turns: row.get("turns")?,
        started_ms: row.get("started_ms")?,
        duration_ms: row.get("duration_ms")?,
        record: row.get("record")?,
    })
}

fn differing_fields(stored: &Match, offered: &Match) -> Vec<&'static str> {
    [
        ("run", stored.run != offered.run),
        ("battle", stored.battle != offered.battle),
        ("half", stored.half != offered.half),
        ("game", stored.game != offered.game),
        ("variant", stored.variant != offered.variant),
        ("rules", stored.rules != offered.rules),
        ("first bot", stored.first != offered.first),
        ("second bot", stored.second != offered.second),
        ("result", stored.result != offered.result),
        ("points of the first side", stored.first_points != offered.first_points),
        ("points of the second side", stored.second_points != offered.second_points),
        ("termination", stored.termination != offered.termination),
        ("evidence", stored.evidence != offered.evidence),
        ("turns", stored.turns != offered.turns),
        ("start", stored.started_ms != offered.started_ms),
        ("duration", stored.duration_ms != offered.duration_ms),
        ("record", stored.record != offered.record),
    ]
    .into_iter()
    .filter_map(|(name, differs)| differs.then_some(name))
    .collect()
}
