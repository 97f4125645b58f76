//! Connect-X bots as the original arena knew them: a process for every turn, and the form that lives for a match.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::{Arc, mpsc},
    time::{Duration, Instant},
};

use agon_originals::Original;
use agon_referee::{CoreRule, Language, MatchSpec, NoWatch, Played, Termination, TimeControl, play_match};
use agon_rules::{BySide, RuleSet, Side};
use agon_wire::{
    Ask, Bot, BotCommand, BotFailure, Budget, Fault, GameSetup, HouseBot, PlainLauncher, Program, RandomBrain, Reach,
};
use serde_json::Value;

const AGON: &str = env!("CARGO_BIN_EXE_agon");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Only a referee that hangs takes so long.
const FOR_EVER: Duration = Duration::from_secs(300);

fn game() -> &'static dyn Original {
    agon_all::find("connectx").expect("the game")
}

fn setup(swapped: bool, position: Option<&str>) -> GameSetup {
    let (variant, rules) = ("standard".to_owned(), RuleSet::Text);
    GameSetup { game: game(), variant, rules, position: position.map(str::to_owned), swapped }
}

/// A bot that is a shell command.
fn bot(protocol: &str, run: &str) -> Box<dyn Bot> {
    let arguments = vec!["-c".to_owned(), run.to_owned()];
    let command = BotCommand { program: "sh".to_owned(), arguments, ..BotCommand::default() };
    let (name, options, launcher) = ("subject".to_owned(), BTreeMap::new(), Arc::new(PlainLauncher::default()));
    let protocol = agon_originals::protocol(game(), protocol).expect("a protocol");
    (protocol.bot)(Program { name, reach: Reach::Start(command), options, launcher })
}

// ---- what a bot is told ----

/// Asks a bot once after `turns`, and gives what it was told, byte by byte.
fn request(protocol: &str, setup: &GameSetup, turns: &[&str]) -> Result<String, BotFailure> {
    let folder = tempfile::tempdir().expect("a folder");
    let heard = folder.path().join("heard");
    // `cat` reads to the end of the input, `head` as much as there is in any case.
    let reader = if protocol == "oneshot" { "cat" } else { "head -n 12" };
    let mut bot = bot(protocol, &format!("{reader} > {}; echo 4 4", heard.display()));
    let mut position = game().open("standard", RuleSet::Text).expect("the start");
    if let Some(text) = &setup.position {
        position.set_up(text).expect("a position");
    }
    let turns: Vec<String> = turns.iter().map(|turn| (*turn).to_owned()).collect();
    for turn in &turns {
        position.play(turn).expect("a legal turn");
    }
    let side = position.turn();
    bot.begin(setup, side, Budget::Unlimited).expect("a bot");
    let ask = Ask { side, position: &*position, turns: &turns, budget: Budget::Unlimited, patience: Some(FOR_EVER) };
    assert_eq!(bot.turn(&ask)?.turn, "4 4");
    bot.end();
    Ok(fs::read_to_string(heard).expect("what was said"))
}

const EMPTY_ROW: &str = "0 0 0 0 0 0 0 0 0 \n";

#[test]
fn the_first_request_is_the_same_in_both_matches_of_a_battle() {
    let expected = format!("4\n9 9\n{}2 -1 -1\n", EMPTY_ROW.repeat(9));
    for protocol in ["oneshot", "persistent"] {
        for swapped in [false, true] {
            assert_eq!(request(protocol, &setup(swapped, None), &[]), Ok(expected.clone()), "{protocol} {swapped}");
        }
    }
}

#[test]
fn stones_are_numbered_by_seat() {
    let above = format!("4\n9 9\n{}", EMPTY_ROW.repeat(3));
    let below = EMPTY_ROW.repeat(5);
    let row = |first: u8, second: u8| format!("0 0 0 {first} {second} 0 0 0 0 \n");
    for protocol in ["oneshot", "persistent"] {
        let say = |swapped, turns: &[&str]| request(protocol, &setup(swapped, None), turns).expect("a request");
        // The second side is asked: the stone is that of the first seat, or of the second one after the change.
        assert_eq!(say(false, &["3 3"]), format!("{above}{}{below}1 3 3\n", row(1, 0)));
        assert_eq!(say(true, &["3 3"]), format!("{above}{}{below}2 3 3\n", row(2, 0)));
        // The first side is asked again.
        let one = |stone: u8| format!("0 {stone} 0 0 0 0 0 0 0 \n");
        let top = |stone: u8| format!("4\n9 9\n{}{}", one(stone), EMPTY_ROW.repeat(2));
        assert_eq!(say(false, &["3 3", "0 1"]), format!("{}{}{below}2 0 1\n", top(2), row(1, 0)));
        assert_eq!(say(true, &["3 3", "0 1"]), format!("{}{}{below}1 0 1\n", top(1), row(2, 0)));
    }
}

