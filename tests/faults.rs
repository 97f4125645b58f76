//! Every way in which a bot can end a match, each caused by a small real bot of `tests/bots`.
//!
//! Nothing here depends on how fast the machine is. Bots that have to answer play without a clock, only those that must miss a
//! deadline have one, and the house bot, which counts as compiled, never shares it.

mod both;
mod in_process;
mod starting;

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use agon_referee::{CoreRule, Language, MatchSpec, NoWatch, Played, Termination, TimeControl, Watch, play_match};
use agon_rules::{AnyPosition, BySide, Random, RuleSet, Side, Verdict};
use agon_wire::{
    Ask, Bot, BotCommand, BotFailure, BotLimits, Budget, Fault, GameSetup, HostError, HouseBot, PlainLauncher, Program,
    RandomBrain, Reach, Reply, UgiBot,
};

const BOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/bots");

/// Only a referee that hangs takes so long.
const FOR_EVER: Duration = Duration::from_secs(300);

/// The environment variable by which every process of a match can be found, the bot's children too.
const MARK: &str = "AGON_TEST_MATCH";

// ---- where a match begins ----

/// The moment at which the bot under test is asked for its first turn.
#[derive(Clone)]
struct Stage {
    setup: GameSetup,
    side: Side,
    opening: Vec<String>,
    /// The position's text.
    position: String,
    /// A legal turn of the bot's.
    legal: String,
}

impl Stage {
    /// `side`'s first turn.
    fn beginning(game: &str, rules: RuleSet, side: Side) -> Stage {
        Stage::find(game, rules, side, &|_, _| true)
    }

    /// A moment at which a fault of `side` costs less than everything, because it has taken a ring or a hall before.
    fn middle(game: &str, rules: RuleSet, side: Side) -> Stage {
        Stage::find(game, rules, side, &|position, side| spoils(game, &position.text(), side) == 1)
    }

    fn find(game: &str, rules: RuleSet, side: Side, fits: &dyn Fn(&dyn AnyPosition, Side) -> bool) -> Stage {
        let game = agon_all::find(game).expect("a game");
        let setup = GameSetup { game, variant: game.variants()[0].to_owned(), rules, position: None, swapped: false };
        for seed in 0..100 {
            let mut random = Random::new(seed);
            let mut position = game.open(&setup.variant, rules).expect("a start position");
            let mut opening = Vec::new();
            while let Some(turn) = position.random_turn(&mut random) {
                if position.turn() == side && fits(&*position, side) {
                    return Stage { setup, side, opening, position: position.text(), legal: turn };
                }
                position.play(&turn).expect("a legal turn");
                opening.push(turn);
            }
        }
        panic!("no such moment in a hundred games of {}", game.name());
    }
}

/// What `side` has taken in a position of this game: rings or halls.
fn spoils(game: &str, position: &str, side: Side) -> usize {
    match game {
        "yinsh" => position.split(' ').nth(2 + side.number() as usize).expect("rings out").parse().expect("a number"),
        "cannon" => 4 - men(position, ['T', 't'])[side.other()],
        _ => 1,
    }
}

/// How often each side's letter is on the board.
fn men(position: &str, letters: [char; 2]) -> BySide<usize> {
    let board = position.split(' ').next().expect("a board");
    BySide::from_fn(|side| board.matches(letters[side.index()]).count())
}

/// What RULESETS.md says that a fault is worth, worked out from the final position's text.
fn points_of_a_fault(setup: &GameSetup, position: &str, offender: Side) -> BySide<f64> {
    let share = |taken: f64, more: BySide<f64>| {
        BySide::from_fn(|side| more[side] + if side == offender { taken } else { 10.0 - taken })
    };
    let taken = spoils(setup.game.name(), position, offender) as f64;
    match (setup.game.name(), setup.rules) {
        // A loss of three to the rings taken; and the markers.
        ("yinsh", rules) => {
            let own = men(position, ['a', 'b']).map(|count| count as f64 / 1000.0);
            let difference = BySide::new(own.first - own.second, own.second - own.first);
            share(taken, if rules == RuleSet::Text { difference } else { own })
        }
        // Two halls lost, against two points for a hall taken; and the soldiers.
        ("cannon", _) => share(2.0 * taken, men(position, ['S', 's']).map(|count| count as f64 / 100.0)),
        ("connectx", _) => BySide::from_fn(|side| f64::from(u8::from(side != offender))),
        (game, _) => panic!("no formula for {game}"),
    }
}

