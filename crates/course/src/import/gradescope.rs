//! Gradescope's `submission_metadata.yml`: a folder for each submission, and who handed it in.

use std::{collections::BTreeMap, fs, path::Path};

use serde::Deserialize;

use super::{ImportError, layout::Found};

/// A submission. Keys are Ruby's symbols; the rest of them is of no use here.
#[derive(Deserialize)]
struct Submission {
    #[serde(rename = ":submitters", default)]
    submitters: Vec<Submitter>,
}

#[derive(Deserialize)]
struct Submitter {
    #[serde(rename = ":name")]
    name: Option<String>,
    #[serde(rename = ":sid")]
    sid: Option<String>,
    #[serde(rename = ":email")]
    email: Option<String>,
}

pub(super) fn list(folder: &Path, metadata: &Path) -> Result<Vec<Found>, ImportError> {
    let wrong = |problem: String| ImportError::Path { path: metadata.to_owned(), problem };
    let text = fs::read_to_string(metadata)?;
    let submissions: BTreeMap<String, Submission> = serde_saphyr::from_str(&text)
        .map_err(|error| wrong(format!("expected Gradescope's list of submissions: {error}")))?;
    let mut found = Vec::new();
    for (name, submission) in submissions {
        // A name comes from outside: it must be that of a folder here.
        let path = folder.join(&name);
        if name.contains(['/', '\\']) || name.starts_with('.') || !path.is_dir() {
            return Err(wrong(format!("expected a folder {} beside it, found none", agon_rules::quote(&name))));
        }
        // All of them are of one team; the first of whom anything is known stands for them.
        let known = |who: &Submitter| who.sid.is_some() || who.email.is_some() || who.name.is_some();
        let submitter = submission.submitters.into_iter().find(known);
        let (person, entry, email) = submitter.map_or((None, None, None), |who| (who.name, who.sid, who.email));
        found.push(Found { path, called: name, person, entry, email });
    }
    Ok(found)
}
