//! What somebody hears who hands in a bot for the first time: each mistake is named, and what to do comes first.

use std::{ffi::OsStr, io::Write, os::unix::ffi::OsStrExt};

use super::*;

/// The first advice of a fault comes before what happened, and says this.
#[track_caller]
fn first_advice(checked: &Checked, code: i32, says: &[&str]) {
    checked.says(code, says);
    let text = checked.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, after) = text.split_once("What to do - ").unwrap_or_else(|| panic!("no advice:\n{}", checked.out));
    let first = after.split(" - ").next().unwrap_or_default();
    assert!(first.contains(says[0]), "the first advice is '{first}', not '{}'", says[0]);
    assert!(after.contains("What happened"), "what to do comes first:\n{}", checked.out);
}

/// Packs a folder as a zip, as students do. Names are bytes: some are no text.
fn zipped(files: &[(&[u8], &[u8])]) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, contents) in files {
        let path = folder.path().join(OsStr::from_bytes(name));
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::File::create(path).expect("a file").write_all(contents).expect("a file");
    }
    let zip = tempfile::tempdir().expect("a folder");
    let path = zip.path().join("team.zip");
    let script = "import os, sys, zipfile\n\
        with zipfile.ZipFile(sys.argv[1], 'w') as z:\n    for d, _, fs in os.walk(os.fsencode(sys.argv[2])):\n        for f in fs:\n            \
        p = os.path.join(d, f)\n            n = os.path.relpath(p, os.fsencode(sys.argv[2]))\n            \
        z.write(os.fsdecode(p), n.decode('latin-1'))\n";
    let packed = Command::new("python3").arg("-c").arg(script).arg(&path).arg(folder.path()).output().expect("python3");
    assert!(packed.status.success(), "{}", String::from_utf8_lossy(&packed.stderr));
    let text = path.display().to_string();
    (zip, text)
}

// ---- files ----

#[test]
fn windows_line_endings_are_named() {
    let files: [(&[u8], &[u8]); 2] = [(b"run.sh", b"python3 bot.py\r\n"), (b"bot.py", b"print('P 0 0')\r\n")];
    let (_zip, zip) = zipped(&files);
    let bot = Folder::new(&[("run.sh", "python3 bot.py\r\n"), ("bot.py", "print('P 0 0')\r\n")]);
    for bot in [&bot.text(), &zip] {
        let checked = check(&[bot, "--game", "yinsh"]);
        first_advice(&checked, 1, &["Save run.sh with Unix line endings", "run.sh has Windows line endings", "sed -i"]);
        assert!(!checked.out.contains("bot.py has"), "Python reads over them:\n{}", checked.out);
    }
    let builds = Folder::new(&[("compile.sh", "if true\r\nthen echo\r\nfi\r\n"), ("run.sh", "./bot\n")]);
    let checked = check(&[&builds.text(), "--game", "cannon"]);
    first_advice(&checked, 1, &["Save compile.sh with Unix line endings"]);
    let lucky = Folder::new(&[("run.sh", &format!("exec {AGON} bot cannon; exit\r\n"))]);
    check(&[&lucky.text(), "--game", "cannon"]).says(0, &["warning: Save run.sh with Unix line endings"]);
}

#[test]
fn files_of_the_wrong_name_or_place_are_found() {
    let run = b"python3 bot.py\n".as_slice();
    let (_a, capital) = zipped(&[(b"Run.sh", run), (b"bot.py", b"")]);
    check(&[&capital, "--game", "cannon"]).refuses(&["rename Run.sh to run.sh: found Run.sh; the course wants run.sh"]);
    check(&[&capital]).refuses(&["rename Run.sh to run.sh"]);
    let (_b, deep) = zipped(&[(b"readme.txt", b""), (b"a/b/c/run.sh", run)]);
    check(&[&deep, "--game", "yinsh"])
        .refuses(&["hand in what lies in a/b/c: found run.sh three folders deep, and the course wants it at the top"]);
    // The one folder that an archive holds counts, too: its author does not know that it is taken away.
    let (_e, alone) = zipped(&[(b"a/b/c/run.sh", run)]);
    check(&[&alone, "--game", "yinsh"])
        .refuses(&["hand in what lies in a/b/c: found run.sh three folders deep, and the course wants it at the top"]);
    let (_f, blank) = zipped(&[(b"run.sh ", run), (b"bot.py", b"")]);
    check(&[&blank, "--game", "cannon"]).refuses(&["rename 'run.sh ' to run.sh: found 'run.sh '"]);
    let (_c, hidden) = zipped(&[(b"src/student-agent.py.txt", b"")]);
    check(&[&hidden, "--game", "rivers"]).refuses(&["rename student-agent.py.txt to student_agent.py"]);
    let engine = Folder::new(&[("Engine.py", "")]);
    check(&[&engine.text(), "--game", "rollerball"]).refuses(&["rename Engine.py to engine.py"]);
    let helper = Folder::new(&[("Compile.sh", "true\n"), ("run.sh", "./bot\n")]);
    let checked = check(&[&helper.text(), "--game", "cannon"]);
    first_advice(&checked, 1, &["Rename Compile.sh to compile.sh", "A command was not found: ./bot is not there"]);
}

