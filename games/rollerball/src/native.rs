//! Submissions in the form that the course asked for: `engine.cpp` or `engine.py`.
//!
//! The course's starter kit made bots of them. In its place we put headers and a module of our own that offer the same interface
//! (`native/` in this folder), and a program around them that speaks the course's protocol.

use std::{fs, path::Path};

use agon_originals::{Recipe, Submissions};
use agon_wire::Language;

use crate::wire::{TELL_RULES, WEBSOCKET};

/// Paths where the course had engines.
const ENGINES: [&str; 4] = ["./engine.cpp", "./engine.py", "src/engine.cpp", "src/engine.py"];

/// No engine is longer.
const LONGEST_SOURCE: u64 = 8 << 20;

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        &[$((concat!(".agon/rollerball/", $path), include_str!(concat!("../native/cpp/", $path)))),*]
    };
}

type Files = &'static [(&'static str, &'static str)];

/// What every board needs.
const BOARDS: Files = files![
    "common/ring.hpp",
    "common/ring.cpp",
    "common/generator.hpp",
    "common/generator.cpp",
    "common/pool.hpp",
    "common/pool.cpp",
];

/// The board of the first round.
const A2_BOARD: Files = files!["a2/constants.hpp", "a2/board.hpp", "a2/board.cpp"];

/// The program around engines of both rounds, and the board of the second.
const PROGRAM: Files = files![
    "build.sh",
    "common/freeing.cpp",
    "common/handshake.hpp",
    "common/handshake.cpp",
    "common/prelude.hpp",
    "common/program.hpp",
    "common/program.cpp",
    "common/websocket.hpp",
    "common/websocket.cpp",
    "a2/engine.hpp",
    "a2/rollerball.hpp",
    "a2/server.hpp",
    "a2/uciws.hpp",
    "a2/uciws.cpp",
    "a5/bdata.hpp",
    "a5/bdata.cpp",
    "a5/board.hpp",
    "a5/board.cpp",
    "a5/butils.hpp",
    "a5/butils.cpp",
    "a5/constants.hpp",
    "a5/engine.hpp",
    "a5/engine_base.hpp",
    "a5/rollerball.hpp",
    "a5/server.hpp",
    "a5/uciws.hpp",
    "a5/uciws.cpp",
];

/// The module and the program around engines in Python.
const PYTHON: Files = &[
    (".agon/rollerball/python/binding.cpp", include_str!("../native/python/binding.cpp")),
    (".agon/rollerball/python/board.py", include_str!("../native/python/board.py")),
    (".agon/rollerball/python/agon_websocket.py", include_str!("../native/python/agon_websocket.py")),
    (".agon/rollerball/python/main.py", include_str!("../native/python/main.py")),
];

const BUILD_MODULE: &str = "cd .agon/rollerball && ${CXX:-g++} -std=c++17 -O3 -funroll-loops -w -shared -fPIC \
     python/binding.cpp a2/board.cpp common/ring.cpp common/generator.cpp common/pool.cpp -o python/libboard.so";

/// Engines of the course.
pub(crate) struct Engines;

impl Submissions for Engines {
    fn form(&self) -> &'static str {
        "engine.cpp or engine.py, with a Readme.md"
    }

    fn recognise(&self, submission: &Path) -> Option<Recipe> {
        recognise(submission)
    }

    fn file_names(&self) -> &'static [&'static str] {
        &["engine.cpp", "engine.py", "engine.hpp"]
    }
}

/// How such a submission is built and run; `None` if it is not in that form.
fn recognise(submission: &Path) -> Option<Recipe> {
    if submission.is_file() {
        let name = submission.file_name()?.to_str()?;
        return match name {
            "engine.py" => Some(python()),
            _ if is_engine(name, submission) => Some(cpp(submission, &format!("./{name}"))),
            _ => None,
        };
    }
    let engine = ENGINES.into_iter().find(|engine| submission.join(engine).is_file())?;
    let recipe = if engine.ends_with(".py") { python() } else { cpp(&submission.join(engine), engine) };
    Some(recipe)
}

/// Whether a single file is an engine: `engine.cpp`, or another name that needs no quoting for an engine of the course.
fn is_engine(name: &str, file: &Path) -> bool {
    let plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-".contains(letter));
    name.ends_with(".cpp") && plain && (name == "engine.cpp" || source(file).contains("Engine::find_best_move"))
}

fn cpp(file: &Path, engine: &str) -> Recipe {
    let round = round(file);
    Recipe {
        protocol: &WEBSOCKET,
        language: Language::Cpp,
        build: Some(format!("sh .agon/rollerball/build.sh {round} {engine}")),
        run: ".agon/bin/rollerball".to_owned(),
        files: [BOARDS, A2_BOARD, PROGRAM].concat(),
        options: [(TELL_RULES.to_owned(), "yes".to_owned())].into(),
        // Engines of the second round think in the only thread that there is.
        harness_threads: usize::from(round == "a2"),
    }
}

/// Python was accepted in the first round only.
fn python() -> Recipe {
    Recipe {
        protocol: &WEBSOCKET,
        language: Language::Python,
        build: Some(BUILD_MODULE.to_owned()),
        run: "python3 .agon/rollerball/python/main.py".to_owned(),
        files: [BOARDS, A2_BOARD, PYTHON].concat(),
        options: [("dialect".to_owned(), "a2".to_owned())].into(),
        harness_threads: 1,
    }
}

/// The round for which an engine seems to be written, by names that exist in one of them only. Who is wrong here loses some time: the
/// build tries the other round if this one fails.
fn round(engine: &Path) -> &'static str {
    let header = engine.with_file_name("engine.hpp");
    let text = without_comments(&source(engine)) + &without_comments(&source(&header));
    let count = |marks: &[&str]| marks.iter().map(|mark| text.matches(mark).count()).sum::<usize>();
    if count(&A5_MARKS) > count(&A2_MARKS) { "a5" } else { "a2" }
}

const A2_MARKS: [&str; 9] =
    ["_rook_ws", "_rook_bs", "_pawn_ws", "_pawn_bs", ".copy()", "->copy()", "do_move(", "this->search", "bool> search"];

const A5_MARKS: [&str; 20] = [
    "butils.hpp",
    "bdata.hpp",
    "engine_base.hpp",
    "AbstractEngine",
    "time_left",
    "do_move_(",
    "do_move_without_flip_",
    "undo_last_move_without_flip_",
    "flip_player_",
    ".under_threat(",
    "->under_threat(",
    ".get_pseudolegal_moves",
    "->get_pseudolegal_moves",
    "board_type",
    "board_mask",
    "SEVEN_THREE",
    "EIGHT_FOUR",
    "EIGHT_TWO",
    "_rook_1",
    "_pawn_1",
];

fn source(file: &Path) -> String {
    let short = fs::metadata(file).is_ok_and(|found| found.len() <= LONGEST_SOURCE);
    let bytes = if short { fs::read(file).unwrap_or_default() } else { Vec::new() };
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Engines are full of what they used to be.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        kept.push_str(&rest[..start]);
        let (end, skipped) = if rest[start..].starts_with("//") { ("\n", 0) } else { ("*/", 2) };
        rest = rest[start + 2..].find(end).map_or("", |length| &rest[start + 2 + length + skipped..]);
    }
    kept + rest
}
