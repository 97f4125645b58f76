//! The server and two raw sockets.

use std::fs;

use super::support::{Agon, Ended, Peer, init, log_file, message, normal, read_log};

fn two_clients(arguments: &[&str]) -> (Agon, [Peer; 2]) {
    let (server, port) = Agon::server(arguments);
    let first = Peer::connect(port);
    let second = Peer::connect(port);
    (server, [first, second])
}

fn begin(arguments: &[&str]) -> (Agon, [Peer; 2]) {
    let (server, mut clients) = two_clients(&[&["yinsh", "0", "-LOG", "server.log"], arguments].concat());
    clients[0].hear(&init("1 5 150 5"));
    clients[1].hear(&init("2 5 150 5"));
    (server, clients)
}

fn stop_of(player: u8) -> String {
    let other = 3 - player;
    let meta =
        format!("UNEXPECTED STOP BY PLAYER {player} : Player {player} SCORE : 0.0 : Player {other} SCORE : 10.0");
    message("KILLPROC", &meta, "")
}

fn assert_log(ended: &Ended, lines: &[String]) {
    let log: String = lines.iter().map(|line| format!("{line}\n")).collect();
    assert_eq!(ended.read("server.log"), log);
}

#[test]
fn real_logs_come_out_as_they_went_in() {
    for name in ["yinsh-server-win.log", "yinsh-server-invalid.log"] {
        let (server, mut clients) = begin(&[]);
        let mut stdout = "Start\n".to_owned();
        for logged in read_log(name) {
            clients[logged.client].say(&logged.raw);
            clients[1 - logged.client].hear(&logged.forwarded);
            stdout.push_str(&format!("{}Received from client {}\n", logged.raw, logged.client));
        }
        for client in &mut clients {
            client.hear_the_end();
        }
        let ended = server.end();
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert_eq!(ended.stdout, stdout);
        assert_eq!(ended.read("server.log"), fs::read_to_string(log_file(name)).expect("a log"));
    }
}

#[test]
fn cannon_has_its_boards_and_a_blank_on_stdout() {
    for (board, size, last) in [
        (vec![], "8 8", message("FINISH", "Player 2 SCORE : 8.12 : Player 1 SCORE : 2.1", "S 0 1 M 0 2")),
        (vec!["-n", "10"], "10 8", message("KILLPROC", "INVALID MOVE BY PLAYER 2 : Player 2 SCORE : 0.0", "")),
        (vec!["-n", "10", "-m=10"], "10 10", message("STAGNANT", "STAGNANT GAME : Player 2 SCORE : 5.1", "")),
    ] {
        let arguments = [&["cannon", "0", "-TL", "120", "-LOG", "server.log"], board.as_slice()].concat();
        let (server, [mut first, mut second]) = two_clients(&arguments);
        first.hear(&init(&format!("1 {size} 120")));
        second.hear(&init(&format!("2 {size} 120")));
        first.say(normal("S 0 5 M 0 4"));
        second.hear(&normal("S 0 5 M 0 4"));
        second.say(&last);
        first.hear(&last);
        first.hear_the_end();
        let ended = server.end();
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let lines =
            [format!("{} Received from client 0", normal("S 0 5 M 0 4")), format!("{last} Received from client 1")];
        assert_eq!(ended.stdout, format!("Start\n{}\n{}\n", lines[0], lines[1]));
        assert_log(&ended, &lines);
    }
}

#[test]
fn messages_may_come_in_pieces_together_or_early() {
    let (server, [mut first, mut second]) = begin(&[]);
    // Out of turn: it waits until the second client is listened to.
    second.say(normal("P 1 1") + &normal("P 1 2"));
    for byte in normal("P 0 0").bytes() {
        first.say([byte]);
    }
    second.hear(&normal("P 0 0"));
    first.hear(&normal("P 1 1"));
    let pretty = "{\n  \"data\": \"P 2 2\",\n  \"action\": \"NORMAL\"\n}\n";
    first.say(pretty);
    second.hear(&normal("P 2 2"));
    first.hear(&normal("P 1 2"));
    first.say(message("KILLPROC", "caf\u{e9}", ""));
    second.hear(&message("KILLPROC", "caf\\u00e9", ""));
    let ended = server.end();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_log(
        &ended,
        &[
            format!("{} Received from client 0", normal("P 0 0")),
            format!("{} Received from client 1", normal("P 1 1")),
            // A message with line breaks in it is written down on one line.
            format!("{} Received from client 0", normal("P 2 2")),
            format!("{} Received from client 1", normal("P 1 2")),
            format!("{} Received from client 0", message("KILLPROC", "caf\u{e9}", "")),
        ],
    );
}