#[test]
fn a_file_under_a_name_with_other_capitals_is_found() {
    let script = Folder::new(&[("run.sh", "python3 Bot.py\n"), ("bot.py", "input()\n")]);
    let checked = check(&[&script.text(), "--game", "yinsh"]);
    first_advice(&checked, 1, &["found bot.py; run.sh names Bot.py"]);
    let source =
        Folder::new(&[("compile.sh", "g++ -o bot Main.cpp\n"), ("run.sh", "./bot\n"), ("main.cpp", "int main() {}\n")]);
    let checked = check(&[&source.text(), "--game", "yinsh"]);
    first_advice(&checked, 1, &["found main.cpp; compile.sh names Main.cpp"]);
    assert!(!checked.out.contains("The header"), "it is none:\n{}", checked.out);
    let module =
        Folder::new(&[("run.sh", "python3 bot.py\n"), ("bot.py", "from utils import x\n"), ("Utils.py", "x = 1\n")]);
    let checked = check(&[&module.text(), "--game", "yinsh"]);
    first_advice(&checked, 1, &["found Utils.py; bot.py names utils"]);
    assert!(!checked.out.contains("utils is not installed"), "it is a file:\n{}", checked.out);
    let jar = Folder::new(&[("run.sh", "java -jar Bot.jar\n"), ("bot.jar", "")]);
    first_advice(&check(&[&jar.text(), "--game", "yinsh"]), 1, &["found bot.jar; run.sh names Bot.jar"]);
    let lost = Folder::new(&[("run.sh", "java -jar Bot.jar\n")]);
    first_advice(&check(&[&lost.text(), "--game", "yinsh"]), 1, &["Bot.jar is not there: is it handed in"]);
}

#[test]
fn a_script_that_ends_before_its_bot_is_recognised() {
    let bot = Folder::new(&[("run.sh", "python3 bot.py &\n"), ("bot.py", "input()\n")]);
    first_advice(&check(&[&bot.text(), "--game", "yinsh"]), 1, &["Take the & out of run.sh"]);
}

#[test]
fn a_build_that_wants_the_network_hears_that_there_is_none() {
    let install = "python3 -m pip install --no-index no_such_module_of_mine\n";
    let bot = Folder::new(&[("compile.sh", install), ("run.sh", "python3 bot.py\n"), ("bot.py", "")]);
    let checked = check(&[&bot.text(), "--game", "yinsh"]);
    first_advice(&checked, 1, &["There is no network in a build", "Ask the organiser which modules are there"]);
    assert!(!checked.out.contains("first error"), "{}", checked.out);
}

#[test]
fn an_archive_in_an_archive_is_told_to_be_unpacked() {
    let (_inner, inner) = zipped(&[(b"run.sh", b"true\n")]);
    let inner = fs::read(inner).expect("a zip");
    let (_alone, alone) = zipped(&[(b"inner.zip", &inner)]);
    check(&[&alone, "--game", "cannon"]).refuses(&["hand in the inner archive: found an archive within the archive"]);
    check(&[&alone]).refuses(&["hand in the inner archive"]);
    let (_beside, beside) = zipped(&[(b"inner.zip", &inner), (b"writeup.txt", b"3\n")]);
    check(&[&beside, "--game", "cannon"]).refuses(&["unpack inner.zip and hand in its files as they are"]);
}

