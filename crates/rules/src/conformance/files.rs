//! Tests that are files: perft counts and golden playthroughs.

use std::{fs, path::PathBuf};

use crate::{AnyGame, AnyPosition, playthrough};

/// Larger counts are left to release builds.
const LARGEST_COUNT: u64 = if cfg!(debug_assertions) { 300_000 } else { 30_000_000 };

/// Checks every count in the game's `perft/*.perft`.
///
/// An entry is `id`, `variant`, `rules` and `position` (`start` or a text), then lines `turns DEPTH COUNT` and
/// `moves DEPTH COUNT`. A line that starts with `#` is a comment.
pub fn perft_files(game: &dyn AnyGame, folder: &str) {
    let files = files_in(folder, "perft", "perft");
    assert!(!files.is_empty(), "{folder}/perft has no .perft file");
    for file in files {
        let text = fs::read_to_string(&file).expect("a readable perft file");
        let counts = check_perft_file(game, &text, &file.display().to_string());
        assert!(counts > 0, "{}: no counts", file.display());
    }
}

fn check_perft_file(game: &dyn AnyGame, text: &str, file: &str) -> usize {
    let (mut id, mut variant, mut rules) = (String::new(), String::new(), game.rule_sets()[0]);
    let mut position: Option<Box<dyn AnyPosition>> = None;
    let mut counts = 0;
    for (i, line) in text.lines().enumerate() {
        let here = format!("{file}:{} ({id})", i + 1);
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" | "#" => {}
            _ if word.starts_with('#') => {}
            "id" => id = rest.to_owned(),
            "variant" => variant = rest.to_owned(),
            "rules" => rules = rest.parse().unwrap_or_else(|e| panic!("{here}: {e}")),
            "position" => {
                let mut start = game.open(&variant, rules).unwrap_or_else(|e| panic!("{here}: {e}"));
                if rest != "start" {
                    start.set_up(rest).unwrap_or_else(|e| panic!("{here}: {e}"));
                }
                position = Some(start);
            }
            "turns" | "moves" => {
                let position = position.as_deref().unwrap_or_else(|| panic!("{here}: no position yet"));
                let numbers: Option<(u32, u64)> =
                    rest.split_once(' ').and_then(|(depth, count)| depth.parse().ok().zip(count.parse().ok()));
                let (depth, expected) = numbers.unwrap_or_else(|| panic!("{here}: expected '{word} DEPTH COUNT'"));
                if expected <= LARGEST_COUNT {
                    let count = if word == "turns" { position.perft_turns(depth) } else { position.perft(depth) };
                    assert_eq!(count, expected, "{here}: {word} {depth}");
                }
                counts += 1;
            }
            _ => panic!("{here}: unknown word '{word}'"),
        }
    }
    counts
}

/// Compares the game's `golden/*.txt` with playthroughs made now.
pub fn golden(game: &dyn AnyGame, folder: &str) {
    let expected = playthrough::all(game);
    let present: Vec<PathBuf> = files_in(folder, "golden", "txt");
    assert_eq!(present.len(), expected.len(), "{folder}/golden: rewrite it with 'agon golden --write'");
    for (name, text) in expected {
        let path = PathBuf::from(folder).join("golden").join(name);
        let golden = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let difference = golden.lines().zip(text.lines()).enumerate().find(|(_, (old, new))| old != new);
        if let Some((line, (old, new))) = difference {
            panic!(
                "{}:{}\n golden: {old}\n    now: {new}\nif the change is meant: agon golden --write",
                path.display(),
                line + 1
            );
        }
        assert_eq!(golden.lines().count(), text.lines().count(), "{}: the length differs", path.display());
    }
}

fn files_in(folder: &str, name: &str, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(PathBuf::from(folder).join(name)) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == extension));
    files.sort();
    files
}
