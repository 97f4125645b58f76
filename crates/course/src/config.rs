//! What a course asks for and what it gives: `course.toml`, read strictly.

use std::{collections::BTreeMap, fs, io, path::Path};

use agon_originals::Original;
use agon_rules::quote;
use serde::Deserialize;

use crate::{formalities::Demand, repair::Repair, roster::TeamRule};

/// A course.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Course {
    /// What people call it.
    pub title: String,
    /// The short name of its game.
    pub game: String,
    /// Digits after the point of marks.
    #[serde(default = "two")]
    pub digits: usize,
    /// What is handed in.
    pub submission: Submission,
    /// What is asked of teams.
    #[serde(default)]
    pub team: Vec<TeamRule>,
    /// What is asked of submissions.
    #[serde(default)]
    pub rule: Vec<Rule>,
    /// What a repair costs, as a share of the marks of a phase; 0 where none is named.
    #[serde(default)]
    pub repairs: BTreeMap<Repair, f64>,
    /// What is played, one after the other.
    pub phase: Vec<Phase>,
    /// What judges give marks for.
    #[serde(default)]
    pub judged: Vec<Judged>,
}

fn two() -> usize {
    2
}

/// What a submission is.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// How archives are called.
    pub archive: ArchiveName,
    /// The most that an archive may hold unpacked, in MiB.
    #[serde(default = "usual_size")]
    pub size: u64,
    /// The sets of files: one of them must be complete.
    pub files: Vec<FileSet>,
}

fn usual_size() -> u64 {
    512
}

/// The most MiB that an archive may be allowed: a tebibyte.
const MOST_SIZE: u64 = 1 << 20;

/// How an archive is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArchiveName {
    /// By the entry numbers of the members: `2018CS10001_2018CS10002.zip`.
    Entries,
    /// By the name under which the bot is registered.
    Bot,
    /// As anybody likes.
    Any,
}

/// Files that are handed in together.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileSet {
    /// For whom it is: a language, or any.
    #[serde(rename = "for")]
    pub whom: String,
    /// The files. Where several would do, a bar stands between their names: `Makefile|CMakeLists.txt`; `*.py` is any file at the
    /// top that ends so.
    pub names: Vec<String>,
}

impl FileSet {
    /// For each file that is wanted, the names that it may have.
    pub fn wanted(&self) -> impl Iterator<Item = Vec<&str>> {
        self.names.iter().map(|names| names.split('|').collect())
    }

    /// Whether a file at the top is one that is wanted by a name of [`FileSet::wanted`].
    pub(crate) fn is(file: &str, wanted: &str) -> bool {
        wanted.strip_prefix('*').map_or(file == wanted, |end| file.ends_with(end) && !file.contains('/'))
    }
}

/// What is asked of a submission, with the source's words.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(try_from = "WrittenRule")]
pub struct Rule {
    /// What findings call it.
    pub id: String,
    /// Where the source says so.
    pub section: String,
    /// In its words.
    pub says: String,
    /// What it costs to break it.
    pub penalty: Penalty,
    /// What is asked.
    pub demand: Demand,
}

/// A rule as it is written: what is asked stands beside the rest.
#[derive(Deserialize)]
struct WrittenRule {
    id: String,
    section: String,
    says: String,
    penalty: Penalty,
    #[serde(flatten)]
    demand: toml::Table,
}

impl TryFrom<WrittenRule> for Rule {
    type Error = String;

    fn try_from(rule: WrittenRule) -> Result<Rule, String> {
        let WrittenRule { id, section, says, penalty, demand } = rule;
        let demand =
            demand.try_into().map_err(|error: toml::de::Error| format!("rule {}: {}", quote(&id), error.message()))?;
        Ok(Rule { id, section, says, penalty, demand })
    }
}

/// What a finding costs.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize, serde::Serialize)]
#[serde(untagged)]
pub enum Penalty {
    /// A share of the marks of the phase: 0.2 is 20 %.
    Share(f64),
    /// Everything.
    Word(PenaltyWord),
}

/// A penalty that is no number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PenaltyWord {
    /// The whole phase counts 0.
    Zero,
}