#[test]
fn names_that_are_no_text_are_refused_with_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let inside = folder.path().join(OsStr::from_bytes(b"b\xf6t"));
    fs::create_dir(&inside).expect("a folder");
    fs::write(inside.join("run.sh"), format!("exec {AGON} bot cannon\n")).expect("a file");
    fs::write(inside.join(OsStr::from_bytes(b"d\xe4ta.txt")), "1").expect("a file");
    let cache = tempfile::tempdir().expect("a folder");
    for sandbox in ["none", "full"] {
        let mut command = Command::new(AGON);
        command.args(["check", ".", "--game", "cannon", "--tc", "5"]).current_dir(&inside);
        let output = command.env("AGON_CACHE", cache.path()).env("AGON_SANDBOX", sandbox).output().expect("agon runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert_ne!(output.status.code(), Some(101), "{said}");
        let fine = output.status.code() == Some(0);
        assert!(
            fine || said.contains("UTF-8") || said.contains("AGON_SANDBOX") || said.contains("sandbox"),
            "{sandbox}: {said}"
        );
    }
    let archive = folder.path().join("team.tar");
    let script = "import io, sys, tarfile\nwith tarfile.open(sys.argv[1], 'w', errors='surrogateescape') as t:\n    \
        i = tarfile.TarInfo(b'b\\xf6t.py'.decode('utf-8', 'surrogateescape'))\n    t.addfile(i, io.BytesIO(b''))\n";
    let packed = Command::new("python3").arg("-c").arg(script).arg(&archive).output().expect("python3");
    assert!(packed.status.success(), "{}", String::from_utf8_lossy(&packed.stderr));
    check(&[&archive.display().to_string(), "--game", "connectx"])
        .refuses(&["the name is not UTF-8; use plain letters in the names of files"]);
}

// ---- what is not here ----

#[test]
fn what_is_not_on_this_machine_is_named() {
    let cpp = |name: &str, text: &str| Folder::new(&[("compile.sh", text), ("run.sh", "./bot\n"), ("main.cpp", name)]);
    let old = cpp("int main() {}\n", "g++-8 -o bot main.cpp\n");
    let checked = check(&[&old.text(), "--game", "cannon"]);
    first_advice(&checked, 1, &["g++-8 is not on this machine", "Use g++ instead of g++-8"]);
    assert!(!checked.out.contains("first error"), "there is none:\n{}", checked.out);
    let header = cpp("#include <eigen9/Dense>\nint main() {}\n", "g++ -o bot main.cpp\n");
    first_advice(&check(&[&header.text(), "--game", "cannon"]), 1, &["The header eigen9/Dense is not on this machine"]);
    let library = cpp("int main() {}\n", "g++ -o bot main.cpp -lnosuchthing\n");
    first_advice(
        &check(&[&library.text(), "--game", "cannon"]),
        1,
        &["The library nosuchthing is not on this machine"],
    );
    let shared = cpp(
        "extern \"C\" int f(); int main() { return f(); }\n",
        "echo 'extern \"C\" int f() { return 1; }' > f.cpp\n\
         g++ -shared -fPIC -o libours.so f.cpp && g++ -o bot main.cpp -L. -lours && rm libours.so\n",
    );
    first_advice(&check(&[&shared.text(), "--game", "cannon"]), 1, &["libours.so is not on this machine"]);
}

#[test]
fn missing_modules_classes_and_crates_are_named() {
    let python = Folder::lines("import numpy_of_mine\n");
    first_advice(
        &check(&[&python.text(), "--game", "yinsh"]),
        1,
        &["numpy_of_mine is not installed here", "AGON_RUNTIMES"],
    );
    let class = Folder::new(&[("student_agent.py", "from torch_of_mine import nn\n")]);
    first_advice(&check(&[&class.text(), "--game", "rivers"]), 1, &["torch_of_mine is not installed here"]);
    let java = Folder::new(&[
        ("compile.sh", "javac Bot.java && rm Helper.class\n"),
        ("run.sh", "java Bot\n"),
        ("Bot.java", "class Helper {}\npublic class Bot { public static void main(String[] a) { new Helper(); } }\n"),
    ]);
    first_advice(&check(&[&java.text(), "--game", "cannon"]), 1, &["The class Helper is not there"]);
    let package = Folder::new(&[
        ("compile.sh", "javac Bot.java\n"),
        ("run.sh", "java Bot\n"),
        ("Bot.java", "import org.json.JSONObject;\npublic class Bot {}\n"),
    ]);
    first_advice(&check(&[&package.text(), "--game", "cannon"]), 1, &["The package org.json is not on this machine"]);
    let rust = Folder::new(&[
        ("compile.sh", "rustc -o bot main.rs\n"),
        ("run.sh", "./bot\n"),
        ("main.rs", "extern crate rand;\nfn main() {}\n"),
    ]);
    first_advice(&check(&[&rust.text(), "--game", "cannon"]), 1, &["The crate rand is not on this machine"]);
}

