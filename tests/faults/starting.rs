//! Bots that never become ready.

use super::*;

#[test]
fn a_missing_program_does_not_start() {
    let evidence = ["cannot start '", "nowhere'", "No such file or directory"];
    let expected = Expected { name: "would not start", evidence: &evidence, turns: 0, stderr: "" };
    assert_fault(&expected, |_| Subject::new(program(&Path::new(BOTS).join("nowhere"))));
}

#[test]
fn a_file_that_is_no_program_does_not_start() {
    let expected =
        Expected { name: "would not start", evidence: &["cannot start '", "Permission denied"], turns: 0, stderr: "" };
    assert_fault(&expected, |_| Subject::new(program(&Path::new(BOTS).join("good.py"))));
    let evidence = ["good.py/bot", "Not a directory"];
    let expected = Expected { name: "would not start", evidence: &evidence, turns: 0, stderr: "" };
    assert_fault(&expected, |_| Subject::new(program(&Path::new(BOTS).join("good.py/bot"))));
}

#[test]
fn a_program_for_another_machine_does_not_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bot");
    // The beginning of an executable, and nothing after it. Written by another process: a file that this one has just written
    // may be busy for as long as a bot that another test starts at this moment holds it open.
    let made = Command::new("sh").args(["-c", r#"printf '\177ELF' > "$0" && chmod +x "$0""#]).arg(&file).status();
    assert!(made.expect("a shell").success());
    let expected = Expected { name: "would not start", evidence: &[], turns: 0, stderr: "" };
    assert_fault(&expected, |_| Subject::new(program(&file)));
}

#[test]
fn a_shell_says_why_a_bot_does_not_start() {
    let command =
        |run: &str| BotCommand { arguments: vec!["-c".to_owned(), format!("exec {run}")], ..program(Path::new("sh")) };
    let evidence = ["exited with code 127 (the command was not found) instead of sending 'ugiok'"];
    let expected = Expected { name: "would not start", evidence: &evidence, turns: 0, stderr: "no-such-bot" };
    assert_fault(&expected, |_| Subject::new(command("no-such-bot")));
    let evidence = ["exited with code 126 (the command cannot be executed) instead of sending 'ugiok'"];
    let expected = Expected { name: "would not start", evidence: &evidence, turns: 0, stderr: "good.py" };
    assert_fault(&expected, |_| Subject::new(command(&format!("{BOTS}/good.py"))));
}

#[test]
fn exits_at_once() {
    let evidence = ["exited with code 0 instead of sending 'ugiok'"];
    let stderr = "nobody called main";
    let expected = Expected { name: "would not start", evidence: &evidence, turns: 0, stderr };
    assert_fault(&expected, |_| shell("exits_at_once.sh"));
}

#[test]
fn never_reads_stdin() {
    let evidence = ["in time: allowed were 3.000 s"];
    let expected = Expected { name: "would not start", evidence: &evidence, turns: 0, stderr: "" };
    assert_fault(&expected, |_| {
        let mut subject = python("never_reads.py", &[]);
        // More than a pipe holds: a referee that waits until it is read waits for ever.
        subject.options = vec![("Ballast".to_owned(), "x".repeat(1 << 20))];
        subject.limits.start = Duration::from_secs(3);
        subject
    });
}
