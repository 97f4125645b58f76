//! What a course may ask of a submission. A new demand is a variant, its arm below, and a function in one of the modules beside.

use serde::Deserialize;

use super::{Copy, learnt, report, source};
use crate::config::{ArchiveName, FileSet, Submission};

/// What is asked.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Demand {
    /// The archive has the name that the course wants.
    ArchiveName,
    /// A set of files is complete.
    Files {
        /// Whether nothing else may be there.
        #[serde(default)]
        only: bool,
    },
    /// A line of a file, counted from 1, is one of these.
    LineIs {
        /// The file.
        file: String,
        /// Which line.
        line: usize,
        /// What it may be.
        one_of: Vec<String>,
    },
    /// The first word of a file is a number for the language, and the files are in that language.
    LanguageNumber {
        /// The file.
        file: String,
        /// The languages in their order, each with the endings of its files: `cpp:cpp,cc`.
        languages: Vec<String>,
    },
    /// A line begins with these words, word for word.
    LineBegins {
        /// The file.
        file: String,
        /// Which line.
        line: usize,
        /// The words; kinds of quotation marks, spaces and apostrophes are taken as one.
        with: String,
    },
    /// A line says something.
    LineSays {
        /// The file.
        file: String,
        /// Which line.
        line: usize,
    },
    /// A line has the entry numbers of all members, with commas between them.
    EntriesInLine {
        /// The file.
        file: String,
        /// Which line.
        line: usize,
    },
    /// A file has the names and entry numbers of all members.
    Members {
        /// The file.
        file: String,
    },
    /// A file says with whom the team discussed, or None.
    Collaborators {
        /// The file.
        file: String,
    },
    /// Only libraries that come with the language are used, and these.
    Libraries {
        /// Further modules or headers that may be used.
        #[serde(default)]
        allowed: Vec<String>,
    },
    /// No threads, processes or asynchronous code.
    SingleThreaded,
    /// Whoever learnt something hands in how, where it is, and a picture that shows when.
    Learnt {
        /// The file whose last line has the link.
        file: String,
    },
    /// Nothing that stood in a starter kit to be replaced is left.
    NoPlaceholders,
    /// The bot starts, and gives a turn that can be read. It is tried by whoever grades or checks, not by looking.
    Plays,
}

impl Demand {
    /// What is wrong with a submission; `None` if it is as asked.
    pub(super) fn unmet(&self, submission: &Submission, copy: &Copy<'_>) -> Option<String> {
        match self {
            Demand::ArchiveName => archive_name(submission.archive, copy),
            Demand::Files { only } => files(submission, copy, *only),
            Demand::LineIs { file, line, one_of } => report::line_is(copy, file, *line, one_of),
            Demand::LanguageNumber { file, languages } => report::language(copy, file, languages),
            Demand::LineBegins { file, line, with } => report::begins(copy, file, *line, with),
            Demand::LineSays { file, line } => report::says_something(copy, file, *line),
            Demand::EntriesInLine { file, line } => report::entries(copy, file, *line),
            Demand::Members { file } => report::members(copy, file),
            Demand::Collaborators { file } => report::collaborators(copy, file),
            Demand::Libraries { allowed } => source::libraries(copy, allowed),
            Demand::SingleThreaded => source::threads(copy),
            Demand::Learnt { file } => learnt::missing(copy, file),
            Demand::NoPlaceholders => report::placeholders(copy),
            Demand::Plays => None,
        }
    }

    /// Why the demand itself makes no sense.
    pub(crate) fn consistent(&self) -> Result<(), String> {
        match self {
            Demand::LineIs { line: 0, .. }
            | Demand::LineBegins { line: 0, .. }
            | Demand::LineSays { line: 0, .. }
            | Demand::EntriesInLine { line: 0, .. } => Err("lines are counted from 1".to_owned()),
            _ => Ok(()),
        }
    }
}

/// Moodle and others add a number to a name that was there before: `name (1).zip`.
fn archive_name(wanted: ArchiveName, copy: &Copy<'_>) -> Option<String> {
    let (archive, team) = (copy.archive?, copy.team?);
    let stem = archive.strip_suffix(".zip");
    match wanted {
        ArchiveName::Any => stem.is_none().then(|| format!("{archive} is no .zip")),
        ArchiveName::Bot => {
            let bot = team.bot()?;
            (stem != Some(bot)).then(|| format!("the archive is called {archive}, and the bot is registered as {bot}"))
        }
        ArchiveName::Entries => {
            let mut wanted: Vec<String> = team.entries().iter().map(|entry| entry.to_lowercase()).collect();
            let mut found: Vec<String> =
                stem.unwrap_or_default().split('_').map(str::to_lowercase).filter(|word| !word.is_empty()).collect();
            let right = format!("{}.zip", team.entries().join("_"));
            wanted.sort();
            found.sort();
            (wanted != found).then(|| format!("the archive is called {archive} instead of {right}"))
        }
    }
}

/// What is missing in the set that is nearest to complete; then what is too much.
fn files(submission: &Submission, copy: &Copy<'_>, only: bool) -> Option<String> {
    let missing = |set: &FileSet| -> Vec<String> {
        let there = |name: &&str| copy.files.iter().any(|file| FileSet::is(file, name));
        let lacks = |names: &Vec<&str>| !names.iter().any(there);
        set.wanted().filter(lacks).map(|names| names.join(" or ")).collect()
    };
    let nearest = submission.files.iter().min_by_key(|set| {
        let missing = missing(set).len();
        // Of two that are equally near, the one of which more is there.
        (missing, std::cmp::Reverse(set.names.len() - missing))
    })?;
    let lacking = missing(nearest);
    if !lacking.is_empty() {
        return Some(format!("no {}", lacking.join(", no ")));
    }
    let known: Vec<&str> = nearest.wanted().flatten().collect();
    let more: Vec<&str> = copy
        .files
        .iter()
        .map(String::as_str)
        .filter(|file| !known.iter().any(|known| FileSet::is(file, known)))
        .collect();
    (only && !more.is_empty()).then(|| format!("besides what is asked for: {}", more.join(", ")))
}
