//! `agon check`: what it says of good bots, of bots that fail, and of those that only nearly do.
//!
//! Bots that have to answer are judged by clocks of seconds; nothing is said about how long anything took.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use tempfile::TempDir;

const AGON: &str = env!("CARGO_BIN_EXE_agon");
const BOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/bots");

struct Checked {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Checked {
    /// Asserts the exit code, and that stdout says all of this.
    #[track_caller]
    fn says(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        // Prose is wrapped; where does not matter.
        let text = self.out.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in parts {
            assert!(text.contains(part), "does not say '{part}':\n{}", self.out);
        }
    }

    /// Asserts that bad input was refused on stderr, with all of this.
    #[track_caller]
    fn refuses(&self, parts: &[&str]) {
        assert_eq!(self.code, Some(2), "{}\n{}", self.out, self.err);
        for part in parts {
            assert!(self.err.contains(part), "does not say '{part}': {}", self.err);
        }
    }

    /// The object in the last line.
    fn json(&self) -> Value {
        let last = self.out.lines().last().unwrap_or_default();
        serde_json::from_str(last).unwrap_or_else(|e| panic!("{e}: {last}"))
    }
}

fn check(arguments: &[&str]) -> Checked {
    let cache = tempfile::tempdir().expect("a folder");
    let output = Command::new(AGON)
        .arg("check")
        .args(arguments)
        .env("AGON", AGON)
        .env("AGON_CACHE", cache.path())
        // Most bots here borrow something that lies outside of their folders. Kits are checked in the sandbox.
        .env("AGON_SANDBOX", "none")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        // What a student's shell has not: without it, Python keeps what it prints until it is told to flush.
        .env_remove("PYTHONUNBUFFERED")
        .output()
        .expect("agon runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    Checked { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// A UGI bot of `tests/bots`.
fn python(file: &str, arguments: &str) -> String {
    format!("cmd:python3 {BOTS}/{file} {arguments};proto=ugi;lang=python;name=subject")
}

/// A folder with these files.
struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("a file of the bot");
        }
        folder
    }

    /// A submission in Python that speaks the `lines` protocol.
    fn lines(program: &str) -> Folder {
        Folder::new(&[("run.sh", "python3 bot.py\n"), ("writeup.txt", "3\n"), ("bot.py", program)])
    }

    fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }

    fn text(&self) -> String {
        self.path().display().to_string()
    }
}

mod beginners;
mod clocks;
mod form;

// ---- good bots ----

#[test]
fn a_good_bot_passes_in_every_game() {
    for game in agon_all::GAMES {
        let checked = check(&[&format!("cmd:{AGON} bot {};proto=ugi", game.name()), "--game", game.name(), "--json"]);
        let [first, second] = game.sides();
        let (first, second) = (format!("match 1, as {first}"), format!("match 2, as {second}"));
        checked.says(0, &["nothing to build", "first turn ok: ", &first, &second, "ready for the official run"]);
        let verdict = checked.json();
        assert_eq!((&verdict["ok"], &verdict["fault"]), (&Value::Bool(true), &Value::Null), "{verdict}");
        assert_eq!((&verdict["game"], &verdict["protocol"]), (&Value::from(game.name()), &Value::from("ugi")));
        let sides: Vec<&Value> =
            verdict["matches"].as_array().expect("matches").iter().map(|one| &one["side"]).collect();
        assert_eq!(sides, [1, 2], "{verdict}");
        assert!(checked.err.is_empty(), "{}", checked.err);
    }
}

#[test]
fn a_submission_in_the_original_form_passes() {
    let bot = Folder::new(&[
        ("compile.sh", "echo made > program\n"),
        ("run.sh", &format!("test -f program && {AGON} bot cannon\n")),
        ("writeup.txt", "1\n"),
    ]);
    let checked = check(&[&bot.text(), "--game", "cannon"]);
    checked.says(0, &["building ok (", "'lines', cannon 8x8 by the 'server' rules", "ready for the official run"]);
    assert!(!bot.path().join("program").exists(), "the bot is built in a copy");
}

