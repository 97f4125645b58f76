//! Whether a submission is as the course asked for, rule by rule.

mod bare;
mod demand;
mod learnt;
mod report;
mod source;

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{
    config::{Course, Penalty},
    repair::{self, Repaired},
    roster::Team,
};

pub(crate) use bare::{Language, lines as bare_lines};
pub use demand::Demand;

/// A submission that is looked at: an unpacked folder that may be changed, since it is a copy.
#[derive(Debug)]
pub struct Copy<'a> {
    /// The name of the archive, as it was handed in; `None` for a folder.
    pub archive: Option<&'a str>,
    /// The folder.
    pub root: PathBuf,
    /// The files below it, with `/` between the parts.
    pub files: Vec<String>,
    /// Whose it is; `None` if nobody has said, as when a student checks a bot at home.
    pub team: Option<&'a Team<'a>>,
    /// The first name in its archive that has backslashes where slashes are meant.
    pub backslashed: Option<String>,
}

/// The longest text that is read of one file: no source of a student is longer.
const MOST_READ: u64 = 4 << 20;

impl Copy<'_> {
    /// Looks at a folder.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of<'a>(root: &Path, archive: Option<&'a str>, team: Option<&'a Team<'a>>) -> io::Result<Copy<'a>> {
        let mut copy = Copy { archive, root: root.to_owned(), files: Vec::new(), team, backslashed: None };
        copy.refresh()?;
        Ok(copy)
    }

    /// The same, knowing the archive from which the folder was unpacked: unpacking takes backslashes for slashes without a word.
    #[must_use]
    pub fn packed_in(mut self, archive: &Path) -> Self {
        let names = fs::File::open(archive).ok().and_then(|file| zip::ZipArchive::new(io::BufReader::new(file)).ok());
        self.backslashed = names.and_then(|archive| {
            let mut names = archive.file_names().map_while(Result::ok);
            names.find(|name| name.contains('\\')).map(|name| name.to_string())
        });
        self
    }

    /// Lists the files anew.
    pub(crate) fn refresh(&mut self) -> io::Result<()> {
        self.files.clear();
        let mut folders = vec![String::new()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(self.root.join(&folder))? {
                let entry = entry?;
                let Ok(name) = entry.file_name().into_string() else { continue };
                let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
                match entry.file_type()? {
                    kind if kind.is_dir() => folders.push(path),
                    kind if kind.is_file() => self.files.push(path),
                    _ => {}
                }
            }
        }
        self.files.sort();
        Ok(())
    }

    /// The text of a file; `None` if there is none of this name.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let mut bytes = Vec::new();
        let file = fs::File::open(self.root.join(name)).ok()?;
        io::Read::read_to_end(&mut io::Read::take(file, MOST_READ), &mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Some(text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned))
    }
}

/// What was found about one rule, or mended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The rule, or `repair:` and the repair.
    pub rule: String,
    /// Whether it was mended in a copy, so that the bot plays all the same.
    pub repaired: bool,
    /// What is so.
    pub found: String,
    /// Where the source asks for something else; empty for what no section speaks of.
    pub section: String,
    /// In its words.
    pub says: String,
    /// What it costs unless the organiser decides otherwise.
    pub penalty: Penalty,
}

/// What is known of a submission's form.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Formalities {
    /// The rules that are met.
    pub met: Vec<String>,
    /// The others, and what was mended.
    pub findings: Vec<Finding>,
}

impl Formalities {
    /// Whether nothing was found.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }
}

/// Mends what can be mended in the copy, then looks at every rule.
///
/// # Errors
/// Only if the copy cannot be read or written.
pub fn examine(course: &Course, mut copy: Copy<'_>) -> io::Result<Formalities> {
    let mut result = Formalities::default();
    let repaired = repair::repair(&course.submission, &mut copy)?;
    let files = course.rule.iter().find(|rule| matches!(rule.demand, Demand::Files { .. }));
    let (section, says) = files.map_or_else(Default::default, |rule| (rule.section.clone(), rule.says.clone()));
    // Ten files with Windows line endings are one fault.
    let mut kinds: BTreeMap<repair::Repair, Vec<String>> = BTreeMap::new();
    for Repaired { repair, what } in repaired {
        kinds.entry(repair).or_default().push(what);
    }
    for (repair, what) in kinds {
        result.findings.push(Finding {
            rule: format!("repair:{repair}"),
            repaired: true,
            found: what.join("; "),
            section: section.clone(),
            says: says.clone(),
            penalty: Penalty::Share(course.repairs.get(&repair).copied().unwrap_or(0.0)),
        });
    }
    for rule in &course.rule {
        match rule.demand.unmet(&course.submission, &copy) {
            None => result.met.push(rule.id.clone()),
            Some(found) => result.findings.push(Finding {
                rule: rule.id.clone(),
                repaired: false,
                found,
                section: rule.section.clone(),
                says: rule.says.clone(),
                penalty: rule.penalty,
            }),
        }
    }
    Ok(result)
}