fn assert_points(played: &Played, setup: &GameSetup, offender: Side) {
    let expected = points_of_a_fault(setup, &played.position, offender);
    for side in Side::BOTH {
        let (found, expected) = (played.points[side], expected[side]);
        assert!((found - expected).abs() < 1e-9, "{setup:?} {}: {found}, not {expected}", played.position);
    }
}

// ---- who plays ----

/// A bot under test, and the conditions that it plays under.
struct Subject {
    command: BotCommand,
    options: Vec<(String, String)>,
    limits: BotLimits,
    time: TimeControl,
}

impl Subject {
    fn new(command: BotCommand) -> Subject {
        let limits = BotLimits { start: FOR_EVER, quit: Duration::from_millis(200), ..BotLimits::default() };
        Subject { command, options: Vec::new(), limits, time: TimeControl::Unlimited }
    }

    /// Gives it this long for each turn, and the house bot for ever.
    fn hurried(mut self, python: Duration) -> Subject {
        self.time = TimeControl::PerTurnByLanguage { native: FOR_EVER, java: FOR_EVER, python };
        self
    }

    fn bot(&self, mark: &str) -> UgiBot {
        let mut command = self.command.clone();
        command.environment.insert(MARK.to_owned(), mark.to_owned());
        UgiBot::new(Program {
            name: "subject".to_owned(),
            reach: Reach::Start(command),
            options: self.options.iter().cloned().collect(),
            launcher: Arc::new(PlainLauncher { limits: self.limits, transcript: None }),
        })
    }
}

fn program(path: &Path) -> BotCommand {
    BotCommand { program: path.display().to_string(), ..BotCommand::default() }
}

fn script(interpreter: &str, file: &str, arguments: &[&str]) -> BotCommand {
    let file = format!("{BOTS}/{file}");
    let arguments = std::iter::once(file.as_str()).chain(arguments.iter().copied());
    let environment = [("AGON", env!("CARGO_BIN_EXE_agon")), ("PYTHONDONTWRITEBYTECODE", "1")];
    BotCommand {
        program: interpreter.to_owned(),
        arguments: arguments.map(str::to_owned).collect(),
        environment: BTreeMap::from(environment.map(|(name, value)| (name.to_owned(), value.to_owned()))),
        ..BotCommand::default()
    }
}

fn python(file: &str, arguments: &[&str]) -> Subject {
    Subject::new(script("python3", file, arguments))
}

fn shell(file: &str) -> Subject {
    Subject::new(script("sh", file, &[]))
}

/// Compiles a bot into `folder`.
fn cpp(file: &str, folder: &Path) -> Subject {
    let target = folder.join("bot");
    let compiler = Command::new("c++").arg("-o").arg(&target).arg(format!("{BOTS}/{file}")).output();
    let output = compiler.expect("a C++ compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Subject::new(program(&target))
}

fn spec_of(stage: &Stage, time: TimeControl) -> MatchSpec {
    MatchSpec {
        setup: stage.setup.clone(),
        time,
        grace: Duration::ZERO,
        languages: BySide::from_fn(|side| if side == stage.side { Language::Python } else { Language::Rust }),
        opening: stage.opening.clone(),
        most_turns: 2000,
        cores: CoreRule::default(),
    }
}

/// Plays `bot` on `side` against the house, and panics when the referee hangs.
fn play_on(spec: MatchSpec, side: Side, mut bot: impl Bot + 'static) -> Result<Played, HostError> {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let mut house = HouseBot::new(Box::new(RandomBrain::new(7)));
        let played = match side {
            Side::First => play_match(&spec, &mut bot, &mut house, &mut NoWatch),
            Side::Second => play_match(&spec, &mut house, &mut bot, &mut NoWatch),
        };
        let _ = send.send(played);
    });
    receive.recv_timeout(FOR_EVER).expect("the referee comes to an end")
}

/// Plays a match with processes, and sees that none of them is left.
fn play(stage: &Stage, subject: &Subject) -> Played {
    static MATCHES: AtomicU64 = AtomicU64::new(0);
    let mark = format!("{}-{}", std::process::id(), MATCHES.fetch_add(1, Ordering::Relaxed));
    let played = play_on(spec_of(stage, subject.time), stage.side, subject.bot(&mark)).expect("no fault of the host");
    let start = Instant::now();
    // A killed process is gone when the kernel has come round to it.
    while let Some(left) = processes_of(&mark).first() {
        assert!(start.elapsed() < FOR_EVER, "a process is left: {left}");
        std::thread::yield_now();
    }
    played
}