#[test]
fn a_position_that_was_set_up_is_given_a_last_stone_that_leads_there() {
    // Place 2 of board 0 holds a stone of the second side: it leads to board 2.
    let text = |active: u8| {
        format!("..21...../1......../........./........./........./........./........./........./......... 1 {active}")
    };
    let say = |text: &str| request("oneshot", &setup(false, Some(text)), &[]);
    assert!(say(&text(2)).expect("a request").ends_with("\n2 0 2\n"));
    assert!(say(&text(4)).expect("a request").ends_with("\n2 -1 -1\n"));
    match say(&text(7)) {
        Err(BotFailure::Host(error)) => assert!(error.to_string().contains("local board 7 is active"), "{error}"),
        other => panic!("{other:?}"),
    }
}

/// The requests of a whole battle, recorded on their way to a house bot.
fn requests_of_a_battle(bots: impl Fn(&str) -> [String; 2]) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().expect("a folder");
    let heard = folder.path().join("heard");
    let subject = format!("cmd:tee -a {} | {AGON} bot connectx;proto=oneshot", heard.display());
    let [one, two] = bots(&subject);
    let result = summary(&agon(&[
        "match",
        "connectx",
        &one,
        &two,
        "--battles",
        "1",
        "--tc",
        "inf",
        "--sandbox",
        "none",
        "--json",
    ]));
    assert_no_fault(&result);
    let text = fs::read_to_string(heard).expect("what was said");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!(lines.len() % 12, 0);
    lines.chunks(12).map(<[String]>::to_vec).collect()
}

/// Whether the last stone that a request names is on the grid, with that number.
fn names_a_stone(request: &[String]) -> bool {
    let last: Vec<usize> = request[11].split(' ').map(|word| word.parse().expect("a number")).collect();
    request[2 + last[1]].split(' ').nth(last[2]) == Some(&last[0].to_string())
}

#[test]
fn a_battle_keeps_the_seats() {
    let first = requests_of_a_battle(|subject| [subject.to_owned(), "random".to_owned()]);
    let (beginnings, others): (Vec<_>, Vec<_>) = first.iter().partition(|request| request[11] == "2 -1 -1");
    assert_eq!(beginnings.len(), 1, "the first seat begins the first match");
    assert!(others.iter().all(|request| request[11].starts_with("2 ") && names_a_stone(request)));
    let second = requests_of_a_battle(|subject| ["random".to_owned(), subject.to_owned()]);
    let (beginnings, others): (Vec<_>, Vec<_>) = second.iter().partition(|request| request[11] == "2 -1 -1");
    assert_eq!(beginnings.len(), 1, "the second seat begins the second match");
    assert!(others.iter().all(|request| request[11].starts_with("1 ") && names_a_stone(request)));
}

// ---- how answers are judged ----

/// Plays a bot as the first side, after `opening`, against the house.
fn play(protocol: &str, run: &str, opening: &[&str], time: TimeControl) -> Played {
    let spec = MatchSpec {
        setup: setup(false, None),
        time,
        grace: Duration::ZERO,
        languages: BySide::new(Language::Python, Language::Rust),
        opening: opening.iter().map(|turn| (*turn).to_owned()).collect(),
        most_turns: opening.len() + 2,
        cores: CoreRule::default(),
    };
    let mut bot = bot(protocol, run);
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let mut house = HouseBot::new(Box::new(RandomBrain::new(7)));
        let _ = send.send(play_match(&spec, &mut *bot, &mut house, &mut NoWatch));
    });
    receive.recv_timeout(FOR_EVER).expect("the referee comes to an end").expect("no fault of the host")
}

fn fault(protocol: &str, run: &str, opening: &[&str]) -> Fault {
    match play(protocol, run, opening, TimeControl::Unlimited).termination {
        Termination::Fault { side: Side::First, fault } => fault,
        other => panic!("{run}: {other}"),
    }
}

/// The first side is sent to board 1, where the opponent has a stone on `0 4`.
const OPENING: [&str; 2] = ["3 4", "0 4"];

