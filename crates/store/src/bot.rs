//! Bots, known by the hash of their content.

use rusqlite::{OptionalExtension, Row, ToSql};

use crate::digest;
use crate::error::StoreError;
use crate::matches::Saved;
use crate::store::Store;

/// A bot as it was first seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bot {
    /// Hash of its content; unique.
    pub hash: String,
    /// Its name.
    pub name: String,
    /// The game it plays.
    pub game: String,
    /// The protocol it speaks.
    pub protocol: String,
    /// The language it is written in.
    pub language: String,
    /// When it was first seen.
    pub first_seen_ms: i64,
}

impl Store {
    /// Stores a bot unless its hash is known. The first entry stays: the same content under another name is the same
    /// bot, and each match keeps the name that was used in it.
    ///
    /// # Errors
    /// Only if the file cannot be written.
    pub fn save_bot(&mut self, bot: &Bot) -> Result<Saved, StoreError> {
        self.write(|transaction| {
            let columns: [(&str, &dyn ToSql); 6] = [
                ("hash", &bot.hash),
                ("name", &bot.name),
                ("game", &bot.game),
                ("protocol", &bot.protocol),
                ("language", &bot.language),
                ("first_seen_ms", &bot.first_seen_ms),
            ];
            let added = digest::insert(transaction, "bots", &columns, "ON CONFLICT (hash) DO NOTHING")?;
            Ok(if added == 1 { Saved::New } else { Saved::AlreadyThere })
        })
    }

    /// The bot of this hash, if it is known.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn bot_by_hash(&self, hash: &str) -> Result<Option<Bot>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM bots WHERE hash = ?1")?;
            Ok(statement.query_row([hash], from_row).optional()?)
        })
    }

    /// All bots in the order in which they were first stored.
    ///
    /// # Errors
    /// Only if the file cannot be read.
    pub fn bots(&self) -> Result<Vec<Bot>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM bots ORDER BY seq")?;
            let bots = statement.query_map([], from_row)?.collect::<Result<_, _>>()?;
            Ok(bots)
        })
    }
}

fn from_row(row: &Row) -> Result<Bot, rusqlite::Error> {
    digest::check(row, "bots", "hash")?;
    Ok(Bot {
        hash: row.get("hash")?,
        name: row.get("name")?,
        game: row.get("game")?,
        protocol: row.get("protocol")?,
        language: row.get("language")?,
        first_seen_ms: row.get("first_seen_ms")?,
    })
}
