//! Engines in the form of the Rollerball course, built against our own headers and module and played.
//!
//! What was built once stays in the target folder, named by the contents of all files that it was built from.

use std::{
    fmt::Write as _,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    time::Duration,
};

use agon_entrants::{Built, Containment, ManifestError, Workshop};
use agon_originals::{Original, Recipe};
use agon_referee::{CoreRule, Language, MatchSpec, NoWatch, Played, Termination, TimeControl, play_match};
use agon_rules::{BySide, RuleSet, Side, conformance::read_vectors};
use agon_wire::{
    Bot, BotLimits, Budget, GameSetup, HouseBot, Launcher, PlainLauncher, Program, RandomBrain, Reach, Transcript,
};
use serde_json::Value;
use tempfile::TempDir;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Only something that hangs takes so long.
const FOR_EVER: Duration = Duration::from_secs(300);

/// Long enough to have a move, short enough for many of them: engines of the first round are stopped after it.
const THINKING: Duration = Duration::from_millis(30);

const TURNS: usize = 30;

fn game() -> &'static dyn Original {
    agon_all::find("rollerball").expect("a game")
}

fn engine(name: &str) -> PathBuf {
    Path::new(ROOT).join("tests/bots/rollerball").join(name)
}

fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("rollerball_sources")
}

fn recipe(submission: &Path) -> Recipe {
    game()
        .submissions()
        .expect("a form")
        .recognise(submission)
        .unwrap_or_else(|| panic!("{} is not recognised", submission.display()))
}

fn build(submission: &Path) -> Built {
    Built::from_recipe(recipe(submission), submission, &Workshop::plain(&cache()))
        .unwrap_or_else(|error| panic!("{error}"))
}

// ---- playing ----

fn bot(built: Built, transcript: Option<Transcript>) -> Box<dyn Bot> {
    let limits = BotLimits { start: FOR_EVER, ..BotLimits::default() };
    bot_from(built, Arc::new(PlainLauncher { limits, transcript }))
}

fn bot_from(built: Built, launcher: Arc<dyn Launcher>) -> Box<dyn Bot> {
    let (name, options) = (built.manifest.name, built.manifest.options);
    (game().protocols()[0].bot)(Program { name, reach: Reach::Start(built.command), options, launcher })
}

/// Plays an engine on a side against the house.
fn play(built: Built, side: Side, variant: &str, rules: RuleSet) -> Played {
    play_bot(&mut *bot(built, None), side, variant, rules, TURNS)
}

fn play_bot(bot: &mut dyn Bot, side: Side, variant: &str, rules: RuleSet, most_turns: usize) -> Played {
    let setup = GameSetup { game: game(), variant: variant.to_owned(), rules, position: None, swapped: false };
    let spec = MatchSpec {
        setup,
        time: TimeControl::PerTurn(THINKING),
        grace: FOR_EVER,
        languages: BySide::from_fn(|_| Language::Cpp),
        opening: Vec::new(),
        most_turns,
        cores: CoreRule::default(),
    };
    let mut house = HouseBot::new(Box::new(RandomBrain::new(5)));
    let played = match side {
        Side::First => play_match(&spec, bot, &mut house, &mut NoWatch),
        Side::Second => play_match(&spec, &mut house, bot, &mut NoWatch),
    };
    played.expect("no fault of the host")
}

/// Nobody was at fault: the rules ended the match, or it went on for long enough.
fn assert_fair(played: &Played) {
    let fair = matches!(played.termination, Termination::Over(_) | Termination::BrokenOff);
    assert!(fair, "{}: {:?} {:?}", played.termination, played.termination.evidence(), played.last_stderr);
}

/// The turns that one side made, as what it wrote to stderr for each.
fn said(played: &Played, side: Side) -> Vec<&str> {
    played.turns.iter().skip(side.index()).step_by(2).map(|turn| turn.stderr.as_str()).collect()
}

#[test]
fn an_engine_of_the_first_round_plays() {
    for side in Side::BOTH {
        assert_fair(&play(build(&engine("first_round")), side, "7-3", RuleSet::Server));
    }
}

#[test]
fn an_engine_of_the_second_round_plays_on_all_boards() {
    let built = build(&engine("second_round"));
    for (variant, number, side) in [("7-3", 1, Side::First), ("8-4", 2, Side::Second), ("8-2", 3, Side::First)] {
        let played = play(built.clone(), side, variant, RuleSet::Text);
        assert_fair(&played);
        let told = format!("{} ms left on board {number}", THINKING.as_millis());
        assert!(said(&played, side).iter().any(|words| words.contains(&told)), "{:?}", said(&played, side));
    }
}

