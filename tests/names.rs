//! Common code knows no game: if it needs to, a trait is missing something.

use std::{fs, path::Path, process::Command};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn files_below(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            files_below(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn no_file_under_crates_or_web_names_a_game() {
    let names: Vec<String> = agon_all::GAMES.iter().map(|game| game.name().to_lowercase()).collect();
    assert!(!names.is_empty());
    let mut files = Vec::new();
    for folder in ["crates", "web"] {
        files_below(&Path::new(ROOT).join(folder), &mut files);
    }
    assert!(files.len() > 10, "the folders were not found");
    let source =
        |path: &Path| path.extension().is_some_and(|end| ["rs", "js", "css", "html"].iter().any(|e| end == *e));
    for path in files.iter().filter(|path| source(path)) {
        let text = fs::read_to_string(path).expect("a text file").to_lowercase();
        for (number, line) in text.lines().enumerate() {
            let named = names.iter().find(|name| line.contains(name.as_str()));
            assert!(named.is_none(), "{}:{} names {}", path.display(), number + 1, named.expect("a name"));
        }
    }
}

#[test]
fn an_example_is_listed_behind_the_games() {
    let listed = Command::new(env!("CARGO_BIN_EXE_agon")).arg("games").output().expect("agon runs");
    let listed = String::from_utf8(listed.stdout).expect("UTF-8");
    let (games, examples) = agon_all::apart();
    let first_lines = games.iter().map(|game| format!("{}  {}", game.name(), game.title()));
    let of_examples = examples.iter().map(|game| format!("An example: {}  {}", game.name(), game.title()));
    let expected: Vec<String> = first_lines.chain(of_examples).collect();
    let found: Vec<&str> = listed.lines().filter(|line| !line.is_empty() && !line.starts_with(' ')).collect();
    assert_eq!(found, expected);
}

#[test]
fn names_are_unique_and_speakable() {
    for (i, game) in agon_all::GAMES.iter().enumerate() {
        assert!(game.name().chars().all(|letter| letter.is_ascii_lowercase()), "{}", game.name());
        assert!(
            agon_all::GAMES[i + 1..].iter().all(|other| other.name() > game.name()),
            "{} is not in order",
            game.name()
        );
    }
}