#[test]
fn answers_that_lose() {
    let two = "expected two integers 'row col', found";
    let cases = [
        ("echo 4", format!("'4': {two} no second")),
        ("echo", format!("'': {two} no first")),
        ("echo hello world", format!("'hello world': {two} 'hello' as the first")),
        ("echo 4,5", format!("'4,5': {two} '4,5' as the first")),
        ("echo 9 0", "'9 0': expected 'row column', two numbers from 0 to 8, found '9 0'".to_owned()),
        ("echo -1 3", "'-1 3': expected 'row column', two numbers from 0 to 8, found '-1 3'".to_owned()),
        ("echo 0 4", "'0 4': cell 0 4 is taken".to_owned()),
        ("echo 4 4", "'4 4': cell 4 4 lies in local board 4, but the active one is 1".to_owned()),
    ];
    for (say, evidence) in cases {
        let fault = fault("oneshot", &format!("cat > /dev/null; {say}"), &OPENING);
        assert_eq!((fault.name(), fault.evidence()), ("illegal turn", evidence), "{say}");
    }
    let persistent = fault("persistent", "head -n 12 > /dev/null; echo 4", &OPENING);
    assert_eq!(persistent.evidence(), format!("'4': {two} no second"));
}

#[test]
fn ends_without_an_answer() {
    for (protocol, read) in [("oneshot", "cat"), ("persistent", "head -n 12")] {
        let cases = [
            ("exit 0", "silent exit", "exited with code 0 instead of sending 'row col'"),
            ("exit 3", "crash", "exited with code 3 instead of sending 'row col'"),
            ("kill -SEGV $$", "crash", "ended by signal 11 (segmentation fault) instead of sending 'row col'"),
        ];
        for (end, name, evidence) in cases {
            let fault = fault(protocol, &format!("{read} > /dev/null; {end}"), &[]);
            assert_eq!((fault.name(), fault.evidence().as_str()), (name, evidence), "{protocol}");
        }
    }
}

#[test]
fn what_follows_the_answer_does_not_matter() {
    let cases = [
        "cat > /dev/null; echo 0 3; exit 3",
        "cat > /dev/null; echo 0 3; kill -SEGV $$",
        "cat > /dev/null; echo; echo 0; printf '3 and so on\nI like this move'",
        "cat > /dev/null; printf 00; printf ' 3'",
        // The input may be ignored, wholly or in part.
        "echo 0 3",
        "head -n 1 > /dev/null; echo 0 3",
    ];
    for run in cases {
        let played = play("oneshot", run, &OPENING, TimeControl::Unlimited);
        assert_eq!(played.termination, Termination::BrokenOff, "{run}: {}", played.termination);
        assert_eq!(played.turns[OPENING.len()].text, "0 3", "{run}");
    }
}

#[test]
fn stderr_is_kept() {
    let played = play("oneshot", "echo thinking >&2; echo 0 3", &OPENING, TimeControl::Unlimited);
    assert_eq!(played.turns[OPENING.len()].stderr, "thinking\n");
    let played = play("oneshot", "echo lost >&2; exit 1", &OPENING, TimeControl::Unlimited);
    assert_eq!(played.last_stderr.first, "lost\n");
}

#[test]
fn a_bot_that_does_not_end_is_timed_out() {
    // Only the bot has a clock: the house must not lose it on a busy machine.
    let time = |python| TimeControl::PerTurnByLanguage { native: FOR_EVER, java: FOR_EVER, python };
    let lingering = play("oneshot", "echo 4 4; exec sleep 1000", &[], time(Duration::from_secs(3)));
    assert_eq!(lingering.termination.name(), "timeout");
    let evidence = lingering.termination.evidence().expect("evidence");
    assert_eq!(evidence, "it wrote '4 4' but did not exit in time: allowed were 3.000 s");
    for protocol in ["oneshot", "persistent"] {
        let silent = play(protocol, "exec sleep 1000", &[], time(Duration::from_millis(300)));
        let evidence = silent.termination.evidence().expect("evidence");
        assert_eq!(evidence, "no 'row col' in time: allowed were 0.300 s", "{protocol}");
    }
}

