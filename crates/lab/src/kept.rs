//! Openings that are made once for each variant and rule set, and kept.

use std::{
    fs,
    path::{Path, PathBuf},
};

use agon_search::{SearchVisitor, Searchable};

use crate::{LabError, Start, Wanted, make_openings};

impl Wanted {
    /// What a contest has, where nobody made anything else.
    pub const USUAL: Wanted = Wanted { count: 500, moves: 6, nodes: 3000, seed: 1 };
}

struct Make(Wanted);

impl SearchVisitor for Make {
    type Output = String;

    fn visit<P: Searchable>(self, start: P) -> String {
        make_openings(&start, self.0).text(&start)
    }
}

impl Start {
    /// Makes openings, one a line. There may be fewer than wanted.
    ///
    /// # Errors
    /// If there is no such game, variant or rule set.
    pub fn make_openings(&self, wanted: Wanted) -> Result<String, LabError> {
        Ok(self.search(Make(wanted))?)
    }

    /// Where the openings are kept in a cache folder.
    pub fn openings_in(&self, cache: &Path) -> PathBuf {
        let Start { game, variant, rules } = self;
        cache.join("openings").join(format!("{game}-{variant}-{rules}.txt"))
    }

    /// The openings in `chosen`, or those that are kept in a cache folder, which are made if there are none yet.
    ///
    /// # Errors
    /// If they cannot be read, or not written.
    pub fn openings(&self, chosen: Option<&Path>, cache: &Path) -> Result<String, LabError> {
        if let Some(file) = chosen {
            let unread = |reason| LabError::Openings { file: file.to_owned(), game: self.game.clone(), reason };
            return fs::read_to_string(file).map_err(unread);
        }
        let file = self.openings_in(cache);
        match fs::read_to_string(&file) {
            Ok(text) if !text.trim().is_empty() => Ok(text),
            _ => {
                let text = self.make_openings(Wanted::USUAL)?;
                write_openings(&file, &text)?;
                Ok(text)
            }
        }
    }
}

/// Writes openings into a file, whose folder is made if need be.
///
/// # Errors
/// If the file cannot be written.
pub fn write_openings(file: &Path, text: &str) -> Result<(), LabError> {
    let made = file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(file, text));
    made.map_err(|reason| LabError::Write { file: file.to_owned(), reason })
}
