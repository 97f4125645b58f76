//! Rollerball's websocket protocol from both ends, with a scripted bot that decides about every byte (`tests/bots/websocket_bot.py`)
//! and with a raw client.
//!
//! Nothing here depends on how fast the machine is: bots are told to stop after a moment, and have for ever to answer.

mod house;

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader},
    net::TcpListener,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use agon_referee::{CoreRule, Language, MatchSpec, NoWatch, Played, Termination, TimeControl, play_match};
use agon_rules::{BySide, RuleSet, Side};
use agon_wire::{
    Bot, BotCommand, BotFailure, BotLimits, Budget, Fault, GameSetup, HostError, HouseBot, PlainLauncher, Program,
    RandomBrain, Reach, Speaker, Transcript,
};

const AGON: &str = env!("CARGO_BIN_EXE_agon");
const BOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/bots/websocket_bot.py");

/// Only what hangs takes so long.
const FOR_EVER: Duration = Duration::from_secs(300);

/// What a bot has between `go` and `stop`. It then has for ever to answer.
const A_MOMENT: Duration = Duration::from_millis(20);

/// The environment variable by which every process of a match can be found, the bot's children too.
const MARK: &str = "AGON_TEST_WEBSOCKET";

/// The scripted bot, and the conditions that it plays under.
#[derive(Clone)]
struct Subject {
    reach: Reach,
    options: BTreeMap<String, String>,
    limits: BotLimits,
    variant: &'static str,
    side: Side,
    time: TimeControl,
    grace: Duration,
    most_turns: usize,
    transcript: Transcript,
}

fn subject(arguments: &[&str], side: Side) -> Subject {
    let environment = [("AGON", AGON), ("PYTHONDONTWRITEBYTECODE", "1")];
    let command = BotCommand {
        program: "python3".to_owned(),
        arguments: [&[BOT], arguments].concat().into_iter().map(str::to_owned).collect(),
        environment: environment.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        ..BotCommand::default()
    };
    Subject {
        reach: Reach::Start(command),
        options: BTreeMap::new(),
        limits: BotLimits { start: FOR_EVER, ..BotLimits::default() },
        variant: "7-3",
        side,
        time: TimeControl::PerTurnByLanguage { native: FOR_EVER, java: FOR_EVER, python: A_MOMENT },
        grace: FOR_EVER,
        most_turns: 12,
        transcript: Transcript::default(),
    }
}

impl Subject {
    fn setup(&self) -> GameSetup {
        let game = agon_all::find("rollerball").expect("a game");
        let variant = self.variant.to_owned();
        GameSetup { game, variant, rules: RuleSet::Server, position: None, swapped: false }
    }

    fn bot(&self, mark: &str) -> Box<dyn Bot> {
        let mut reach = self.reach.clone();
        if let Reach::Start(command) = &mut reach {
            command.environment.insert(MARK.to_owned(), mark.to_owned());
        }
        let launcher = PlainLauncher { limits: self.limits, transcript: Some(self.transcript.clone()) };
        let options = self.options.clone();
        let program = Program { name: "subject".to_owned(), reach, options, launcher: Arc::new(launcher) };
        (agon_all::find("rollerball").expect("a game").protocols()[0].bot)(program)
    }

    /// Plays a match against the house, and sees that the referee comes to an end and no process is left.
    fn try_play(&self, opening: &[&str]) -> Result<Played, HostError> {
        static MATCHES: AtomicU64 = AtomicU64::new(0);
        let mark = format!("{}-{}", std::process::id(), MATCHES.fetch_add(1, Ordering::Relaxed));
        let spec = MatchSpec {
            setup: self.setup(),
            time: self.time,
            grace: self.grace,
            languages: BySide::from_fn(|side| if side == self.side { Language::Python } else { Language::Rust }),
            opening: opening.iter().map(|turn| (*turn).to_owned()).collect(),
            most_turns: self.most_turns,
            cores: CoreRule::default(),
        };
        let (side, mut bot) = (self.side, self.bot(&mark));
        let (send, receive) = mpsc::channel();
        std::thread::spawn(move || {
            let mut house = HouseBot::new(Box::new(RandomBrain::new(7)));
            let played = match side {
                Side::First => play_match(&spec, &mut *bot, &mut house, &mut NoWatch),
                Side::Second => play_match(&spec, &mut house, &mut *bot, &mut NoWatch),
            };
            let _ = send.send(played);
        });
        let played = receive.recv_timeout(FOR_EVER).expect("the referee comes to an end");
        let start = Instant::now();
        while is_anything_left(&mark) {
            assert!(start.elapsed() < FOR_EVER, "a process is left");
            std::thread::yield_now();
        }
        played
    }