/// The command lines of the living processes with this mark in their environment.
fn processes_of(mark: &str) -> Vec<String> {
    let mark = format!("{MARK}={mark}\0").into_bytes();
    let processes = fs::read_dir("/proc").expect("a list of processes").flatten();
    let marked = processes.filter(|entry| {
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        environment.windows(mark.len()).any(|part| part == mark)
    });
    marked.map(|entry| fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default()).collect()
}

// ---- what must come of it ----

/// What a fault must look like.
struct Expected<'a> {
    name: &'a str,
    evidence: &'a [&'a str],
    /// Turns that the bot made before it.
    turns: usize,
    stderr: &'a str,
}

/// Plays a bot as first and as second side, in two games, at the beginning and in the middle; `subject` is told where.
fn assert_fault(expected: &Expected<'_>, subject: impl Fn(&Stage) -> Subject) {
    let stages =
        [Stage::beginning("yinsh", RuleSet::Text, Side::First), Stage::middle("cannon", RuleSet::Server, Side::Second)];
    for stage in &stages {
        let played = play(stage, &subject(stage));
        assert_judged(expected, stage, &played);
        assert_next_match_is_normal();
    }
}

fn assert_judged(expected: &Expected<'_>, stage: &Stage, played: &Played) {
    let termination = &played.termination;
    assert_eq!(termination.name(), expected.name, "{termination}");
    let Termination::Fault { side, .. } = termination else { panic!("nobody is blamed: {termination}") };
    assert_eq!(*side, stage.side, "{termination}");
    assert_eq!(termination.verdict().winner(), Some(stage.side.other()));
    let evidence = termination.evidence().expect("evidence");
    for part in expected.evidence {
        assert!(evidence.contains(part), "'{evidence}' does not say '{part}'");
    }
    // The bot is to move at the stage, so the house has answered each of its turns.
    assert_eq!(played.turns.len(), stage.opening.len() + 2 * expected.turns, "{termination}");
    if expected.turns == 0 {
        assert_eq!(played.position, stage.position, "a fault leaves the board as it was");
    }
    assert_points(played, &stage.setup, stage.side);
    let noise = &played.last_stderr[stage.side];
    assert!(noise.contains(expected.stderr), "stderr: {noise}");
    assert_eq!(played.last_stderr[stage.side.other()], "");
}

/// A fault leaves nothing behind that the next match would notice.
fn assert_next_match_is_normal() {
    let agon = program(Path::new(env!("CARGO_BIN_EXE_agon")));
    let arguments = ["bot", "connectx"].map(str::to_owned).to_vec();
    let good = Subject::new(BotCommand { arguments, ..agon });
    let played = play(&Stage::beginning("connectx", RuleSet::Text, Side::First), &good);
    assert!(matches!(played.termination, Termination::Over(_)), "{}", played.termination);
}

// ---- the control ----

#[test]
fn a_good_bot_completes_every_game_on_both_sides() {
    for game in agon_all::GAMES {
        for side in Side::BOTH {
            let stage = Stage::beginning(game.name(), RuleSet::Text, side);
            let played = play(&stage, &python("good.py", &[]));
            assert!(matches!(played.termination, Termination::Over(_)), "{}: {}", game.name(), played.termination);
            let mut position = game.open(&stage.setup.variant, RuleSet::Text).expect("a start position");
            for (i, turn) in played.turns.iter().enumerate() {
                let by_the_bot = position.turn() == side && i >= played.opening;
                assert_eq!(turn.latency.is_some(), by_the_bot, "only the bot says how long it took");
                assert_eq!(turn.wall.is_some(), i >= played.opening);
                assert_eq!(turn.info.as_deref(), by_the_bot.then_some("depth 1 time 0"));
                assert_eq!(turn.stderr, "");
                position.play(&turn.text).expect("a legal turn");
            }
            assert_eq!(position.text(), played.position);
        }
    }
}

// ---- faults ----