impl Penalty {
    /// Nothing.
    pub const NONE: Penalty = Penalty::Share(0.0);
    /// Everything.
    pub const ZERO: Penalty = Penalty::Word(PenaltyWord::Zero);

    /// The share of the marks that is lost.
    pub fn share(self) -> f64 {
        match self {
            Penalty::Share(share) => share,
            Penalty::Word(PenaltyWord::Zero) => 1.0,
        }
    }
}

impl std::fmt::Display for Penalty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Penalty::Share(0.0) => f.write_str("nothing"),
            Penalty::Share(share) => write!(f, "{} %", (share * 1000.0).round() / 10.0),
            Penalty::Word(PenaltyWord::Zero) => f.write_str("zero"),
        }
    }
}

/// A phase: a tournament, and how it counts.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// What people call it; the tournament has the same name.
    pub name: String,
    /// The format of the tournament: a preset or a file beside `course.toml`.
    pub format: String,
    /// All marks that it can bring.
    pub marks: f64,
    /// Where seeds come from.
    #[serde(default)]
    pub seeds: Seeds,
    /// The marks of the tournament that are worth all marks of the phase, where it counts in others.
    pub full: Option<f64>,
    /// Marks by place, where the tournament's format has none; the last number is for everybody after.
    #[serde(default)]
    pub places: Vec<f64>,
}

/// Where the seeds of a phase come from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seeds {
    /// There are none.
    #[default]
    None,
    /// The column `score` of the roster.
    Roster,
    /// The phase before.
    Before,
}

/// Something for which judges give marks.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    /// What people call it; the column of a table of marks.
    pub name: String,
    /// The most that it brings.
    pub most: f64,
    /// Where the source says so.
    pub section: String,
    /// In its words.
    pub says: String,
}

/// Why a course could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{file}: cannot read it: {problem}")]
    File {
        /// The file.
        file: String,
        /// Why.
        #[source]
        problem: io::Error,
    },
    /// It is not what a course looks like.
    #[error("{file}: {}{problem}", .line.map_or(String::new(), |line| format!("line {line}: ")))]
    Source {
        /// The file.
        file: String,
        /// Where.
        line: Option<usize>,
        /// What was expected, what came.
        problem: String,
    },
    /// No preset has this name.
    #[error("no preset is called {}; the presets are {}", quote(.name), .known.join(", "))]
    Unknown {
        /// The name.
        name: String,
        /// Those that there are.
        known: Vec<&'static str>,
    },
}

/// The preset of this name, and its text.
///
/// # Errors
/// If there is none.
pub fn preset(name: &str) -> Result<&'static str, ConfigError> {
    let all = || agon_all::GAMES.iter().flat_map(|game| game.courses());
    let found = all().find(|preset| preset.name == name).map(|preset| preset.format);
    found
        .ok_or_else(|| ConfigError::Unknown { name: name.to_owned(), known: all().map(|preset| preset.name).collect() })
}

/// The presets: what command lines call them, and their titles.
pub fn presets() -> impl Iterator<Item = (&'static str, String)> {
    let all = agon_all::GAMES.iter().flat_map(|game| game.courses());
    all.map(|preset| {
        let title =
            Course::parse(preset.name, preset.format).map_or_else(|error| error.to_string(), |course| course.title);
        (preset.name, title)
    })
}

impl Course {
    /// Finds a course by the name of a preset, its file or its folder.
    ///
    /// # Errors
    /// If there is none, or it makes no sense.
    pub fn find(name: &str) -> Result<Course, ConfigError> {
        let path = Path::new(name);
        if path.is_dir() && path.join("course.toml").is_file() {
            return Course::read(&path.join("course.toml"));
        }
        if path.is_file() { Course::read(path) } else { Course::parse(name, preset(name)?) }
    }