#[test]
fn a_child_that_is_left_behind_neither_delays_nor_survives() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("child");
    let run = format!("sleep 1000 & echo $! > {}; echo 0 3", file.display());
    let played = play("oneshot", &run, &OPENING, TimeControl::Unlimited);
    assert_eq!(played.turns[OPENING.len()].text, "0 3", "{}", played.termination);
    let child = fs::read_to_string(file).expect("a number");
    let start = Instant::now();
    // A process that has ended has no command line, even if nobody has buried it.
    while !fs::read(format!("/proc/{}/cmdline", child.trim())).unwrap_or_default().is_empty() {
        assert!(start.elapsed() < FOR_EVER, "the child {child} is left");
        std::thread::yield_now();
    }
}

#[test]
fn a_kept_alive_bot_answers_once() {
    // Both lines arrive in one piece, so the second waits when the next turn is asked for.
    let run = "head -n 12 > /dev/null; printf '4 4\\n5 5\\n'; exec sleep 1000";
    let mut bot = bot("persistent", run);
    let setup = setup(false, None);
    bot.begin(&setup, Side::First, Budget::Unlimited).expect("a bot");
    let position = game().open("standard", RuleSet::Text).expect("the start");
    let ask = Ask {
        side: Side::First,
        position: &*position,
        turns: &[],
        budget: Budget::Unlimited,
        patience: Some(FOR_EVER),
    };
    assert_eq!(bot.turn(&ask).expect("an answer").turn, "4 4");
    let what = "an answer that was not asked for: '5 5'".to_owned();
    assert_eq!(bot.turn(&ask), Err(Fault::ProtocolViolation(what).into()));
    bot.end();
}

// ---- what teams hand in ----

/// Runs `agon` with a cache of its own.
fn agon(arguments: &[&str]) -> Output {
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("connectx-cache");
    Command::new(AGON).args(arguments).env("AGON_CACHE", cache).stdin(Stdio::null()).output().expect("agon runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The last line of the output, which must be JSON.
fn summary(output: &Output) -> Value {
    assert!(output.status.success(), "{}", stderr(output));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    serde_json::from_str(text.lines().last().expect("a line")).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn assert_no_fault(result: &Value) {
    let terminations = result["terminations"].as_object().expect("an object");
    assert!(terminations.keys().all(|name| name == "win" || name == "full board"), "{result}");
    assert_eq!(result["matches"], 2);
}

/// A battle against the house from the middle of the game: a process for every turn takes its time.
fn assert_plays(submission: &Path) {
    let path = submission.to_str().expect("UTF-8");
    let battle = ["match", "connectx", path, "random", "--battles", "1", "--tc", "inf", "--openings", "random:20"];
    assert_no_fault(&summary(&agon(&[&battle[..], &["--json"]].concat())));
}

#[test]
fn single_files_in_every_language_play() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases = [
        ("kits/connectx/python/bot.py", "a bot's; (copy).py", Language::Python),
        ("kits/connectx/cpp/bot.cpp", "-o.cc", Language::Cpp),
        ("kits/connectx/java/Bot.java", "Bot.java", Language::Java),
        ("tests/bots/connectx/lowest.c", "$HOME `x`.c", Language::Cpp),
    ];
    for (source, name, language) in cases {
        let file = folder.path().join(name);
        fs::copy(Path::new(ROOT).join(source), &file).expect("a copy");
        let recipe = game().submissions().and_then(|form| form.recognise(&file)).expect("a submission");
        assert_eq!((recipe.language, recipe.protocol.name), (language, "oneshot"), "{name}");
        assert_plays(&file);
    }
}

#[test]
fn a_folder_with_one_source_file_is_a_submission() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("team seven");
    fs::create_dir(&path).expect("a folder");
    fs::copy(Path::new(ROOT).join("kits/connectx/python/bot.py"), path.join("bot.py")).expect("a copy");
    fs::write(path.join("README.md"), "our bot").expect("a file");
    fs::create_dir(path.join("data")).expect("a folder");
    fs::write(path.join("data/train.py"), "").expect("a file");
    assert_plays(&path);
    fs::write(path.join("other.cpp"), "int main() {}").expect("a file");
    let output = agon(&["match", "connectx", path.to_str().expect("UTF-8"), "random"]);
    assert_eq!(output.status.code(), Some(2));
    let sentence = "is no bot of connectx: expected a bot.toml, or a single .cpp, .c, .java or .py file";
    assert!(stderr(&output).contains(sentence), "{}", stderr(&output));
}

#[test]
fn what_does_not_compile_is_explained() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bot.cpp");
    fs::write(&file, "int main() { return nothing_like_that; }").expect("a file");
    let output = agon(&["match", "connectx", file.to_str().expect("UTF-8"), "random"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("g++ -O2 -std=c++17 -o bot ./bot.cpp"), "{}", stderr(&output));
    assert!(stderr(&output).contains("nothing_like_that"), "{}", stderr(&output));
}

#[test]
fn the_kept_alive_form_is_chosen_in_the_manifest() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = Path::new(ROOT).join("tests/bots/connectx/kept_alive.py");
    fs::copy(source, folder.path().join("bot.py")).expect("a copy");
    let manifest = "name = \"kept\"\ngame = \"connectx\"\nprotocol = \"persistent\"\nlanguage = \"python\"\nrun = \"python3 bot.py\"\n";
    fs::write(folder.path().join("bot.toml"), manifest).expect("a manifest");
    let path = folder.path().to_str().expect("UTF-8");
    let result = summary(&agon(&[
        "match",
        "connectx",
        path,
        "random",
        "--battles",
        "1",
        "--tc",
        "inf",
        "--sandbox",
        "none",
        "--json",
    ]));
    assert_no_fault(&result);
    let starts = fs::read_to_string(folder.path().join("starts")).expect("notes");
    assert_eq!(starts.lines().count(), 2, "one process for each match");
}