#[test]
fn exits_after_a_move() {
    let evidence = ["exited with code 0 instead of sending 'bestmove'"];
    let expected = Expected { name: "silent exit", evidence: &evidence, turns: 1, stderr: "" };
    assert_fault(&expected, |stage| python("exits_after_a_move.py", &[&stage.legal, "0"]));
    let evidence = ["exited with code 3 instead of sending 'bestmove'"];
    let expected = Expected { name: "crash", evidence: &evidence, turns: 1, stderr: "" };
    assert_fault(&expected, |stage| python("exits_after_a_move.py", &[&stage.legal, "3"]));
}

#[test]
fn crashes_by_a_signal() {
    let folder = tempfile::tempdir().expect("a folder");
    let evidence = ["ended by signal 6 (abort) instead of sending 'bestmove'"];
    let expected = Expected { name: "crash", evidence: &evidence, turns: 0, stderr: "assertion failed: depth > 0" };
    assert_fault(&expected, |_| cpp("aborts.cpp", folder.path()));
    let evidence = ["ended by signal 11 (segmentation fault) instead of sending 'bestmove'"];
    let expected = Expected { name: "crash", evidence: &evidence, turns: 0, stderr: "looking into the table" };
    assert_fault(&expected, |_| cpp("segfaults.cpp", folder.path()));
}

#[test]
fn gives_no_answer_in_time() {
    let evidence = ["no 'bestmove' in time: allowed were 0.150 s"];
    let expected = Expected { name: "timeout", evidence: &evidence, turns: 0, stderr: "" };
    let limit = Duration::from_millis(150);
    assert_fault(&expected, |_| python("sleeps.py", &[]).hurried(limit));
    assert_fault(&expected, |_| python("stops_reading.py", &[]).hurried(limit));
    assert_fault(&expected, |_| python("changes_its_group.py", &[]).hurried(limit));
    // Whether the referee sees the late answer or only that there is none depends on when it looks.
    let evidence = ["allowed were 0.150 s"];
    let expected = Expected { name: "timeout", evidence: &evidence, turns: 0, stderr: "" };
    assert_fault(&expected, |stage| python("answers_late.py", &[&stage.legal]).hurried(limit));
}

#[test]
fn uses_up_a_total_clock() {
    let evidence = ["no 'bestmove' in time: allowed were 0.300 s"];
    let expected = Expected { name: "timeout", evidence: &evidence, turns: 0, stderr: "" };
    let time = TimeControl::Total { time: Duration::from_millis(300), increment: Duration::from_secs(5) };
    assert_fault(&expected, |_| Subject { time, ..python("sleeps.py", &[]) });
}

#[test]
fn plays_an_illegal_turn() {
    let stage = Stage::beginning("yinsh", RuleSet::Text, Side::First);
    let played = play(&stage, &python("plays_turns.py", &["P 9 0"]));
    let evidence = ["'P 9 0': expected a hexagon, 0 to 5, found '9'"];
    assert_judged(&Expected { name: "illegal turn", evidence: &evidence, turns: 0, stderr: "" }, &stage, &played);

    let stage = Stage::beginning("yinsh", RuleSet::Server, Side::Second);
    let played = play(&stage, &python("plays_turns.py", &[&stage.opening[0]]));
    let rule = ": expected an empty point at ";
    let evidence = [stage.opening[0].as_str(), rule, "found an orange ring"];
    assert_judged(&Expected { name: "illegal turn", evidence: &evidence, turns: 0, stderr: "" }, &stage, &played);

    let stage = Stage::beginning("cannon", RuleSet::Server, Side::First);
    let played = play(&stage, &python("plays_turns.py", &[&stage.legal, "S 0 0 M 0 1"]));
    let evidence = ["'S 0 0 M 0 1': expected a black soldier at 0 0, found a white hall"];
    assert_judged(&Expected { name: "illegal turn", evidence: &evidence, turns: 1, stderr: "" }, &stage, &played);

    let stage = Stage::middle("cannon", RuleSet::Text, Side::Second);
    let played = play(&stage, &python("plays_turns.py", &["hello, \"world\"\\"]));
    let evidence = ["hello, ", "world", ": expected 'S x y M x y' or 'S x y B x y', found"];
    assert_judged(&Expected { name: "illegal turn", evidence: &evidence, turns: 0, stderr: "" }, &stage, &played);
}