    fn play(&self) -> Played {
        self.try_play(&[]).expect("no fault of the host")
    }

    /// Plays a match that must end without fault.
    fn play_well(&self) -> Played {
        let played = self.play();
        let well = matches!(played.termination, Termination::Over(_) | Termination::BrokenOff);
        assert!(well, "{}: {:?}", played.termination, self.transcript.last(30));
        assert!(played.turns.len() > 5);
        played
    }

    /// What the bot's `Reach::Start` listens on, started by hand.
    fn elsewhere(&self) -> (Elsewhere, Subject) {
        let Reach::Start(command) = &self.reach else { panic!("it runs already") };
        let mut starter = Command::new(&command.program);
        starter.args(&command.arguments).args(["-p", "0"]).envs(&command.environment);
        let elsewhere = Elsewhere::start(&mut starter);
        let reach = Reach::At(format!("127.0.0.1:{}", elsewhere.port));
        (elsewhere, Subject { reach, ..self.clone() })
    }
}

fn is_anything_left(mark: &str) -> bool {
    let mark = format!("{MARK}={mark}\0").into_bytes();
    let processes = fs::read_dir("/proc").expect("a list of processes").flatten();
    { processes }.any(|entry| {
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        environment.windows(mark.len()).any(|part| part == mark)
    })
}

/// A bot that somebody started on a port of its choice, which is the last number of the first line that it prints.
struct Elsewhere {
    child: Child,
    port: u16,
}

impl Elsewhere {
    fn start(command: &mut Command) -> Elsewhere {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("a bot");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let port = line.trim().rsplit(|letter: char| !letter.is_ascii_digit()).next().map(str::parse);
        Elsewhere { child, port: port.expect("a number").expect("a port") }
    }

    fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_some()
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A file of a test's own for what its bot hears.
struct Log {
    path: PathBuf,
    /// Lives as long as the log.
    _folder: tempfile::TempDir,
}

impl Log {
    fn new() -> Log {
        let folder = tempfile::tempdir().expect("a folder");
        Log { path: folder.path().join("log"), _folder: folder }
    }

    fn path(&self) -> &str {
        self.path.to_str().expect("UTF-8")
    }

