//! Lists in which a damaged row is missing, and does not hide the others.

use crate::error::{Failure, damage_of};

/// The rows that are as they were written, and in words those that are not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readable<T> {
    /// Rows as they were written.
    pub rows: Vec<T>,
    /// A fragment for each row that was damaged, ready to print.
    pub damaged: Vec<String>,
}

impl<T> Readable<T> {
    /// Takes every row that can be read; only what hinders all of them is an error.
    pub(crate) fn of(rows: &mut dyn Iterator<Item = Result<T, rusqlite::Error>>) -> Result<Readable<T>, Failure> {
        let mut readable = Readable { rows: Vec::new(), damaged: Vec::new() };
        for row in rows {
            match row {
                Ok(row) => readable.rows.push(row),
                Err(error) => match damage_of(&error) {
                    Some(damage) => readable.damaged.push(damage),
                    None => return Err(error.into()),
                },
            }
        }
        Ok(readable)
    }
}
