//! `agon play` and `agon replay` as somebody at a keyboard sees them, driven through pipes.

use std::{
    fs,
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// What a run of the command printed, and its exit code.
struct Run {
    out: String,
    err: String,
    code: i32,
}

impl Run {
    #[track_caller]
    fn says(&self, text: &str) -> &Run {
        assert!(self.out.contains(text), "expected {text:?} in\n{}\nstderr: {}", self.out, self.err);
        self
    }

    #[track_caller]
    fn never_says(&self, text: &str) -> &Run {
        assert!(!self.out.contains(text), "unexpected {text:?} in\n{}", self.out);
        self
    }

    #[track_caller]
    fn fails(&self, code: i32, text: &str) -> &Run {
        assert_eq!(self.code, code, "{}\n{}", self.out, self.err);
        assert!(self.err.contains(text), "expected {text:?} in {}", self.err);
        self
    }

    #[track_caller]
    fn ends_well(&self) -> &Run {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self
    }

    /// The lines that follow `show`: the last one before the next question is the position's text.
    fn positions(&self, prompt: &str) -> Vec<String> {
        let (asked, question) = (format!("{prompt}> show\n"), format!("\n{prompt}> "));
        let text = |part: &str| Some(part.split(&question).next()?.lines().last()?.to_owned());
        self.out.split(&asked).skip(1).filter_map(text).collect()
    }
}

fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("play-{test}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8").env_remove("COLUMNS");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the command with these lines as its input.
fn agon(folder: &Path, arguments: &[&str], lines: &[&str]) -> Run {
    let mut child = command(folder, arguments).spawn().expect("agon starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    // A game that is over reads no further.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("agon ends");
    writer.join().expect("the writer ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Run { out: text(output.stdout), err: text(output.stderr), code: output.status.code().expect("an exit code") }
}

/// The arguments of a line, which has no quotes.
fn play(folder: &Path, arguments: &str, lines: &[&str]) -> Run {
    agon(folder, &arguments.split(' ').collect::<Vec<_>>(), lines)
}

fn record(folder: &Path, name: &str) -> agon_referee::Record {
    agon_referee::Record::parse(&fs::read_to_string(folder.join(name)).expect("a file")).expect("a record")
}

#[test]
fn whole_games_by_numbers() {
    let folder = folder("numbers");
    let picks: Vec<String> = (0..600).flat_map(|i| ["list".to_owned(), (i * 7 % 5 + 1).to_string()]).collect();
    let picks: Vec<&str> = picks.iter().map(String::as_str).collect();
    for game in ["connectx", "rollerball", "cannon", "yinsh"] {
        let run = play(&folder, &format!("play {game} --seed 3 --save {game}.txt"), &picks);
        run.ends_well().says("legal turn").says("Points: ").says(&format!("The record is in {game}.txt"));
        let record = record(&folder, &format!("{game}.txt"));
        assert_ne!(record.tag("Result"), Some("*"));
        let last = record.replay(agon_all::rules).expect("legal turns").pop().expect("a position");
        assert!(last.outcome().is_some(), "{game} ended by its rules");
        assert_eq!(record.tag("FinalPosition"), Some(last.text().as_str()));
        play(&folder, &format!("replay {game}.txt"), &[]).ends_well().says("Points: ");
        let again = play(&folder, &format!("play --resume {game}.txt"), &[]);
        again.fails(2, &format!("{game}.txt: this game is over; `agon replay {game}.txt` shows it"));
    }
}

#[test]
fn at_a_terminal_lines_are_edited_and_completed() {
    let mut inside = Command::new("script");
    inside.args(["--quiet", "--return", "--command"]);
    inside.arg(format!("{} play connectx --vs human", env!("CARGO_BIN_EXE_agon"))).arg("/dev/null");
    inside.env("TERM", "xterm").env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8");
    let mut child = inside.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("script(1) starts");
    let (mut keys, mut screen) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
    // What is on the screen at last, and the keys that are pressed then.
    let steps = [
        ("first> ", "5 4\x7f\x7f\x7f4 4\r"),
        ("Turn 1: first 4 4", ""),
        // A command that Tab completes, the last line again, two lines at once, and Tab where one turn begins like this.
        ("second> ", "mov\t\r"),
        ("1  4 4", ""),
        ("second> ", "\x1b[A\x1b[A\r"),
        ("Refused: cell 4 4", ""),
        ("second> ", "3 3\r0 0\r"),
        ("Turn 3: first 0 0", ""),
        ("second> ", "0 1\t\x03"),
        ("The game was not saved.", ""),
    ];
    let mut shown = Vec::new();
    for (expected, typed) in steps {
        shown.clear();
        while !shown.ends_with(expected.as_bytes()) {
            let mut byte = [0];
            screen
                .read_exact(&mut byte)
                .unwrap_or_else(|_| panic!("{expected:?} in {}", String::from_utf8_lossy(&shown)));
            shown.push(byte[0]);
        }
        keys.write_all(typed.as_bytes()).expect("keys are pressed");
    }
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn refused_turns_name_the_rule_and_change_nothing() {
    let lines = ["4 4", "0 0", "9 9", "nonsense", "show", "quit"];
    let run = play(&folder("refused"), "play connectx --vs human", &lines);
    run.ends_well()
        .says("second> 0 0\nRefused: cell 0 0 lies in local board 0, but the active one is 4.\n")
        .says("second> 9 9\nRefused: expected 'row column', two numbers from 0 to 8, found '9 9'.\n")
        .says("`list` shows the legal turns, `help` the commands.")
        .says("Turn 1: first 4 4")
        .never_says("Turn 2");
    let positions = run.positions("second");
    assert!(positions[0].ends_with(" 2 4"), "still the second side's turn: {positions:?}");
}

#[test]
fn lists_are_filtered_paged_and_numbered() {
    let folder = folder("lists");
    let lines = ["3", "more", "list d8", "8", "list", "41", "more", "more", "list z9", "42", "list d8", "3", "quit"];
    let run = play(&folder, "play rivers --seed 1", &lines);
    run.ends_well()
        .says("circle> 3\nA number picks from the list; type `list` first.\n")
        .says("circle> more\nThere is no list yet")
        .says("circle> list d8\n7 legal turns with 'd8':\n  1  d8*d9-d10 ")
        .says("circle> 8\nThe list has shown 7 turns so far.\n")
        .says("circle> list\n48 legal turns:\n")
        .says("8 more: `more` shows the next ones, `list TEXT` only those that contain TEXT.\n")
        .says("circle> 41\nThe list has shown 40 turns so far.\n")
        .says("circle> more\n  41  ")
        .says("circle> more\nThat was the whole list.\n")
        .says("No legal turn contains 'z9'; `list` shows all of them.\n")
        .says("circle> 42\nThe list has shown 0 turns so far.\n");
    let taken = play(&folder, "play rivers --seed 1", &["list d8", "3", "moves", "list", "quit"]);
    taken.ends_well().says("  1  d8-d7 ");
}

#[test]
fn a_list_ends_with_the_turn() {
    let run = play(&folder("stale"), "play connectx --vs human", &["list", "1", "1", "quit"]);
    run.ends_well().says("second> 1\nA number picks from the list; type `list` first.\n");
}

#[test]
fn turns_can_be_taken_back() {
    let folder = folder("back");
    let run = play(&folder, "play connectx --seed 5", &["show", "back", "4 4", "back", "show", "moves", "quit"]);
    run.ends_well()
        .says("first> back\nYou have made no turn yet.\n")
        .says("Taken back: 4 4, then ")
        .says("No turn has been made yet.");
    let positions = run.positions("first");
    assert_eq!(positions.len(), 2);
    assert_eq!(positions[0], positions[1]);
    let people = play(&folder, "play connectx --vs human", &["4 4", "back", "moves", "3 3", "moves", "quit"]);
    people
        .ends_well()
        .says("second> back\nTaken back: 4 4.\n")
        .says("first> moves\nNo turn")
        .says("second> moves\n  1  3 3\n");
    let second = play(&folder, "play connectx --side second --seed 5", &["back", "quit"]);
    second.ends_well().says("second> back\nYou have made no turn yet.\n");
}

#[test]
fn a_bot_in_a_process_plays_along() {
    let folder = folder("process");
    let bot = format!("cmd:{} bot connectx;name=mine", env!("CARGO_BIN_EXE_agon"));
    let lines = ["4 4", "back", "3 4", "save game.txt", "list", "1", "quit"];
    let run = agon(&folder, &["play", "connectx", "--vs", &bot], &lines);
    run.ends_well()
        .says("You are first and play against mine (second)")
        .says("mine is thinking ...")
        .says("Turn 4: second");
    assert_eq!(record(&folder, "game.txt").turns.len(), 4);
    let resumed = play(&folder, "play --resume game.txt", &["back", "resign"]);
    resumed.ends_well().says("Second (mine) wins: first (you) resigned.");
    agon(&folder, &["play", "connectx", "--vs", "cmd:false"], &[]).fails(1, "would not start");
    agon(&folder, &["play", "connectx", "--vs", "nobody"], &[]).fails(2, "unknown bot 'nobody', expected a house bot");
}

#[test]
fn a_bot_that_fails_loses_with_evidence() {
    let folder = folder("fault");
    let script = "echo ugiok; echo readyok; read a; while read line; do case $line in go*) echo oops >&2; \
                  echo bestmove nonsense;; esac; done\n";
    fs::write(folder.join("bot.sh"), script).expect("written");
    let lines = ["4 4", "never read"];
    let run = agon(&folder, &["play", "connectx", "--vs", "cmd:sh bot.sh;name=clumsy", "--save", "g.txt"], &lines);
    run.ends_well()
        .says("First (you) wins: second (clumsy) failed, illegal turn: 'nonsense': expected\n'row column'")
        .says("Last lines of its stderr:\n  oops\n");
    let replay = play(&folder, "replay g.txt", &[]);
    replay.ends_well().says("Result: first won, illegal turn by second.\nEvidence: 'nonsense': expected");
    replay.says("stderr of second after its last turn:\n  oops\n");
}

#[test]
fn hints_are_legal_turns_of_the_engine() {
    let folder = folder("hint");
    let run = play(&folder, "play yinsh --seed 2", &["hint", "quit"]);
    run.ends_well().says("The engine would play P ");
    let hint = run.out.split("The engine would play ").nth(1).and_then(|rest| rest.lines().next()).expect("a hint");
    play(&folder, "play yinsh --seed 2 --vs human", &[hint, "quit"])
        .ends_well()
        .says(&format!("Turn 1: orange {hint}"));
}

#[test]
fn a_saved_game_goes_on_where_it_was() {
    let folder = folder("resume");
    let first =
        play(&folder, "play rivers --seed 9 --tc 900", &["d8-d7", "save game.txt", "list", "2", "show", "quit"]);
    first.ends_well().says("The game is saved: go on with `agon play --resume game.txt`.");
    let saved = record(&folder, "game.txt");
    assert_eq!((saved.tag("Result"), saved.tag("Points"), saved.turns.len()), (Some("*"), None, 4));
    let second = play(&folder, "play --resume game.txt", &["show", "moves", "back", "quit"]);
    second
        .ends_well()
        .says("after 4 turns")
        .says("You are circle and play against level1 (square), seed 9. It answers at once.");
    second.says("Clocks: circle ");
    assert_eq!(first.positions("circle"), second.positions("circle"));
    assert_eq!(record(&folder, "game.txt").turns.len(), 2, "what was taken back is also taken back in the file");
    play(&folder, "play rivers --resume game.txt", &["quit"]).ends_well();
    play(&folder, "play --resume game.txt --vs human", &["quit"]).ends_well().says("Two people play");
    play(&folder, "play yinsh --resume game.txt", &[]).fails(2, "this is a game of rivers");
    play(&folder, "play --resume nothing.txt", &[]).fails(2, "cannot read nothing.txt");
}

#[test]
fn how_long_a_house_bot_takes_is_said_at_the_start() {
    let folder = folder("pace");
    play(&folder, "play yinsh --vs level10 --tc 2/turn", &["quit"]).ends_well().says(". It takes up to 2 s a turn.");
    // Without a clock of one's own it is the course's.
    let timed = play(&folder, "play yinsh --vs master", &["quit"]);
    timed.ends_well().says(". It takes a share of its 120 s for each turn.");
}

#[test]
fn saving_never_loses_a_game() {
    let folder = folder("saving");
    play(&folder, "play connectx --vs human --save a.txt", &["4 4"]).ends_well().says("second> \nThe game is saved");
    let before = fs::read_to_string(folder.join("a.txt")).expect("saved at the end of the input");
    play(&folder, "play connectx --save a.txt", &["3 3"]).fails(2, "a.txt exists already; choose another name");
    let lines =
        ["save a.txt", "save .", "save", "save missing/b.txt", "save c.txt", "save missing/d.txt", "4 4", "quit"];
    let run = play(&folder, "play connectx --vs human", &lines);
    run.ends_well()
        .says("Not saved: a.txt exists already; choose another name.")
        .says("Not saved: . is a folder; expected the name of a file.")
        .says("Not saved: type `save FILE` with the name of a new file.")
        .says("Not saved: cannot write missing/b.txt: No such file")
        .says("The game is saved in c.txt, and again after every turn.");
    assert_eq!(fs::read_to_string(folder.join("a.txt")).expect("still there"), before);
    assert_eq!(record(&folder, "c.txt").turns.len(), 1, "a failed save does not give up the file before it");
    play(&folder, "play connectx --save missing/e.txt", &["4 4"]).fails(3, "cannot write missing/e.txt");
    let mut names: Vec<_> =
        fs::read_dir(&folder).expect("a folder").map(|e| e.expect("an entry").file_name()).collect();
    names.sort();
    assert_eq!(names, ["a.txt", "c.txt"], "no drafts are left");
}

#[test]
fn resigning_counts_like_a_fault() {
    let folder = folder("resign");
    let run = play(&folder, "play rivers --seed 1 --side square --save game.txt", &["resign"]);
    run.ends_well().says("Circle (level1) wins: square (you) resigned.\nPoints: circle 100, square 0.\n");
    let record = record(&folder, "game.txt");
    assert_eq!(record.tag("Termination"), Some("resignation"));
    assert_eq!(record.tag("Result"), Some("1-0"));
    let mut last = record.replay(agon_all::rules).expect("legal turns");
    let points = last.pop().expect("a position").points(agon_rules::Ending::Fault(agon_rules::Side::Second));
    assert_eq!(record.tag("Points"), Some(format!("{} {}", points.first, points.second).as_str()));
    play(&folder, "replay game.txt", &[]).ends_well().says("Result: circle won, resignation.");
}

#[test]
fn the_end_of_input_quits() {
    let folder = folder("eof");
    play(&folder, "play yinsh --seed 1", &[]).ends_well().says("orange> \nThe game was not saved.\n");
    play(&folder, "play yinsh --first random --second random --step", &[""])
        .ends_well()
        .says("Turn 1")
        .never_says("Turn 2");
}

#[test]
fn a_clock_runs_out_while_somebody_thinks() {
    let folder = folder("clock");
    let mut child =
        command(&folder, &["play", "rivers", "--tc", "0.01", "--save", "late.txt"]).spawn().expect("agon starts");
    let silence = child.stdin.take().expect("a pipe");
    let output = child.wait_with_output().expect("agon ends without a line");
    drop(silence);
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(out.contains("Square (level1) wins: circle (you) failed, timeout: no turn after"), "{out}");
    assert_eq!(record(&folder, "late.txt").tag("Termination"), Some("timeout"));
}

#[test]
fn two_bots_play_to_the_end() {
    let folder = folder("watch");
    let run = play(&folder, "play connectx --first random --second random --seed 4 --save w.txt --ascii", &[]);
    run.ends_well().says("random (first) against random (second), seed 4.").says("Turn 1: first").says("Points: ");
    assert!(run.out.is_ascii());
    assert!(!run.out.contains("> "), "nobody is asked anything");
    let turns = record(&folder, "w.txt").turns.len();
    run.says(&format!("Turn {turns}: "));
    let same =
        play(&folder, "play connectx --first random --second random --seed 4 --step --ascii", &["", "what", "run"]);
    same.ends_well().says("Enter, run or quit> what\nEnter alone shows the next turn");
    let end = |run: &Run| run.out.split("\nPoints: ").nth(1).and_then(|rest| rest.lines().next()).map(str::to_owned);
    assert_eq!(end(&run), end(&same), "the same seed gives the same game");
    play(&folder, "play connectx --step", &[]).fails(2, "--step is for watching two bots");
}

/// A finished game of six turns.
fn short_game(folder: &Path) {
    let lines = ["4 4", "3 4", "0 4", "2 4", "6 4", "1 4", "resign"];
    play(folder, "play connectx --vs human --save g.txt", &lines).ends_well().says("Turn 6: ");
}

#[test]
fn a_record_is_walked_forward_and_back() {
    let folder = folder("replay");
    short_game(&folder);
    let lines = ["", "n", "p", "4", "9", "last", "", "first", "p", "jump", "auto 0", "", "header", "q"];
    let run = play(&folder, "replay g.txt --step", &lines);
    run.ends_well()
        .says("first (human) played against second (human).")
        .says("Result: second won, resignation.")
        .says("0/6> \n")
        .says("1/6> n\n")
        .says("2/6> p\n")
        .says("1/6> 4\n")
        .says("Turn 4 of 6: second 2 4, ")
        .says("4/6> 9\nThe record has only 6 turns.\n")
        .says("6/6> \nThis is the end; `p` goes back, `q` leaves.\n")
        .says("0/6> p\nThis is the beginning.\n")
        .says("0/6> jump\nExpected Enter, a number or a command; `help` lists them.\n");
    let at = play(&folder, "replay g.txt --at 4", &[]);
    at.ends_well().says("Turn 4 of 6: second 2 4, ").never_says("Turn 3").never_says("> ");
    let all = play(&folder, "replay g.txt", &[]);
    all.ends_well().says("Before the first of 6 turns.").says("Turn 6 of 6").never_says("> ");
    let text = fs::read_to_string(folder.join("g.txt")).expect("a record");
    let piped = agon(&folder, &["replay", "-", "--auto", "0"], &text.lines().collect::<Vec<_>>());
    assert_eq!(piped.ends_well().out, all.out);
    play(&folder, "replay g.txt --at 7", &[]).fails(2, "--at 7: the record has only 6 turns");
}

#[test]
fn one_of_many_records_is_chosen() {
    let folder = folder("many");
    short_game(&folder);
    let text = fs::read_to_string(folder.join("g.txt")).expect("a record");
    let other = text.replacen("human", "somebody", 99).replace("\"1 4\"", "\"8 8\"");
    fs::write(folder.join("many.txt"), format!("{text}\n{text}\n{other}")).expect("written");
    play(&folder, "replay many.txt", &[]).fails(2, "many.txt: 3 records in one file; --match N chooses one of them");
    play(&folder, "replay many.txt --match 2 --at 6", &[]).ends_well().says("Turn 6 of 6: second 1 4");
    play(&folder, "replay many.txt --match 4", &[]).fails(2, "--match 4: expected a number from 1 to 3");
    let line =
        2 * (text.lines().count() + 1) + text.lines().position(|line| line.starts_with("3. ")).expect("turns") + 1;
    play(&folder, "replay many.txt --match 3", &[]).fails(2, &format!("many.txt: line {line}, turn 6: "));
}

#[test]
fn what_bots_said_is_shown_and_cannot_steer_the_terminal() {
    let folder = folder("noise");
    short_game(&folder);
    let text = fs::read_to_string(folder.join("g.txt")).expect("a record");
    let said = r#" [%info "score 12 pv \u001b[2J"] [%err "one\n\u001b[31mtwo"]} "#.replace("[2J", r"\u005b2J").replace("[31m", r"\u005b31m");
    let noisy = text.replacen("} ", &said, 1).replace("human", r"\u001b]0;title\u0007");
    fs::write(folder.join("n.txt"), noisy).expect("written");
    let run = play(&folder, "replay n.txt --at 1", &[]);
    run.ends_well().says("info: score 12 pv ␛[2J\n").says("stderr:\n  one\n  ␛[31mtwo\n");
    let all = play(&folder, "replay n.txt", &[]);
    assert!(!all.ends_well().out.contains(['\u{1b}', '\u{7}']));
}

#[test]
fn broken_records_say_where() {
    let folder = folder("broken");
    short_game(&folder);
    let text = fs::read_to_string(folder.join("g.txt")).expect("a record");
    let second_pair = 1 + text.lines().position(|line| line.starts_with("2. ")).expect("a second pair");
    let lines = text.lines().count();
    let cases = [
        (
            "nonsense",
            String::from("hello there"),
            "no [Record \"…\"] tag: this is not a record that agon wrote".to_owned(),
        ),
        ("tag", text.replacen("[Record \"1\"]", "[Record \"1]", 1), "line ".to_owned()),
        ("newer", text.replace("[Record \"1\"]", "[Record \"7\"]"), "update agon to read it".to_owned()),
        ("cut", text.lines().take(lines - 1).collect::<Vec<_>>().join("\n"), "no result at its end".to_owned()),
        ("game", text.replace("connectx", "checkers"), "unknown game 'checkers'".to_owned()),
        (
            "turn",
            text.replace("\"0 4\"", "\"8 8\""),
            format!("line {second_pair}, turn 3: cell 8 8 lies in local board"),
        ),
    ];
    for (name, broken, problem) in cases {
        assert_ne!(broken, text, "{name}");
        let file = format!("{name}.txt");
        fs::write(folder.join(&file), broken).expect("written");
        let run = play(&folder, &format!("replay {file}"), &[]);
        run.fails(2, &format!("{file}: ")).fails(2, &problem);
        play(&folder, &format!("play --resume {file}"), &[]).fails(2, &file);
    }
    fs::write(folder.join("bytes.txt"), [0xff, 0xfe]).expect("written");
    play(&folder, "replay bytes.txt", &[]).fails(2, "bytes.txt: this is no text");
    play(&folder, "replay missing.txt", &[]).fails(2, "cannot read missing.txt: No such file");
}