#[test]
fn a_manifest_names_the_game() {
    let manifest = format!("name = 'house'\ngame = 'connectx'\nrun = '{AGON} bot connectx'\n");
    let bot = Folder::new(&[("bot.toml", &manifest)]);
    check(&[&bot.text()]).says(0, &["connectx standard", "ready for the official run"]);
    check(&[&bot.path().join("bot.toml").display().to_string()]).says(0, &["ready for the official run"]);
}

// ---- what cannot be checked ----

#[test]
fn a_missing_game_is_asked_for() {
    check(&["cmd:true"]).refuses(&["which game 'cmd:true' plays", "--game", "cannon", "yinsh"]);
    let silent = Folder::new(&[("bot.toml", "name = 'a'\nrun = 'true'\n")]);
    check(&[&silent.text()]).refuses(&["bot.toml does not say which game", "add game = \"GAME\"", "--game GAME"]);
    let empty = Folder::new(&[]);
    check(&[&empty.text()]).refuses(&["no bot.toml", "--game"]);
    let shell = Folder::lines("");
    check(&[&shell.text()]).refuses(&["several games", "--game", "cannon", "yinsh"]);
}

#[test]
fn bad_input_is_refused() {
    let empty = Folder::new(&[]);
    check(&[&empty.text(), "--game", "yinsh"]).refuses(&["expected a bot.toml, or ", "run.sh"]);
    check(&["no/such/bot", "--game", "yinsh"]).refuses(&["unknown bot 'no/such/bot'", "cmd:COMMAND"]);
    check(&["cmd:true", "--game", "chess"]).refuses(&["unknown game 'chess'"]);
    check(&["cmd:true", "--game", "yinsh", "--variant", "x"]).refuses(&["x"]);
    check(&["cmd:true;proto=lines", "--game", "yinsh", "--tc", "1/turn"]).refuses(&["--tc SECONDS"]);
}

#[test]
fn a_failed_build_shows_the_compilers_words() {
    let manifest = "name = 'broken'\ngame = 'yinsh'\nbuild = 'c++ -o bot main.cpp'\nrun = './bot'\n";
    let bot = Folder::new(&[("bot.toml", manifest), ("main.cpp", "int main() { return missing_thing; }\n")]);
    let checked = check(&[&bot.text(), "--json"]);
    checked.says(1, &["building failed", "the build 'c++ -o bot main.cpp' failed", "missing_thing", "first error"]);
    let verdict = checked.json();
    assert_eq!((&verdict["ok"], &verdict["fault"]["kind"]), (&Value::Bool(false), &Value::from("build")));
    assert!(checked.err.contains("not ready for the official run"), "{}", checked.err);
}

// ---- bots that fail, in the protocol of a course ----

#[test]
fn debugging_output_is_recognised() {
    let bot = Folder::lines(
        "import sys\nfirst = sys.stdin.readline()\nprint('I am player', first.split()[0], flush=True)\nsys.stdin.readline()\n",
    );
    let checked = check(&[&bot.text(), "--game", "yinsh"]);
    checked.says(
        1,
        &[
            "first turn failed: illegal turn",
            "it sent 'I am player 1'",
            "expected 'P h p'",
            "every line on stdout is taken as a turn",
            "print(…, file=sys.stderr)",
            "< I am player 1",
        ],
    );
    assert!(checked.err.contains("match 1, first turn: illegal turn"), "{}", checked.err);
}

/// A submission for Rivers whose method `choose` has this body.
fn class(body: &str) -> Folder {
    let head = "class StudentAgent:\n    def __init__(self, player):\n        pass\n\n    def choose(self, *told):\n";
    Folder::new(&[("student_agent.py", &format!("{head}        {body}\n"))])
}

