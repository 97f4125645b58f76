//! The client, with small bots, at a raw socket.

use std::{
    fs,
    io::Write,
    net::TcpListener,
    path::Path,
    process::{Command, Stdio},
};

use super::support::{Agon, Ended, Peer, accept, folder, init, listen, message, normal, read_log, until};

/// A bot that writes down what it hears and answers each turn with the next line of `turns`.
const SCRIPTED: &str = r#"
read -r first; echo "$first" > heard
next=1
case "$first" in 1*) sed -n "${next}p" turns; next=2;; esac
while read -r line; do echo "$line" >> heard; sed -n "${next}p" turns; next=$((next + 1)); done
"#;
/// A bot that thinks for ever, and says who it is.
const THINKER: &str = "echo $$ > pid.tmp; mv pid.tmp pid; exec sleep 1000\n";
/// Nothing has been taken yet.
const LOST_BY_1: &str = "Player 1 SCORE : 0.0 : Player 2 SCORE : 10.0";
const BANNER: &str = "***********************************\n\n-> You are player 1\n-> You are alloted a time of 150s\n\n\
    ***********************************\n\nTime remaining is: 150s\n";

fn start(script: &str, more: &[&str]) -> (Agon, Peer, TcpListener) {
    start_scripted(script, &[], more)
}

fn start_scripted(script: &str, turns: &[String], more: &[&str]) -> (Agon, Peer, TcpListener) {
    let (listener, port) = listen();
    let folder = folder();
    fs::write(folder.path().join("turns"), turns.join("\n") + "\n").expect("a file");
    let client = Agon::client(folder, "yinsh", port, script, more);
    let server = accept(&listener);
    (client, server, listener)
}

fn wait_for_bot(client: &Agon) -> String {
    until("bot", || Some(client.read("pid").trim().to_owned()).filter(|pid| !pid.is_empty()))
}

fn assert_gone(pid: &str) {
    until("end of the bot", || (!Path::new(&format!("/proc/{pid}")).exists()).then_some(()));
}

/// The lines of stdout, without those that tell the time.
fn lines(ended: &Ended) -> Vec<&str> {
    ended.stdout.lines().filter(|line| !line.starts_with("Time remaining is: ")).collect()
}

#[track_caller]
fn assert_failed(ended: &Ended, stdout: &str) {
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert_eq!(ended.stdout, format!("{BANNER}{stdout}"));
    assert!(!ended.stderr.is_empty());
}

#[test]
fn the_winner_says_so() {
    let mut log = read_log("yinsh-server-win.log");
    let last = log.pop().expect("a last turn");
    let own = |client| log.iter().filter(move |logged| logged.client == client).map(|logged| logged.turn.clone());
    let turns: Vec<String> = own(1).chain([last.turn.clone()]).collect();
    let (client, mut server, _listener) = start_scripted(SCRIPTED, &turns, &[]);
    // The first turn comes together with the first message, as it may when the first player is quick.
    server.say(init("2 5 150 5") + &log[0].forwarded);
    for pair in log[1..].chunks(2) {
        server.hear(&pair[0].forwarded);
        server.say(&pair[1].raw);
    }
    server.hear(&last.forwarded);
    server.hear_the_end();
    let ended = client.end();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let heard: String = own(0).map(|turn| format!("{turn}\n")).collect();
    assert_eq!(ended.read("heard"), format!("2 5 150 5\n{heard}"));
    let lines = lines(&ended);
    assert_eq!(lines[2], "-> You are player 2");
    assert_eq!(lines[7..9], ["Player 1 played : P 5 2", "You played : P 4 0"]);
    let played = format!("You played : {}", last.turn);
    let end = [played.as_str(), "YOU WIN!", "Your Score : 10.007", "Opponent's Score : 0.006"];
    assert_eq!(lines[lines.len() - 4..], end);
}

#[test]
fn the_loser_hears_it_and_its_bot_does_not() {
    let log = read_log("yinsh-server-win.log");
    let turns: Vec<String> = log.iter().step_by(2).map(|logged| logged.turn.clone()).collect();
    let (client, mut server, _listener) = start_scripted(SCRIPTED, &turns, &[]);
    for byte in init("1 5 150 5").bytes() {
        server.say([byte]);
    }
    for pair in log.chunks(2) {
        server.hear(&pair[0].forwarded);
        server.say(&pair[1].raw);
    }
    let ended = client.end();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let last = &log[log.len() - 1].turn;
    assert!(!ended.read("heard").contains(last));
    let lines = lines(&ended);
    let played = format!("Player 2 played : {last}");
    let end = [played.as_str(), "OTHER PLAYER WINS!", "Your Score : 0.006", "Opponent's Score : 10.007"];
    assert_eq!(lines[lines.len() - 4..], end);
}

