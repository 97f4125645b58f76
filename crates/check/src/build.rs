//! Builds that fail, explained with their own words.

use crate::{explain::Explanation, missing};

/// A build that failed; `said` is the command and the end of its output, `files` what is wrong with the submission's files, `named` which
/// of them are called otherwise than the build calls them.
pub(crate) fn explain(said: &str, files: Vec<String>, named: Vec<String>) -> Explanation {
    let (headline, output) = said.split_once('\n').unwrap_or((said, ""));
    let lines: Vec<String> = output.lines().map(|line| format!("  {}\n", agon_rules::inert(line))).collect();
    let what = if lines.is_empty() { "It said nothing." } else { "The last that it said:" };
    let mut remedies = files;
    remedies.extend(if named.is_empty() { missing::remedies(output) } else { named });
    if remedies.is_empty() {
        remedies
            .push("Repair the first error that the compiler names; those after it often follow from it.".to_owned());
    }
    remedies.push(
        "The build runs in a copy of the bot's folder: everything that it needs must be in there, and paths must \
             be relative."
            .to_owned(),
    );
    Explanation {
        happened: vec![format!("{}. {what}", headline.trim_end_matches(':'))],
        picture: (!lines.is_empty()).then(|| lines.concat()),
        remedies,
        ..Explanation::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_is_explained_with_its_own_words() {
        let explanation = explain(
            "the build 'make' failed (exit status: 2):\nmain.cpp:3: error: no\nmake: *** Error 1",
            Vec::new(),
            Vec::new(),
        );
        assert_eq!(explanation.happened, ["the build 'make' failed (exit status: 2). The last that it said:"]);
        assert_eq!(explanation.picture.as_deref(), Some("  main.cpp:3: error: no\n  make: *** Error 1\n"));
        let silent = explain("the build 'false' failed (exit status: 1):\n", Vec::new(), Vec::new());
        assert_eq!((silent.picture, silent.happened.len()), (None, 1));
    }
}