#[test]
fn a_client_that_goes_is_reported_to_the_other() {
    let (server, [mut first, second]) = begin(&[]);
    drop(second);
    first.say(normal("P 0 0"));
    first.hear(&stop_of(2));
    let ended = server.end();
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("client 1"), "{}", ended.stderr);
    assert!(ended.read("server.log").ends_with(&format!("{} Decided by the server\n", stop_of(2))));

    let (server, [mut first, mut second]) = begin(&[]);
    first.say(normal("P 0 0"));
    second.hear(&normal("P 0 0"));
    second.say(normal("P 1 1"));
    first.hear(&normal("P 1 1"));
    first.say("{\"action\": \"NOR");
    drop(first);
    second.hear(&stop_of(1));
    second.hear_the_end();
    let ended = server.end();
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("in the middle of a message"), "{}", ended.stderr);
}

#[test]
fn garbage_ends_the_game_for_both() {
    let long = normal(&"P 0 0 ".repeat(200));
    let endless = "{\"data\": \"".to_owned() + &"x".repeat(70_000);
    for garbage in ["P 0 0\n", "{\"action\": \"NORMAL\", \"data\": 1}", "[]", "{]", "\u{0}", &long, &endless] {
        let (server, [mut first, mut second]) = begin(&[]);
        first.say(garbage);
        second.hear(&stop_of(1));
        first.hear(&stop_of(1));
        second.hear_the_end();
        let ended = server.end();
        assert_eq!(ended.code, Some(1));
        assert!(ended.stderr.contains("client 0: "), "{}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 2, "the port and one sentence: {}", ended.stderr);
        assert_log(&ended, &[format!("{} Decided by the server", stop_of(1))]);
    }
}

#[test]
fn without_a_board_there_are_no_scores() {
    let (server, [mut first, mut second]) = begin(&[]);
    // The relay hands on what the rules do not allow, as the original does.
    first.say(normal("P 9 9"));
    second.hear(&normal("P 9 9"));
    drop(second);
    first.hear(&message("KILLPROC", "UNEXPECTED STOP BY PLAYER 2", ""));
    assert_eq!(server.end().code, Some(1));
}

#[test]
fn silence_ends_the_game_as_in_the_original() {
    let kill = message("KILLPROC", "TIMEOUT ON CLIENT NETWORK", "");
    let (server, [_first, mut second]) = begin(&["--patience", "1"]);
    second.hear(&kill);
    second.hear_the_end();
    let ended = server.end();
    assert_eq!(ended.code, Some(1));
    assert_eq!(ended.stdout, "Start\nERROR : TIMEOUT ON CLIENT NETWORK0 END\n");
    assert_log(&ended, &[]);

    let (server, [mut first, _second]) = begin(&["--patience", "1"]);
    first.say(normal("P 0 0"));
    first.hear(&kill);
    first.hear_the_end();
    let ended = server.end();
    assert_eq!(ended.code, Some(1));
    let lines = [format!("{} Received from client 0", normal("P 0 0")), "None Received from client 1".to_owned()];
    assert_log(&ended, &lines);
    assert!(ended.stdout.ends_with("ERROR : TIMEOUT ON CLIENT NETWORK1 END\nNoneReceived from client 1\n"));
}

#[test]
fn one_client_is_too_few() {
    let (server, port) = Agon::server(&["yinsh", "0", "--patience", "1"]);
    let mut only = Peer::connect(port);
    only.hear(&message("KILLPROC", "ERROR IN INITIALIZATION", ""));
    only.hear_the_end();
    let ended = server.end();
    assert_eq!(ended.code, Some(1));
    assert_eq!(ended.stdout, "Start\n");
}

#[test]
fn a_third_client_gets_nothing_and_a_fourth_does_not_get_in() {
    let (server, port) = Agon::server(&["yinsh", "0", "3"]);
    let [mut first, mut second, mut third] = [0, 1, 2].map(|_| Peer::connect(port));
    first.hear(&init("1 5 150 5"));
    second.hear(&init("2 5 150 5"));
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err(), "the door is still open");
    first.say(message("KILLPROC", "x", ""));
    second.hear(&message("KILLPROC", "x", ""));
    third.hear_the_end();
    assert_eq!(server.end().code, Some(0));
}
