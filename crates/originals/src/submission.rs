//! Submissions in the forms that courses asked for.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read},
    path::Path,
};

use agon_wire::{Language, Protocol, UGI};

/// What a course had handed in.
pub trait Submissions: Send + Sync {
    /// What a submission looks like, for people: `compile.sh, run.sh and writeup.txt`.
    fn form(&self) -> &'static str;

    /// How a submission is built and run: a folder, or a single file, in the form that the original asked for. `None` if it is
    /// not in that form.
    fn recognise(&self, submission: &Path) -> Option<Recipe>;

    /// The names of the files that the original asked for, as far as they decide how a submission is built and run. A file that
    /// is called almost so, or lies deeper, is named to whoever handed it in.
    fn file_names(&self) -> &'static [&'static str] {
        &[]
    }
}

/// How a submission is built and run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// How it is spoken to.
    pub protocol: &'static Protocol,
    /// What it is written in.
    pub language: Language,
    /// A shell command that builds it, run once in a copy of the folder.
    pub build: Option<String>,
    /// A shell command that runs it, in that copy.
    pub run: String,
    /// Files of ours that are put into the copy before it is built: path and contents.
    pub files: Vec<(&'static str, &'static str)>,
    /// Options for the bot or for its adapter.
    pub options: BTreeMap<String, String>,
    /// How many threads our own program around the submission has while that thinks in another one.
    pub harness_threads: usize,
}

impl Default for Recipe {
    fn default() -> Recipe {
        Recipe {
            protocol: &UGI,
            language: Language::Other,
            build: None,
            run: String::new(),
            files: Vec::new(),
            options: BTreeMap::new(),
            harness_threads: 0,
        }
    }
}

/// The files of [`ShellSubmissions`].
pub const SHELL_FILES: [&str; 3] = ["run.sh", "compile.sh", "writeup.txt"];

/// So much is read of a file that says what a submission is. Nobody writes that much.
const MOST_READ: u64 = 1 << 20;

/// The text of a file that was handed in: its first megabyte, for nobody knows how long it is.
pub fn beginning_of(file: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(file)?.take(MOST_READ).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Folders with `compile.sh`, `run.sh` and `writeup.txt`, whose first line is 1 for C++, 2 for Java and 3 for Python. A bot is
/// built with the one, run with the other, and speaks the `lines` protocol. A program that needs no building may leave out
/// `compile.sh`, and a missing `writeup.txt` costs nobody a match.
pub struct ShellSubmissions {
    /// The game's `lines` protocol.
    pub protocol: &'static Protocol,
}

impl Submissions for ShellSubmissions {
    fn form(&self) -> &'static str {
        "compile.sh, run.sh and writeup.txt"
    }

    fn file_names(&self) -> &'static [&'static str] {
        &SHELL_FILES
    }

    fn recognise(&self, folder: &Path) -> Option<Recipe> {
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
            protocol: self.protocol,
            language,
            build: folder.join("compile.sh").is_file().then(|| "sh compile.sh".to_owned()),
            run: "sh run.sh".to_owned(),
            ..Recipe::default()
        })
    }
}
