//! The original interfaces of Rivers and Stones: students' classes, the launcher's options, the web server and its bots.

mod helpers;
mod server;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::Arc,
    time::Duration,
};

use agon_entrants::{BotSpec, Entrant, Workshop as Builder};
use agon_originals::Original;
use agon_referee::{CoreRule, Language, MatchSpec, NoWatch, Played, Termination, TimeControl, play_match};
use agon_rules::{AnyPosition, BySide, Ending, Outcome, Random, Reason, RuleSet, Side};
use agon_wire::{Bot, BotLimits, Fault, GameSetup, HouseBot, Launcher, PlainLauncher, RandomBrain};
use serde_json::{Value, json};
use tempfile::TempDir;

const AGON: &str = env!("CARGO_BIN_EXE_agon");
const BOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/bots/rivers");
const DRIVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/rivers/driver");

/// Where Debian's package has it.
const PYBIND11: &str = "/usr/include/pybind11/pybind11.h";

/// Only a referee that hangs takes so long.
const FOR_EVER: Duration = Duration::from_secs(600);

fn rivers() -> &'static dyn Original {
    agon_all::find("rivers").expect("the game")
}

// ---- matches in this process ----

/// A folder of bots, and where they are built.
struct Workshop {
    home: TempDir,
}

impl Workshop {
    fn new() -> Workshop {
        Workshop { home: TempDir::new().expect("a folder") }
    }

    fn cache(&self) -> PathBuf {
        self.home.path().join("cache")
    }

    /// A submission with these files.
    fn folder(&self, name: &str, files: &[(&str, &str)]) -> PathBuf {
        let folder = self.home.path().join(name);
        fs::create_dir_all(&folder).expect("a folder");
        for (file, contents) in files {
            fs::write(folder.join(file), contents).expect("a file");
        }
        folder
    }

    fn entrant(&self, submission: &Path) -> Entrant {
        let spec = BotSpec::Path(submission.to_owned());
        Entrant::prepare(&spec, rivers(), &Builder::plain(&self.cache()))
            .unwrap_or_else(|e| panic!("{}: {e}", submission.display()))
    }

    fn bot(&self, submission: &Path, limits: BotLimits) -> Box<dyn Bot> {
        let launcher: Arc<dyn Launcher> = Arc::new(PlainLauncher { limits, transcript: None });
        self.entrant(submission).bot(None, &launcher, |_| Box::new(RandomBrain::new(1)))
    }

    /// The bot plays circle, with so much time for each turn, and the house bot square.
    fn play(&self, submission: &Path, turns: usize, python: Duration) -> Played {
        let mut spec = spec("small", turns);
        spec.time = TimeControl::PerTurnByLanguage { native: FOR_EVER, java: FOR_EVER, python };
        spec.languages = BySide::new(Language::Python, Language::Rust);
        let mut subject = self.bot(submission, BotLimits::default());
        play_match(&spec, &mut *subject, &mut HouseBot::new(Box::new(RandomBrain::new(2))), &mut NoWatch)
            .expect("this machine does its part")
    }

    /// What the bot of `tests/bots/rivers` did wrong.
    fn fault_of(&self, name: &str, python: Duration) -> Fault {
        fault(self.play(&Path::new(BOTS).join(name), 4, python))
    }
}

fn spec(variant: &str, most_turns: usize) -> MatchSpec {
    let rules = RuleSet::Server;
    MatchSpec {
        setup: GameSetup { game: rivers(), variant: variant.to_owned(), rules, position: None, swapped: false },
        time: TimeControl::Unlimited,
        grace: Duration::ZERO,
        languages: BySide::default(),
        opening: Vec::new(),
        most_turns,
        cores: CoreRule::default(),
    }
}