#[test]
fn a_python_class_hears_of_its_exception_and_nothing_of_stdout() {
    let bot = class("raise ValueError(\"it's all \\\"wrong\\\"\")");
    let checked = check(&[&bot.text(), "--game", "rivers"]);
    let place = "it's all \"wrong\" (student_agent.py, line 6)";
    checked.says(
        1,
        &[&format!("It raised an exception when it was asked for its first turn, as circle: ValueError: {place}")],
    );
    assert!(!checked.out.contains("it the agent"), "{}", checked.out);
    let bot = class("return {'action': 'fly'}");
    let checked = check(&[&bot.text(), "--game", "rivers"]);
    checked.says(1, &["it sent '{\"action\":\"fly\"}'. That is not allowed"]);
    for word in ["\\", "stdout is taken"] {
        assert!(!checked.out.contains(word), "'{word}' has no place here:\n{}", checked.out);
    }
}

#[test]
fn a_wrong_turn_is_shown_with_the_position_and_legal_turns() {
    let bot = Folder::lines("import sys\nsys.stdin.readline()\nprint('P 9 9', flush=True)\nsys.stdin.readline()\n");
    let checked = check(&[&bot.text(), "--game", "yinsh", "--json"]);
    checked.says(
        1,
        &[
            "it sent 'P 9 9'",
            "Orange to place a ring",
            "Some turns that are legal here: P ",
            "agon moves yinsh --variant 5-5-5-3 --rules server --position '",
            "agon play yinsh --first",
            "> 1 5 120 5 < P 9 9",
        ],
    );
    assert!(!checked.out.contains("was not meant as a turn"), "it looks like a turn:\n{}", checked.out);
    let verdict = checked.json();
    assert_eq!(verdict["fault"]["kind"], "illegal turn");
    assert_eq!((&verdict["fault"]["match"], &verdict["fault"]["step"]), (&Value::from(1), &Value::from("first turn")));
    assert_eq!(
        (&verdict["matches"][0]["result"], &verdict["matches"][0]["turns"]),
        (&Value::from("fault"), &Value::from(0))
    );
}

#[test]
fn a_bot_that_never_flushes_is_told_to() {
    let bot = Folder::lines("import sys\nsys.stdin.readline()\nprint('P 0 0')\nsys.stdin.readline()\n");
    let checked = check(&[&bot.text(), "--game", "yinsh", "--tc", "3"]);
    checked.says(
        1,
        &[
            "first turn failed: timeout",
            "It sent nothing for 3",
            "without flushing",
            "print(…, flush=True)",
            "line break",
            "right after the first line",
            "> 1 5 3 5",
        ],
    );
}

#[test]
fn an_exception_is_quoted_with_its_place() {
    let bot =
        Folder::lines("import sys\ndef think(board):\n    return board['rings']\nsys.stdin.readline()\nthink({})\n");
    check(&[&bot.text(), "--game", "yinsh"]).says(
        1,
        &[
            "first turn failed: crash",
            "KeyError: 'rings' (File \"",
            "bot.py\", line 3, in think)",
            "> 1 5 120 5",
            "! Traceback (most recent call last):",
            "! KeyError: 'rings'",
        ],
    );
}

#[test]
fn a_bot_that_stops_too_early_hears_until_when_to_go_on() {
    let bot = Folder::lines("import sys\nsys.stdin.readline()\nprint('P 0 0', flush=True)\n");
    check(&[&bot.text(), "--game", "yinsh"]).says(
        1,
        &[
            "first turn ok: P 0 0",
            "match 1, as orange against random failed: silent exit",
            "its turn 2",
            "until its input ends",
        ],
    );
}

// ---- bots that fail, in UGI ----

