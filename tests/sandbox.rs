//! The sandbox as bot authors and organisers meet it. What hostile bots meet is in `hostile.rs`.

use std::{
    collections::BTreeSet,
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

/// A folder with everything that a run of agon needs.
struct Desk {
    home: TempDir,
}

impl Desk {
    fn new() -> Desk {
        Desk { home: TempDir::new().expect("a folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// A bot in Python that does `at_start` and then plays no game at all.
    fn bot(&self, name: &str, at_start: &str) -> PathBuf {
        let folder = self.path(name);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("bot.toml"), format!("name = \"{name}\"\nrun = \"python3 bot.py\"\n"))
            .expect("a manifest");
        let program = format!(
            "import os, sys\n{at_start}\nsys.stderr.flush()\nfor line in sys.stdin:\n    if line.strip() == 'ugi': print('ugiok', flush=True)\n    if line.strip() == 'isready': print('readyok', flush=True)\n    if line.startswith('go'): sys.exit(7)\n"
        );
        fs::write(folder.join("bot.py"), program).expect("a program");
        folder
    }

    fn agon(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("agon runs")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(arguments).current_dir(self.home.path());
        command.env("AGON_CACHE", self.path("cache")).env_remove("AGON_SANDBOX");
        command
    }

    /// The records of a battle between a bot and `random`.
    fn battle(&self, bot: &str, more: &[&str]) -> String {
        let records = self.path("records.txt");
        let file = records.display().to_string();
        let mut arguments = vec!["match", "yinsh", bot, "random", "--battles", "1", "--go-on", "--records", &file];
        arguments.extend(more);
        let output = self.agon(&arguments);
        assert!(output.status.success(), "{}", said(&output));
        fs::read_to_string(records).expect("records")
    }
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn levels() -> Vec<String> {
    let answer = doctor();
    let list = answer["levels"].as_array().expect("a list").iter();
    list.map(|level| level.as_str().expect("a name").to_owned()).collect()
}

fn doctor() -> Value {
    let output = Desk::new().agon(&["doctor", "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The value of a tag in the first record.
fn tag(records: &str, name: &str) -> String {
    let start = format!("[{name} ");
    let line = records.lines().find_map(|line| line.strip_prefix(&start)?.strip_suffix(']'));
    serde_json::from_str(line.unwrap_or_else(|| panic!("no {name} in {records}"))).expect("a value")
}

#[test]
fn the_doctor_names_the_level_and_a_remedy_for_each_finding() {
    let answer = doctor();
    let level = answer["level"].as_str().expect("a level");
    assert_eq!(levels().last().map(String::as_str), Some(level), "the strongest comes last");
    for part in ["sandbox", "languages", "timing"] {
        let findings = answer[part].as_array().expect("a list");
        assert!(!findings.is_empty(), "{part}");
        for finding in findings {
            assert_eq!(finding["well"].as_bool(), Some(finding["remedy"].is_null()), "{finding}");
        }
    }
    let names: Vec<&Value> = answer["sandbox"].as_array().expect("a list").iter().map(|found| &found["name"]).collect();
    assert!(names.contains(&&Value::from("memory")), "{names:?}");
    let words = said(&Desk::new().agon(&["doctor"]));
    assert!(words.starts_with(&format!("Bots are contained by the sandbox '{level}'")), "{words}");
    for gap in answer["gaps"].as_array().expect("a list") {
        assert!(words.contains(gap.as_str().expect("a sentence")), "{gap}");
    }
}

#[test]
fn the_book_names_what_each_level_leaves_open() {
    let chapter = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/organisers/sandbox.md");
    let chapter = fs::read_to_string(chapter).expect("the chapter on the sandbox");
    let chapter: Vec<&str> = chapter.split_whitespace().collect();
    let chapter = chapter.join(" ");
    for level in agon_sandbox::Level::ALL {
        for gap in level.gaps() {
            assert!(chapter.contains(gap), "at {level}: {gap}");
        }
    }
}

#[test]
fn the_level_is_printed_and_recorded_and_can_be_demanded() {
    let desk = Desk::new();
    desk.bot("plain", "");
    let levels = levels();
    for level in &levels {
        let records = desk.battle("plain", &["--sandbox", level]);
        assert_eq!(&tag(&records, "Sandbox"), level);
        let demanded = desk.agon(&[
            "match",
            "yinsh",
            "plain",
            "random",
            "--battles",
            "1",
            "--sandbox",
            level,
            "--require-sandbox",
            level,
        ]);
        assert!(said(&demanded).contains(&format!("sandbox      {level}")), "{}", said(&demanded));
        let share = agon_sandbox::fair_share() >> 20;
        let memory = if level == "none" { "not limited".to_owned() } else { format!("{share} MiB a bot") };
        assert!(said(&demanded).contains(&format!("memory       {memory}\n")), "{}", said(&demanded));
    }
    let strongest = levels.last().expect("a level");
    let played = desk.agon(&["play", "connectx", "--first", "random", "--second", "random", "--save", "game.txt"]);
    assert!(played.status.success(), "{}", said(&played));
    assert_eq!(&tag(&fs::read_to_string(desk.path("game.txt")).expect("a game"), "Sandbox"), strongest);
    assert_eq!(&tag(&desk.battle("plain", &[]), "Sandbox"), strongest, "unless somebody says otherwise");
    let refused =
        desk.agon(&["match", "yinsh", "plain", "random", "--sandbox", "none", "--require-sandbox", "filters"]);
    assert_eq!(refused.status.code(), Some(3), "{}", said(&refused));
    assert!(said(&refused).contains("'filters' is required"), "{}", said(&refused));
    let unknown = desk.agon(&["match", "yinsh", "plain", "random", "--sandbox", "concrete"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(said(&unknown).contains("expected 'none', 'filters', 'namespaces' or 'full'"), "{}", said(&unknown));
}

#[test]
fn a_wrong_level_in_the_environment_is_no_level() {
    let cutechess = ["match", "yinsh", "-engine", "cmd=x", "-engine", "cmd=y", "-rounds", "1"];
    for arguments in [&["match", "yinsh", "random", "random"][..], &cutechess, &[]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        let output = command.args(arguments).env("AGON_SANDBOX", "concrete").output().expect("agon runs");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", said(&output));
        assert!(said(&output).contains("'concrete'"), "{arguments:?}: {}", said(&output));
    }
}

#[test]
fn a_check_says_how_the_bot_is_contained() {
    let desk = Desk::new();
    desk.bot("plain", "");
    let words = said(&desk.agon(&["check", "plain", "--game", "yinsh"]));
    let strongest = levels().pop().expect("a level");
    assert!(words.lines().any(|line| line.starts_with("sandbox ") && line.trim_end().ends_with(&strongest)), "{words}");
}

#[test]
fn a_bot_finds_a_bare_environment_and_no_open_files() {
    let desk = Desk::new();
    desk.bot("looks", "print(sorted(os.environ), sorted(os.listdir('/proc/self/fd')), file=sys.stderr)");
    for level in levels().iter().filter(|level| *level != "none") {
        let seen = tag(&desk.battle("looks", &["--sandbox", level]), "FirstStderr");
        let names: BTreeSet<&str> = seen.split('\'').skip(1).step_by(2).collect();
        // The shell adds where it is, Python what it thinks of the locale; listing the folder takes a descriptor.
        let expected = ["AGON_MEMORY", "HOME", "LANG", "LOGNAME", "PATH", "PWD", "TMPDIR", "USER", "0", "1", "2", "3"];
        let more: Vec<&&str> = names.iter().filter(|name| !expected.contains(name) && **name != "LC_CTYPE").collect();
        assert!(more.is_empty(), "{level}: {more:?} in {seen}");
        assert!(names.contains("HOME") && names.contains("2"), "{level}: {seen}");
    }
}

#[test]
fn limits_may_depend_on_the_language_and_a_java_machine_is_told_its_own() {
    let desk = Desk::new();
    let takes_memory = "print(os.environ.get('JAVA_TOOL_OPTIONS'), file=sys.stderr, flush=True)\nkept = bytearray(os.urandom(1 << 20) * 200)";
    for language in ["java", "python"] {
        let manifest = desk.bot(language, takes_memory).join("bot.toml");
        let text = fs::read_to_string(&manifest).expect("a manifest");
        fs::write(manifest, format!("{text}language = \"{language}\"\n")).expect("a manifest");
    }
    for level in levels().iter().filter(|level| *level != "none") {
        let limits = ["--memory", "1024,python=100", "--sandbox", level];
        let (java, python) = (desk.battle("java", &limits), desk.battle("python", &limits));
        assert!(tag(&java, "FirstStderr").contains("-XX:MaxRAM=1073741824 "), "{level}: {java}");
        assert!(tag(&java, "Evidence").contains("exited with code 7"), "{level}: it was asked for a turn: {java}");
        assert!(tag(&python, "FirstStderr").contains("None"), "{level}: {python}");
        // Where a resource limit is all there is, the interpreter notices itself.
        let found = ["out of memory", "would not start"].contains(&&*tag(&python, "Termination"));
        assert!(found, "{level}: {python}");
        assert_eq!((&*tag(&java, "Memory"), &*tag(&python, "Memory")), ("1024", "100"), "{level}");
        let evidence = tag(&python, "Evidence");
        let told = evidence.starts_with("used ")
            && evidence.contains(" of 100 MiB (--memory raises the limit) instead of sending ");
        assert!(told || tag(&python, "Termination") != "out of memory", "{level}: {evidence}");
    }
}

/// Some hosts have `python3` alone, some bots say `python`; and the other way round.
#[test]
fn an_interpreter_is_found_under_either_name() {
    let desk = Desk::new();
    for name in ["python", "python3"] {
        let manifest = desk.bot(name, "").join("bot.toml");
        fs::write(manifest, format!("name = \"{name}\"\nrun = \"{name} bot.py\"\n")).expect("a manifest");
        for level in levels() {
            let records = desk.battle(name, &["--sandbox", &level]);
            assert!(tag(&records, "Evidence").contains("exited with code 7"), "{name} at {level}: {records}");
        }
    }
}

#[test]
fn every_bot_has_one_core() {
    let desk = Desk::new();
    desk.bot("counts", "print(f'may use {len(os.sched_getaffinity(0))} core', file=sys.stderr)");
    for level in levels() {
        assert_eq!(tag(&desk.battle("counts", &["--sandbox", &level]), "FirstStderr").trim(), "may use 1 core");
        let words =
            said(&desk.agon(&["play", "yinsh", "--first", "counts", "--second", "random", "--sandbox", &level]));
        assert!(words.contains("may use 1 core"), "{level}: {words}");
    }
}

#[test]
fn a_bot_may_change_its_folder_and_nobody_notices() {
    let desk = Desk::new();
    let change = "print('clean' if not os.path.exists('notes.txt') else 'dirty', file=sys.stderr)\n\
                  open('notes.txt', 'w').write('I was here')\nopen(os.environ['TMPDIR'] + '/x', 'w').write('and here')\n\
                  os.remove('bot.toml')\nprint('changed', file=sys.stderr)";
    let folder = desk.bot("changes", change);
    for level in levels().iter().filter(|level| *level != "none") {
        for _ in 0..2 {
            let records = desk.battle("changes", &["--sandbox", level]);
            assert_eq!(tag(&records, "FirstStderr"), "clean\nchanged\n", "{level}");
        }
        let mut left: Vec<String> = fs::read_dir(&folder)
            .expect("a folder")
            .flatten()
            .map(|e| e.file_name().to_string_lossy().into_owned())
            .collect();
        left.sort();
        assert_eq!(left, ["bot.py", "bot.toml"], "{level}");
    }
}

#[test]
fn a_command_sees_what_it_names_and_cannot_write_there() {
    let desk = Desk::new();
    let look = "print(open('/'.join(__file__.split('/')[:-1]) + '/secret.txt').read(), file=sys.stderr)\n\
                try:\n    open('new.txt', 'w')\n    print('BREACH', file=sys.stderr)\nexcept OSError: pass";
    let folder = desk.bot("named", look);
    fs::write(folder.join("secret.txt"), "seen").expect("a file");
    let command = format!("cmd:python3 {}", folder.join("bot.py").display());
    for level in levels().iter().filter(|level| *level != "none") {
        let records = desk.battle(&command, &["--sandbox", level]);
        assert_eq!(tag(&records, "FirstStderr"), "seen\n", "{level}");
    }
    assert!(!desk.path("new.txt").exists());
}

/// Whoever works in `/tmp` shows it to the bot, in place of the bot's own.
#[test]
fn what_others_write_beside_a_command_is_not_its_doing() {
    let desk = Desk::new();
    let folder = desk.bot(
        "innocent",
        "import time\nopen(os.environ['TMPDIR'] + '/mine', 'w').write('x')\nprint('wrote', file=sys.stderr)\n\
         here = os.path.dirname(__file__)\nwhile not os.path.exists(here + '/enough'): time.sleep(0.01)\n\
         time.sleep(1)",
    );
    let (command, records) = (format!("cmd:python3 {}/bot.py", folder.display()), desk.path("records.txt"));
    for level in levels().iter().filter(|level| *level != "none") {
        let (enough, filler) = (folder.join("enough"), desk.path("filler"));
        let file = records.display().to_string();
        let arguments = ["match", "yinsh", &command, "random", "--battles", "1", "--go-on", "--records", &file];
        let mut agon = desk.command(&[&arguments[..], &["--sandbox", level, "--scratch", "1"]].concat());
        let running = agon.current_dir("/tmp").stdout(Stdio::null()).spawn().expect("agon runs");
        let output = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| running.wait_with_output().expect("agon ends"));
            let mut file = fs::File::create(&filler).expect("a file");
            // What is there before the bot does not count; so it goes on until the end.
            for written in 0..256 {
                file.write_all(&[1; 1 << 20]).and_then(|()| file.sync_all()).expect("room on the disk");
                if written == 8 {
                    fs::write(&enough, "").expect("a file");
                }
                if waiting.is_finished() {
                    break;
                }
            }
            waiting.join().expect("no panic")
        });
        assert!(output.status.success(), "{level}: {}", said(&output));
        let records = fs::read_to_string(&records).expect("records");
        assert_eq!(
            (tag(&records, "FirstStderr"), tag(&records, "Termination")),
            ("wrote\n".into(), "crash".into()),
            "{level}"
        );
        fs::remove_file(enough).expect("a file");
    }
}

#[test]
fn an_archive_is_a_submission_and_a_bad_one_is_refused() {
    let desk = Desk::new();
    desk.bot("packed", "print('unpacked', file=sys.stderr)");
    let tar = |archive: &str, more: &[&str]| {
        let packed =
            Command::new("tar").current_dir(desk.home.path()).args(["-czf", archive]).args(more).arg("packed").status();
        assert!(packed.expect("tar runs").success());
    };
    tar("good.tar.gz", &[]);
    let records = desk.battle("good.tar.gz", &[]);
    assert_eq!((tag(&records, "First"), tag(&records, "FirstStderr")), ("packed".to_owned(), "unpacked\n".to_owned()));
    std::os::unix::fs::symlink("/etc/passwd", desk.path("packed/link")).expect("a link");
    tar("bad.tar.gz", &[]);
    let refused = desk.agon(&["match", "yinsh", "bad.tar.gz", "random"]);
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    assert!(said(&refused).contains("packed/link") && said(&refused).contains("symbolic link"), "{}", said(&refused));
}

#[test]
fn what_a_build_leaves_is_kept_and_its_failure_is_shown() {
    let desk = Desk::new();
    let folder = desk.bot("built", "print(open('made.txt').read().strip(), file=sys.stderr)");
    let manifest = |build: &str| format!("name = \"built\"\nbuild = \"{build}\"\nrun = \"python3 bot.py\"\n");
    for level in levels() {
        let mark = format!("made at {level}");
        fs::write(folder.join("bot.toml"), manifest(&format!("echo {mark} > made.txt"))).expect("a manifest");
        assert_eq!(tag(&desk.battle("built", &["--sandbox", &level]), "FirstStderr"), format!("{mark}\n"));
        assert!(!folder.join("made.txt").exists(), "the submission itself stays as it is");
        fs::write(folder.join("bot.toml"), manifest(&format!("echo sorry, {level}; exit 3"))).expect("a manifest");
        let failed = desk.agon(&["match", "yinsh", "built", "random", "--sandbox", &level]);
        assert_eq!(failed.status.code(), Some(1), "{}", said(&failed));
        assert!(said(&failed).contains(&format!("sorry, {level}")) && said(&failed).contains('3'), "{}", said(&failed));
    }
}

/// The folders of a level's jails must not be in each other's way: several at once.
#[test]
fn many_jails_at_once() {
    let desk = Desk::new();
    desk.bot("busy", "");
    std::thread::scope(|scope| {
        for i in 0..6 {
            let desk = &desk;
            scope.spawn(move || {
                let output = desk.agon(&[
                    "match",
                    "yinsh",
                    "busy",
                    "busy",
                    "--battles",
                    "2",
                    "--go-on",
                    "--seed",
                    &i.to_string(),
                ]);
                assert!(said(&output).contains("double fault 4"), "{}", said(&output));
            });
        }
    });
}

#[test]
fn a_warden_without_orders_goes() {
    // Somebody who finds the hidden command finds nothing.
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .arg("warden")
        .stdin(std::process::Stdio::piped())
        .spawn()
        .expect("agon runs");
    let _ = child.stdin.take().expect("a pipe").write_all(b"{}");
    assert_eq!(child.wait().expect("an end").code(), Some(1));
}