fn fault(played: Played) -> Fault {
    match played.termination {
        Termination::Fault { side: Side::First, fault } => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_exception_is_a_crash_with_its_last_line() {
    let Fault::Crash(evidence) = Workshop::new().fault_of("raises", FOR_EVER) else { panic!("no crash") };
    assert!(evidence.contains("IndexError: list index out of range (student_agent.py, line 6)"), "{evidence}");
}

#[test]
fn the_whole_traceback_is_on_stderr() {
    let played = Workshop::new().play(&Path::new(BOTS).join("raises"), 4, FOR_EVER);
    let stderr = &played.last_stderr[Side::First];
    assert!(stderr.contains("Traceback") && stderr.contains("return board[rows][cols]"), "{stderr}");
}

#[test]
fn an_agent_that_exits_has_crashed() {
    let Fault::Crash(evidence) = Workshop::new().fault_of("exits", FOR_EVER) else { panic!("no crash") };
    assert!(evidence.contains("SystemExit"), "{evidence}");
}

#[test]
fn no_move_is_an_illegal_turn() {
    let Fault::IllegalTurn { turn, rule } = Workshop::new().fault_of("none", FOR_EVER) else { panic!("legal?") };
    assert_eq!(turn, "None");
    assert!(rule.starts_with("no move"), "{rule}");
}

#[test]
fn an_agent_that_thinks_for_ever_runs_out_of_time() {
    let fault = Workshop::new().fault_of("loops", Duration::from_millis(300));
    assert!(matches!(fault, Fault::Timeout(_)), "{fault}");
}

#[test]
fn what_cannot_be_imported_would_not_start() {
    for (name, word) in [("broken", "there_is_no_such_library"), ("classless", "no class StudentAgent")] {
        let Fault::WouldNotStart(evidence) = Workshop::new().fault_of(name, FOR_EVER) else { panic!("{name} starts") };
        assert!(evidence.contains(word), "{evidence}");
    }
}

#[test]
fn a_slow_import_is_not_on_the_clock() {
    let workshop = Workshop::new();
    // Other protocols would give up after a hundredth of a second.
    let limits = BotLimits { start: Duration::from_millis(10), ..BotLimits::default() };
    let mut subject = workshop.bot(&Path::new(BOTS).join("slow"), limits);
    let mut opponent = HouseBot::new(Box::new(RandomBrain::new(2)));
    let played = play_match(&spec("small", 1), &mut *subject, &mut opponent, &mut NoWatch).expect("a match");
    assert!(matches!(played.termination, Termination::BrokenOff), "{:?}", played.termination);
    assert_eq!(played.turns[0].text, "d9v");
}

#[test]
fn coordinates_are_read_as_the_original_reads_them() {
    let played = Workshop::new().play(&Path::new(BOTS).join("coordinates"), 24, FOR_EVER);
    assert!(matches!(played.termination, Termination::BrokenOff), "{:?}", played.termination);
    let own: Vec<&str> = played.turns.iter().step_by(2).map(|turn| turn.text.as_str()).collect();
    assert!(own.chunks(2).all(|pair| pair == ["d9v", "d9s"]), "{own:?}");
}

#[test]
fn strange_results_are_illegal_and_explained() {
    let workshop = Workshop::new();
    for (number, (result, word)) in [
        ("'d8-d7'", "move must be dict"),
        ("[3, 8]", "move must be dict"),
        ("{}", "no move"),
        ("{'type': 'move', 'from': [3, 8], 'to': [3, 7]}", "unknown action"),
        ("{'action': 'move', 'from': [3], 'to': [3, 7]}", "IndexError"),
        ("{'action': 'move', 'from': 3, 'to': [3, 7]}", "TypeError"),
        ("{'action': 'move', 'from': ['x', 8], 'to': [3, 7]}", "ValueError"),
        ("{'action': 'move', 'from': [float('nan'), 8], 'to': [3, 7]}", "ValueError"),
        ("{'action': 'move', 'from': [10 ** 400, 8], 'to': [3, 7]}", "oob"),
        ("{'action': 'move', 'from': [3, 8]}", "move needs from & to"),
        ("{'action': 'move', 'from': [3, 8], 'to': [3, 6]}", "invalid move location"),
        ("{'action': 'flip', 'from': [3, 8], 'orientation': ''}", "stone->river needs orientation"),
    ]
    .into_iter()
    .enumerate()
    {
        let class = format!(
            "class StudentAgent:\n    def __init__(self, player): pass\n    def choose(self, *told): return {result}\n"
        );
        let folder = workshop.folder(&format!("strange-{number}"), &[("student_agent.py", &class)]);
        match fault(workshop.play(&folder, 4, FOR_EVER)) {
            Fault::IllegalTurn { rule, .. } => assert!(rule.contains(word), "{result}: {rule}"),
            other => panic!("{result}: {other}"),
        }
    }
}

// ---- exactly what the original's engine handed over ----

/// Both sides play a script and write down what they were told.
fn notes(workshop: &Workshop, name: &str, spec: &MatchSpec, circle: Value, square: Value) -> Vec<Value> {
    let notes = workshop.home.path().join(format!("{name}.notes"));
    let script = json!({"circle": circle, "square": square, "notes": notes}).to_string();
    let class = fs::read_to_string(Path::new(BOTS).join("notes/student_agent.py")).expect("the bot");
    let folder = workshop.folder(name, &[("student_agent.py", &class), ("script.json", &script)]);
    let mut bots = [workshop.bot(&folder, BotLimits::default()), workshop.bot(&folder, BotLimits::default())];
    let [first, second] = &mut bots;
    let played = play_match(spec, &mut **first, &mut **second, &mut NoWatch).expect("a match");
    assert!(matches!(played.termination, Termination::BrokenOff), "{:?}", played.termination);
    let text = fs::read_to_string(notes).expect("notes");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn agents_are_told_what_the_original_told_them() {
    let workshop = Workshop::new();
    let flip = |row: u16, axis: &str| json!({"action": "flip", "from": [3, row], "orientation": axis});
    let mut spec = spec("small", 6);
    spec.time = "100".parse().expect("a time control");
    let circle = json!([flip(8, "vertical"), flip(8, ""), flip(9, "horizontal")]);
    let square = json!([flip(4, "vertical"), flip(4, ""), flip(3, "horizontal")]);
    let notes = notes(&workshop, "told", &spec, circle, square);
    assert_eq!(notes.len(), 6);
    let side = |note: &Value, row: usize| note["board"][row][3].clone();
    for (number, note) in notes.iter().enumerate() {
        assert_eq!(note["player"], ["circle", "square"][number % 2]);
        assert_eq!(note["types"], json!(["list", "int", "int", "list", "float", "float"]));
        assert_eq!((&note["rows"], &note["cols"]), (&json!(13), &json!(12)));
        assert_eq!(note["score_cols"], json!([4, 5, 6, 7]));
        assert_eq!(
            note["copies"],
            json!(if (1..=3).contains(&number) { json!(["horizontal", "vertical"]) } else { json!(["horizontal"]) })
        );
        assert_eq!(note["board"][0][0], Value::Null, "a fresh board each turn");
        assert_eq!(note["board"][8][4], json!({"owner": "circle", "side": "stone", "orientation": "horizontal"}));
    }
    assert_eq!(notes[0]["times"], json!([100.0, 100.0]));
    let times = |number: usize| -> [f64; 2] { serde_json::from_value(notes[number]["times"].clone()).expect("times") };
    assert!(times(1)[0] == 100.0 && times(1)[1] < 100.0, "square hears how long circle thought");
    assert_eq!(times(2)[0], times(1)[1]);
    assert_eq!(side(&notes[1], 8), json!({"owner": "circle", "side": "river", "orientation": "vertical"}));
    // A stone that has been a river has no orientation any more.
    assert_eq!(side(&notes[3], 8), json!({"owner": "circle", "side": "stone", "orientation": null}));
    assert_eq!(side(&notes[4], 4), json!({"owner": "square", "side": "stone", "orientation": null}));
}

#[test]
fn a_position_that_was_set_up_has_fresh_stones() {
    let workshop = Workshop::new();
    let mut spec = spec("medium", 1);
    let row = "14/".repeat(3);
    spec.setup.position = Some(format!("{row}3sssssss4/14/14/14/14/3H10/14/3SSSS7/14/14/14/14 circle"));
    spec.time = "7/turn".parse().expect("a time control");
    let circle = json!([{"action": "rotate", "from": [3, 8]}]);
    let notes = notes(&workshop, "set-up", &spec, circle, json!([]));
    assert_eq!(notes[0]["board"][8][3], json!({"owner": "circle", "side": "river", "orientation": "horizontal"}));
    assert_eq!(notes[0]["board"][10][3]["orientation"], "horizontal");
    assert_eq!(notes[0]["score_cols"], json!([4, 5, 6, 7, 8]));
    assert_eq!(notes[0]["times"], json!([7.0, 7.0]));
}

// ---- submissions ----

fn agon(arguments: &[&str], folder: &Path, cache: &Path) -> Output {
    let mut command = Command::new(AGON);
    command.args(arguments).current_dir(folder).env("AGON_CACHE", cache).stdin(Stdio::null());
    command.output().expect("agon runs")
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A battle against the house bot, judged by `agon match`, in which nobody fails.
fn judged(workshop: &Workshop, submission: &Path) {
    let submission = submission.to_str().expect("a path");
    let battle =
        ["match", "rivers", submission, "random", "--battles", "1", "--tc", "inf", "--max-turns", "60", "--json"];
    let output = agon(&battle, workshop.home.path(), &workshop.cache());
    assert!(output.status.success(), "{}", said(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    let summary: Value = serde_json::from_str(text.lines().last().expect("a line")).expect("JSON");
    assert_eq!(summary["matches"], 2, "{}", said(&output));
    let natural = ["broken off", "win", "repetition"];
    let ends = summary["terminations"].as_object().expect("terminations");
    assert!(ends.keys().all(|end| natural.contains(&end.as_str())), "{}", said(&output));
}

#[test]
fn agents_that_print_are_judged_by_their_moves() {
    judged(&Workshop::new(), &Path::new(BOTS).join("prints"));
}

#[test]
fn a_single_file_is_a_submission() {
    judged(&Workshop::new(), &Path::new(BOTS).join("prints/student_agent.py"));
}

#[test]
fn a_library_in_cpp_is_made_and_comes_before_the_class_in_python() {
    judged(&Workshop::new(), &Path::new(BOTS).join("makefile"));
}

#[test]
fn a_module_in_cpp_is_built_with_cmake() {
    if !Path::new(PYBIND11).is_file() || Command::new("cmake").arg("--version").stdout(Stdio::null()).status().is_err()
    {
        println!("not tried: it needs cmake and pybind11-dev");
        return;
    }
    judged(&Workshop::new(), &Path::new(BOTS).join("compiled"));
}

/// What scripts ask the package pybind11; all of it must be answered.
const ASKS_FOR_PYBIND11: &str = r#"
test -d $(python3 -m pybind11 --cmakedir)
[[ $(python3 -m pybind11 --includes) == *"-I"*" -I"* ]]
[[ $(python3 -m pybind11 --version) == $(python3 -c 'import pybind11; print(pybind11.__version__)') ]]
[[ $(pybind11-config --includes) == $(python3 -m pybind11 --includes) ]]
python3 - <<'END'
import pybind11, pybind11.commands
assert pybind11.__version__.count(".") >= 2, pybind11.__version__
assert pybind11.version_info[0] == int(pybind11.__version__.split(".")[0])
import os.path
assert os.path.exists(pybind11.get_include(user=True) + "/pybind11/pybind11.h")
assert pybind11.commands.get_cmake_dir() == pybind11.get_cmake_dir()
END
"#;

#[test]
fn compile_sh_is_run_by_the_shell_that_it_asks_for() {
    let workshop = Workshop::new();
    // As the course's scripts do, it asks Python where pybind11 is, and which.
    let found = if Path::new(PYBIND11).is_file() { ASKS_FOR_PYBIND11 } else { "" };
    let script = format!(
        "#!/usr/bin/env bash\nset -e\nif [[ -f student_agent_cpp.py ]]; then mkdir -p build; fi\n{found}\n\
         cp helper.txt build/helper.py\n"
    );
    let class = "from helper import StudentAgent\n";
    let helper = fs::read_to_string(Path::new(BOTS).join("slow/student_agent.py")).expect("a bot");
    let files = [("compile.sh", script.as_str()), ("student_agent_cpp.py", class), ("helper.txt", &helper)];
    let played = workshop.play(&workshop.folder("bash", &files), 1, FOR_EVER);
    assert_eq!(played.turns[0].text, "d9v", "{:?}", played.termination);
}

#[test]
fn the_class_in_python_stands_in_for_a_module_that_cannot_be_imported() {
    let workshop = Workshop::new();
    let class = fs::read_to_string(Path::new(BOTS).join("slow/student_agent.py")).expect("a bot");
    let wrapper = "import build.student_agent_module\n";
    let files = [("compile.sh", "true\n"), ("student_agent_cpp.py", wrapper), ("student_agent.py", &class)];
    let played = workshop.play(&workshop.folder("stand-in", &files), 1, FOR_EVER);
    assert_eq!(played.turns[0].text, "d9v", "{:?}", played.termination);
    assert!(played.turns[0].stderr.contains("trying student_agent"), "{}", played.turns[0].stderr);
}

#[test]
fn a_build_that_fails_shows_its_output() {
    let workshop = Workshop::new();
    let files = [("compile.sh", "echo the compiler is unhappy; exit 3\n"), ("student_agent.py", "")];
    let folder = workshop.folder("unbuilt", &files);
    let output = agon(&["match", "rivers", folder.to_str().expect("a path"), "random"], &folder, &workshop.cache());
    assert!(!output.status.success());
    assert!(said(&output).contains("the compiler is unhappy"), "{}", said(&output));
}

#[test]
fn a_folder_without_a_class_is_no_submission() {
    let workshop = Workshop::new();
    let folder = workshop.folder("empty", &[("agent.py", "")]);
    let output = agon(&["match", "rivers", folder.to_str().expect("a path"), "random"], &folder, &workshop.cache());
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("student_agent.py"), "{}", said(&output));
}

// ---- the launcher's options ----

#[test]
fn the_launchers_options_start_a_game() {
    let workshop = Workshop::new();
    let class = fs::read_to_string(Path::new(BOTS).join("none/student_agent.py")).expect("a bot");
    let folder = workshop.folder("launched", &[("student_agent.py", &class)]);
    let options = ["play", "rivers", "--mode", "aivai", "--circle", "random", "--square", "student", "--nogui"];
    let ours = ["--board-size", "large", "--time", "2", "--seed", "5", "--ascii"];
    let output = agon(&[&options[..], &ours[..]].concat(), &folder, &workshop.cache());
    let text = said(&output);
    for word in ["large", "square 2:00", "illegal turn", "no move"] {
        assert!(text.contains(word), "'{word}' is missing in: {text}");
    }
}

#[test]
fn a_strategy_that_is_not_there_is_explained() {
    let workshop = Workshop::new();
    let folder = workshop.folder("nothing", &[]);
    let options = ["play", "rivers", "--mode", "aivai", "--square", "student"];
    let output = agon(&options, &folder, &workshop.cache());
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("needs student_agent.py in the current folder"), "{}", said(&output));
}

#[test]
fn bots_of_the_original_say_how_they_are_started() {
    let workshop = Workshop::new();
    let output = agon(&["bot", "rivers", "triangle", "8080"], workshop.home.path(), &workshop.cache());
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("circle|square PORT"), "{}", said(&output));
}