#[test]
fn an_engine_that_was_built_here_knows_which_rules_are_in_force() {
    let transcript = Transcript::default();
    let built = build(&engine("second_round"));
    let mut bot = bot(built, Some(transcript.clone()));
    let setup =
        GameSetup { game: game(), variant: "7-3".to_owned(), rules: RuleSet::Server, position: None, swapped: false };
    bot.begin(&setup, Side::First, Budget::Turn(THINKING)).expect("a bot that starts");
    bot.end();
    let said: Vec<String> = transcript.last(99).iter().map(ToString::to_string).collect();
    assert!(said.contains(&"> ucinewgame board-7-3 60 server".to_owned()), "{said:#?}");
    assert!(said.contains(&"< newgameok".to_owned()), "{said:#?}");
}

#[test]
fn an_engine_in_python_plays_and_keeps_nothing() {
    let built = build(&engine("python"));
    assert_eq!(built.manifest.language, Language::Python);
    let played = play(built, Side::Second, "7-3", RuleSet::Server);
    assert_fair(&played);
    let said = said(&played, Side::Second);
    assert!(said.len() > 1 && said.iter().all(|words| *words == "call 1\n"), "{said:?}");
}

#[test]
fn an_engine_for_the_other_round_than_it_seems_is_built_all_the_same() {
    let folder = TempDir::new().expect("a folder");
    // A name of the first round that this engine has for itself.
    let text = "#include \"board.hpp\"\n#include \"engine.hpp\"\n\
                static void do_move(Board& b, U16 m) { b.do_move_(m); }\n\
                void Engine::find_best_move(const Board& b) {\n\
                    Board next(b);\n    best_move = *b.get_legal_moves().begin();\n    do_move(next, best_move);\n}\n";
    fs::write(folder.path().join("engine.cpp"), text).expect("a file");
    assert!(recipe(folder.path()).build.is_some_and(|build| build.contains(" a2 ")));
    assert_fair(&play(build(folder.path()), Side::First, "8-4", RuleSet::Server));
}

#[test]
fn an_illegal_move_is_a_crash_that_names_it() {
    for name in ["illegal", "python_illegal"] {
        let played = play(build(&engine(name)), Side::First, "7-3", RuleSet::Server);
        assert_eq!(played.termination.name(), "crash", "{name}: {:?}", played.termination.evidence());
        let said = &played.last_stderr.first;
        assert!(said.contains("a1a2") && said.contains("is not legal") && said.contains("c2b3"), "{name}: {said}");
    }
}