#[test]
fn an_illegal_turn_of_the_bot_is_never_sent() {
    let long = format!("P 0 0{}P 0 0", " ".repeat(2000));
    // The last ones are what the parsers of the originals took for turns by accident.
    for turn in ["P 9 9", "hello", "", &long, "P 0 0 P 1 1 P 2 2", "P", "P 0"] {
        let (client, mut server, _listener) = start(&format!("read first; echo '{turn}'; read more\n"), &[]);
        server.say(init("1 5 150 5"));
        server.hear(&message("KILLPROC", &format!("INVALID MOVE BY PLAYER 1 : {LOST_BY_1}"), ""));
        server.hear_the_end();
        let shown: String = turn.chars().take(1000).collect();
        assert_failed(&client.end(), &format!("You played : {shown}\nINVALID MOVE ON THIS CLIENT\n"));
    }
}

#[test]
fn time_runs_out_and_the_bot_is_ended() {
    let (client, mut server, _listener) = start(THINKER, &[]);
    server.say(init("1 5 1 5"));
    server.hear(&message("FINISH", &format!("TIMEOUT BY PLAYER 1 : {LOST_BY_1}"), ""));
    let pid = wait_for_bot(&client);
    let ended = client.end();
    assert_eq!(ended.code, Some(1));
    assert!(ended.stdout.ends_with("Time remaining is: 1s\nERROR : THIS CLIENT RAN OUT OF TIME!\n"));
    assert_gone(&pid);
}

#[test]
fn a_dead_bot_is_noticed_at_once() {
    for script in ["exit 0\n", "read first; exit 3\n", "no_such_command_anywhere\n", "kill -9 $$\n"] {
        let (client, mut server, _listener) = start(script, &[]);
        server.say(init("1 5 150 5"));
        server.hear(&message("KILLPROC", &format!("UNEXPECTED STOP BY PLAYER 1 : {LOST_BY_1}"), ""));
        assert_failed(&client.end(), "ERROR : THIS CLIENT STOPPED UNEXPECTEDLY OR TIMED OUT\n");
    }
}

#[test]
fn what_the_server_says_last_is_told() {
    let network = "TIMEOUT ON CLIENT NETWORK";
    let other = "INVALID MOVE BY PLAYER 2 : Player 2 SCORE : 0.0 : Player 1 SCORE : 10.0";
    let mine = "INVALID MOVE BY PLAYER 1 : Player 1 SCORE : 0.0 : Player 2 SCORE : 10.0";
    for (meta, code) in [(network, 0), (other, 0), (mine, 1)] {
        // It is heard even while the bot thinks.
        let (client, mut server, _listener) = start(THINKER, &[]);
        server.say(init("1 5 150 5"));
        let pid = wait_for_bot(&client);
        server.say(message("KILLPROC", meta, ""));
        server.hear_the_end();
        let ended = client.end();
        assert_eq!(ended.stdout, format!("{BANNER}ERROR : {meta} ,ON OTHER CLIENT\n"));
        assert_eq!(ended.code, Some(code));
        assert_gone(&pid);
    }
    let (client, mut server, _listener) = start(THINKER, &[]);
    server.say(init("1 5 150 5") + &message("FINISH", "TIMEOUT BY PLAYER 2 : x", ""));
    let ended = client.end();
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), BANNER));
    assert!(ended.stderr.contains("TIMEOUT BY PLAYER 2"));
}

#[test]
fn no_game_comes_about() {
    for (said, line) in [
        (message("KILLPROC", "ERROR IN INITIALIZATION", ""), "ERROR : ERROR IN INITIALIZATION ,ON OTHER CLIENT\n"),
        (String::new(), "ERROR : TIMEOUT ON SERVER END\n"),
        ("HTTP/1.1 400 Bad Request\r\n".to_owned(), "ERROR : TIMEOUT ON SERVER END\n"),
        (init("1 99 150 5"), ""),
        (init("3 5 150 5"), ""),
        (normal("P 0 0"), ""),
    ] {
        let (client, mut server, _listener) = start(THINKER, &[]);
        server.say(&said);
        drop(server);
        let ended = client.end();
        assert_eq!(ended.stdout, format!("{line}ERROR IN SETTING UP CONNECTIONS. SORRY\n"), "{said}: {}", ended.stderr);
        assert_eq!(ended.code, Some(1));
    }
}

#[test]
fn a_server_that_dies_or_falls_silent_is_left() {
    // While the bot thinks.
    let (client, mut server, _listener) = start(THINKER, &[]);
    server.say(init("1 5 150 5"));
    let pid = wait_for_bot(&client);
    drop(server);
    let ended = client.end();
    assert_eq!(ended.code, Some(1));
    assert_eq!(ended.stdout, format!("{BANNER}ERROR : TIMEOUT ON SERVER END\n"));
    assert_gone(&pid);
    // While the opponent does: it is gone, silent, or says what it should not.
    let stop = message("KILLPROC", &format!("UNEXPECTED STOP BY PLAYER 1 : {LOST_BY_1}"), "");
    for said in ["", "P 1 1\n", &init("1 5 150 5")] {
        let (client, mut server, _listener) = start("read first; echo P 0 0; exec cat\n", &["--patience", "1"]);
        server.say(init("1 5 150 5"));
        server.hear(&normal("P 0 0"));
        server.say(said);
        server.hear(&stop);
        assert_failed(&client.end(), "You played : P 0 0\nERROR : TIMEOUT ON SERVER END\n");
    }
}