#[test]
fn a_class_for_a_newer_java_is_recognised() {
    let java = Folder::new(&[
        // The version of a class file stands in its eighth byte: 99 is Java 55.
        (
            "compile.sh",
            "javac Bot.java && python3 -c \"b = bytearray(open('Bot.class', 'rb').read()); b[7] = 99; open('Bot.class', \
             'wb').write(b)\"\n",
        ),
        ("run.sh", "java Bot\n"),
        ("Bot.java", "public class Bot { public static void main(String[] a) {} }\n"),
    ]);
    first_advice(&check(&[&java.text(), "--game", "cannon"]), 1, &["it was compiled for Java 55"]);
}

// ---- reading and answering ----

#[test]
fn a_bot_that_reads_too_much_hears_where() {
    let bot = Folder::lines("import sys\ndef main():\n    first = input()\n    second = input()\nmain()\n");
    let checked = check(&[&bot.text(), "--game", "yinsh", "--tc", "2"]);
    first_advice(
        &checked,
        1,
        &["bot.py\", line 4, in main: there it waits for a line that does not come", "one first line"],
    );
    let alone = Folder::new(&[("run.sh", "python3 bot.py < /dev/null\n"), ("bot.py", "input()\n")]);
    let checked = check(&[&alone.text(), "--game", "yinsh"]);
    first_advice(&checked, 1, &["It ended because there was no more to read (File \"", "without `&`"]);
    let agent = "class StudentAgent:\n    def __init__(self, player):\n        pass\n    def choose(self, *a):\n        return input()\n";
    let class = Folder::new(&[("student_agent.py", agent)]);
    let checked = check(&[&class.text(), "--game", "rivers"]);
    first_advice(&checked, 1, &["Do not read from stdin (input())"]);
}

#[test]
fn a_bot_for_another_game_is_recognised() {
    let bot = Folder::lines("import sys\nsys.stdin.readline()\nprint('P 1 2', flush=True)\nsys.stdin.readline()\n");
    let checked = check(&[&bot.text(), "--game", "cannon"]);
    first_advice(&checked, 1, &["Is this a bot for yinsh?", "--game yinsh", "'P 1 2' is a first turn there"]);
    assert!(!checked.out.contains("rows and columns"), "that is not the trouble:\n{}", checked.out);
    let bot =
        Folder::lines("import sys\nsys.stdin.readline()\nprint('S 0 5 M 0 4', flush=True)\nsys.stdin.readline()\n");
    let checked = check(&[&bot.text(), "--game", "yinsh"]);
    first_advice(&checked, 1, &["Is this a bot for cannon?"]);
}

#[test]
fn a_broken_rule_is_named_without_guesses() {
    let bot =
        Folder::lines("import sys\nsys.stdin.readline()\nprint('S 0 5 M 7 7', flush=True)\nsys.stdin.readline()\n");
    let checked = check(&[&bot.text(), "--game", "cannon"]);
    first_advice(&checked, 1, &["Do not send such a turn: 7 7 holds a black hall", "agon moves cannon"]);
    assert!(!checked.out.contains("rows and columns"), "the rule says it:\n{}", checked.out);
}