#[test]
fn plays_a_turn_of_another_phase() {
    let stage = Stage::beginning("yinsh", RuleSet::Text, Side::First);
    let played = play(&stage, &python("plays_turns.py", &["S 1 1 M 1 2"]));
    let evidence = ["'S 1 1 M 1 2': orange has 5 rings to place: expected 'P h p', found 'S'"];
    assert_judged(&Expected { name: "illegal turn", evidence: &evidence, turns: 0, stderr: "" }, &stage, &played);

    let stage = Stage::middle("yinsh", RuleSet::Server, Side::Second);
    let played = play(&stage, &python("plays_turns.py", &["P 0 0"]));
    let evidence = ["'P 0 0': ", "found 'P'"];
    assert_judged(&Expected { name: "illegal turn", evidence: &evidence, turns: 0, stderr: "" }, &stage, &played);
}

#[test]
fn breaks_the_protocol() {
    let violation = |evidence| Expected { name: "protocol violation", evidence, turns: 0, stderr: "" };
    assert_fault(&violation(&["a line with control characters in it: '\\u{1}\\u{2}"]), |_| python("garbage.py", &[]));
    assert_fault(&violation(&["a line that is not UTF-8 text: 'bestmove \u{fffd}1'"]), |_| {
        python("invalid_utf8.py", &[])
    });
    let evidence = ["a turn with blanks must be in double quotes: 'bestmove "];
    assert_fault(&violation(&evidence), |stage| python("unquoted_turn.py", &[&stage.legal]));
    assert_fault(&violation(&["an answer that was not asked for: 'bestmove "]), |stage| {
        python("answers_unasked.py", &[&stage.legal])
    });
}

#[test]
fn answers_twice() {
    let evidence = ["an answer that was not asked for: 'bestmove "];
    let expected = Expected { name: "protocol violation", evidence: &evidence, turns: 1, stderr: "" };
    assert_fault(&expected, |stage| python("answers_twice.py", &[&stage.legal]));
}

#[test]
fn says_too_much() {
    let evidence = ["a line of more than 65536 bytes"];
    let expected = Expected { name: "output flood", evidence: &evidence, turns: 0, stderr: "" };
    assert_fault(&expected, |_| python("endless_line.py", &[]));
    assert_fault(&expected, |_| python("long_line.py", &[]));
    let evidence = ["more than 4194304 bytes of output in one turn"];
    let expected = Expected { name: "output flood", evidence: &evidence, turns: 0, stderr: "" };
    assert_fault(&expected, |_| shell("floods.sh"));
}

#[test]
fn closes_stdout_and_lives_on() {
    let evidence = ["closed its output instead of sending 'bestmove', and lives on"];
    let expected = Expected { name: "closed output", evidence: &evidence, turns: 0, stderr: "" };
    assert_fault(&expected, |_| python("closes_stdout.py", &[]));
}

#[test]
fn leaves_a_child_behind() {
    // The child holds the bot's stdout open: the referee must not wait for it, and must end it too.
    let evidence = ["exited with code 0 instead of sending 'bestmove'"];
    let expected = Expected { name: "silent exit", evidence: &evidence, turns: 1, stderr: "" };
    assert_fault(&expected, |stage| python("leaves_a_child.py", &[&stage.legal]));
}

// ---- no faults ----

#[test]
fn noise_on_stderr_is_kept_in_bounds_and_turn_by_turn() {
    for side in Side::BOTH {
        let stage = Stage::beginning("connectx", RuleSet::Text, side);
        let played = play(&stage, &python("noisy.py", &[]));
        assert!(matches!(played.termination, Termination::Over(_)), "{}", played.termination);
        let limit = BotLimits::default().stderr;
        let turns = &played.turns[played.opening..];
        assert!(turns.len() > 2);
        for (i, turn) in turns.iter().enumerate() {
            if i % 2 == 1 {
                assert_eq!(turn.stderr, "", "the house is silent");
                continue;
            }
            let heading = format!("turn {}\n", i / 2 + 1);
            let note = format!("\n[{} more bytes]", heading.len() + (1 << 20) - limit);
            assert!(turn.stderr.starts_with(&heading), "{}", &turn.stderr[..40]);
            assert!(turn.stderr.ends_with(&note), "{note}: {}", &turn.stderr[limit..]);
            assert_eq!(turn.stderr.len(), limit + note.len());
        }
    }
}

#[test]
fn a_bot_that_ignores_quit_is_killed() {
    for side in Side::BOTH {
        let played = play(&Stage::beginning("connectx", RuleSet::Text, side), &python("ignores_quit.py", &[]));
        assert!(matches!(played.termination, Termination::Over(_)), "{}", played.termination);
    }
}
