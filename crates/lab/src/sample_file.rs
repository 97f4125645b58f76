//! Played games on disk: what was counted in their positions, so that weights can be fitted again without playing.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use agon_rules::quote;
use serde_json::{Value, json};

use crate::{Games, LabError, Sample};

/// A file that games are added to: a line that says what was played, then a line for each game.
pub(crate) struct SampleFile {
    file: File,
    path: PathBuf,
}

impl SampleFile {
    /// The games in the file, and the file to go on with; it is made if there is none. One with another head is refused. `width` is
    /// the number of counts in a position.
    pub(crate) fn open(path: &Path, head: &Value, width: usize) -> Result<(Games, SampleFile), LabError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(reason) => return Err(LabError::Read { file: path.to_owned(), reason }),
        };
        let mut lines = text.lines();
        if let Some(first) = lines.next() {
            compare(path, &serde_json::from_str(first).unwrap_or(Value::Null), head)?;
        }
        // A line that cannot be read was torn when the program was killed: its game is played again.
        let games = lines.filter_map(|line| read(line, width)).collect();
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(cannot_write(path))?;
        let mut file = SampleFile { file, path: path.to_owned() };
        if text.is_empty() {
            file.write(&head.to_string())?;
        } else if !text.ends_with('\n') {
            file.write("")?;
        }
        Ok((games, file))
    }

    /// Adds a game.
    pub(crate) fn keep(&mut self, number: usize, samples: &[Sample]) -> Result<(), LabError> {
        let results: Vec<f64> = samples.iter().map(|sample| sample.result).collect();
        let counts: Vec<&[i32]> = samples.iter().map(|sample| sample.counts.as_slice()).collect();
        self.write(&json!({ "game": number, "results": results, "counts": counts }).to_string())
    }

    fn write(&mut self, line: &str) -> Result<(), LabError> {
        // One call for the whole line: a kill seldom tears it.
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(cannot_write(&self.path))
    }
}

fn cannot_write(path: &Path) -> impl Fn(io::Error) -> LabError {
    |reason| LabError::Write { file: path.to_owned(), reason }
}

/// Refuses a file whose head is another one, and says what is different.
fn compare(path: &Path, found: &Value, expected: &Value) -> Result<(), LabError> {
    let (Some(found), Some(expected)) = (found.as_object(), expected.as_object()) else {
        return Err(LabError::NoSamples(path.to_owned()));
    };
    let Some((name, value)) = expected.iter().find(|&(name, value)| found.get(name) != Some(value)) else {
        return Ok(());
    };
    let words = |value: &Value| value.as_str().map_or_else(|| value.to_string(), quote);
    let found = found.get(name).map_or_else(|| "unknown".to_owned(), words);
    Err(LabError::OtherSamples { file: path.to_owned(), setting: name.clone(), found, wanted: words(value) })
}

fn read(line: &str, width: usize) -> Option<(usize, Vec<Sample>)> {
    let value: Value = serde_json::from_str(line).ok()?;
    let (results, counts) = (value["results"].as_array()?, value["counts"].as_array()?);
    let sample = |(result, counts): (&Value, &Value)| {
        let result = result.as_f64().filter(|result| (0.0..=1.0).contains(result))?;
        let count = |count: &Value| count.as_i64().and_then(|count| i32::try_from(count).ok());
        let counts: Vec<i32> = counts.as_array()?.iter().map(count).collect::<Option<_>>()?;
        (counts.len() == width).then_some(Sample { counts, result })
    };
    let samples = results.iter().zip(counts).map(sample).collect::<Option<Vec<Sample>>>()?;
    let whole = results.len() == counts.len();
    let number = value["game"].as_u64().and_then(|number| usize::try_from(number).ok()).filter(|_| whole)?;
    Some((number, samples))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_games_are_read() {
        let line = r#"{"game":3,"results":[1.0,0.5],"counts":[[1,-2],[0,4]]}"#;
        let (number, samples) = read(line, 2).unwrap();
        assert_eq!((number, samples.len(), samples[1].counts.as_slice()), (3, 2, &[0, 4][..]));
        assert_eq!((samples[0].result, samples[1].result), (1.0, 0.5));
        for torn in [
            &line[..line.len() - 1],
            "",
            "[]",
            r#"{"game":3,"results":[1.0],"counts":[]}"#,
            r#"{"game":3,"results":[7],"counts":[[1,2]]}"#,
            r#"{"game":3,"results":[1],"counts":[[1,99999999999]]}"#,
            r#"{"game":-3,"results":[],"counts":[]}"#,
        ] {
            assert!(read(torn, 2).is_none(), "{torn}");
        }
        assert!(read(line, 3).is_none(), "of other weights");
    }
}
