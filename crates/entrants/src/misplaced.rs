//! Submissions whose files are all there, but not where or not as the original wanted them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use agon_originals::Original;
use agon_rules::quote;

use crate::archive::{is_archive, unpacked_whole};

/// Folders that are looked into. Nobody hides a bot deeper, and a home folder that was given by mistake is not read as a whole.
const MOST_FOLDERS: usize = 300;
const DEEPEST: usize = 8;

/// Why `submission` is not in the form that the game asks for, if that can be told: what to do, then what was found.
pub fn misplaced(game: &dyn Original, submission: &Path) -> Option<String> {
    let (form, wanted_names) = (game.submissions(), file_names(game));
    if !submission.is_dir() {
        return misnamed_file(game, submission).or_else(|| inner_archive(submission));
    }
    let folders = folders_below(submission);
    // The only folder of an archive may have any name, and its files are found there; but its author knows only whole paths.
    let whole = unpacked_whole(submission);
    let outer = usize::from(whole != submission);
    if folders.len() == 1
        && let Some(inner) = only_archive(submission)
    {
        let name = shown(&inner, submission);
        return Some(format!(
            "unpack {name} and hand in its files as they are: found an archive within the archive or folder"
        ));
    }
    // Where any source file will do, one that lies deeper is only the bot if nothing else is there.
    let named = !wanted_names.is_empty() || !entries(submission).iter().any(|path| path.is_file());
    for (folder, depth) in &folders {
        let in_form = || named && form.is_some_and(|form| form.recognise(folder).is_some());
        if *depth > 0 && (folder.join("bot.toml").is_file() || in_form()) {
            let files = wanted_names.iter().copied().chain(["bot.toml"]);
            let name = files.into_iter().find(|name| folder.join(name).is_file()).unwrap_or("the bot");
            return Some(format!(
                "hand in what lies in {}: found {name} {} deep, and the course wants it at the top",
                shown(folder, whole),
                count_folders(*depth + outer)
            ));
        }
        if let Some((found, wanted)) = misnamed(game, folder).into_iter().next() {
            let found = folder.join(found);
            return Some(rename(&found.strip_prefix(submission).unwrap_or(&found).to_string_lossy(), wanted));
        }
    }
    None
}

/// The names of the files that the game's original asked for.
pub fn file_names(game: &dyn Original) -> &'static [&'static str] {
    game.submissions().map_or(&[], |submissions| submissions.file_names())
}

/// Files of a folder that are called almost as the original asked, each with the right name: `Run.sh` and `run.sh`.
pub fn misnamed(game: &dyn Original, folder: &Path) -> Vec<(String, &'static str)> {
    let mut names: Vec<String> =
        entries(folder).into_iter().filter(|path| path.is_file()).filter_map(|path| name_of(&path)).collect();
    names.sort();
    let wrong = |wanted: &&'static str| {
        let found = names.iter().find(|name| is_almost(name, wanted))?;
        (!folder.join(wanted).exists()).then(|| (found.clone(), *wanted))
    };
    file_names(game).iter().filter_map(wrong).collect()
}

/// A single file that was handed in under a name that is almost right.
fn misnamed_file(game: &dyn Original, file: &Path) -> Option<String> {
    let name = name_of(file)?;
    let wanted = file_names(game).iter().find(|wanted| is_almost(&name, wanted))?;
    Some(rename(&name, wanted))
}

fn rename(found: &str, wanted: &str) -> String {
    let found = shown_name(found);
    format!("rename {found} to {wanted}: found {found}; the course wants {wanted}")
}

/// Whether somebody who wrote `name` meant `wanted`: other capitals, a hyphen, or an ending that a file manager has added and hides.
fn is_almost(name: &str, wanted: &str) -> bool {
    let plain = |text: &str| text.trim().to_lowercase().replace(['-', ' '], "_");
    let (name, plainly) = (plain(name), plain(wanted));
    let shorter = name.strip_suffix(".txt").filter(|_| !plainly.ends_with(".txt"));
    name == plainly || shorter == Some(plainly.as_str())
}

fn inner_archive(file: &Path) -> Option<String> {
    let is_archive = is_archive(file).unwrap_or(false);
    is_archive.then(|| "hand in the inner archive: found an archive within the archive, and nothing else".to_owned())
}

/// The archive of a folder that holds nothing else that anybody could run.
fn only_archive(folder: &Path) -> Option<PathBuf> {
    let mut archives = entries(folder).into_iter().filter(|path| is_archive(path).unwrap_or(false));
    archives.next().filter(|_| archives.next().is_none())
}

/// The folder and those below it, with their depths, nearest first.
fn folders_below(root: &Path) -> Vec<(PathBuf, usize)> {
    let mut found = vec![(root.to_owned(), 0)];
    let mut next = 0;
    while next < found.len() && found.len() < MOST_FOLDERS {
        let (folder, depth) = found[next].clone();
        next += 1;
        if depth == DEEPEST {
            continue;
        }
        let mut below: Vec<PathBuf> = entries(&folder)
            .into_iter()
            .filter(|path| path.is_dir() && !path.is_symlink() && name_of(path).is_none_or(|name| name != "__MACOSX"))
            .collect();
        below.sort();
        found.extend(below.into_iter().map(|path| (path, depth + 1)));
    }
    found.truncate(MOST_FOLDERS);
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn name_of(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_string_lossy().into_owned())
}

/// A path below the submission, as its author knows it.
fn shown(path: &Path, submission: &Path) -> String {
    shown_name(&path.strip_prefix(submission).unwrap_or(path).to_string_lossy())
}

/// A name in a sentence: in quotes if its end could not be seen otherwise.
pub fn shown_name(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./".contains(letter);
    if text.chars().all(plain) { text.to_owned() } else { quote(text) }
}

fn count_folders(depth: usize) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];
    let number = words.get(depth).map_or_else(|| depth.to_string(), |word| (*word).to_owned());
    format!("{number} folder{}", if depth == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_almost_right() {
        for (name, wanted) in
            [("Run.sh", "run.sh"), ("run.sh.txt", "run.sh"), ("WRITEUP.TXT", "writeup.txt"), ("run.sh ", "run.sh")]
        {
            assert!(is_almost(name, wanted), "{name}");
        }
        for (name, wanted) in [("rerun.sh", "run.sh"), ("run.py", "run.sh"), ("writeup", "writeup.txt")] {
            assert!(!is_almost(name, wanted), "{name}");
        }
    }
}
