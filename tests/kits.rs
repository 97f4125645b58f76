//! Every starter kit, as a student gets it: made by `agon new`, checked, and played in judged battles.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use agon_all::GAMES;
use serde_json::Value;
use tempfile::TempDir;

const KITS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../kits");

/// How a match ends in which nobody failed.
const NATURAL_ENDS: &[&str] = &[
    "win",
    "checkmate",
    "stalemate",
    "annihilation",
    "stagnant",
    "threefold",
    "repetition",
    "move limit",
    "full board",
    "no men left",
    "broken off",
];

fn agon(arguments: &[&str], cache: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(arguments).env("AGON_CACHE", cache).output().expect("agon runs")
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn kits_of(game: &str) -> Vec<String> {
    let folder = Path::new(KITS).join(game);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A clock that no kit can overstep on a busy machine, and that does not make those wait who use all of it.
fn clock(game: &str) -> &'static str {
    match game {
        "connectx" => "60/turn",
        "rollerball" => "0.05/turn",
        _ => "600",
    }
}

/// A kit in a new folder.
fn unpack(game: &str, kit: &str, home: &TempDir) -> PathBuf {
    let folder = home.path().join(format!("{game}-{kit}"));
    let output = agon(&["new", game, "--lang", kit, folder.to_str().expect("a path")], home.path());
    assert!(output.status.success(), "{game} {kit}: {}", said(&output));
    folder
}

/// A battle between two bots in which nobody failed.
fn battle(game: &str, bots: [&str; 2], extra: &[&str], cache: &Path) {
    let mut arguments = vec!["match", game, bots[0], bots[1], "--battles", "1", "--json", "--grace", "60000"];
    arguments.extend(["--tc", clock(game)]);
    arguments.extend(extra);
    let output = agon(&arguments, cache);
    assert!(output.status.success(), "{bots:?}: {}", said(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    let summary: Value = serde_json::from_str(text.lines().last().expect("a line")).expect("JSON");
    for (termination, _) in summary["terminations"].as_object().expect("terminations") {
        assert!(NATURAL_ENDS.contains(&termination.as_str()), "{bots:?} {extra:?}: {}", said(&output));
    }
    assert_eq!(summary["matches"], 2, "{bots:?}");
}

fn try_all(game: &str, variants: &[&str]) {
    let home = TempDir::new().expect("a folder");
    let kits = kits_of(game);
    // An example needs no more than one kit to copy.
    let is_example = agon_all::find(game).expect("a game").is_example();
    let languages: &[&str] = if is_example { &["python"] } else { &["python", "cpp", "java", "rust"] };
    for language in languages {
        assert!(kits.iter().any(|kit| kit == language), "{game} has no {language} kit");
    }
    let folders: Vec<PathBuf> = kits.iter().map(|kit| unpack(game, kit, &home)).collect();
    for (kit, folder) in kits.iter().zip(&folders) {
        let path = folder.to_str().expect("a path");
        let mut arguments = vec!["check", path, "--game", game];
        // Where bots use all of their time for each turn, a clock for the whole match is shorter, and kinder to a busy machine.
        arguments.extend(["--tc", if game == "rollerball" { "10+0.1" } else { clock(game) }]);
        let output = agon(&arguments, home.path());
        assert!(output.status.success(), "{game} {kit}: {}", said(&output));
        for variant in variants {
            // The older of two generations may know the usual board only.
            if kit_plays(kit, variant) {
                battle(game, [path, "random"], &["--variant", variant], home.path());
            }
        }
    }
    for pair in folders.windows(2) {
        let bots = [&pair[0], &pair[1]].map(|folder| folder.to_str().expect("a path"));
        battle(game, bots, &[], home.path());
    }
}

/// The first generation of one API, which its Python module is of too, knows one board.
fn kit_plays(kit: &str, variant: &str) -> bool {
    !(variant.starts_with("8-") && ["cpp-a2", "python"].contains(&kit))
}

#[test]
fn breakthrough() {
    try_all("breakthrough", &["8x8", "6x6"]);
}

#[test]
fn cannon() {
    try_all("cannon", &["8x8", "10x8", "10x10"]);
}

#[test]
fn connectx() {
    try_all("connectx", &["standard"]);
}

#[test]
fn rivers() {
    try_all("rivers", &["small", "medium", "large"]);
}

#[test]
fn rollerball() {
    try_all("rollerball", &["7-3", "8-4", "8-2"]);
}

#[test]
fn yinsh() {
    try_all("yinsh", &["5-5-5-3", "6-6-6-3", "6-6-5-3"]);
}

#[test]
fn every_game_has_its_kits() {
    let games: Vec<String> = GAMES.iter().map(|game| game.name().to_owned()).collect();
    assert_eq!(kits_of(""), games);
}

#[test]
fn a_kit_never_overwrites_anything() {
    let home = TempDir::new().expect("a folder");
    let path = home.path().to_str().expect("a path");
    assert!(
        agon(&["new", "cannon", "--lang", "python", path], home.path()).status.success(),
        "an empty folder will do"
    );
    let again = agon(&["new", "cannon", "--lang", "python", path], home.path());
    assert_eq!(again.status.code(), Some(2), "{}", said(&again));
    assert!(said(&again).contains("is not empty"));
    let unknown = agon(&["new", "cannon", "--lang", "cobol", path], home.path());
    assert_eq!(unknown.status.code(), Some(2));
    assert!(said(&unknown).contains("expected one of cpp, java, python, rust"), "{}", said(&unknown));
}