#[test]
fn an_engine_that_does_not_compile_gets_the_compilers_words() {
    let folder = engine("broken");
    let home = TempDir::new().expect("a folder");
    match Built::from_recipe(recipe(&folder), &folder, &Workshop::plain(home.path())) {
        Err(ManifestError::Build(said)) => {
            assert!(said.contains("\nengine.cpp:6:") && said.contains("first_of"), "{said}");
            assert!(said.contains("\ninclude/hint.hpp:3:") && said.contains("no_such_hint"), "{said}");
            assert!(!said.contains("desk"), "our own folders are nobody's business: {said}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_header_that_relies_on_what_others_include_is_built() {
    assert_fair(&play(build(&engine("relies")), Side::Second, "7-3", RuleSet::Server));
}

// ---- memory and threads ----

/// Mebibytes that a bot may use: an engine that leaks would use several times as much in a game.
const LITTLE: u64 = 64;

/// Plays an engine in the strongest sandbox of this host, where memory is short.
fn play_with_little_memory(name: &str, variant: &str) -> Played {
    let built = build(&engine(name));
    let mut containment = Containment::strongest();
    containment.allowance.usual.memory = LITTLE << 20;
    let mut bot = bot_from(built, containment.launcher(None));
    play_bot(&mut *bot, Side::First, variant, RuleSet::Server, 60)
}

/// The numbers that stand before a word in what an engine said, in order. What it says while it thinks may arrive with a later turn.
fn numbers(played: &Played, word: &str) -> Vec<u64> {
    let all = format!("{}{}", said(played, Side::First).concat(), played.last_stderr.first);
    let number = |line: &str| line.split_once(word)?.0.trim().rsplit(' ').next()?.parse().ok();
    let found: Vec<u64> = all.lines().filter_map(number).collect();
    assert!(!found.is_empty(), "no{word}: {all}");
    found
}

#[test]
fn an_engine_that_never_deletes_a_board_plays_a_whole_game() {
    agon_sandbox::set_warden(PathBuf::from(env!("CARGO_BIN_EXE_agon")));
    for (name, size, variant, threads) in [("leaks", 280, "7-3", 2), ("leaks_second", 384, "8-2", 1)] {
        let played = play_with_little_memory(name, variant);
        assert_fair(&played);
        let made = numbers(&played, " boards").into_iter().max().expect("turns");
        assert!(made * size > 3 * (LITTLE << 20), "{name}: {made} boards would fit into its memory");
        // The thread that waits for `stop` while the engine thinks is ours.
        assert_eq!(recipe(&engine(name)).harness_threads as u64 + 1, threads);
        assert!(numbers(&played, " threads").iter().all(|count| *count == threads), "{name}");
    }
}

#[test]
fn an_engine_that_keeps_the_tree_of_its_last_search_finds_it_as_it_was() {
    agon_sandbox::set_warden(PathBuf::from(env!("CARGO_BIN_EXE_agon")));
    let played = play_with_little_memory("keeps", "7-3");
    assert_fair(&played);
    let found = numbers(&played, " boards");
    assert!(found[1..].iter().all(|count| *count >= 20_000), "{found:?}");
    assert!(found.iter().sum::<u64>() * 280 > (LITTLE << 20) * 3 / 2, "all trees fit into its memory: {found:?}");
}

#[test]
fn the_thread_of_the_program_around_an_engine_in_python_is_ours() {
    let folder = TempDir::new().expect("a folder");
    let text = "import os, sys\n\ndef find_best_move(board):\n    \
                print(len(os.listdir('/proc/self/task')), 'threads', file=sys.stderr)\n    \
                return min(board.get_legal_moves())\n";
    fs::write(folder.path().join("engine.py"), text).expect("a file");
    let played = play(build(folder.path()), Side::First, "7-3", RuleSet::Server);
    assert_fair(&played);
    let expected = recipe(folder.path()).harness_threads as u64 + 1;
    assert!(numbers(&played, " threads").iter().all(|count| *count == expected));
}

#[test]
fn a_program_without_a_port_says_so() {
    for name in ["first_round", "second_round", "python"] {
        let command = build(&engine(name)).command;
        let mut program = Command::new(&command.program);
        let output = program.args(&command.arguments).current_dir(command.folder.expect("a folder")).output();
        let output = output.expect("it runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "ERROR: port is a compulsory argument\n", "{name}");
        assert_eq!(output.status.code(), Some(0), "{name}");
    }
}

// ---- what is an engine ----

/// The build command for a folder with these files.
fn build_of(files: &[(&str, &str)]) -> Option<String> {
    let folder = TempDir::new().expect("a folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    // A single file stands for itself.
    let submission = match files {
        [(name, _)] if !name.contains('/') && !name.starts_with("engine") => folder.path().join(name),
        _ => folder.path().to_owned(),
    };
    game().submissions().expect("a form").recognise(&submission).and_then(|recipe| recipe.build)
}

#[test]
fn what_is_no_engine_is_not_recognised() {
    assert_eq!(build_of(&[("Readme.md", ""), ("main.cpp", "int main() {}")]), None);
    assert_eq!(build_of(&[("main.cpp", "int main() {}")]), None);
    assert_eq!(build_of(&[("other.py", "")]), None);
    assert_eq!(build_of(&[("$(x).cpp", "void Engine::find_best_move(const Board& b) {}")]), None);
}

#[test]
fn engines_lie_in_the_folder_or_in_src_or_stand_alone() {
    let ends = |files: &[(&str, &str)], end: &str| build_of(files).is_some_and(|build| build.ends_with(end));
    assert!(ends(&[("engine.cpp", ""), ("Readme.md", "")], " ./engine.cpp"));
    assert!(ends(&[("src/engine.cpp", "")], " src/engine.cpp"));
    assert!(ends(&[("bot1.cpp", "void Engine::find_best_move(const Board& b) {}")], " ./bot1.cpp"));
    assert!(ends(&[("engine.py", "")], "libboard.so"));
    assert!(ends(&[("src/engine.py", "")], "libboard.so"));
    let single = recipe(&engine("first_round").join("engine.cpp"));
    assert_eq!(single, recipe(&engine("first_round")));
}

#[test]
fn the_round_is_told_by_names_that_only_one_of_them_has() {
    let seems = |text: &str, round: &str| {
        let build = build_of(&[("engine.cpp", text)]).expect("an engine");
        assert!(build.contains(&format!(" {round} ")), "{text}: {build}");
    };
    seems("#include \"board.hpp\"\n", "a2");
    seems("#include \"butils.hpp\"\n", "a5");
    seems("c.do_move_(m);", "a5");
    seems("Board* c = b.copy(); c->do_move(m);", "a2");
    seems("// c->do_move(m); b.copy()\n/* data.w_rook_ws */ c.do_move_(m);", "a5");
    seems("c.do_move_(m); /* never ends: b.copy() b.copy()", "a5");
}

// ---- the boards ----

/// Compiles a program that uses a round's board.
fn compile(round: &str, source: &str, folder: &Path) -> PathBuf {
    let native = Path::new(ROOT).join("games/rollerball/native/cpp");
    let program = folder.join("program");
    let mut compiler = Command::new("c++");
    compiler.args(["-std=c++17", "-O2", "-w", "-o"]).arg(&program).arg("-I").arg(native.join(round));
    compiler.arg("-include").arg(native.join("common/prelude.hpp")).arg(engine(source));
    compiler.args(["ring.cpp", "generator.cpp", "pool.cpp"].map(|file| native.join("common").join(file)));
    compiler.arg(native.join(round).join("board.cpp"));
    if round == "a5" {
        compiler.arg("-DSECOND_ROUND").args(["bdata.cpp", "butils.cpp"].map(|file| native.join("a5").join(file)));
    }
    let output = compiler.output().expect("a C++ compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

/// Asks the program that answers questions about a round's board.
fn ask(round: &str, questions: &str) -> Vec<String> {
    let folder = TempDir::new().expect("a folder");
    let program = compile(round, "replays.cpp", folder.path());
    let mut child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it runs");
    let mut input = child.stdin.take().expect("a pipe");
    let questions = questions.to_owned();
    let writer = std::thread::spawn(move || input.write_all(questions.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("no panic").expect("it reads everything");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

fn text<'a>(record: &'a Value, member: &str) -> &'a str {
    record[member].as_str().unwrap_or_else(|| panic!("{member} is not a text in {record}"))
}

fn texts(record: &Value, member: &str) -> Vec<String> {
    let list = record[member].as_array().unwrap_or_else(|| panic!("{member} is not a list in {record}"));
    list.iter().map(|item| item.as_str().expect("a text").to_owned()).collect()
}

/// Questions with the answers that the original program gave.
#[derive(Default)]
struct Exam {
    questions: String,
    answers: Vec<String>,
}

impl Exam {
    fn add(&mut self, question: impl AsRef<str>, answer: impl Into<String>) {
        writeln!(self.questions, "{}", question.as_ref()).expect("a text grows");
        self.answers.push(answer.into());
    }

    fn add_vectors(&mut self, positions: &str, games: &str) {
        let vectors = |file: &str| read_vectors(Path::new(ROOT).join("games/rollerball/vectors").join(file));
        for record in vectors(positions) {
            let rows = text(&record, "board").replace(' ', "_");
            let mut legal = texts(&record, "legal");
            legal.sort();
            legal.insert(0, u8::from(record["in_check"] == true).to_string());
            self.add(
                format!("legal {} {rows} {}", text(&record, "board_type"), text(&record, "turn")),
                legal.join(" "),
            );
        }
        for record in vectors(games) {
            let rows = texts(&record, "states").into_iter().map(|state| {
                let (rows, _) = state.rsplit_once(' ').expect("a side to move");
                rows.replace(' ', "_") + "/"
            });
            let moves = texts(&record, "moves").join(" ");
            self.add(format!("play {} {moves}", text(&record, "board_type")), rows.collect::<String>() + " same");
        }
    }

    fn add_counts(&mut self, variant: &str, counts: &[u64]) {
        for (count, depth) in counts.iter().zip(1..) {
            self.add(format!("perft {variant} {depth}"), count.to_string());
        }
    }

    fn sit(&self, round: &str) {
        let answers = ask(round, &self.questions);
        for ((question, expected), found) in self.questions.lines().zip(&self.answers).zip(&answers) {
            assert_eq!(found, expected, "{round}: {question}");
        }
        assert_eq!(answers.len(), self.answers.len());
    }
}

#[test]
fn boards_of_finished_searches_make_room_when_it_is_short_and_no_others() {
    for round in ["a2", "a5"] {
        let folder = TempDir::new().expect("a folder");
        let mut program = Command::new(compile(round, "pool.cpp", folder.path()));
        let output = program.env("AGON_MEMORY", (16 << 20).to_string()).output().expect("it runs");
        assert!(output.status.success(), "{round}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn the_board_of_the_first_round_is_the_originals() {
    let mut exam = Exam::default();
    exam.add_vectors("rollerball_legal.jsonl.gz", "rollerball.jsonl.gz");
    exam.add_counts("7-3", &[7, 49, 476, 4652, 53_771]);
    exam.sit("a2");
}

#[test]
fn the_boards_of_the_second_round_are_the_originals() {
    let mut exam = Exam::default();
    exam.add_vectors("rollerball_a5_legal.jsonl.gz", "rollerball_a5.jsonl.gz");
    exam.add_counts("7-3", &[7, 49, 476, 4652, 53_771]);
    exam.add_counts("8-4", &[5, 25, 160, 1024, 8320, 67_664]);
    exam.add_counts("8-2", &[22, 466, 10_236, 225_670]);
    exam.sit("a5");
}