#[test]
fn other_protocols_are_refused() {
    let output = agon(&["match", "connectx", "cmd:cat;proto=lines", "random"]);
    assert_eq!(output.status.code(), Some(2));
    let sentence = "bots of connectx speak 'ugi', 'oneshot', 'persistent', not 'lines'";
    assert!(stderr(&output).contains(sentence), "{}", stderr(&output));
}

// ---- the house bot ----

#[test]
fn the_house_bot_speaks_both_forms() {
    let bots = ["oneshot", "persistent"].map(|protocol| format!("cmd:{AGON} bot connectx;proto={protocol}"));
    let battle = ["match", "connectx", &bots[0], &bots[1], "--battles", "1", "--tc", "inf", "--json"];
    assert_no_fault(&summary(&agon(&battle)));
}

/// Gives `agon bot connectx` an input that stays open, and waits for its end.
fn talk(arguments: &[&str], input: &str) -> Output {
    let mut bot = Command::new(AGON)
        .args(["bot", "connectx"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("agon runs");
    let mut pipe = bot.stdin.take().expect("a pipe");
    pipe.write_all(input.as_bytes()).expect("room in the pipe");
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || send.send(bot.wait_with_output()));
    let output = receive.recv_timeout(FOR_EVER).expect("the bot ends").expect("its output");
    drop(pipe);
    output
}

#[test]
fn the_house_bot_ends_in_the_original_arena() {
    // The arena leaves stdin open and waits for the end of the process.
    let output = talk(&["oneshot"], &format!("4\n9 9\n{}2 -1 -1\n", EMPTY_ROW.repeat(9)));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let answer = String::from_utf8(output.stdout).expect("text");
    let mut position = game().open("standard", RuleSet::Text).expect("the start");
    position.play(answer.trim()).expect("a legal turn");
}

#[test]
fn options_of_the_house_bot_may_stand_behind_the_arguments() {
    // Three in a row, and sent to where the fourth belongs: whoever looks a move ahead wins, and a random bot seldom does.
    let rows = |count: usize| EMPTY_ROW.repeat(count);
    let board = format!("1 1 1 0 0 0 0 0 0 \n{}0 2 0 2 0 2 0 0 0 \n{}", rows(5), rows(2));
    let input = format!("4\n9 9\n{board}2 6 1\n");
    let answers: Vec<String> = [&["oneshot", "--level", "master"][..], &["--level=4", "oneshot", "--seed", "7"]]
        .map(|arguments| {
            let output = talk(arguments, &input);
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            String::from_utf8(output.stdout).expect("text")
        })
        .to_vec();
    assert_eq!(answers, ["0 3\n", "0 3\n"]);
    for (wrong, sentence) in [
        (&["oneshot", "--level", "grandmaster"][..], "--level 'grandmaster': expected one of random, greedy"),
        (&["oneshot", "--seed=x"], "--seed 'x': expected a number"),
        (&["oneshot", "--level"], "--level: expected a value"),
    ] {
        let output = talk(wrong, "");
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(sentence), "{}", stderr(&output));
    }
}

#[test]
fn the_house_bot_refuses_what_it_does_not_know() {
    let output = talk(&[], "5\n9 9\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("the stones to connect: expected 4, found 5"), "{}", stderr(&output));
    assert!(output.stdout.is_empty());
}
