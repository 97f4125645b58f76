//! Submissions in the forms that courses asked for.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use crate::{
    original::Recipe,
    protocol::{Language, Protocol},
};

/// The files of a submission that [`shell_submission`] knows.
pub const SHELL_FILES: [&str; 3] = ["run.sh", "compile.sh", "writeup.txt"];

/// So much is read of a file that says what a submission is. Nobody writes that much.
const MOST_READ: u64 = 1 << 20;

/// The text of a file that was handed in: its first megabyte, for nobody knows how long it is.
pub fn beginning_of(file: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(file)?.take(MOST_READ).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A folder with `compile.sh`, `run.sh` and `writeup.txt`, whose first line is 1 for C++, 2 for Java and 3 for Python. It is
/// built with the one, run with the other, and speaks the `lines` protocol. A program that needs no building may leave out
/// `compile.sh`, and a missing `writeup.txt` costs nobody a match.
pub fn shell_submission(folder: &Path) -> Option<Recipe> {
    if !folder.join("run.sh").is_file() {
        return None;
    }
    let writeup = beginning_of(&folder.join("writeup.txt")).unwrap_or_default();
    let language = match writeup.split_whitespace().next() {
        Some("1") => Language::Cpp,
        Some("2") => Language::Java,
        Some("3") => Language::Python,
        _ => Language::Other,
    };
    Some(Recipe {
        protocol: Protocol::Lines,
        language,
        build: folder.join("compile.sh").is_file().then(|| "sh compile.sh".to_owned()),
        run: "sh run.sh".to_owned(),
        ..Recipe::default()
    })
}