    fn lines(&self) -> Vec<String> {
        fs::read_to_string(&self.path).unwrap_or_default().lines().map(str::to_owned).collect()
    }
}

/// What a bot on `side` must have heard of the turns of a match, if `go` and whatever follows it are `asking`.
fn turns_heard(played: &Played, side: Side, asking: &[&str]) -> Vec<String> {
    let turns: Vec<&str> = played.turns.iter().map(|turn| turn.text.as_str()).collect();
    let mut heard = Vec::new();
    for known in (side.index()..turns.len()).step_by(2) {
        heard.push(format!("position startpos moves {}", turns[..known].join(" ")));
        heard.extend(asking.iter().map(|word| (*word).to_owned()));
    }
    heard
}

// ---- what is said ----

#[test]
fn an_a2_bot_hears_what_the_original_said() {
    for side in Side::BOTH {
        for option in [None, Some("a2")] {
            let log = Log::new();
            let mut subject = subject(&["good", "--dialect", "a2", "--log", log.path()], side);
            subject.options.extend(option.map(|value| ("dialect".to_owned(), value.to_owned())));
            let played = subject.play_well();
            let greeting: &[&str] =
                if option.is_some() { &["uci", "isready"] } else { &["uci", "ucinewgame board-7-3 60", "isready"] };
            let mut expected: Vec<String> = greeting.iter().map(|line| (*line).to_owned()).collect();
            expected.extend(turns_heard(&played, side, &["go", "stop"]));
            expected.push("quit".to_owned());
            assert_eq!(log.lines(), expected);
        }
    }
}

#[test]
fn an_a5_bot_hears_what_the_original_said() {
    for (variant, option) in [("7-3", None), ("8-4", Some("a5")), ("8-2", None)] {
        for side in Side::BOTH {
            let log = Log::new();
            let mut subject = subject(&["good", "--dialect", "a5", "--log", log.path()], side);
            subject.options.extend(option.map(|value| ("dialect".to_owned(), value.to_owned())));
            subject.variant = variant;
            let played = subject.play_well();
            let mut expected = vec!["uci".to_owned(), format!("ucinewgame board-{variant} 60")];
            expected.extend(option.is_none().then(|| "isready".to_owned()));
            expected.extend(turns_heard(&played, side, &["go 20"]));
            // It does not go when it is told to, so nobody waits until it has heard that.
            let heard: Vec<String> = log.lines().into_iter().filter(|line| line != "quit").collect();
            assert_eq!(heard, expected);
        }
    }
}

#[test]
fn an_a5_bot_is_told_its_clock() {
    let log = Log::new();
    let mut subject = subject(&["good", "--dialect", "a5", "--log", log.path()], Side::Second);
    subject.time = TimeControl::Total { time: Duration::from_millis(250_500), increment: Duration::ZERO };
    let played = subject.play_well();
    let heard = log.lines();
    assert_eq!(heard[1], "ucinewgame board-7-3 251");
    let told: Vec<u128> = heard.iter().filter_map(|line| line.strip_prefix("go ")?.parse().ok()).collect();
    let own = played.turns.iter().skip(1).step_by(2);
    let left = own.map(|turn| turn.left.expect("a clock").as_millis());
    let expected: Vec<u128> = std::iter::once(250_500).chain(left).take(told.len()).collect();
    assert_eq!(told, expected);
    assert_eq!(told.len(), played.turns.len() / 2);
}

#[test]
fn everything_that_is_said_is_written_down() {
    let subject = subject(&["good"], Side::First);
    let played = subject.play_well();
    let spoken = subject.transcript.last(1000);
    let lines = |speaker| spoken.iter().filter(move |spoken| spoken.speaker == speaker).map(|spoken| &spoken.line);
    assert!(lines(Speaker::Referee).any(|line| line == "stop"));
    let answer = format!("bestmove {}", played.turns[0].text);
    assert!(lines(Speaker::Bot).any(|line| *line == answer));
    assert!(lines(Speaker::Event).any(|line| line.starts_with("stdout: listening on ")));
}

// ---- bots that are odd but good ----

#[test]
fn answers_arrive_in_pieces_and_together() {
    let log = Log::new();
    let played = subject(&["fragments", "--log", log.path()], Side::First).play_well();
    let pings = played.turns.len().div_ceil(2);
    let pongs = log.lines().iter().filter(|line| *line == "pong are you there?").count();
    assert_eq!(pongs, pings, "every ping is answered");
    for (mode, info) in [("coalesced", "score cp 12"), ("lines", "depth 3")] {
        let played = subject(&[mode], Side::First).play_well();
        assert_eq!(played.turns[0].info.as_deref(), Some(info), "{mode}");
    }
}

#[test]
fn signs_of_check_are_taken_off() {
    let log = Log::new();
    for side in Side::BOTH {
        let played = subject(&["suffixes", "--log", log.path()], side).play_well();
        assert!(played.turns.iter().all(|turn| !turn.text.contains(['+', '#', '-'])));
    }
    assert!(!log.lines().iter().any(|line| line.starts_with("position") && line.contains(['+', '#'])));
}

#[test]
fn an_answer_before_stop_is_taken() {
    let log = Log::new();
    let mut subject = subject(&["hybrid", "--log", log.path()], Side::First);
    // It is never told to stop within the test: its answers must be what goes on.
    subject.time = TimeControl::PerTurn(FOR_EVER);
    let played = subject.play_well();
    let heard = log.lines();
    assert!(!heard.contains(&"stop".to_owned()), "{heard:?}");
    assert_eq!(heard.iter().filter(|line| *line == "go").count(), played.turns.len().div_ceil(2));
}

#[test]
fn a_noisy_stdout_neither_blocks_nor_matters() {
    let mut subject = subject(&["noise", "--dialect", "a5"], Side::First);
    subject.limits.turn = 4096;
    let played = subject.play_well();
    assert_eq!(played.turns[0].stderr, "still here\n");
    let noted = subject.transcript.last(1000).iter().filter(|spoken| spoken.line.contains("In method")).count();
    assert!((1..=20).contains(&noted), "{noted} lines of noise are kept");
}

#[test]
fn a_bot_that_loses_its_port_gets_another() {
    let log = Log::new();
    subject(&["loses-its-port", "--marker", log.path()], Side::First).play_well();
    assert!(log.path.exists(), "it was started twice");
}

// ---- bots that do not start ----

fn assert_would_not_start(subject: &Subject, evidence: &[&str]) -> Played {
    let played = subject.play();
    let Termination::Fault { side, fault: Fault::WouldNotStart(found) } = &played.termination else {
        panic!("{}", played.termination);
    };
    assert_eq!(*side, subject.side);
    for part in evidence {
        assert!(found.contains(part), "'{found}' does not say '{part}'");
    }
    played
}

#[test]
fn what_keeps_a_bot_from_starting_is_told() {
    let played = assert_would_not_start(
        &subject(&["refuses"], Side::First),
        &["exited with code 3 instead of listening on port", "its last words: 'cannot load the opening book'"],
    );
    assert_eq!(played.last_stderr.first, "cannot load the opening book\n");
    let mut impatient = subject(&["never-listens"], Side::Second);
    impatient.limits.start = Duration::from_secs(1);
    assert_would_not_start(&impatient, &["does not listen on port", "allowed were 1.000 s"]);
    let evidence = ["expected a websocket handshake from 127.0.0.1:", "200 OK"];
    assert_would_not_start(&subject(&["no-websocket"], Side::First), &evidence);
    for (mode, evidence) in [("slow-handshake", "no websocket handshake"), ("no-uciok", "no 'uciok' in time")] {
        // Long enough for the bot to listen.
        let mut impatient = subject(&[mode], Side::First);
        impatient.limits.start = Duration::from_secs(5);
        assert_would_not_start(&impatient, &[evidence, "allowed were 5.000 s"]);
    }
}

#[test]
fn dialects_that_do_not_fit_are_refused() {
    for option in [None, Some("a2")] {
        let mut subject = subject(&["good", "--dialect", "a2"], Side::First);
        subject.variant = "8-4";
        subject.options.extend(option.map(|value| ("dialect".to_owned(), value.to_owned())));
        assert_would_not_start(&subject, &["its dialect is A2, which knows only the board 7-3, not 8-4"]);
    }
    let mut subject = subject(&["good"], Side::First);
    subject.options.insert("dialect".to_owned(), "b7".to_owned());
    assert_would_not_start(&subject, &["its option 'dialect': expected 'a2' or 'a5', found 'b7'"]);
}

#[test]
fn an_address_where_nobody_is_is_named() {
    // A port that was somebody's a moment ago.
    let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port();
    let address = format!("127.0.0.1:{port}");
    let mut subject = subject(&[], Side::First);
    subject.reach = Reach::At(address.clone());
    assert_would_not_start(&subject, &[&format!("cannot reach ws://{address}: "), "refused"]);
}

// ---- bots that fail in the middle ----

#[test]
fn faults_are_told_apart() {
    let sent = "instead of sending 'bestmove'";
    let cases: &[(&str, &str, &[&str], usize)] = &[
        ("exits", "silent exit", &["exited with code 0", sent], 0),
        ("dies", "crash", &["ended by signal 6 (abort)", sent], 1),
        ("closes", "closed output", &["closed the connection", sent, "and lives on"], 0),
        ("says-goodbye", "closed output", &["closed the connection", sent, "and lives on"], 0),
        ("garbage", "protocol violation", &["bytes that are no websocket: "], 0),
        ("masked", "protocol violation", &["bytes that are no websocket: "], 0),
        ("binary", "protocol violation", &["a binary message of 13 bytes, expected text"], 0),
        ("no-text", "protocol violation", &["a text message that is not UTF-8"], 0),
        ("control", "protocol violation", &["control characters", "bestmove"], 0),
        ("no-move", "protocol violation", &["bestmove without a move: 'bestmove'"], 0),
        ("twice", "protocol violation", &["an answer that was not asked for: 'bestmove "], 1),
        ("huge", "output flood", &["a message of more than 65536 bytes"], 0),
        ("huge-claim", "output flood", &["a message of more than 65536 bytes"], 0),
        ("endless", "output flood", &["more than 4194304 bytes of messages in one turn"], 0),
        ("chatters", "output flood", &["more than 4194304 bytes of messages in one turn"], 0),
        ("null-move", "illegal turn", &["'0000': the null move says that there is no legal one, but "], 0),
        ("two-suffixes", "illegal turn", &["expected the bare move"], 0),
    ];
    for (i, (mode, name, evidence, turns)) in cases.iter().enumerate() {
        let side = Side::BOTH[i % 2];
        let dialect = if i % 3 == 0 { "a5" } else { "a2" };
        let subject = subject(&[mode, "--dialect", dialect], side);
        let played = subject.play();
        let termination = &played.termination;
        assert_eq!(termination.name(), *name, "{mode}: {termination}");
        assert_eq!(termination.verdict().winner(), Some(side.other()), "{mode}: {termination}");
        let found = termination.evidence().expect("evidence");
        for part in *evidence {
            assert!(found.contains(part), "{mode}: '{found}' does not say '{part}'");
        }
        assert_eq!(played.turns.len(), side.index() + 2 * turns, "{mode}: {termination}");
        let stderr = if *mode == "dies" { "assertion failed" } else { "" };
        assert!(played.last_stderr[side].contains(stderr), "{mode}: {}", played.last_stderr[side]);
    }
}

#[test]
fn silence_is_a_timeout() {
    for dialect in ["a2", "a5"] {
        for (mode, grace) in [("silent", 0), ("late", 200)] {
            let mut subject = subject(&[mode, "--dialect", dialect], Side::First);
            let python = Duration::from_millis(100);
            subject.time = TimeControl::PerTurnByLanguage { native: FOR_EVER, java: FOR_EVER, python };
            subject.grace = Duration::from_millis(grace);
            let played = subject.play();
            assert_eq!(played.termination.name(), "timeout", "{}", played.termination);
            assert!(played.termination.evidence().expect("evidence").contains("allowed were 0.100 s"));
        }
    }
}

#[test]
fn only_games_from_the_start_can_be_played() {
    let problem = subject(&["good"], Side::First).try_play(&["c2b3", "c7c8"]).expect_err("an opening that is none");
    assert!(problem.to_string().contains("c7c8"), "{problem}");
    let problem = subject(&["good"], Side::First).try_play(&["c2b3", "e6f5"]).expect_err("an opening");
    assert!(problem.to_string().contains("knows only games from the start"), "{problem}");
    let subject = subject(&["good"], Side::First);
    let setup = GameSetup { position: Some("any".to_owned()), ..subject.setup() };
    match subject.bot("none").begin(&setup, Side::First, Budget::Unlimited) {
        Err(BotFailure::Host(problem)) => assert!(problem.to_string().contains("from the start position")),
        other => panic!("{other:?}"),
    }
}

// ---- bots that run somewhere ----

#[test]
fn a_bot_that_runs_somewhere_plays_match_after_match() {
    for (dialect, option) in [("a2", None), ("a2", Some("a2")), ("a5", None)] {
        let log = Log::new();
        let (mut elsewhere, mut there) =
            subject(&["good", "--dialect", dialect, "--log", log.path()], Side::First).elsewhere();
        there.options.extend(option.map(|value| ("dialect".to_owned(), value.to_owned())));
        let first = there.play_well();
        there.side = Side::Second;
        there.play_well();
        there.side = Side::First;
        let texts = |played: &Played| played.turns.iter().map(|turn| turn.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&there.play_well()), texts(&first), "a third game begins like the first");
        assert!(!elsewhere.has_ended());
        let heard = log.lines();
        assert_eq!(heard.iter().filter(|line| *line == "uci").count(), 3);
        assert_eq!(heard.contains(&"quit".to_owned()), dialect == "a5", "an A2 bot would be gone");
    }
}

#[test]
fn a_bot_that_runs_somewhere_and_leaves_breaks_the_protocol() {
    let (_elsewhere, there) = subject(&["closes"], Side::Second).elsewhere();
    let played = there.play();
    assert_eq!(played.termination.name(), "protocol violation");
    let expected = "closed the connection instead of sending 'bestmove'";
    assert_eq!(played.termination.evidence().as_deref(), Some(expected));
}
