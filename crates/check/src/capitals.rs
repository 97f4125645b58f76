//! Files that are there, but under a name with other capitals than the bot uses: on Windows and macOS that is the same name.

use std::{fs, path::Path};

use crate::files::{SCRIPT, name_of};

/// Folders below the submission that are looked into.
const DEEPEST: usize = 3;
/// Files that are looked at.
const MOST: usize = 2000;
/// Files that are searched for a name are small.
const LARGEST: u64 = 1 << 20;

/// Something that was not found.
struct Lost<'a> {
    /// The name that was looked for.
    name: &'a str,
    /// The endings that the file may have.
    endings: &'static [&'static str],
}

/// What to do about files of the submission that were looked for under names with other capitals, by what was said.
pub(crate) fn remedies(said: &str, submission: &Path) -> Vec<String> {
    if !submission.is_dir() {
        return Vec::new();
    }
    let mut names = Vec::new();
    names_below(submission, submission, 0, &mut names);
    let mut found: Vec<String> = Vec::new();
    for lost in said.lines().filter_map(lost) {
        let remedy = remedy(&lost, submission, &names);
        found.extend(remedy.filter(|remedy| !found.contains(remedy)));
    }
    found
}

/// What a line of an interpreter, a compiler or a shell says is not there.
fn lost(line: &str) -> Option<Lost<'_>> {
    let between = |before: &str, after: &str| {
        let (_, rest) = line.split_once(before)?;
        rest.split_once(after).map(|(name, _)| name)
    };
    if let Some(module) = between("No module named '", "'") {
        return Some(Lost { name: module.split('.').next()?, endings: &[".py", ""] });
    }
    if let Some((_, class)) = line.split_once("Could not find or load main class ") {
        return Some(Lost { name: class.split_whitespace().next()?, endings: &[".class", ".java"] });
    }
    let name = between("can't open file '", "'")
        .or_else(|| between("fatal error: ", ": No such file or directory"))
        .or_else(|| between("error: no such file or directory: '", "'"))
        .or_else(|| line.split_once("error: file not found: ").map(|(_, name)| name))
        .or_else(|| line.split_once("Unable to access jarfile ").map(|(_, name)| name))
        .or_else(|| line.strip_suffix(": not found"))
        .or_else(|| line.strip_suffix(": No such file or directory"))?;
    let name = name.rsplit(": ").next()?.trim_matches(['\'', '"', ' ', '‘', '’', '`']);
    (!name.is_empty()).then_some(Lost { name, endings: &[""] })
}

fn remedy(lost: &Lost<'_>, submission: &Path, names: &[String]) -> Option<String> {
    let plain = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let wanted: Vec<String> = lost.endings.iter().map(|ending| plain(lost.name) + ending).collect();
    // One that is there under its very name is lost for another reason.
    if names.iter().any(|name| wanted.contains(&plain(name))) {
        return None;
    }
    let is_like = |name: &&String| wanted.iter().any(|wanted| plain(name).to_lowercase() == wanted.to_lowercase());
    let found = names.iter().find(is_like)?;
    let name = plain(lost.name);
    let who = names.iter().find(|file| *file != found && mentions(&submission.join(file), &name));
    let (found, name) = (agon_rules::inert(found), agon_rules::inert(&name));
    let who = who.map_or_else(|| "the bot".to_owned(), |file| agon_rules::inert(file));
    Some(format!(
        "Mind capitals: found {found}; {who} names {name}. Write the name in both places alike: here they are two names, though not on \
         Windows and macOS."
    ))
}

/// Whether a text file has this word in it.
fn mentions(file: &Path, word: &str) -> bool {
    let is_small = fs::metadata(file).is_ok_and(|about| about.len() <= LARGEST);
    let Some(text) = is_small.then(|| fs::read_to_string(file).ok()).flatten() else { return false };
    let is_letter = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    text.match_indices(word)
        .any(|(at, _)| !is_letter(text[..at].chars().next_back()) && !is_letter(text[at + word.len()..].chars().next()))
}

/// The files and folders of a submission by their paths, scripts first: they name the others.
fn names_below(root: &Path, folder: &Path, depth: usize, found: &mut Vec<String>) {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort_by_key(|path| (!SCRIPT.contains(&name_of(path).rsplit('.').next().unwrap_or_default()), path.clone()));
    for path in entries {
        if found.len() >= MOST {
            return;
        }
        found.push(path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned());
        if path.is_dir() && !path.is_symlink() && depth < DEEPEST {
            names_below(root, &path, depth + 1, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_under_names_with_other_capitals_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in [
            ("run.sh", "python3 Bot.py\njava -jar Bot.JAR\n./Engine\njava Start\n"),
            ("compile.sh", "g++ -o engine Main.cpp\n"),
            ("bot.py", "from utils import x\n"),
            ("Utils.py", ""),
            ("main.cpp", "#include \"Board.h\"\n"),
            ("board.h", ""),
            ("bot.jar", ""),
            ("engine", ""),
            ("start.java", ""),
        ] {
            fs::write(folder.path().join(name), text).expect("a file");
        }
        let cases = [
            ("python3: can't open file '/bots/Bot.py': [Errno 2] No such file", "found bot.py; run.sh names Bot.py"),
            ("cc1plus: fatal error: Main.cpp: No such file or directory", "found main.cpp; compile.sh names Main.cpp"),
            ("main.cpp:1:10: fatal error: Board.h: No such file or directory", "found board.h; main.cpp names Board.h"),
            ("ModuleNotFoundError: No module named 'utils'", "found Utils.py; bot.py names utils"),
            ("Error: Unable to access jarfile Bot.JAR", "found bot.jar; run.sh names Bot.JAR"),
            ("run.sh: 3: ./Engine: not found", "found engine; run.sh names Engine"),
            ("Error: Could not find or load main class Start", "found start.java; run.sh names Start"),
        ];
        for (said, remedy) in cases {
            let found = remedies(said, folder.path());
            assert!(found.len() == 1 && found[0].contains(remedy), "{said}: {found:?}");
        }
        for said in ["No module named 'numpy'", "sh: 1: ./engine: not found", "python3: can't open file 'none.py'", ""]
        {
            assert_eq!(remedies(said, folder.path()), Vec::<String>::new(), "{said}");
        }
    }
}