#[test]
fn a_segmentation_fault_is_explained() {
    let manifest =
        "name = 'null'\ngame = 'connectx'\nlanguage = 'cpp'\nbuild = 'c++ -o bot segfaults.cpp'\nrun = './bot'\n";
    let source = fs::read_to_string(Path::new(BOTS).join("segfaults.cpp")).expect("a bot");
    let bot = Folder::new(&[("bot.toml", manifest), ("segfaults.cpp", &source)]);
    check(&[&bot.text()]).says(
        1,
        &[
            "building ok (",
            "first turn failed: crash",
            "signal 11 (segmentation fault)",
            "-fsanitize=address",
            "looking into the table",
        ],
    );
}

#[test]
fn broken_ugi_is_explained() {
    let cases = [
        ("garbage.py", "", "protocol violation", "Only plain text"),
        ("unquoted_turn.py", "'4 4'", "protocol violation", "in double quotes"),
        ("answers_unasked.py", "'4 4'", "protocol violation", "one answer to each question"),
        ("exits_after_a_move.py", "'4 4' 0", "silent exit", "until `quit` comes"),
        ("exits_after_a_move.py", "'4 4' 3", "crash", "exited with code 3"),
        ("closes_stdout.py", "", "closed output", "Stdout must stay open"),
        ("endless_line.py", "", "output flood", "a loop that prints"),
    ];
    for (file, arguments, kind, remedy) in cases {
        let checked = check(&[&python(file, arguments), "--game", "connectx", "--json"]);
        checked.says(1, &[&format!("failed: {kind}"), remedy, "> ugi"]);
        assert_eq!(checked.json()["fault"]["kind"], kind, "{file}");
    }
}

#[test]
fn a_bot_that_sleeps_is_a_timeout() {
    check(&[&python("sleeps.py", ""), "--game", "connectx"]).says(
        1,
        &[
            "first turn failed: timeout",
            "After every `go` line it must answer with a `bestmove` line",
            "> go movetime 200",
        ],
    );
}

#[test]
fn a_missing_program_is_named() {
    check(&["cmd:./no-such-program", "--game", "yinsh"]).says(
        1,
        &[
            "starting, as orange failed: would not start",
            "A command was not found",
            "`ugi` with `ugiok`",
            "proto=lines",
            "no-such-program",
        ],
    );
}

#[test]
fn both_sides_are_tried() {
    let checked = check(&[&python("check/fails_second.py", ""), "--game", "connectx", "--json"]);
    checked.says(
        1,
        &["starting, as second ok first turn failed: illegal turn", "it sent 'nonsense'", "--first random --second"],
    );
    let verdict = checked.json();
    assert_eq!(verdict["matches"].as_array().map(Vec::len), Some(2), "{verdict}");
    assert_ne!(verdict["matches"][0]["result"], "fault");
    assert_eq!((&verdict["fault"]["match"], &verdict["fault"]["step"]), (&Value::from(2), &Value::from("first turn")));
}

// ---- warnings ----

#[test]
fn what_is_no_fault_is_warned_of() {
    let cases = [
        ("check/threaded.py", "2 threads were seen", "one thread"),
        ("check/chatty.py", "'let me see'", "Write such things to stderr"),
        ("noisy.py", "writes very much to stderr", "thrown away"),
        ("ignores_quit.py", "had to be killed", "end at `quit`"),
    ];
    for (file, what, why) in cases {
        let checked = check(&[&python(file, ""), "--game", "connectx", "--json"]);
        checked.says(0, &["warning: ", what, why, "ready for the official run, but see the warnings"]);
        let warnings = checked.json()["warnings"].to_string();
        assert!(warnings.contains(what), "{file}: {warnings}");
    }
}

