//! What a submission's files themselves give away.

use std::{
    fs::{self, File},
    io::Read,
    os::unix::fs::PermissionsExt,
    path::Path,
};

use agon_entrants::misnamed;
use agon_originals::Original;

/// Scripts are short.
const READ: u64 = 256 << 10;
/// Endings of scripts.
pub(crate) const SCRIPT: [&str; 2] = ["sh", "bash"];
/// Files that are named.
const MOST: usize = 3;
/// Folders below the submission that are looked into.
const DEEPEST: usize = 2;

/// What is wrong with the files of a submission, as remedies.
pub(crate) fn remedies(game: &dyn Original, submission: &Path) -> Vec<String> {
    let mut found: Vec<String> = windows_endings(submission).into_iter().collect();
    if submission.is_dir() && !submission.join("bot.toml").is_file() {
        let wrong = misnamed(game, submission);
        found.extend(wrong.iter().map(|(found, wanted)| {
            let found = agon_entrants::shown_name(found);
            format!("Rename {found} to {wanted}: found {found}; the course wants {wanted}.")
        }));
    }
    found
}

/// What to do if a script starts the bot in the background and ends, so that nobody hears the bot.
pub(crate) fn in_the_background(submission: &Path) -> Option<String> {
    let mut scripts: Vec<_> =
        fs::read_dir(submission).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    scripts.sort();
    let script =
        scripts.iter().find(|path| path.extension().is_some_and(|ending| ending == "sh") && has_ampersand(path))?;
    let name = agon_rules::inert(&name_of(script));
    Some(format!(
        "Take the & out of {name}: with it the script starts the bot in the background and ends at once, and the bot's input is closed."
    ))
}

/// Whether a line of a script ends with `&`, and nothing waits for what it starts.
fn has_ampersand(script: &Path) -> bool {
    let mut text = String::new();
    if File::open(script).and_then(|file| file.take(READ).read_to_string(&mut text)).is_err() {
        return false;
    }
    let commands: Vec<&str> = text.lines().map(|line| line.split(" #").next().unwrap_or(line).trim()).collect();
    let waits = commands.iter().any(|line| line.split_whitespace().next() == Some("wait"));
    !waits && commands.iter().any(|line| line.ends_with('&') && !line.ends_with("&&") && !line.starts_with('#'))
}

/// The last part of a path, as far as it is text.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn windows_endings(submission: &Path) -> Option<String> {
    let mut scripts = Vec::new();
    if submission.is_dir() {
        scripts_below(submission, submission, 0, &mut scripts);
    } else if has_windows_endings(submission) {
        scripts.extend(submission.file_name().map(|name| name.to_string_lossy().into_owned()));
    }
    scripts.sort();
    let first = scripts.first()?.clone();
    let more = if scripts.len() > MOST { " and others" } else { "" };
    scripts.truncate(MOST);
    let (names, have) = (scripts.join(", "), if scripts.len() > 1 { "have" } else { "has" });
    Some(format!(
        "Save {names}{more} with Unix line endings (\"LF\" in an editor, or: sed -i 's/\\r$//' {first}): {names} {have} Windows line \
         endings, and a shell takes the extra character for a part of the last word of each line."
    ))
}

fn scripts_below(root: &Path, folder: &Path, depth: usize, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, kind) = (entry.path(), entry.file_type());
        match kind {
            Ok(kind) if kind.is_dir() && depth < DEEPEST => scripts_below(root, &path, depth + 1, found),
            Ok(kind) if kind.is_file() && has_windows_endings(&path) => {
                found.push(path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned());
            }
            _ => {}
        }
    }
}

/// Whether a file is a script with Windows line endings. Most languages read over them; a shell does not, and nobody finds an
/// interpreter whose name ends with a carriage return.
fn has_windows_endings(file: &Path) -> bool {
    let is_shell = file.extension().is_some_and(|ending| ending == "sh" || ending == "bash");
    let is_program = fs::metadata(file).is_ok_and(|about| about.permissions().mode() & 0o111 != 0);
    if !is_shell && !is_program {
        return false;
    }
    let mut text = Vec::new();
    if File::open(file).and_then(|file| file.take(READ).read_to_end(&mut text)).is_err() {
        return false;
    }
    let mut lines = text.split_inclusive(|&byte| byte == b'\n');
    if is_shell {
        return lines.any(|line| line.ends_with(b"\r\n"));
    }
    lines.next().is_some_and(|line| line.starts_with(b"#!") && line.ends_with(b"\r\n"))
}