/// A rule that names what stands somewhere is one that was broken, not a text that cannot be read.
#[test]
fn what_stands_in_the_way_is_no_reason_to_guess() {
    let sends = |turns: &str| {
        Folder::lines(&format!(
            "import sys\nfor turn in {turns}:\n    sys.stdin.readline()\n    print(turn, flush=True)\ninput()\n"
        ))
    };
    let own = sends("['S 1 0 M 1 1']");
    let checked = check(&[&own.text(), "--game", "cannon"]);
    first_advice(&checked, 1, &["Do not send such a turn: expected a black soldier at 1 0, found a white soldier"]);
    assert!(!checked.out.contains("rows and columns"), "the rule says it:\n{}", checked.out);
    let taken = sends("['P 0 0', 'P 0 0']");
    let checked = check(&[&taken.text(), "--game", "yinsh"]);
    first_advice(&checked, 1, &["Do not send such a turn: expected an empty point at 0 0, found an orange ring"]);
    assert!(!checked.out.contains("rows and columns"), "the rule says it:\n{}", checked.out);
    let empty = class("return {'action': 'move', 'from': [0, 0], 'to': [0, 1]}");
    let checked = check(&[&empty.text(), "--game", "rivers"]);
    first_advice(&checked, 1, &["expected a piece of circle on a0, found an empty crossing"]);
    assert!(!checked.out.contains("rows and columns"), "the rule says it:\n{}", checked.out);
    let beyond = sends("['S 0 8 M 0 7']");
    let checked = check(&[&beyond.text(), "--game", "cannon"]);
    first_advice(&checked, 1, &["Compare with the picture and the legal turns", "rows and columns swapped"]);
}

#[test]
fn a_class_that_returns_none_is_told_to_return() {
    let nothing = class("pass");
    let checked = check(&[&nothing.text(), "--game", "rivers"]);
    first_advice(&checked, 1, &["Return a turn: this time None was returned", "choose returned None"]);
    assert!(!checked.out.contains("rows and columns"), "there are none:\n{}", checked.out);
}

#[test]
fn a_bot_for_another_game_ends_at_the_handshake() {
    let house = format!("cmd:{AGON} bot yinsh;proto=ugi");
    let checked = check(&[&house, "--game", "cannon", "--json"]);
    first_advice(&checked, 1, &["Check it with --game yinsh", "it plays 'yinsh', not 'cannon'"]);
    assert_eq!(checked.json()["fault"]["kind"], "would not start");
    let told = "import sys\nfor line in sys.stdin:\n    if line == 'ugi\\n': print('ugiok', flush=True)\n    if 'name Game' in line: \
                print('info string error: this bot plays yinsh', flush=True)\n    if line == 'isready\\n': print('readyok', flush=True)\n";
    let folder = Folder::new(&[("bot.py", told)]);
    let bot = format!("cmd:python3 {}/bot.py;proto=ugi", folder.text());
    first_advice(&check(&[&bot, "--game", "cannon"]), 1, &["Check it with --game yinsh"]);
}

// ---- names that the courses' texts print ----

#[test]
fn the_wrapper_may_have_the_name_that_the_text_prints() {
    let wrapper = "from ours import make\nStudentAgent = make()\n";
    let ours = "def make():\n    class StudentAgent:\n        def __init__(self, player):\n            print('the printed name')\n        \
                def choose(self, *a):\n            raise ValueError('it was asked')\n    return StudentAgent\n";
    let files: [(&[u8], &[u8]); 3] =
        [(b"student_agent.cpp.py", wrapper.as_bytes()), (b"ours.py", ours.as_bytes()), (b"compile.sh", b"true\n")];
    let (_zip, zip) = zipped(&files);
    check(&[&zip, "--game", "rivers"]).says(1, &["ValueError: it was asked", "! the printed name"]);
}

#[test]
fn the_function_may_have_the_name_that_the_text_says() {
    let engine = "def get_best_move(board):\n    raise ValueError('it was asked')\n";
    let bot = Folder::new(&[("engine.py", engine)]);
    let (cache, tools) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    // Nobody waits here for a fast board.
    let compiler = tools.path().join("c++");
    fs::write(&compiler, "#!/bin/sh\nfor word; do\n    shift\n    [ \"$word\" = -O3 ] || set -- \"$@\" \"$word\"\ndone\nexec g++ \"$@\"\n")
        .expect("a script");
    let mut command = Command::new(AGON);
    command.args(["check", &bot.text(), "--game", "rollerball"]).env("AGON_CACHE", cache.path());
    command.env("CXX", format!("sh {}", compiler.display())).env("AGON_SANDBOX", "none");
    let output = command.output().expect("agon runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let checked = Checked { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
    checked.says(1, &["building ok", "first turn failed: crash", "! ValueError: it was asked"]);
    // One without either is told which it lacks.
    fs::write(bot.path().join("engine.py"), "def find_move(board):\n    pass\n").expect("a bot");
    let output = command.output().expect("agon runs");
    let checked = Checked { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
    first_advice(&checked, 1, &["Write the function find_best_move (or get_best_move) in engine.py"]);
}
