//! Files with many records, as `agon match --records` writes them.

use thiserror::Error;

/// A file holds many records, or not the one that is meant.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordFileError {
    /// Nobody said which.
    #[error("{0} records in one file; --match N chooses one of them")]
    Many(usize),
    /// There is none of this number.
    #[error("--match {number}: expected a number from 1 to {count}")]
    None {
        /// The number.
        number: usize,
        /// How many there are.
        count: usize,
    },
}

/// The record with this number; without a number the only one. Everything before it becomes empty lines, so that line numbers
/// stay true.
///
/// # Errors
/// If there is no such record, or nobody said which of many.
pub fn one_record(text: &str, number: Option<usize>) -> Result<String, RecordFileError> {
    let beginnings = beginnings(text);
    let count = beginnings.len();
    let index = match number {
        // A text without a beginning is for the reader of records to complain about.
        None if count <= 1 => return Ok(text.to_owned()),
        None => return Err(RecordFileError::Many(count)),
        Some(number) => number.checked_sub(1).filter(|&index| index < count),
    };
    let Some(index) = index else {
        return Err(RecordFileError::None { number: number.unwrap_or_default(), count });
    };
    let from = beginnings[index];
    let to = beginnings.get(index + 1).copied().unwrap_or(usize::MAX);
    let lines = text.lines().enumerate().take_while(|(line, _)| *line < to);
    Ok(lines.map(|(line, text)| format!("{}\n", if line < from { "" } else { text })).collect())
}

/// The lines where records begin: a tag after something else.
fn beginnings(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut among_tags = false;
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let tag = line.trim_start().starts_with('[');
        if tag && !among_tags {
            found.push(number);
        }
        among_tags = tag;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::one_record as record;

    #[test]
    fn line_numbers_stay_true() {
        let text = "[A \"1\"]\n[B \"2\"]\n\n1. a b\n1-0\n\n[A \"2\"]\n\n1. c [d\n*\n";
        assert_eq!(record(text, Some(1)).unwrap(), "[A \"1\"]\n[B \"2\"]\n\n1. a b\n1-0\n\n");
        assert_eq!(record(text, Some(2)).unwrap(), "\n\n\n\n\n\n[A \"2\"]\n\n1. c [d\n*\n");
        assert!(record(text, None).unwrap_err().to_string().contains("2 records"));
        assert!(record(text, Some(0)).is_err() && record(text, Some(3)).is_err());
        assert_eq!(record("nonsense", None).unwrap(), "nonsense");
    }
}