#[test]
fn an_illegal_turn_of_the_opponent_ends_the_game() {
    let (client, mut server, _listener) = start("read first; echo P 0 0; exec cat\n", &[]);
    server.say(init("1 5 150 5"));
    server.hear(&normal("P 0 0"));
    server.say(normal("P 0 0"));
    let meta = "INVALID MOVE BY PLAYER 2 : Player 2 SCORE : 0.0 : Player 1 SCORE : 10.0";
    server.hear(&message("KILLPROC", meta, ""));
    let ended = client.end();
    assert_eq!(ended.code, Some(0));
    assert_eq!(ended.stdout, format!("{BANNER}You played : P 0 0\nPlayer 2 played : P 0 0\n"));
    assert!(ended.stderr.contains("the opponent broke the rules"), "{}", ended.stderr);
}

#[test]
fn a_client_that_is_asked_to_stop_says_goodbye() {
    let (client, mut server, _listener) = start(THINKER, &[]);
    server.say(init("1 5 150 5"));
    let pid = wait_for_bot(&client);
    assert!(Command::new("kill").args(["-TERM", &client.id()]).status().expect("kill").success());
    server.hear(&message("KILLPROC", &format!("UNEXPECTED STOP BY PLAYER 1 : {LOST_BY_1}"), ""));
    assert_eq!(client.end().code, Some(1));
    assert_gone(&pid);
}

#[test]
fn python_bots_and_executables_are_started_too() {
    use std::os::unix::fs::PermissionsExt;
    let python =
        "import sys\nfirst = input()\nsys.stderr.write('I hear ' + first)\nprint('P 0 0', flush=True)\ninput()\n";
    for (name, text) in
        [("bot.py", python), ("bot", "#!/bin/sh\nread first; echo I hear $first >&2; echo P 0 0; read x\n")]
    {
        let (listener, port) = listen();
        let folder = folder();
        let file = folder.path().join(name);
        fs::write(&file, text).expect("a file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("permissions");
        // The order of the assignment's text.
        let client = Agon::start(folder, &["client", "cannon", &port.to_string(), "localhost", name, "-mode", "CUI"]);
        let mut server = accept(&listener);
        server.say(init("1 8 8 150"));
        let meta = "INVALID MOVE BY PLAYER 1 : Player 1 SCORE : 0.12 : Player 2 SCORE : 10.12";
        server.hear(&message("KILLPROC", meta, ""));
        assert!(client.end().stderr.contains("I hear 1 8 8 150"));
    }
}

/// The original ran `python`, which many hosts have under its other name only.
#[test]
fn python_is_looked_for_under_its_first_name_first() {
    use std::os::unix::fs::PermissionsExt;
    for (names, found) in [(&["python", "python3"][..], "python"), (&["python3"], "python3")] {
        let (listener, port) = listen();
        let folder = folder();
        fs::write(folder.path().join("bot.py"), "").expect("a file");
        for name in names {
            let file = folder.path().join(name);
            let script = format!("#!/bin/sh\nread first; echo started as {name}. >&2; echo P 0 0; read x\n");
            fs::write(&file, script).expect("a file");
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("permissions");
        }
        let path = folder.path().display().to_string();
        let arguments = ["client", "cannon", "localhost", &port.to_string(), "bot.py"];
        let client = Agon::start_with(folder, &arguments, Stdio::null(), &[("PATH", &path)]);
        let mut server = accept(&listener);
        server.say(init("1 8 8 150"));
        let meta = "INVALID MOVE BY PLAYER 1 : Player 1 SCORE : 0.12 : Player 2 SCORE : 10.12";
        server.hear(&message("KILLPROC", meta, ""));
        let said = client.end().stderr;
        assert!(said.contains(&format!("started as {found}.")), "{names:?}: {said}");
    }
}

#[test]
fn a_person_types_the_turns_and_may_try_again() {
    let (listener, port) = listen();
    let arguments = ["client", "yinsh", "127.0.0.1", &port.to_string()];
    let mut client = Agon::start_with_input(folder(), &arguments, Stdio::piped());
    let mut typing = client.stdin().expect("a pipe");
    let mut server = accept(&listener);
    server.say(init("1 5 150 5"));
    typing.write_all(b"P 9 9\nP 0 0\n").expect("a reader");
    server.hear(&normal("P 0 0"));
    server.say(normal("P 1 1"));
    drop(typing);
    let meta = format!("UNEXPECTED STOP BY PLAYER 1 : {LOST_BY_1}");
    server.hear(&message("KILLPROC", &meta, ""));
    let ended = client.end();
    assert_eq!(ended.code, Some(1));
    let stop = "ERROR : THIS CLIENT STOPPED UNEXPECTEDLY OR TIMED OUT";
    assert_eq!(lines(&ended)[7..], ["You played : P 0 0", "Player 2 played : P 1 1", stop]);
    assert!(ended.stderr.contains("refused: "), "{}", ended.stderr);
    assert!(ended.stderr.contains("for example: P "), "{}", ended.stderr);
    assert!(ended.stderr.lines().count() > 20, "no board: {}", ended.stderr);
}