    /// Reads a course from its file.
    ///
    /// # Errors
    /// What is wrong with it, with the line.
    pub fn read(path: &Path) -> Result<Course, ConfigError> {
        let file = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|problem| ConfigError::File { file: file.clone(), problem })?;
        Course::parse(&file, &text)
    }

    /// Reads a course from a text that was found in `file`.
    ///
    /// # Errors
    /// What is wrong with it, with the line.
    pub fn parse(file: &str, text: &str) -> Result<Course, ConfigError> {
        let wrong = |line, problem| ConfigError::Source { file: file.to_owned(), line, problem };
        let course: Course = toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| 1 + text[..span.start].matches('\n').count());
            wrong(line, error.message().to_owned())
        })?;
        agon_all::find(&course.game).map_err(|error| wrong(None, format!("game: {error}")))?;
        course.consistent().map_err(|problem| wrong(None, problem))?;
        Ok(course)
    }

    /// The game.
    pub fn game(&self) -> &'static dyn Original {
        agon_all::find(&self.game).expect("looked up when the course was read")
    }

    /// The phase of this name, and the one before it.
    pub fn phase(&self, name: &str) -> Option<(&Phase, Option<&Phase>)> {
        let place = self.phase.iter().position(|phase| phase.name == name)?;
        Some((&self.phase[place], place.checked_sub(1).map(|before| &self.phase[before])))
    }

    fn consistent(&self) -> Result<(), String> {
        let share = |what: &str, share: f64| match (0.0..=1.0).contains(&share) {
            true => Ok(()),
            false => Err(format!("{what}: expected a share from 0 to 1, or \"zero\", found {share}")),
        };
        for rule in &self.rule {
            share(&format!("rule {}: penalty", quote(&rule.id)), rule.penalty.share())?;
            if self.rule.iter().filter(|other| other.id == rule.id).count() > 1 {
                return Err(format!("two rules have the id {}", quote(&rule.id)));
            }
            rule.demand.consistent().map_err(|problem| format!("rule {}: {problem}", quote(&rule.id)))?;
        }
        for (repair, penalty) in &self.repairs {
            share(&format!("repairs: {repair}"), *penalty)?;
        }
        self.numbers_consistent()?;
        if self.submission.files.is_empty() {
            return Err("submission: expected at least one set of files".to_owned());
        }
        self.phases_consistent()
    }

    fn numbers_consistent(&self) -> Result<(), String> {
        if self.digits > 6 {
            return Err(format!("digits: expected at most 6, found {}", self.digits));
        }
        if !(1..=MOST_SIZE).contains(&self.submission.size) {
            return Err(format!("submission: size: expected 1 to {MOST_SIZE} MiB, found {}", self.submission.size));
        }
        for (place, judged) in self.judged.iter().enumerate() {
            if judged.name.is_empty() || !judged.most.is_finite() || judged.most < 0.0 {
                return Err(format!("judged {}: expected a name, and marks of 0 or more", quote(&judged.name)));
            }
            if self.judged[..place].iter().any(|other| other.name == judged.name) {
                return Err(format!("two things that are judged are called {}", quote(&judged.name)));
            }
        }
        Ok(())
    }

    fn phases_consistent(&self) -> Result<(), String> {
        for (place, phase) in self.phase.iter().enumerate() {
            // It is the name of a folder, too.
            if phase.name.is_empty() || phase.name.starts_with('.') || phase.name.contains(['/', '\\']) {
                let name = quote(&phase.name);
                return Err(format!("phase {name}: expected a name without slashes that begins with no dot"));
            }
            if self.phase.iter().filter(|other| other.name == phase.name).count() > 1 {
                return Err(format!("two phases are called {}", quote(&phase.name)));
            }
            if phase.seeds == Seeds::Before && place == 0 {
                return Err(format!("phase {}: seeds of the phase before, but it is the first", quote(&phase.name)));
            }
            let counts = |number: &f64| number.is_finite() && *number >= 0.0;
            let full = phase.full.is_none_or(|full| full.is_finite() && full > 0.0);
            if !counts(&phase.marks) || !full || !phase.places.iter().all(counts) {
                return Err(format!("phase {}: expected marks of 0 or more", quote(&phase.name)));
            }
        }
        if self.phase.is_empty() { Err("expected at least one phase".to_owned()) } else { Ok(()) }
    }
}