/// Public bots of the first Yinsh phase stop at a fourth number in the first line, which their server did not send.
#[test]
fn a_bot_of_another_time_is_tried_with_its_first_line() {
    let folder = TempDir::new().expect("a folder");
    let script = folder.path().join("bot.sh");
    let program =
        "read -r line\nset -- $line\n[ $# = 3 ] || exit 134\n(echo \"$line\"; cat) | exec \"$AGON\" bot yinsh\n";
    fs::write(&script, program).expect("a script");
    let bot = format!("cmd:sh {};proto=lines", script.display());
    let told = "The bot plays when it is told another first line: the three numbers 'PLAYER N SECONDS'";
    check(&[&bot, "--game", "yinsh"]).says(1, &[told, "first-line = \"3\" below [options]", ";first-line=3"]);
    check(&[&format!("{bot};first-line=3"), "--game", "yinsh"]).says(0, &[]);
    fs::write(folder.path().join("bot.toml"), "name = 'old'\ngame = 'yinsh'\nprotocol = 'lines'\nrun = 'sh bot.sh'\n")
        .expect("a manifest");
    let manifest = folder.path().display().to_string();
    check(&[&manifest]).says(1, &[told]);
    check(&[&format!("{manifest};first-line=3")]).says(0, &[]);
    let mut text = fs::read_to_string(folder.path().join("bot.toml")).expect("a manifest");
    text.push_str("[options]\nfirst-line = '3'\n");
    fs::write(folder.path().join("bot.toml"), text).expect("a manifest");
    check(&[&manifest]).says(0, &[]);
    check(&[&format!("{bot};first-line=5"), "--game", "yinsh"]).refuses(&["first-line: expected '3'", "found '5'"]);
    check(&["cmd:true;proto=lines;first-line=3", "--game", "cannon"]).refuses(&["cannon has no option first-line"]);
}

/// Nobody waits for the whole clock a second time where another first line can change nothing.
#[test]
fn another_first_line_is_tried_only_where_a_bot_has_died() {
    let waits = Folder::lines("input()\ninput()\n");
    let checked = check(&[&waits.text(), "--game", "yinsh", "--tc", "2"]);
    checked.says(1, &["first turn failed: timeout"]);
    assert!(!checked.out.contains("another first line"), "it has not died:\n{}", checked.out);
    let dies = Folder::lines("input()\nraise ValueError('at once')\n");
    check(&[&dies.text(), "--game", "yinsh"]).says(1, &["another first line no better", "ValueError: at once"]);
    let turns = "import sys\nif len(input().split()) == 4: sys.exit(134)\nprint('P 0 0', flush=True)\ninput()\nprint('P 0 0', flush=True)\n";
    let errs = Folder::lines(turns);
    let told = "The bot plays when it is told another first line";
    check(&[&errs.text(), "--game", "yinsh"]).says(1, &["another first line ok: it plays with that", told]);
}

#[test]
fn the_same_again_is_really_the_same() {
    let bot = Folder::lines("input()\nraise ValueError('at once')\n");
    let checked =
        check(&[&bot.text(), "--game", "yinsh", "--memory", "300", "--tasks", "9", "--scratch", "7", "--tc", "3+1"]);
    let same = "--memory 300 --tasks 9 --scratch 7";
    checked.says(1, &["clock 3 s for the whole match and 1 s more for each turn, as you asked", "--tc 3+1 ", same]);
}

#[test]
fn a_bot_for_python_2_is_told_what_to_install() {
    let folder = TempDir::new().expect("a folder");
    let bot = format!("cmd:python3 {};proto=lines;lang=python", folder.path().join("bot.py").display());
    for program in [
        "name = raw_input()\n",
        "import sys\nprint >>sys.stderr, 'hello'\n",
        "try:\n    pass\nexcept ValueError, e:\n    print e\n",
        "exec 'pass'\n",
        "for pair in {}.iteritems(): pass\n",
        "mode = 0777\n",
        "import Queue\n",
        "from ConfigParser import ConfigParser\n",
    ] {
        fs::write(folder.path().join("bot.py"), program).expect("a bot");
        check(&[&bot, "--game", "yinsh"])
            .says(1, &["The bot is written for Python 2.", "pyenv install 2.7.18", "AGON_RUNTIMES="]);
    }
}
