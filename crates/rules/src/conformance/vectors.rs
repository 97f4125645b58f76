//! Reading reference vectors.

use std::{fs::File, io::Read, path::Path};

/// Reads a file of JSON values, one a line, compressed with gzip if its name ends in `.gz`.
pub fn read_vectors(path: impl AsRef<Path>) -> Vec<serde_json::Value> {
    let path = path.as_ref();
    let mut file = File::open(path).unwrap_or_else(|e| panic!("cannot open {}: {e}", path.display()));
    let mut text = String::new();
    let read = if path.extension().is_some_and(|end| end == "gz") {
        flate2::read::GzDecoder::new(file).read_to_string(&mut text)
    } else {
        file.read_to_string(&mut text)
    };
    read.unwrap_or_else(|e| panic!("cannot read {}: {e}", path.display()));
    let parse =
        |(i, line)| serde_json::from_str(line).unwrap_or_else(|e| panic!("{}, line {}: {e}", path.display(), i + 1));
    text.lines().enumerate().map(parse).collect()
}
